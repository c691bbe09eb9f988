"""The analysis of environment files, alone and with a template."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, Consumer, EnvironmentAnalysis, analyze_file
from heatstudio.analysis.assist.environment import complete_environment, environment_definition, environment_hover
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import is_environment, parse_environment, parse_template
from heatstudio.text import Severity
from tests.analysis.semantic_models import FileTexts
from tests.load import load_source

TEMPLATE = """heat_template_version: 2021-04-16
parameters:
  size: {type: number, description: How many, constraints: [{range: {min: 1}}]}
  zone: {type: string}
resources:
  server: {type: OS::Heat::Value, properties: {value: {get_param: size}}, metadata: {zone: {get_param: zone}}}
"""
ENVIRONMENT = """# of the test
parameters:
  size: 0
  nobody: 1
resource_registry:
  resources:
    server: {hooks: pre-sleep}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def analysis_of(text: str, knowledge: Knowledge, *, with_template: bool = False) -> Analysis:
    file = EnvironmentFile("/e.yaml", parse_environment(text).data)
    owner = Consumer(Source(parse_template(TEMPLATE), (file,)), "/e.yaml") if with_template else None
    return analyze_file(Source(parse_template(text)), knowledge, owner=owner)


def reported(analysis: Analysis) -> list[tuple[str, str]]:
    text = analysis.template.text
    return [(text[one.span.start : one.span.end], one.message) for one in analysis.diagnostics]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parameters: {a: 1}", True),
        ("parameters: {a: {type: string}}", False),
        ("parameters: {a: {b: 1}}", True),
        ("parameters: {}", True),
        ("parameters:", True),
        ("resource_registry: {}", True),
        ("parameter_defaults:\n", True),
        ("parameters: {a: {type: string}}\nparameter_defaults: {}", True),
        ("heat_template_version: 2021-04-16\nparameters: {a: 1}", False),
        ("parameters: {a: 1}\nresources: {}", False),
        ("", False),
    ],
)
def test_is_environment(text: str, expected: bool) -> None:
    assert is_environment(parse_template(text).data) is expected


def test_environment_alone_is_not_checked_against_a_template(knowledge: Knowledge) -> None:
    analysis = analysis_of("parameters: {size: 0}\nparameter_defaults: {x: [1]}\n", knowledge)
    assert isinstance(analysis, EnvironmentAnalysis)
    assert analysis.diagnostics == ()


def test_errors_independent_of_the_template(knowledge: Knowledge) -> None:
    (found,) = reported(analysis_of(ENVIRONMENT, knowledge))
    assert found[1].startswith("`pre-sleep` is not a hook; use ")
    (found,) = reported(analysis_of("parameters: {a: 1}\nparameter_defaults:\n", knowledge))
    assert found == (
        "parameter_defaults",
        "Section `parameter_defaults` is empty, which Heat rejects; write `{}` or remove it.",
    )


def test_values_are_checked_against_the_template_and_located_in_the_environment(knowledge: Knowledge) -> None:
    found = dict(reported(analysis_of(ENVIRONMENT, knowledge, with_template=True)))
    assert found["0"] == "Invalid value of `size`: 0 is too small; the minimum is 1."
    assert found["nobody"] == "Unknown parameter `nobody`."
    assert len(found) == 3


def test_completion_hover_and_definition_use_names_of_the_template(knowledge: Knowledge) -> None:
    analysis = analysis_of(ENVIRONMENT, knowledge, with_template=True)
    assert isinstance(analysis, EnvironmentAnalysis)
    text = "parameters:\n  \n"
    labels = [one.label for one in complete_environment(analysis.owner, text, len(text) - 1)]
    assert labels == ["size", "zone"]
    offset = ENVIRONMENT.index("size")
    said = environment_hover(analysis.owner, ENVIRONMENT, offset)
    assert said is not None
    assert "How many" in said.lines
    found = environment_definition(analysis.owner, ENVIRONMENT, offset)
    assert found is not None
    assert TEMPLATE[found.span.start :].startswith("size: {type")
    found = environment_definition(analysis.owner, ENVIRONMENT, ENVIRONMENT.index("server"))
    assert found is not None
    assert TEMPLATE[found.span.start :].startswith("server: {type")
    assert environment_definition(analysis.owner, ENVIRONMENT, 0) is None


def test_environments_of_the_corpus_are_recognized(knowledge: Knowledge, shared: Path) -> None:
    lines = (shared / "corpus" / "environments.tsv").read_text("utf-8").splitlines()
    column = lines[0].split("\t").index("file")
    paths = [shared / "corpus" / line.split("\t")[column] for line in lines[1:]]
    wrong: list[str] = []
    for path in paths[::5]:
        text = path.read_text("utf-8", "replace")
        analysis = analysis_of(text, knowledge)
        is_empty = analysis.template.data == {"parameters": None}  # which Heat also rejects as an environment
        if (
            analysis.template.complete
            and not is_empty
            and any(one.code == "no-version" for one in analysis.diagnostics)
        ):
            wrong.append(str(path))
    assert len(paths) > 100
    assert wrong == []


def with_environment(text: str, knowledge: Knowledge, files: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """Return the diagnostics of a template in its environment: the text at the span, and the code."""
    file = EnvironmentFile("/e.yaml", parse_environment(text).data, text)
    analysis = analyze_file(Source(parse_template(TEMPLATE + NESTED), (file,), FileTexts(files or {})), knowledge)
    places = [(one.elsewhere, one.code) for one in analysis.diagnostics if one.elsewhere is not None]
    assert {where.file for where, _ in places} <= {"/e.yaml"}
    return [(text[where.span.start : where.span.end], code) for where, code in places]


NESTED = "  nested: {type: nested.yaml}\n"
CHILD = "heat_template_version: 2021-04-16\nparameters:\n  inner: {type: string}\n"


def test_problems_of_an_environment_are_located_in_it(knowledge: Knowledge) -> None:
    assert with_environment(ENVIRONMENT, knowledge) == [
        ("0", "invalid-environment"),
        ("nobody", "invalid-environment"),
        ("pre-sleep", "invalid-environment"),
    ]


def test_a_default_without_a_parameter_is_reported(knowledge: Knowledge) -> None:
    text = "parameter_defaults: {zone: a, inner: b, iner: c, KeyName: d}\n"
    assert with_environment(text, knowledge, {"nested.yaml": CHILD}) == [("iner", "unused-default")]


def test_numbers_that_yaml_makes_of_texts_are_reported(knowledge: Knowledge) -> None:
    text = "parameters: {size: 1.10, zone: 1.10}\nparameter_defaults: {mac: 52:54:00:12:34:56}\n"
    both = [("1.10", "YAML reads `1.10` as the number 1.1. Quote the text.")]
    mac = "52:54:00:12:34:56"
    certain = [(mac, f"YAML reads `{mac}` as the number 41135085296. Quote the text.")]
    found = analysis_of(text, knowledge, with_template=True)
    assert [one for one in reported(found) if "YAML" in one[1]] == [*both, *certain]
    assert reported(analysis_of(text, knowledge)) == certain


def test_numbers_of_an_environment_are_reported_where_a_string_receives_them(knowledge: Knowledge) -> None:
    text = "parameters: {zone: yes}\nparameter_defaults: {zone: no, size: 0x10, mac: 12:30}\nevent_sinks: 12:30\n"
    numbers = [found for found in with_environment(text, knowledge) if found[1] == "yaml-number"]
    assert numbers == [("12:30", "yaml-number"), ("yes", "yaml-number")]


def test_default_is_not_reported_if_a_nested_template_is_unreadable(knowledge: Knowledge) -> None:
    text = "parameter_defaults: {zone: a, iner: c}\n"
    assert with_environment(text, knowledge, {"nested.yaml": CHILD + "resources:\n  deep: {type: deep.yaml}\n"}) == []
    assert with_environment(text, knowledge) == []


def test_environment_reports_its_own_unused_defaults(knowledge: Knowledge) -> None:
    text = "parameter_defaults: {zone: a, szie: 1}\n"
    (found,) = analysis_of(text, knowledge, with_template=True).diagnostics
    assert (found.code, found.severity.word) == ("unused-default", "information")
    assert "Did you mean `size`?" in found.message
    assert analysis_of(text, knowledge).diagnostics == ()


def test_file_that_ends_in_env_is_an_environment(tmp_path: Path, knowledge: Knowledge) -> None:
    path = tmp_path / "module.env"
    for text in ("", "parameters: {}\n", "# no value\n"):
        path.write_text(text, encoding="utf-8")
        assert analyze_file(load_source(path), knowledge).diagnostics == ()
    path.write_text("size: 4\n", encoding="utf-8")
    (found,) = analyze_file(load_source(path), knowledge).diagnostics
    assert found.message == "Unknown section `size`; put values of parameters below `parameters:`."


@pytest.mark.parametrize(
    ("text", "place", "words", "severity"),
    [
        ("parameters: {size: null}", "null", "Parameter `size` has no value.", Severity.ERROR),
        ("parameter_defaults: {size: }", "size", "Parameter `size` has no value.", Severity.ERROR),
        ("parameters: {size: 1, name: null}", "", "", None),
        ("parameter_merge_strategies: {size: append}", "append", "Unknown merge strategy `append`", Severity.WARNING),
        ("parameter_merge_strategies: {default: deep_merge, size: merge, name: overwrite}", "", "", None),
    ],
)
def test_null_values_and_unknown_words_are_located(
    knowledge: Knowledge, text: str, place: str, words: str, severity: Severity | None
) -> None:
    template = parse_template(
        "heat_template_version: 2021-04-16\nparameters: {size: {type: number}, name: {type: string, default: a}}\n"
    )
    file = EnvironmentFile("e.yaml", parse_environment(text).data, text)
    owner = Consumer(Source(template, (file,)), "e.yaml")
    found = analyze_file(Source(parse_template(text)), knowledge, owner=owner)
    assert [(one[0] or place, one[1].startswith(words)) for one in reported(found)] == [(place, True)] * bool(words)
    assert [one.severity for one in found.diagnostics] == ([severity] if severity is not None else [])

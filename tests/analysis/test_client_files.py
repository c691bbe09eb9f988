"""Files that the client sends with a template. The verdicts are those of python-heatclient and of the engine."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.analysis.analyze_environment import analyze_file
from heatstudio.stack.definition import definition_problems
from heatstudio.stack.definition.client_files import ClientFiles
from heatstudio.stack.definition.definition_problems import registry_problems
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import define
from heatstudio.stack.functions.function import resolve
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.load import load_environment
from heatstudio.stack.problem import StackProblem
from heatstudio.text import TEXT_LIMIT, DocumentError, Severity
from tests.load import load_source

HOT = "heat_template_version: 2021-04-16\n"
OFF = HOT + "conditions: {never: false}\n"
GET_FILE = "{type: OS::Heat::Value, %s properties: {value: {get_file: %s}}}"
FILES = {
    "missing-script.yaml": HOT + f"resources: {{v: {GET_FILE % ('', 'boot.sh')}}}\n",
    "circle.yaml": HOT + "resources: {v: {type: around.yaml}}\n",
    "around.yaml": HOT + "resources: {v: {type: circle.yaml}}\n",
    "twice.yaml": HOT + "resources: {a: {type: plain.yaml}, b: {type: plain.yaml}}\n",
    "plain.yaml": HOT,
    "wrong-type.yaml": HOT + "parameters: {p: {type: strin}}\n",
    "around-wrong-type.yaml": OFF + "resources: {v: {type: wrong-type.yaml, condition: never}}\n",
    "wrong-version.yaml": "heat_template_version: 2021-04-17\n",
    "wrong-section.yaml": HOT + "parameters: [p]\n",
    "no-template.yaml": "resources: {v: {type: gone.yaml}}\n",
    "broken.yaml": HOT + "resources: {v: {type: gone.yaml\n",
    "cfn.yaml": "AWSTemplateFormatVersion: 2010-09-09\nResources: {r: {Type: plain.yaml}}\n",
}
GONE = "File not found:"
EMPTY_GROUP = "resources: {g: {type: OS::Heat::ResourceGroup, properties: {count: 0, resource_def: {type: gone.yaml}}}}"
REFUSED = (
    ("resources: {r: {type: missing-script.yaml}}", "", f"missing-script.yaml: {GONE}"),
    ("resources: {r: {type: missing-script.yaml, condition: never}}", "", GONE),
    ("resources: {r: {type: gone.yaml, condition: never}}", "", GONE),
    (f"resources: {{r: {GET_FILE % ('condition: never,', 'boot.sh')}}}", "", GONE),
    (EMPTY_GROUP, "", GONE),
    ("outputs: {o: {value: {if: [never, {get_file: boot.sh}, a]}}}", "", GONE),
    ("resources: {r: {type: circle.yaml}}", "", "contains itself"),
    ("resources: {r: {type: circle.yaml, condition: never}}", "", "contains itself"),
    ("resources: {r: {type: wrong-type.yaml, condition: never}}", "", "Invalid type (strin)"),
    ("resources: {r: {type: around-wrong-type.yaml}}", "", "Invalid type (strin)"),
    (f"resources: {{r: {GET_FILE % ('', 'wrong-version.yaml')}}}", "", "has an invalid template version"),
    ("resources: {r: {type: wrong-section.yaml, condition: never}}", "", "must be a map"),
    ("", "{A: gone.yaml}", GONE),
    ("", "{A: 7}", '"7" is neither a type nor a template'),
    ("", "{A: missing-script.yaml}", GONE),
    ("", "{A: plain-name}", GONE),
    ("", "{A: }", "`A` has no value"),
    ("", "{resources: {r: }}", "`r` has no value"),
    ("", "{resources: {r: {A: }}}", "`A` has no value"),
    ("", "{resources: {r: {A: gone.yaml}}}", GONE),
    ("", "{base_url: sub/, A: plain.yaml}", "`base_url` is not a URL"),
    ("", "{base_url: '', resources: {r: {A: plain.yaml}}}", "`base_url` is not a URL"),
    ("", "{A: wrong-version.yaml}", "has an invalid template version"),
    ("resources: {r: {type: cfn.yaml}}", "", "cfn.yaml, `r`: Heat cannot load `plain.yaml`"),
    (
        "parameters: {kind: {type: string, default: plain.yaml}}\nresources: {r: {type: OS::Heat::ResourceGroup, "
        "properties: {resource_def: {type: {get_param: kind}}}}}",
        "",
        "Heat cannot load `plain.yaml`",
    ),
)  # fmt: skip
ACCEPTED = (
    ("resources: {r: {type: twice.yaml}}", ""),
    ("resources: {r: {type: no-template.yaml, condition: never}}", ""),
    (f"resources: {{r: {GET_FILE % ('', 'broken.yaml')}}}", ""),
    ("", "{A: plain.yaml, resources: {r: {A: plain.yaml, hooks: pre-create}}}"),
    ("", "{base_url: , resources: {}, A: B::C}"),
    ("", "{resources: {r: {deep: {A: }}}}"),
)


def errors(folder: Path, template: str, registry: str) -> list[str]:
    """Return the error messages for a template in a folder with all files of FILES, with a registry."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    path, environment = folder / "main.yaml", folder / "environment.yaml"
    path.write_text(OFF + template)
    environment.write_text(f"resource_registry: {registry}\n" if registry else "")
    found = analyze(load_source(path, [environment]), load_knowledge()).diagnostics
    return [each.message for each in found if each.severity is Severity.ERROR]


@pytest.mark.parametrize(("template", "registry", "message"), REFUSED)
def test_a_file_that_the_client_or_heat_cannot_read_is_reported(
    template: str, registry: str, message: str, tmp_path: Path
) -> None:
    (reported,) = errors(tmp_path, template, registry)
    assert message in reported


@pytest.mark.parametrize(("template", "registry"), ACCEPTED)
def test_files_that_can_be_read_are_accepted(template: str, registry: str, tmp_path: Path) -> None:
    assert errors(tmp_path, template, registry) == []


LATIN = "heat_template_version: 2021-04-16\ndescription: caf\xe9\n".encode("latin-1")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LATIN, "child.yaml` is not UTF-8; convert it, for example with `iconv -f latin1 -t utf-8`."),
        (b"# " + b"x" * TEXT_LIMIT, "child.yaml` cannot be read; check its permissions and size (at most 4 MB)."),
        (base64.encodebytes(HOT.encode()), "child.yaml` has syntax errors; open it for details."),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "resource",
    ["{type: child.yaml}", "{type: A}", "{type: OS::Heat::ResourceGroup, properties: {resource_def: {type: A}}}"],
)
def test_an_unreadable_template_is_reported(content: bytes, message: str, resource: str, tmp_path: Path) -> None:
    (tmp_path / "child.yaml").write_bytes(content)
    (reported,) = errors(tmp_path, f"resources: {{r: {resource}}}", "{A: child.yaml}")
    assert reported.endswith(message)


def test_a_file_that_is_not_utf_8_is_base64_as_heat_receives_it(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe" * 40)
    path = tmp_path / "main.yaml"
    path.write_text(HOT + f"resources: {{v: {GET_FILE % ('', 'binary')}}}\n")
    stack, _ = define(load_source(path), load_knowledge())
    properties = stack.resource_definition("v").properties
    assert resolve(properties, stack) == {"value": base64.encodebytes(b"\xff\xfe" * 40).decode()}


def test_files_of_a_registry_are_read_only_for_the_outermost_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[ClientFiles] = []

    def count(environments: Iterable[EnvironmentFile], files: ClientFiles) -> Iterator[StackProblem]:
        read.append(files)
        return registry_problems(environments, files)

    monkeypatch.setattr(definition_problems, "registry_problems", count)
    (tmp_path / "plain.yaml").write_text(f"{HOT}resources: {{r: {{type: OS::Heat::None}}}}\n", "utf-8")
    (tmp_path / "e.yaml").write_text("resource_registry: {A: plain.yaml}\n", "utf-8")
    (tmp_path / "t.yaml").write_text(f"{HOT}resources: {{a: {{type: plain.yaml}}, b: {{type: plain.yaml}}}}\n", "utf-8")
    found = analyze(load_source(tmp_path / "t.yaml", [tmp_path / "e.yaml"]), load_knowledge()).diagnostics
    assert [one.code for one in found if one.severity is Severity.ERROR] == []
    assert len(read) == 1


def test_environment_receives_its_own_files(tmp_path: Path) -> None:
    path = tmp_path / "environment.yaml"
    path.write_text("resource_registry: {A: gone.yaml}\n")
    found = analyze_file(load_source(path), load_knowledge()).diagnostics
    assert [(each.code, each.span.start) for each in found] == [("invalid-environment", path.read_text().index("gone"))]


@pytest.mark.parametrize(
    ("first", "second", "is_refused"),
    [("text.yaml", "flag.yaml", True), ("flag.yaml", "text.yaml", False), ("flag.yaml", "around-text.yaml", True)],
)
def test_template_that_the_client_reads_last_determines_a_parameter_type(
    first: str, second: str, *, is_refused: bool, tmp_path: Path
) -> None:
    (tmp_path / "text.yaml").write_text(HOT + "parameters: {s: {type: string}}\n")
    (tmp_path / "flag.yaml").write_text(HOT + "parameters: {s: {type: boolean}}\n")
    around = "parameters: {s: {type: boolean}}\nresources: {r: {type: text.yaml}}\n"
    (tmp_path / "around-text.yaml").write_text(HOT + around)
    path, environments = tmp_path / "main.yaml", [tmp_path / "1.yaml", tmp_path / "2.yaml"]
    path.write_text(HOT)
    strategies = "parameter_merge_strategies: {s: merge}\nparameter_defaults: {s: 'x'}\n"
    for file, nested in zip(environments, (first, second), strict=True):
        file.write_text(f"resource_registry: {{My::{nested.title()}: {nested}}}\n{strategies}")
    found = analyze(load_source(path, environments), load_knowledge()).diagnostics
    assert [each.message for each in found if each.severity is Severity.ERROR] == (
        ["The merge strategy `merge` does not apply to parameter `s`."] if is_refused else []
    )


SIZE = "parameters: {size: {type: number, default: %s, constraints: [{range: {max: 5}}]}}\n"


@pytest.mark.parametrize(
    ("declared", "given", "message"),
    [
        ("3", "9", "Invalid default 9 (9 is out of range (min: None, max: 5))"),
        ("3", "many", "Invalid default many"),
        ("30", "9", "Invalid default 9"),
        ("30", "2", None),
        ("3", "2", None),
    ],
)
def test_defaults_of_an_environment_replace_those_of_a_nested_template(
    declared: str, given: str, message: str | None, tmp_path: Path
) -> None:
    (tmp_path / "child.yaml").write_text(HOT + SIZE % declared)
    path, environment = tmp_path / "main.yaml", tmp_path / "environment.yaml"
    path.write_text(HOT + "resources: {r: {type: child.yaml}}\n")
    environment.write_text(f"parameter_defaults: {{size: {given}}}\n")
    found = analyze(load_source(path, [environment]), load_knowledge()).diagnostics
    assert [str(message) in each.heat for each in found] == ([] if message is None else [True])


def test_a_default_of_null_leaves_a_nested_parameter_without_one(tmp_path: Path) -> None:
    (tmp_path / "child.yaml").write_text(HOT + SIZE % 3)
    path, environment = tmp_path / "main.yaml", tmp_path / "environment.yaml"
    path.write_text(HOT + "resources: {r: {type: child.yaml}}\n")
    environment.write_text("parameter_defaults: {size: }\n")
    (found,) = analyze(load_source(path, [environment]), load_knowledge()).diagnostics
    assert found.message.startswith("Missing required property `size`")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_yaml_recognizes_the_encoding_of_an_environment(tmp_path: Path, encoding: str) -> None:
    template, environment = tmp_path / "template.yaml", tmp_path / "environment.yaml"
    template.write_text(HOT + "parameters: {a: {type: string, constraints: [{length: {max: 4}}]}}\n", encoding="utf-8")
    environment.write_text("parameters: {a: größe}\n", encoding=encoding)
    found = analyze(load_source(template, [environment]), load_knowledge()).diagnostics
    assert [one.message for one in found if one.severity is Severity.ERROR] == [
        "Invalid value of `a`: a length of 5 is too long; the maximum is 4."
    ]
    assert analyze_file(load_source(environment), load_knowledge()).diagnostics == ()


def test_template_in_another_encoding_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(HOT, encoding="utf-16")
    with pytest.raises(DocumentError, match="is not UTF-8"):
        load_source(path)


def test_environment_in_a_non_unicode_encoding_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "environment.yaml"
    path.write_text("parameters: {a: größe}\n", encoding="latin-1")
    for load in (load_source, load_environment):
        with pytest.raises(DocumentError, match="is not UTF-8"):
            load(path)

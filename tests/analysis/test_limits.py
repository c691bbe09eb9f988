"""Limits for templates with very many problems, names and resources."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, analyze
from heatstudio.analysis.problem_limit import MOST, MOST_ERRORS, MOST_RESOURCES
from heatstudio.analysis.scope import nearest
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.load import FolderFiles
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.analysis.semantic_models import FileTexts
from tests.work import count_calls

RESOURCES = "heat_template_version: 2021-04-16\nresources:\n"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def look(text: str, knowledge: Knowledge, previous: Analysis | None = None) -> Analysis:
    template = parse_template(text, previous.template if previous else None)
    return analyze(Source(template), knowledge, previous=previous)


@pytest.mark.parametrize(
    "text",
    [
        RESOURCES + "".join(f"  r{n}: {{type: OS::Nova::NoSuch}}\n" for n in range(1000)),
        RESOURCES + "  r:\n    type: OS::Heat::None\n" + "".join(f"    wrong{n}: 1\n" for n in range(1000)),
        "heat_template_version: 2021-04-16\n" + "".join(f"wrong{n}: {{}}\n" for n in range(1000)),
        "heat_template_version: 2021-04-16\nparameters:\n" + "".join(f"  p{n}: 1\n" for n in range(1000)),
    ],
)
def test_first_errors_are_reported_with_a_note_about_the_rest(text: str, knowledge: Knowledge) -> None:
    analysis = look(text, knowledge)
    assert sum(one.severity is Severity.ERROR for one in analysis.diagnostics) == MOST_ERRORS
    assert [one.message for one in analysis.diagnostics if one.code == "not-checked"] == [
        "Not checked further: too many problems."
    ]


def test_first_warnings_are_reported_with_a_note_about_the_rest(knowledge: Knowledge) -> None:
    analysis = look(RESOURCES + "  a: {type: OS::Heat::None}\n" * (MOST + 10), knowledge)
    codes = [one.code for one in analysis.diagnostics]
    assert (codes.count("duplicate-key"), codes.count("not-checked")) == (MOST, 1)


def test_advice_takes_no_place_from_warnings(knowledge: Knowledge) -> None:
    advice = f"  a:\n    type: OS::Heat::Value\n    depends_on: [b{', b' * (MOST + 10)}]\n"
    advice += "    properties: {value: {get_resource: b}}\n  b: {type: OS::Heat::None}\n"
    analysis = look(RESOURCES + advice + "  z: {type: OS::Nova::NoSuch}\n", knowledge)
    codes = [one.code for one in analysis.diagnostics]
    assert codes.count("implied-dependency") == MOST
    assert {"unknown-type", "not-checked"} <= set(codes)


def test_suppressions_are_not_unused_if_not_everything_is_checked(knowledge: Knowledge) -> None:
    wrong = "".join(f"  r{n}: {{type: OS::Nova::NoSuch}}\n" for n in range(1000))
    text = f"{RESOURCES}{wrong}  z: {{type: OS::Nova::NoSuch}}  # heatstudio: ignore[unknown-type]\n"
    assert "unused-ignore" not in {one.code for one in look(text, knowledge).diagnostics}


def test_limit_does_not_depend_on_the_previous_analysis(knowledge: Knowledge) -> None:
    texts = [RESOURCES + "".join(f"  r{n}: {{type: OS::Nova::NoSuch{n % k}}}\n" for n in range(700)) for k in (3, 7)]
    previous = None
    for text in (*texts, *reversed(texts)):
        previous = look(text, knowledge, previous)
        assert previous.diagnostics == look(text, knowledge).diagnostics


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("web_servr_17_port", "web_server_17_port"),
        ("wb_server_17_port", "web_server_17_port"),
        ("web_server_17_prt", "web_server_17_port"),
        ("Web_Server_17_Port", "web_server_17_port"),
        ("web_server_17_portt", "web_server_17_port"),
    ],
)
def test_intended_name_is_found_among_many_names(written: str, meant: str) -> None:
    names = [f"web_server_{n}_{part}" for n in range(300) for part in ("port", "ip", "volume", "server")]
    assert meant in nearest(written, names)


def test_nearest_names_are_sorted_by_similarity() -> None:
    assert nearest("flavour", ["flavor", "image", "flavours", "saviour", "name", 7]) == ("flavours", "flavor")
    assert nearest("a", ["a", "A"]) == ("A",)
    assert nearest("name", []) == ()


@pytest.mark.parametrize(
    ("written", "known", "is_meant"),
    [
        ("image_id", "image", True),
        ("sec_groups", "security_groups", True),
        ("plt_internal_1_port", "plt_1_internal_port", True),
        ("availability_zone", "availabilityzone_name", True),
        ("LEAST_CONNECTION", "LEAST_CONNECTIONS", True),
        ("VersioningConfiguration", "WebsiteConfiguration", False),
        ("ExternalNetName", "TenantNetName", False),
        ("volume_size", "volume_type", False),
        ("vf_name", "name", False),
    ],
)
def test_suggested_name_has_the_same_stem(written: str, known: str, is_meant: bool) -> None:
    assert nearest(written, [known]) == ((known,) if is_meant else ())


def test_resources_beyond_heats_limit_are_not_checked(knowledge: Knowledge) -> None:
    wrong = "  z: {type: OS::Heat::None, properties: {a: 1}}\n"
    many = "".join(f"  r{n}: {{type: OS::Heat::None}}\n" for n in range(MOST_RESOURCES))
    codes = [one.code for one in look(f"{RESOURCES}{many}{wrong}", knowledge).diagnostics]
    assert codes == ["not-checked", "too-many-resources"]


def test_text_with_too_many_resources_takes_little_work_after_parsing(knowledge: Knowledge) -> None:
    count = 4 * MOST_RESOURCES
    many = ", ".join(f"r{n}: {{type: OS::Heat::None}}" for n in range(count))
    source = Source(parse_template(f"{RESOURCES[:-1]} {{{many}}}\n"))
    assert count_calls(lambda: analyze(source, knowledge)) < 2 * count


VALUE = "  r{}: {{type: OS::Heat::Value, properties: {{value: 1}}}}\n"


def nested(count: int, inner: str, knowledge: Knowledge, previous: Analysis | None = None) -> Analysis:
    owner = RESOURCES + "".join(f"  n{number}: {{type: inner.yaml}}\n" for number in range(count))
    template = parse_template(owner, previous.template if previous else None)
    files = FolderFiles(Path("/"), Path("/"), {Path("/inner.yaml"): inner})
    return analyze(Source(template, files=files), knowledge, previous=previous)


@pytest.mark.parametrize(
    ("count", "each", "ending", "expected"),
    [
        (9, 110, "", ["near-limit"]),
        (9, 111, "", ["too-many-resources"]),
        (9, 400, "", ["not-checked", "too-many-resources"]),
        (9, 0, "  c: {type: OS::Heat::None, condition: true}\n" * 400, []),
        (4, 0, "  g: {type: OS::Heat::ResourceGroup, properties: {count: 300, resource_def: {type: OS::Heat::None}}}\n",
         ["too-many-resources"]),
    ],
)  # fmt: skip
def test_resources_of_nested_stacks_count(
    count: int, each: int, ending: str, expected: list[str], knowledge: Knowledge
) -> None:
    inner = RESOURCES + "".join(VALUE.format(number) for number in range(each)) + ending
    assert [one.code for one in nested(count, inner, knowledge).diagnostics] == expected


def test_nested_templates_are_checked_again_if_the_tree_becomes_smaller(knowledge: Knowledge) -> None:
    inner = RESOURCES + "".join(VALUE.format(number) for number in range(390)) + "  z: {type: OS::Nova::NoSuch}\n"
    large = nested(9, inner, knowledge)
    assert "nested-template" not in {one.code for one in large.diagnostics}
    small = nested(2, inner, knowledge, large)
    assert [one.code for one in small.diagnostics] == ["nested-template"] * 2


def test_group_may_not_have_more_members_than_a_stack(knowledge: Knowledge) -> None:
    group = "  g: {type: OS::Heat::ResourceGroup, properties: {count: %s, resource_def: {type: OS::Heat::None}}}\n"
    found = look(RESOURCES + group % 1001, knowledge).diagnostics
    assert {(one.code, one.severity) for one in found} == {("too-many-resources", Severity.WARNING)}
    assert "1001 members" in found[-1].message
    assert [one.code for one in look(RESOURCES + group % 900, knowledge).diagnostics] == ["near-limit"]
    assert look(RESOURCES + group % 700, knowledge).diagnostics == ()


@pytest.mark.parametrize(("count", "codes"), [(800, []), (801, ["near-limit"]), (1001, ["too-many-resources"])])
def test_near_the_limit_of_resources_is_advice(count: int, codes: list[str], knowledge: Knowledge) -> None:
    text = RESOURCES + "".join(f"  r{number}: {{type: OS::Heat::None}}\n" for number in range(count))
    assert [one.code for one in look(text, knowledge).diagnostics] == codes


@pytest.mark.parametrize(("levels", "codes"), [(4, []), (5, ["near-limit"]), (6, ["nested-template"])])
def test_near_the_limit_of_nested_stacks_is_advice(levels: int, codes: list[str], knowledge: Knowledge) -> None:
    group = "  g: {type: OS::Heat::ResourceGroup, properties: {count: 1, resource_def: {type: %s.yaml}}}\n"
    texts = {f"{level}.yaml": RESOURCES + f"  r: {{type: {level + 1}.yaml}}\n" for level in range(1, levels - 1)}
    texts[f"{levels - 1}.yaml"] = RESOURCES + "  r: {type: OS::Heat::None}\n"
    source = Source(parse_template(RESOURCES + group % 1), files=FileTexts(texts))
    assert [one.code for one in analyze(source, knowledge).diagnostics] == codes


def test_near_the_limit_of_names_is_advice(knowledge: Knowledge) -> None:
    (found,) = look(f"{RESOURCES}  {'r' * 210}: {{type: OS::Heat::None}}\n", knowledge).diagnostics
    assert (found.code, found.message) == ("near-limit", "The name has 210 characters: Heat stores at most 255.")


def test_near_the_limit_of_size_is_advice(knowledge: Knowledge) -> None:
    text = RESOURCES + "  r: {type: OS::Heat::None}\n" + "# a comment of half a line\n" * 16_000
    (found,) = look(text, knowledge).diagnostics
    assert (found.code, found.span.start) == ("near-limit", 0)
    assert found.message == "421 KiB of text: Heat allows 512 KiB by default."

from __future__ import annotations

from collections.abc import Mapping

import pytest

from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.references import catalog_type_at, definition_at, references_at
from tests.analysis.semantic_models import HOT, model_at

TEXT = HOT + (
    "parameters:\n  p: {type: string}\nparameter_groups:\n  - parameters: [p]\nconditions:\n"
    "  c: {equals: [{get_param: p}, x]}\n  d: {not: c}\nresources:\n  a:\n    type: OS::Heat::Value\n  b:\n"
    "    type: child.yaml\n    condition: d\n    depends_on: [a]\n    properties:\n"
    "      size: {if: [c, {get_resource: a}, {get_param: [p, 0]}]}\n"
    "      text: {get_file: x.sh}\n  m:\n    type: My::Thing\noutputs:\n  o: {value: {get_attr: [b, out]}}\n"
)
CHILD = HOT + "parameters:\n  size: {type: string}\n  text: {type: string}\n"
CHILD += "outputs:\n  out: {value: {get_param: size}}\n"
FILES = {"child.yaml": CHILD, "x.sh": "", "other.yaml": HOT}
ENVIRONMENT = "resource_registry:\n  My::Thing: other.yaml\nparameters:\n  p: x\n"


def found(text: str, environments: Mapping[str, str] | None = None) -> list[tuple[str | None, str]]:
    model, offset = model_at(text, FILES, environments)
    return [(place.file, written(place, text, environments)) for place in definition_at(model, offset)]


def written(place: Location, text: str, environments: Mapping[str, str] | None) -> str:
    files = {**FILES, **(environments or {})}
    content = text.replace("‸", "") if place.file is None else files[place.file]
    start = content.rfind("\n", 0, place.span.start) + 1
    return content[start : place.span.end].strip()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("get_resource: a", "get_resource: ‸a", (None, "a")),
        ("get_param: p", "get_param: ‸p", (None, "p")),
        ("get_param: [p", "get_param: [‸p", (None, "p")),
        ("parameters: [p", "parameters: [‸p", (None, "p")),
        ("depends_on: [a", "depends_on: [‸a", (None, "a")),
        ("condition: d", "condition: ‸d", (None, "d")),
        ("if: [c", "if: [‸c", (None, "c")),
        ("not: c", "not: ‸c", (None, "c")),
        ("get_attr: [b", "get_attr: [‸b", (None, "b")),
        ("b, out", "b, ‸out", ("child.yaml", "out")),
        ("get_file: x", "get_file: ‸x", ("x.sh", "")),
        ("type: child", "type: ‸child", ("child.yaml", "")),
        ("      size", "      ‸size", ("child.yaml", "size")),
    ],
)
def test_definition(old: str, new: str, expected: tuple[str | None, str]) -> None:
    assert found(TEXT.replace(old, new, 1)) == [expected]


def test_definitions_of_a_registry_type_are_the_template_and_the_environment() -> None:
    places = found(TEXT.replace("My::Thing", "‸My::Thing"), {"env.yaml": ENVIRONMENT})
    assert places == [("other.yaml", ""), ("env.yaml", "My::Thing")]


def test_references_of_a_resource_are_in_text_order() -> None:
    model, offset = model_at(TEXT.replace("  a:", "  ‸a:"), FILES)
    spans = [place.span for place in references_at(model, offset)]
    assert spans == sorted(spans)
    assert [model.template.text[span.start : span.end] for span in spans] == ["a", "a", "a"]


REPLACED = HOT + (
    "parameters:\n  p: {type: string}\nresources:\n  a:\n    type: OS::Heat::Value\n    properties:\n      value:\n"
    "        str_replace:\n          params:\n            $x: {get_param: p}\n            $xy: 2\n"
    "          template: |\n            $xy $x\n            and $x\n"
)


def seen(text: str, files: Mapping[str, str] | None = None) -> list[tuple[str | None, str]]:
    """Return the targets of Go to Definition: the file, and the line up to the end of the target."""
    model, offset = model_at(text, files)
    lines = []
    for place in definition_at(model, offset):
        content = model.template.text if place.file is None else (files or {})[place.file]
        lines.append((place.file, content[content.rfind("\n", 0, place.span.end) + 1 : place.span.end]))
    return lines


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("$xy $x", "$xy $‸x", "            $x"),
        ("$xy $x", "$x‸y $x", "            $xy"),
        ("$xy $x", "$xy‸ $x", "            $xy"),
        ("and $x", "and $x‸", "            $x"),
        ("$x: {", "‸$x: {", "            $xy $x"),
        ("$xy: 2", "$xy‸: 2", "            $xy"),
    ],
)
def test_definition_of_a_placeholder_is_its_value_and_vice_versa(old: str, new: str, expected: str) -> None:
    assert seen(REPLACED.replace(old, new)) == [(None, expected)]


def test_text_that_is_not_a_placeholder_has_no_definition() -> None:
    assert seen(REPLACED.replace("and $x", "a‸nd $x")) == []
    assert seen(REPLACED.replace("$xy: 2", "$xy: ‸2")) == []
    assert seen(REPLACED.replace("$xy: 2", "$z‸: 2")) == []
    assert seen(REPLACED.replace("str_replace", "str_replaced").replace("and $x", "and $‸x")) == []


def test_references_of_a_placeholder_are_its_value_and_all_uses() -> None:
    for old, new in (("$x: {", "$‸x: {"), ("and $x", "and $‸x")):
        model, offset = model_at(REPLACED.replace(old, new))
        places = references_at(model, offset)
        assert [model.template.text[one.span.start : one.span.end] for one in places] == ["$x"] * 3
        assert [one.is_definition for one in places] == [True, False, False]


def test_placeholder_in_a_file_and_in_pieces_of_a_text() -> None:
    pieces = "list_join: [' ', [{get_file: run.sh}, {get_param: p}, 'say $x']]"
    text = REPLACED[: REPLACED.index("|")] + f"{{{pieces}}}\n"
    files = {"run.sh": "#!/bin/sh\necho $x\n"}
    assert seen(text.replace("$x: {", "$‸x: {"), files) == [("run.sh", "echo $x")]
    assert seen(text.replace("say $x", "say ‸$x"), files) == [(None, "            $x")]
    assert seen(text.replace("get_param: p}, 's", "get_param: ‸p}, 's"), files) == [(None, "  p")]
    model, offset = model_at(text.replace("$x: {", "$‸x: {"), files)
    assert [one.file for one in references_at(model, offset)] == [None, None, "run.sh"]


def test_placeholder_in_json_and_in_the_function_of_cfn() -> None:
    text = (
        '{"AWSTemplateFormatVersion": "2010-09-09", "Resources": {"R": {"Type": "OS::Heat::Value", "Properties":\n'
        '{"value": {"Fn::Replace": [{"$x": "1"},\n"a $x"]}}}}}'
    )
    assert seen(text.replace("a $x", "a $‸x")) == [(None, '{"value": {"Fn::Replace": [{"$x"')]
    assert seen(text.replace('"$x"', '"‸$x"')) == [(None, '"a $x')]


REPEATED = HOT + (
    "parameters:\n  p: {type: comma_delimited_list}\nresources:\n  a:\n    type: OS::Heat::Value\n    properties:\n"
    "      value:\n        repeat:\n          for_each:\n            x_: {get_param: p}\n"
    "            'x_y': [two]\n            z_: [in]\n"
    "          template:\n            key z_: 'a z_'\n            list: [{list_join: [z_, [x_y]]}]\n"
    "            inner:\n              repeat:\n"
    "                for_each: {x_: [z_]}\n                template: x_ z_\n"
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("key z_", "key z‸_", "            z_"),
        ("'a z_'", "'a z_‸'", "            z_"),
        ("[z_, [", "[‸z_, [", "            z_"),
        ("[x_y]", "[x_‸y]", "            x_"),
        ("{x_: [z_]}", "{x_: [z‸_]}", "            z_"),
        ("{x_: [z_]}", "{x‸_: [z_]}", "                template: x_"),
        ("template: x_ z_", "template: ‸x_ z_", "                for_each: {x_"),
        ("template: x_ z_", "template: x_ ‸z_", "            z_"),
        ("            z_: [", "            ‸z_: [", "            key z_"),
        ("            x_: {", "            ‸x_: {", "            list: [{list_join: [z_, [x_"),
    ],
)
def test_definition_of_a_repeat_placeholder_is_its_list_and_vice_versa(old: str, new: str, expected: str) -> None:
    assert REPEATED.count(old) == 1
    assert seen(REPEATED.replace(old, new)) == [(None, expected)]


def test_text_that_repeat_does_not_replace_has_no_definition() -> None:
    assert seen(REPEATED.replace("'x_y'", "'x‸_y'")) == []  # `x_` comes first and is replaced first
    assert seen(REPEATED.replace("[two]", "[t‸wo]")) == []
    assert seen(REPEATED.replace("key z_", "k‸ey z_")) == []
    assert (
        seen(REPEATED.replace("repeat:\n          for", "repeated:\n          for").replace("key z_", "key ‸z_")) == []
    )
    words = REPEATED.replace("z_: [in]", "list: [in]")
    assert seen(words.replace("{list_join", "{list_‸join")) == []
    assert seen(words.replace("list: [{", "li‸st: [{")) == [(None, "            list")]


def test_references_of_a_repeat_placeholder_are_its_list_and_all_uses() -> None:
    for old, new in (("            z_: [", "            z_‸: ["), ("key z_", "key z_‸")):
        model, offset = model_at(REPEATED.replace(old, new))
        places = references_at(model, offset)
        assert [model.template.text[one.span.start : one.span.end] for one in places] == ["z_"] * 6
        assert [one.is_definition for one in places] == [True] + [False] * 5


def test_type_of_the_catalog_has_a_page() -> None:
    def named(text: str, environments: Mapping[str, str] | None = None) -> str:
        model, offset = model_at(text, FILES, environments)
        return catalog_type_at(model, offset)

    assert named(TEXT.replace("OS::Heat::Value", "OS::‸Heat::Value")) == "OS::Heat::Value"
    assert named(TEXT.replace("type: child", "type: ‸child")) == ""
    assert named(TEXT.replace("OS::Heat::Value", "OS::‸Heat::Nothing")) == ""
    assert named(TEXT.replace("get_resource: a", "get_resource: ‸a")) == ""
    mapped = {"env.yaml": "resource_registry: {'My::Thing': 'OS::Nova::Server'}"}
    assert named(TEXT.replace("My::Thing", "‸My::Thing"), mapped) == "OS::Nova::Server"

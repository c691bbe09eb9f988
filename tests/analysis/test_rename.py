from __future__ import annotations

import pytest

from heatstudio.analysis.assist.rename import REPLACES, UNREAD, RenameResult, renamable_at, rename
from heatstudio.text import apply_edits
from tests.analysis.semantic_models import HOT, model_at


def renamed(text: str, new_name: str = "new") -> str:
    model, offset = model_at(text)
    result = rename(model, offset, new_name)
    assert result.refusal == ""
    return apply_edits(model.template.text, result.edits)


def refused(text: str, new_name: str = "new") -> str:
    model, offset = model_at(text)
    result = rename(model, offset, new_name)
    assert result.edits == ()
    return result.refusal


def test_resource_is_renamed_everywhere_and_quotes_are_kept() -> None:
    text = HOT + (
        "resources:\n  ‸old: {type: X}  # old\n  b:\n    type: X\n    depends_on: old\n    properties:\n"
        "      a: {get_resource: 'old'}\n      b: {get_attr: [\"old\", old]}\n      old: old\n"
        "      c: {str_replace: {template: old, params: {old: {get_resource: old}}}}\n"
        "  c: {type: X, depends_on: [b, old]}\n"
    )
    expected = HOT + (
        "resources:\n  new: {type: X}  # old\n  b:\n    type: X\n    depends_on: new\n    properties:\n"
        "      a: {get_resource: 'new'}\n      b: {get_attr: [\"new\", old]}\n      old: old\n"
        "      c: {str_replace: {template: old, params: {old: {get_resource: new}}}}\n"
        "  c: {type: X, depends_on: [b, new]}\n"
    )
    assert renamed(text) == expected
    model, offset = model_at(text)
    assert rename(model, offset, "new").warnings == (REPLACES,)


def test_parameter_is_renamed_in_paths_and_groups_but_not_in_keys() -> None:
    text = HOT + (
        "parameters:\n  p: {type: json}\nparameter_groups:\n  - parameters: [p]\nresources:\n  p:\n    type: X\n"
        "    properties: {a: {get_param: [‸p, p]}, b: {get_param: p}, c: {get_resource: p}}\n"
    )
    expected = HOT + (
        "parameters:\n  new: {type: json}\nparameter_groups:\n  - parameters: [new]\nresources:\n  p:\n    type: X\n"
        "    properties: {a: {get_param: [new, p]}, b: {get_param: new}, c: {get_resource: p}}\n"
    )
    assert renamed(text) == expected


def test_condition_is_renamed_in_every_form() -> None:
    text = HOT + (
        "conditions:\n  c: true\n  d: {and: [‸c, {not: c}]}\n  e: {or: [c, d]}\nresources:\n  r:\n    type: X\n"
        "    condition: c\n    properties:\n      a: {if: [c, c, {if: [{not: c}, 1, 2]}]}\n"
        "outputs:\n  o: {value: 1, condition: c}\n"
    )
    expected = HOT + (
        "conditions:\n  new: true\n  d: {and: [new, {not: new}]}\n  e: {or: [new, d]}\nresources:\n  r:\n    type: X\n"
        "    condition: new\n    properties:\n      a: {if: [new, c, {if: [{not: new}, 1, 2]}]}\n"
        "outputs:\n  o: {value: 1, condition: new}\n"
    )
    assert renamed(text) == expected


def test_cfn_references_are_renamed_in_every_form() -> None:
    text = (
        "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  Old: {Type: X}\n  B:\n    Type: X\n    DependsOn: [Old]\n"
        "    Properties:\n      a: {Ref: ‸Old}\n      b: {'Fn::GetAtt': [Old, Old]}\n"
        "      c: {'Fn::Join': ['', [{Ref: Old}]]}\n"
    )
    after = renamed(text, "New")
    assert after.count("New") == 5
    assert after.count("Old") == 1


def test_new_name_is_quoted_if_necessary() -> None:
    text = HOT + "resources:\n  ‸old: {type: X}\noutputs:\n  o: {value: {get_resource: old}}\n"
    after = renamed(text, "a: b")
    assert "'a: b': {type: X}" in after
    assert "{get_resource: 'a: b'}" in after


def test_json_keeps_its_quotes() -> None:
    text = '{"heat_template_version": "2021-04-16", "resources": {"‸old": {"type": "X"}, '
    text += '"b": {"type": "X", "depends_on": "old"}}}'
    assert renamed(text) == text.replace("‸", "").replace("old", "new")


def test_rename_updates_the_environment() -> None:
    environments = {"e.yaml": "parameters:\n  p: 1\nparameter_defaults: {p: 2}\n"}
    model, offset = model_at(HOT + "parameters:\n  ‸p: {type: number}\n", None, environments)
    result = rename(model, offset, "new")
    assert [one.file for one in result.file_edits] == ["e.yaml"]
    after = apply_edits(environments["e.yaml"], result.file_edits[0].edits)
    assert after == "parameters:\n  new: 1\nparameter_defaults: {new: 2}\n"


@pytest.mark.parametrize(
    ("own", "expected"), [("", ["child.yaml", "e.yaml"]), ("parameters: {size: {type: string}}\n", ["child.yaml"])]
)
def test_rename_of_a_nested_property_updates_defaults_that_mean_only_it(own: str, expected: list[str]) -> None:
    child = HOT + "parameters:\n  size: {type: string}\n"
    environments = {"e.yaml": "parameter_defaults: {size: 2}\n"}
    text = HOT + own + "resources:\n  a: {type: child.yaml, properties: {‸size: 1}}\n"
    model, offset = model_at(text, {"child.yaml": child}, environments)
    edits = {one.file: one.edits for one in rename(model, offset, "new").file_edits}
    assert [*edits] == ["child.yaml", "e.yaml"]
    assert [file for file in edits if edits[file]] == expected


def test_rename_of_a_nested_property_renames_the_parameter() -> None:
    child = HOT + "parameters:\n  size: {type: string}\noutputs:\n  o: {value: {get_param: size}}\n"
    text = HOT + (
        "resources:\n  a:\n    type: child.yaml\n    properties: {‸size: 1}\n  b:\n    type: child.yaml\n"
        "    properties:\n      size: 2\n  c:\n    type: X\n    properties: {size: 3}\n"
    )
    model, offset = model_at(text, {"child.yaml": child})
    result = rename(model, offset, "new")
    assert apply_edits(model.template.text, result.edits).count("new") == 2
    assert apply_edits(child, result.file_edits[0].edits) == child.replace("size", "new")


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("resources:\n  ‸a: {type: X}\n  b: {type: X}\n", "b", "The resource `b` already exists"),
        ("resources:\n  ‸a: {type: X}\n", "a/b", "slash"),
        ("resources:\n  ‸a: {type: X}\n", " ", "Enter a name"),
        ("resources:\n  ‸a: {type: X}\n", "a", "current name"),
        ("resources:\n  a: {type: ‸X}\n", "b", "type"),
        ("resources:\n  a: {type: X, description: ‸text}\n", "b", "Nothing to rename"),
        ("outputs:\n  o: {value: {get_param: ‸gone}}\n", "b", "Unknown parameter `gone`"),
        ("outputs:\n  o: {value: {get_param: 'OS::stack‸_name'}}\n", "b", "pseudo parameter"),
        ("resources:\n  a:\n    type: OS::Nova::Server\n    properties: {‸name: x}\n", "b", "by the resource type"),
    ],
)
def test_invalid_renames_are_rejected(text: str, name: str, reason: str) -> None:
    assert reason in refused(HOT + text, name)


def test_names_that_can_be_renamed() -> None:
    model, offset = model_at(HOT + "resources:\n  na‸me: {type: X}\n")
    found = renamable_at(model, offset)
    assert found is not None
    assert found[0] == "name"
    assert renamable_at(model, 3) is None


def test_rename_updates_properties_of_group_members() -> None:
    child = HOT + "parameters:\n  size: {type: string}\n"
    text = HOT + (
        "resources:\n  a: {type: child.yaml, properties: {‸size: 1}}\n  b:\n    type: OS::Heat::ResourceGroup\n"
        "    properties: {resource_def: {type: child.yaml, properties: {size: 2}}}\n"
    )
    model, offset = model_at(text, {"child.yaml": child})
    result = rename(model, offset, "new")
    assert apply_edits(model.template.text, result.edits) == text.replace("‸", "").replace("size", "new")


def test_rename_updates_every_section_of_an_environment() -> None:
    environments = {
        "e.yaml": "parameters: {'p': 1}\nparameter_defaults:\n  p: 2  # why\n"
        'parameter_merge_strategies: {"p": merge}\n'
    }
    model, offset = model_at(HOT + "parameters:\n  ‸p: {type: number}\n", None, environments)
    after = apply_edits(environments["e.yaml"], rename(model, offset, "new").file_edits[0].edits)
    assert after == environments["e.yaml"].replace("'p'", "'new'").replace("p: 2", "new: 2").replace('"p"', '"new"')
    environments = {"e.yaml": "resource_registry: {resources: {r: {hooks: pre-create}}}\n"}
    model, offset = model_at(HOT + "resources:\n  ‸r: {type: X}\n", None, environments)
    after = apply_edits(environments["e.yaml"], rename(model, offset, "new").file_edits[0].edits)
    assert after == "resource_registry: {resources: {new: {hooks: pre-create}}}\n"


def test_resource_is_renamed_in_get_attr_but_not_in_strings() -> None:
    text = HOT + (
        "resources:\n  ‸old: {type: X}\n  b:\n    type: X\n    properties:\n      a: {get_attr: [old, a, 0, b]}\n"
        "      b:\n        get_attr:\n          - old\n          - old\n"
        "      c: {str_replace: {template: '${old} old', params: {'${old}': {get_attr: ['old', x]}}}}\n"
        "    metadata: {old: {get_resource: old}}\n    depends_on:\n      - old\n"
        "outputs:\n  old: {value: {list_join: [old, [{get_attr: [old, show]}]]}, description: old}\n"
    )
    expected = HOT + (
        "resources:\n  new: {type: X}\n  b:\n    type: X\n    properties:\n      a: {get_attr: [new, a, 0, b]}\n"
        "      b:\n        get_attr:\n          - new\n          - old\n"
        "      c: {str_replace: {template: '${old} old', params: {'${old}': {get_attr: ['new', x]}}}}\n"
        "    metadata: {old: {get_resource: new}}\n    depends_on:\n      - new\n"
        "outputs:\n  old: {value: {list_join: [old, [{get_attr: [new, show]}]]}, description: old}\n"
    )
    assert renamed(text) == expected


def test_empty_result_has_no_edits() -> None:
    assert RenameResult().edits == ()


def test_resource_cannot_have_the_name_of_a_parameter() -> None:
    text = HOT + "parameters:\n  p: {type: string}\nresources:\n  ‸a: {type: X}\n"
    model, offset = model_at(text)
    assert "The parameter `p` already exists" in rename(model, offset, "p").refusal


def test_reference_below_a_misspelled_key_is_renamed() -> None:
    text = HOT + "parameters:\n  ‸p: {type: string}\nresources:\n  a: {type: X, proprties: {b: {get_param: p}}}\n"
    assert "{get_param: new}" in renamed(text)


@pytest.mark.parametrize(
    "broken",
    [
        "  broken:\n    type: X\n    properties: {a: {get_resource: old}\n",
        "  broken:\n    type: X\n    properties:\n      a: [old\n",
        "  broken:\n\ttype: X\n",
        "  broken: 'old\n",
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_rename_works_with_a_syntax_error_elsewhere(broken: str, is_first: bool) -> None:
    good = "  ‸old: {type: X}\n  reader: {type: X, depends_on: old}\n"
    text = HOT + "resources:\n" + (broken + good if is_first else good + broken)
    model, offset = model_at(text)
    assert not model.template.complete
    result = rename(model, offset, "new")
    assert result.refusal == ""
    assert UNREAD in result.warnings
    after = model.template.text
    for mention in ("{}: {{type", "depends_on: {}", "get_resource: {}"):
        after = after.replace(mention.format("old"), mention.format("new"))
    assert apply_edits(model.template.text, result.edits) == after


@pytest.mark.parametrize("new_name", ["a", "new"])
@pytest.mark.parametrize("text", ["  ‸a: {type: X}\n  a: {type: Y}\n", "  a: {type: X}\n  ‸a: {type: Y}\n"])
def test_name_that_is_defined_twice_is_not_renamed(text: str, new_name: str) -> None:
    expected = "The resource `a` is defined more than once. First rename or delete the others."
    assert refused(f"{HOT}resources:\n{text}", new_name) == expected


def test_other_name_is_renamed_beside_a_double_one() -> None:
    text = f"{HOT}resources:\n  a: {{type: X}}\n  a: {{type: Y}}\n  ‸b: {{type: X, depends_on: b}}\n"
    assert renamed(text).endswith("  new: {type: X, depends_on: new}\n")

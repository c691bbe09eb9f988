"""Cases in Heat's guide to support status that no resource type of Heat 27 has, with synthetic rules."""

from __future__ import annotations

import pytest

from heatstudio.analysis.migrations.property_fixes import property_fixes
from heatstudio.analysis.migrations.use import value_at
from heatstudio.catalog.release import Status, SupportStatus
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule, ValueOf
from heatstudio.catalog.schema import ANY_ELEMENT, PropertySchema, PropertyType, ResourceType
from heatstudio.stack.values.written_properties import written_properties
from heatstudio.template import DataFix, parse_template, render
from heatstudio.text import apply_edits

HEAD = "heat_template_version: 2018-08-31\nresources:\n  thing:\n    type: Some::Type\n    properties:\n"
PATH = ("resources", "thing", "properties")


def old(name: str, kind: PropertyType = PropertyType.STRING, status: Status = Status.HIDDEN) -> PropertySchema:
    return PropertySchema(name, kind, support_status=SupportStatus(status))


def string(name: str) -> PropertySchema:
    return PropertySchema(name, PropertyType.STRING)


def map_of(name: str, *children: PropertySchema) -> PropertySchema:
    return PropertySchema(name, PropertyType.MAP, children={child.name: child for child in children})


def list_of(name: str, *children: PropertySchema) -> PropertySchema:
    element = map_of(ANY_ELEMENT, *children)
    return PropertySchema(name, PropertyType.LIST, children={ANY_ELEMENT: element})


def kind(rules: list[TranslationRule], *properties: PropertySchema) -> ResourceType:
    return ResourceType(
        "Some::Type", "Type", properties={schema.name: schema for schema in properties}, translation_rules=tuple(rules)
    )


def move(path: str, source: str, **more: str | None) -> TranslationRule:
    return TranslationRule(
        TranslationKind.REPLACE,
        tuple(path.split(".")),
        value_path=tuple(source.split(".")),
        when_set=more.get("when_set"),
    )


def ways(resource_type: ResourceType, *lines: str) -> tuple[str, list[DataFix]]:
    text = HEAD + "".join(f"      {line}\n" for line in lines)
    properties = value_at(parse_template(text).data, PATH)
    assert isinstance(properties, dict)
    found = [
        fix
        for written in written_properties(resource_type.properties, properties)
        for fix in property_fixes(resource_type, written, properties, PATH)
    ]
    return text, found


def check(resource_type: ResourceType, before: list[str], after: list[str], title: str) -> None:
    """Check that the first fix for `before` has this title and results in `after`, which needs no more fixes."""
    text, found = ways(resource_type, *before)
    assert [f"{fix.title}: {fix.applicability.word}" for fix in found][:1] == [title]
    result = apply_edits(text, render(parse_template(text), found[0].changes))
    assert result == HEAD + "".join(f"      {line}\n" for line in after)
    assert ways(resource_type, *after)[1] == []


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (PropertyType.INTEGER, "1"),
        (PropertyType.BOOLEAN, "false"),
        (PropertyType.NUMBER, "0.5"),
        (PropertyType.STRING, "''"),
    ],
)
def test_two_properties_at_the_top(type_: PropertyType, value: str) -> None:
    some = kind([move("new", "was")], PropertySchema("new", type_), old("was", type_))
    check(some, [f"was: {value}"], [f"new: {value}"], "Replace `was` with `new`: safe")


def test_from_the_top_into_an_existing_map() -> None:
    some = kind([move("box.inner", "was")], map_of("box", string("inner"), string("other")), old("was"))
    before = ["was: {get_param: p}", "box:", "  other: o"]
    check(some, before, ["box:", "  other: o", "  inner: {get_param: p}"], "Replace `was` with `box.inner`: safe")


def test_from_the_top_into_a_missing_map_is_unsafe() -> None:
    some = kind([move("box.inner", "was")], map_of("box", string("inner")), old("was"))
    title = "Replace `was` with `box.inner` (Heat would read a different value): unsafe"
    check(some, ["was: v", "box: {}"], ["box:", "  inner: v"], "Replace `was` with `box.inner`: safe")
    check(some, ["was: v"], ["box:", "  inner: v"], title)


def test_from_a_map_to_the_top() -> None:
    some = kind([move("new", "box.was")], string("new"), map_of("box", old("was"), string("other")))
    check(some, ["box: {was: v, other: o}"], ["box: {other: o}", "new: v"], "Replace `box.was` with `new`: safe")


def test_from_the_top_into_every_item_of_a_list() -> None:
    some = kind([move("all.inner", "was")], list_of("all", string("inner"), string("a")), old("was"))
    before = ["was: v", "all:", "  - a: 1", "  - a: 2"]
    after = ["all:", "  - a: 1", "    inner: v", "  - a: 2", "    inner: v"]
    check(some, before, after, "Replace `was` with `all.inner`: safe")
    title = "Replace `was` with `all.inner` (Heat would read a different value): unsafe"
    check(some, ["was: v"], ["all:", "  - inner: v"], title)


def test_into_items_of_which_one_already_has_the_value() -> None:
    some = kind([move("all.inner", "was")], list_of("all", string("inner")), old("was"))
    before = ["was: v", "all:", "  - inner: 1", "  - {}"]
    _, found = ways(some, *before)
    assert [f"{fix.title}: {fix.applicability.word}" for fix in found] == ["Keep `all.inner`: decision"]


def test_from_the_items_of_a_list_to_the_top() -> None:
    """Heat rejects the new name while the list has items, even if no item has the old name."""
    some = kind(
        [move("new", "all.was")], PropertySchema("new", PropertyType.LIST), list_of("all", old("was"), string("a"))
    )
    assert ways(some, "all: [{was: x, a: 1}]")[1] == []


def test_two_properties_of_list_items() -> None:
    rule = TranslationRule(TranslationKind.REPLACE, ("all", "new"), value_name="was")
    some = kind([rule], list_of("all", string("new"), old("was", status=Status.DEPRECATED)))
    check(some, ["all: [{was: {get_param: p}}]"], ["all: [{new: {get_param: p}}]"], "Replace `was` with `new`: safe")


def test_status_determines_which_of_two_names_is_old() -> None:
    some = kind([move("was", "new")], string("new"), old("was"))
    check(some, ["was: {get_param: p}"], ["new: {get_param: p}"], "Replace `was` with `new`: safe")


def test_two_old_names_that_replace_each_other_have_no_fix() -> None:
    some = kind([move("was", "older")], old("older"), old("was"))
    _, found = ways(some, "was: v")
    assert found == []


@pytest.mark.parametrize(
    "add",
    [
        TranslationRule(TranslationKind.ADD, ("news",), value_name="was"),
        TranslationRule(TranslationKind.ADD, ("news",), value=[ValueOf("was")], when_set="was"),
    ],
)
def test_single_value_becomes_a_list(add: TranslationRule) -> None:
    delete = TranslationRule(TranslationKind.DELETE, ("was",), when_set=add.when_set)
    some = kind([add, delete], PropertySchema("news", PropertyType.LIST), old("was"))
    check(some, ["was: v"], ["news:", "  - v"], "Replace `was` with `news`: safe")
    check(some, ["was: v", "news: [a]"], ["news: [a, v]"], "Add the value of `was` to `news`: safe")


def test_function_that_heat_adds_to_a_list_unresolved() -> None:
    """Heat does not resolve the value of a top-level `value_name`, so that the fix would change the list."""
    add = TranslationRule(TranslationKind.ADD, ("news",), value_name="was")
    some = kind([add], PropertySchema("news", PropertyType.LIST), old("was"))
    ((fix,)) = ways(some, "was: {get_param: p}")[1]
    assert fix.applicability.word == "unsafe"


def test_constant_replaces_the_old_property() -> None:
    rules = [
        TranslationRule(TranslationKind.REPLACE, ("mode",), value="fast", when_set="turbo"),
        TranslationRule(TranslationKind.DELETE, ("turbo",)),
    ]
    some = kind(rules, string("mode"), old("turbo", PropertyType.BOOLEAN))
    check(some, ["turbo: true"], ["mode: fast"], "Replace `turbo` with `mode`: safe")


def test_constant_overrides_the_written_value() -> None:
    rule = TranslationRule(TranslationKind.REPLACE, ("was",), value="fast")
    check(
        kind([rule], old("was"), string("a")), ["a: b", "was: slow"], ["a: b"], "Remove `was`, which Heat ignores: safe"
    )
    falsy = kind([TranslationRule(TranslationKind.REPLACE, ("was",), value="")], old("was"))
    assert ways(falsy, "was: slow")[1] == []


def test_property_that_heat_deletes_can_be_removed() -> None:
    some = kind([TranslationRule(TranslationKind.DELETE, ("all", "was"))], list_of("all", old("was"), string("a")))
    check(some, ["all: [{was: v, a: 1}]"], ["all: [{a: 1}]"], "Remove `was`, which Heat ignores: safe")


def test_resolve_rule_has_no_fix() -> None:
    rule = TranslationRule(TranslationKind.RESOLVE, ("was",), client_plugin="neutron", finder="find")
    assert ways(kind([rule], old("was")), "was: private")[1] == []


def test_supported_properties_have_no_fixes() -> None:
    some = kind([move("new", "was")], string("new"), string("was"))
    assert ways(some, "was: v")[1] == []

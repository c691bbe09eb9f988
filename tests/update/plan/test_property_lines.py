"""The differences of a property: leaf by leaf, on one line, never the same text on both sides."""

from __future__ import annotations

import pytest

from heatstudio.stack.unknown import NewKey, Unknown, joined
from heatstudio.update.plan.property_lines import PropertyLine, leaves, line_diff, property_lines
from heatstudio.update.plan.update_plan import Action, Cause, Reason, ResourceChange, Subject, SubjectKind

OLD, NEW = Unknown(("reference", "net")), Unknown(NewKey(("reference", "net")))


def lines(
    before: object, after: object, *, effect: Action = Action.UPDATED, certain: bool = True
) -> list[PropertyLine]:
    change = ResourceChange("r", "T", effect, certain, causes=(Cause("p", before, after, effect, path=("p",)),))
    return [line for _, found in property_lines(change) for line in found]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a", "b", ["p: a → b"]),
        (1, 2, ["p: 1 → 2"]),
        (None, "b", ["p: (not set) → b"]),
        (
            {"a": 1, "b": 2, "c": 3},
            {"a": 1, "b": 5, "d": 4},
            ["p.b: 2 → 5", "p.c: 3 → (not set)", "p.d: (not set) → 4"],
        ),
        ({"m": {"x": "1", "y": "2"}}, {"m": {"x": "3", "y": "2"}}, ["p.m.x: 1 → 3"]),
        ({}, {"m": {"x": 1}}, ['p.m: (not set) → {"x": 1}']),
        (["a", "b", "c"], ["a", "x", "c"], ["p[1]: b → x"]),
        ([22, 80], [443, 22, 80], ["p[0]: (not set) → 443"]),
        ([22, 80, 443], [22, 443], ["p[1]: 80 → (not set)"]),
        ([{"a": 1}, {"b": 1}], [{"a": 1}, {"b": 2}], ["p[1].b: 1 → 2"]),
        ([{"port": OLD}], [{"port": NEW}], ["p[0].port: new ID of net"]),
        (Unknown(("reference", "a")), NEW, ["p: ID of a → new ID of net"]),
        ("1", 1, ['p: "1" → 1']),
        ("", "a", ['p: "" → a']),
        ("true", True, ['p: "true" → true']),
        ({"a": None, "b": 1}, {"b": 2}, ["p.b: 1 → 2"]),
        ({"a": None}, {"b": None}, ['p: {"a": null} → {"b": null}']),
        ("a\nb", "a\nc", ["p: a\\nb → a\\nc"]),
        (joined(["id=", OLD]), joined(["id=", NEW]), ["p: id=(ID of net) → id=(new ID of net)"]),
    ],
)
def test_each_difference_is_a_line(before: object, after: object, expected: list[str]) -> None:
    assert [line.text() for line in lines(before, after)] == expected


def test_value_that_is_not_known_names_what_it_changes_with() -> None:
    before = Unknown(("attribute", "server", "ip"), frozenset({"resource:server"}))
    after = Unknown(NewKey(before.key), frozenset({"resource:server"}))
    (line,) = lines(before, after)
    assert line.text() == "p: may change with resource `server`"
    reason = Reason("parameter `size` changed", Subject(SubjectKind.PARAMETER, "size"))
    cause = Cause("p", Unknown("a"), Unknown("b"), Action.UPDATED, because=(reason,))
    ((_, (line,)),) = property_lines(ResourceChange("r", "T", Action.UPDATED, causes=(cause,)))
    assert (line.text(), line.tag) == ("p: may change with parameter `size`", "may change")


@pytest.mark.parametrize(
    ("effect", "certain", "tag"),
    [
        (Action.REPLACED, True, "replaces"),
        (Action.REPLACED, False, "may replace"),
        (Action.UPDATED, True, "in place"),
        (Action.UPDATED, False, "may change"),
        (Action.NOT_SUPPORTED, True, "not supported"),
        (Action.NOT_SUPPORTED, False, "may fail"),
    ],
)
def test_each_line_has_a_tag(effect: Action, certain: bool, tag: str) -> None:
    (line,) = lines("a", "b", effect=effect, certain=certain)
    assert line.tag == tag


def test_uncertain_replacement_makes_no_certain_update_uncertain() -> None:
    causes = (Cause("a", 1, 2, Action.REPLACED), Cause("b", 1, 2, Action.UPDATED))
    change = ResourceChange("r", "T", Action.REPLACED, certain=False, causes=causes)
    assert [line.tag for _, found in property_lines(change) for line in found] == ["may replace", "in place"]


def test_secret_shows_neither_value_nor_path() -> None:
    cause = Cause("p", {"password": "old"}, {"password": "new"}, Action.UPDATED, secret=True)
    ((_, (line,)),) = property_lines(ResourceChange("r", "T", Action.UPDATED, causes=(cause,)))
    assert line.text() == "p: ****** changes"
    assert not line.is_multiline


def test_line_names_the_path_of_its_difference() -> None:
    cause = Cause("p", {"a": [1, 2]}, {"a": [1, 3]}, Action.UPDATED, path=("properties", "p"))
    ((_, (line,)),) = property_lines(ResourceChange("r", "T", Action.UPDATED, causes=(cause,)))
    assert line.cause.path == ("properties", "p", "a", 1)


def test_differences_of_equal_values_are_none_but_the_whole() -> None:
    assert [leaf.path for leaf in leaves(Cause("p", {"a": 1}, {"a": 1}, Action.UPDATED))] == [()]


def test_texts_of_several_lines_are_compared_line_by_line() -> None:
    old, new = "#!/bin/sh\na\nb\nc\nd\ne\n", "#!/bin/sh\na\nB\nc\nd\ne\nf\n"
    (line,) = lines(old, new)
    assert line.is_multiline
    assert list(line_diff(line.cause)) == ["  a", "- b", "+ B", "  c", "  e", "+ f", "  "]

from __future__ import annotations

from collections import Counter

import pytest

from heatstudio.template import (
    AddEntry,
    AddItem,
    CannotEditError,
    Change,
    DataFix,
    DeleteEntry,
    Existing,
    RenameKey,
    SetValue,
    parse_template,
    render,
    render_fix,
)
from heatstudio.text import Applicability, apply_edits

HOT = """\
heat_template_version: rocky

parameters:
  key: {type: string}

resources:
  # the first
  a:
    type: OS::Nova::Server
    properties:
      name: foo  # the name
      image: "x"
      networks:
        # the port
        - port: {get_resource: p}  # p
          tag: t
        - network: n
      old: [1, 2]
    depends_on: [b]

  b:
    type: X
    properties:
"""
JSON = """\
{
  "heat_template_version": "rocky",
  "resources": {
    "a": {
      "type": "X",
      "properties": {}
    }
  }
}
"""
A = ("resources", "a")
P = (*A, "properties")
N = (*P, "networks")


def changed(text: str, *changes: Change) -> str:
    return apply_edits(text, render(parse_template(text), changes))


def difference(before: str, after: str) -> list[str]:
    """Return the removed and the added lines; moved lines are neither."""
    old, new = Counter(before.splitlines()), Counter(after.splitlines())
    return [f"- {line}" for line in (old - new).elements()] + [f"+ {line}" for line in (new - old).elements()]


CASES: list[tuple[str, tuple[Change, ...], list[str]]] = [
    (
        "a key and its value",
        (RenameKey((*P, "name"), "label"), SetValue((*P, "name"), "yes")),
        ["-       name: foo  # the name", "+       label: 'yes'  # the name"],
    ),
    ("quotes stay", (SetValue((*P, "image"), "y"),), ['-       image: "x"', '+       image: "y"']),
    (
        "a block scalar",
        (AddEntry(P, "user_data", "#!/bin/sh\necho\n"),),
        ["+       user_data: |", "+         #!/bin/sh", "+         echo"],
    ),
    (
        "into an empty value",
        (AddEntry(("resources", "b", "properties"), "x", [{"a": 1, "b": None}]),),
        ["+       x:", "+         - a: 1", "+           b: null"],
    ),
    ("a missing map", (AddEntry((*A, "metadata"), "k", "v"),), ["+     metadata:", "+       k: v"]),
    ("a section in its place", (AddEntry(("conditions",), "c", True),), ["+ conditions:", "+   c: true", "+ "]),
    ("a pair behind another", (AddEntry(P, "size", 1, after="image"),), ["+       size: 1"]),
    (
        "a value wrapped in a list",
        (AddEntry(P, "new", [Existing((*P, "old"))]), DeleteEntry((*P, "old"))),
        ["-       old: [1, 2]", "+       new:", "+         - [1, 2]"],
    ),
    (
        "a block moved outwards with its comments",
        (AddEntry((*A, "metadata"), "nets", Existing(N)), DeleteEntry(N)),
        ["-       networks:", "-         # the port", "+     metadata:", "+       nets:"],
    ),
    (
        "the first pair of an item moved to another item",
        (AddEntry((*N, 1), "port", Existing((*N, 0, "port"))), DeleteEntry((*N, 0, "port"))),
        [
            "-         - port: {get_resource: p}  # p",
            "-           tag: t",
            "+         - tag: t",
            "+           port: {get_resource: p}  # p",
        ],
    ),
    (
        "a block wrapped in a map, below the comment above it",
        (SetValue(N, {"ports": Existing(N)}),),
        [
            "-         - port: {get_resource: p}  # p",
            "-           tag: t",
            "-         - network: n",
            "+         ports:",
            "+           - port: {get_resource: p}  # p",
            "+             tag: t",
            "+           - network: n",
        ],
    ),
    (
        "a value put in the place of another, and its comment stays",
        (SetValue((*P, "image"), Existing((*P, "name"))), DeleteEntry((*P, "name"))),
        ["-       name: foo  # the name", '-       image: "x"', "+       # the name", "+       image: foo"],
    ),
    ("an item", (DeleteEntry((*N, 1)),), ["-         - network: n"]),
    ("items before and behind", (AddItem(N, {"x": "1"}, 1), AddItem(N, "y")), ["+         - x: '1'", "+         - y"]),
    ("a flow list", (AddItem((*A, "depends_on"), "c: d"),), ["-     depends_on: [b]", "+     depends_on: [b, 'c: d']"]),
    ("a list is made", (AddItem((*P, "tags"), "t"),), ["+       tags:", "+         - t"]),
    (
        "the only pair",
        (DeleteEntry(("parameters", "key")),),
        ["- parameters:", "-   key: {type: string}", "+ parameters: {}"],
    ),
    (
        "the only pair and its map",
        (DeleteEntry(("parameters", "key"), prune=True),),
        ["- parameters:", "-   key: {type: string}", "- "],
    ),
    (
        "a flow map",
        (AddEntry(("parameters", "key"), "default", "a, b"),),
        ["-   key: {type: string}", "+   key: {type: string, default: 'a, b'}"],
    ),
    (
        "a function in one line",
        (SetValue((*P, "name"), {"get_param": "key"}),),
        ["-       name: foo  # the name", "+       name: {get_param: key}  # the name"],
    ),
    (
        "a map below a comment",
        (SetValue((*P, "name"), {"a": "b"}),),
        ["-       name: foo  # the name", "+       name:  # the name", "+         a: b"],
    ),
    (
        "a list becomes a text",
        (SetValue(N, "none"),),
        [
            "-       networks:",
            "-         # the port",
            "-         - port: {get_resource: p}  # p",
            "-           tag: t",
            "-         - network: n",
            "+       networks: none",
        ],
    ),
    (
        "the end of a map deleted and its parent added to",
        (DeleteEntry((*P, "old")), AddEntry(A, "metadata", {}, after="properties")),
        ["-       old: [1, 2]", "+     metadata: {}"],
    ),
]


@pytest.mark.parametrize(("changes", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_changes_only_what_is_requested(changes: tuple[Change, ...], expected: list[str]) -> None:
    after = changed(HOT, *changes)
    assert sorted(difference(HOT, after)) == sorted(expected)
    windows = HOT.replace("\n", "\r\n")
    assert changed(windows, *changes) == after.replace("\n", "\r\n")
    assert changed("\ufeff" + HOT, *changes) == "\ufeff" + after
    assert changed(HOT.rstrip("\n"), *changes).rstrip("\n") == after.rstrip("\n")


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ((AddEntry(P, "x", [1, {"a": None}]),), '"properties": {}', '"properties": {"x": [1, {"a": null}]}'),
        ((AddEntry(A, "depends_on", "z", after="type"),), '"type": "X",', '"type": "X",\n      "depends_on": "z",'),
        ((DeleteEntry((*A, "type")),), '"type": "X",\n      ', ""),
        ((RenameKey(A, "ü"),), '"a"', '"ü"'),
        ((SetValue((*A, "type"), True),), '"X"', "true"),
    ],
)
def test_edits_json(changes: tuple[Change, ...], old: str, new: str) -> None:
    assert changed(JSON, *changes) == JSON.replace(old, new)


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("heat_template_version: rocky\nx: &x {a: 1}\ny: *x\n", SetValue(("x", "a"), 2)),
        ("heat_template_version: rocky\nx: &x {a: 1}\ny: *x\n", SetValue(("y", "a"), 2)),
        ("heat_template_version: rocky\nx: &x {a: 1}\ny: {<<: *x}\n", SetValue(("y", "a"), 2)),
        ("heat_template_version: rocky\n? a\n: b\n", SetValue(("a",), 2)),
        ("heat_template_version: rocky\na: {b, c: d}\n", SetValue(("a", "b"), 2)),
        ("heat_template_version: rocky\na: [\n", SetValue(("heat_template_version",), "pike")),
        ("heat_template_version: rocky\na: 1\na: 2\n", RenameKey(("a",), "b")),
        (HOT, SetValue(("resources", "z"), 1)),
        (HOT, RenameKey((*P, "name"), "image")),
        (HOT, AddEntry(P, "name", 1)),
        (HOT, AddItem(P, 1)),
        (HOT, AddEntry((*P, "name"), "x", 1)),
        (HOT, SetValue((*P, "name"), {1, 2})),
        (HOT, SetValue((), {})),
    ],
)
def test_rejects_with_a_reason(text: str, change: Change) -> None:
    template = parse_template(text)
    with pytest.raises(CannotEditError) as caught:
        render(template, [change])
    assert caught.value.reason.endswith((".", "?"))
    assert render_fix(template, DataFix("Do it", (change,))) is None


TEXTS = (
    """
yes|No|on|~|null|1|0x1f|010|1e5|1.5|1:30|2018-08-31|=|<<|a: b|a #b|#a|- a|?|*a|&a|!a|%a|@a|`|{|}|[|]|,|a, b|'|"|it's|\\
---|...|$x ${y}|a:|:a|é😀| |x | x|a\t|\t
""".strip("\n")
    .replace("\n", "|")
    .split("|")
)
LINES = ["", "a\nb", "a\nb\n", "a\n\n\nb\n\n", "\na", "  a\nb", "a\r\nb", "x" * 3000]
SIGNS = ["\x00", "\x85", "\u2028", "\ufeff", "\x7f"]
NUMBERS: list[object] = [0, -1, 10**20, 1.5, 1e300, 1e-7, float("inf"), True, False, None]
COLLECTIONS: list[object] = [[], {}, [[]], [[1, [2]], {}], {"a": {}}, {"a": [{"b": [1]}]}, [{"a": None, "b": ""}]]
COLLECTIONS += [{"1": 1, "yes": 2, "a: b": 3, "": 4}]
VALUES = [*TEXTS, *LINES, *SIGNS, *NUMBERS, *COLLECTIONS]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:30])
def test_values_read_back(value: object) -> None:
    for text, path in ((HOT, (*P, "name")), (HOT, (*P, "old", 1)), (HOT, (*N, 0)), (JSON, (*A, "type"))):
        after = parse_template(changed(text, SetValue(path, value)), None)
        found: object = after.data
        for name in path:
            items = dict(enumerate(found)) if isinstance(found, list) else found
            assert isinstance(items, dict)
            found = items[name]
        assert repr(found) == repr(value)


def test_render_fix() -> None:
    template = parse_template(HOT)
    fix = render_fix(template, DataFix("Rename it", (RenameKey(A, "c"),), Applicability.UNSAFE, preferred=True))
    assert fix is not None
    assert (fix.title, fix.applicability, fix.preferred) == ("Rename it", Applicability.UNSAFE, True)
    assert "\n  c:\n" in apply_edits(HOT, fix.edits)

"""Edits keep the value of a block scalar at the end of the text, and every character that they need not change."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from heatstudio.template import (
    AddEntry,
    AddItem,
    CannotEditError,
    Change,
    DeleteEntry,
    Reader,
    Template,
    parse_environment,
    parse_template,
    render,
    restored,
)
from heatstudio.template.syntax.nodes import MappingNode, ScalarNode
from heatstudio.text import apply_edits, read_document
from tests.corpus import written_files
from tests.sampling import sample

Place = tuple[str | int, ...]
HEADERS = ("|", "|-", "|+", ">", ">-", ">+", "|2", "|2-", "|+2", "&a |", "!!str |", "|  # not >", "| # +")
ENDS = (
    "",
    "\n",
    "\n\n\n",
    "  ",
    "  \n",
    "\n      ",
    "\n            \n",
    "\n# c",
    "\n\n  # c\n",
    "\n            \n\n# c\n",
)
READERS = (Reader.CLIENT, Reader.HEAT)
VALUES: tuple[object, ...] = ("v", {"type": "X", "properties": {"p": [1]}}, "#!/bin/sh\nexit\n", "a\n\n")
SERVER = """\
heat_template_version: rocky
resources:
  app:
    type: OS::Nova::Server
    properties:
      tags:
        - a
      user_data: HEADER
        #!/bin/sh

        last line"""
PROPERTIES = ("resources", "app", "properties")
CHANGES: tuple[Change, ...] = (
    *(AddEntry(path, "new", value) for path in ((), PROPERTIES[:1], PROPERTIES[:2], PROPERTIES) for value in VALUES),
    AddItem((*PROPERTIES, "tags"), "b"),
)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("header", HEADERS)
def test_additions_below_a_block_scalar_keep_its_value(header: str, reader: Reader) -> None:
    for end, eol, change in product(ENDS, ("\n", "\r\n"), CHANGES):
        text = (SERVER.replace("HEADER", header) + end).replace("\n", eol)
        added(parse_template(text, reader=reader), change)


@pytest.mark.parametrize("end", ["", "\n"])
def test_additions_to_an_environment_keep_a_block_scalar(end: str) -> None:
    text = "parameters:\n  script: |\n    a\n    b" + end
    after = apply_edits(text, render(parse_environment(text), [AddEntry(("parameters",), "n", 1)]))
    kept = text.removesuffix("\n") if end else text.replace("|", "|-")
    assert after == kept + "\n  n: 1" + end


@pytest.mark.parametrize(("header", "end"), list(product(HEADERS, ENDS)))
def test_additions_are_reverted(header: str, end: str) -> None:
    old = parse_template(SERVER.replace("HEADER", header) + end)
    for path in ((), PROPERTIES[:1], PROPERTIES[:2], PROPERTIES):
        new = parse_template(apply_edits(old.text, render(old, [AddEntry(path, "new", "v")])))
        found = restored(old, new, (*path, "new"), (*path, "new"))
        assert found is not None
        assert found.data == old.data


def test_deletion_below_a_block_scalar_names_the_reason() -> None:
    text = SERVER.replace("HEADER", "|") + "\n  last: {type: X}\n"
    with pytest.raises(CannotEditError, match="`user_data` would lose its last line break"):
        render(parse_template(text), [DeleteEntry(("resources", "last"))])
    assert render(parse_template(text.replace("|", "|-")), [DeleteEntry(("resources", "last"))])
    assert render(parse_template(text, reader=Reader.HEAT), [DeleteEntry(("resources", "last"))])


def test_additions_to_every_map_of_real_templates(shared: Path) -> None:
    chance = Random(3)
    paths = [path for path in written_files(shared, (".yaml", ".yml")) if path.stat().st_size < 20_000]
    count = 0
    for path in sample(paths, 100):
        whole = parse_template(read_document(path).text)
        for text in chance.sample(cut := list(cut_below_blocks(whole)), min(len(cut), 3)):
            template = parse_template(text, reader=chance.choice(READERS))
            maps = [one for one in paths_of_maps(template.data) if is_written(template, one)]
            for at in chance.sample(maps, min(len(maps), 12)) if template.complete else ():
                added(template, AddEntry(at, "new-key", chance.choice(VALUES)))
                count += 1
    assert count


def added(template: Template, change: Change) -> None:
    """Make an addition; fail unless the data is as expected, and the edits only insert text and strip the block."""
    assert isinstance(change, AddEntry | AddItem)
    wanted = deepcopy(template.data)
    holder: Any = wanted
    for name in change.path:
        holder = holder[name]
    if isinstance(holder, list):
        holder.append(change.value)
    elif isinstance(holder, dict) and isinstance(change, AddEntry):
        holder[change.key] = change.value
    edits = render(template, [change])
    after = parse_template(apply_edits(template.text, edits), reader=template.reader)
    assert after.complete
    assert after.data == wanted
    for edit in edits:
        removed = template.text[edit.span.start : edit.span.end]
        assert removed.strip() in ("", "{}", "+") or removed in edit.text


def cut_below_blocks(template: Template) -> Iterator[str]:
    """Yield the text of a template up to the end of each block scalar, with other headers and ends."""
    chance = Random(len(template.text))
    for path in paths_of_texts(template.data):
        found = template.find(path)
        if found is not None and isinstance(found.node, ScalarNode) and found.node.style in ("|", ">"):
            span, header = found.span(), chance.choice(HEADERS[:9]).replace("2", "")
            body = template.text[span.start : span.end].partition("\n")[2]
            yield template.text[: span.start] + f"{header}\n{body}{chance.choice(ENDS)}"


def paths_of_maps(data: object, path: Place = ()) -> Iterator[Place]:
    if isinstance(data, dict):
        yield path
        for name, value in data.items():
            yield from paths_of_maps(value, (*path, name)) if isinstance(name, str) else ()
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from paths_of_maps(value, (*path, index))


def paths_of_texts(data: object, path: Place = ()) -> Iterator[Place]:
    if isinstance(data, str):
        yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, value in items:
        yield from paths_of_texts(value, (*path, name))


def is_written(template: Template, path: Place) -> bool:
    """Return whether a map is written at its own path, without anchors."""
    found = template.find(path)
    tree = template.reading.tree
    return found is not None and isinstance(found.node, MappingNode) and (tree is None or not tree.shared)

"""Real templates next to the checkout are parsed as in Heat, saved unchanged, and edited correctly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from heatstudio.template import (
    AddEntry,
    CannotEditError,
    Change,
    DeleteEntry,
    Existing,
    RenameKey,
    SetValue,
    parse_template,
    render,
)
from heatstudio.text import apply_edits, read_document, save_document
from tests.corpus import written_files
from tests.sampling import sample
from tests.template.syntax.engine_reading import client_reads, same

SUFFIXES = {".yaml", ".yml", ".json", ".template", ".env", ".hot"}
PIECES = ['"', "{", "[", ":", ": ", "- ", "\n", "\t", "#", "&a ", "|", "\r\n", "  ", "é", "a: b\n", "<<: ", "~", "x"]
VALUES = ["x", "a: b", 5, None, {"get_param": "x"}, ["a", {"b": "c d"}], {"k": {"l": [1]}, "m": "1\n2\n"}, {}, "#"]


class Chance(Random):
    """A random generator with a fixed seed."""


@pytest.fixture(scope="module")
def texts(shared: Path) -> list[str]:
    paths = written_files(shared, SUFFIXES)
    return [read_document(path).text for path in paths if path.stat().st_size < 100_000]


def test_every_file_is_saved_unchanged(shared: Path, tmp_path: Path) -> None:
    for path in written_files(shared, SUFFIXES)[::12]:
        document = read_document(path).with_path(tmp_path / "copy")
        save_document(document)
        assert (tmp_path / "copy").read_bytes() == path.read_bytes()


def test_every_file_is_parsed_as_in_heat(texts: list[str]) -> None:
    assert len(texts) > 1000
    for text in sample(texts[::4], 80):
        accepted, data = client_reads(text)
        cold = parse_template(text)
        warm = parse_template(text, cold)
        assert cold.complete == accepted
        if accepted and isinstance(data, dict):
            assert cold.data == data
        assert warm.data == cold.data
        assert set(warm.problems) == set(cold.problems)


def test_incremental_parsing_of_damaged_texts_equals_a_full_parse(texts: list[str]) -> None:
    chance = Chance(7)
    for text in chance.sample([text for text in texts if 100 < len(text) < 6000], 100):
        before = parse_template(text)
        for _ in range(4):
            at = chance.randrange(len(text))
            damaged = text[:at] + chance.choice(PIECES) + text[at + chance.choice([0, 0, 1]) :]
            accepted, data = client_reads(damaged)
            warm, cold = parse_template(damaged, before), parse_template(damaged)
            assert warm.complete == accepted
            assert same(warm.data, cold.data)
            assert set(warm.problems) == set(cold.problems)
            if accepted and isinstance(data, dict):
                assert same(warm.data, data)


def test_edits_are_exact_or_rejected(texts: list[str]) -> None:
    chance = Chance(7)
    made = refused = 0
    for text in chance.sample([text for text in texts if 100 < len(text) < 12000], 200):
        template = parse_template(text)
        paths = list(_paths(template.data)) if template.complete else []
        for path in chance.sample(paths, min(len(paths), 5)):
            changes = _changes(chance, path)
            try:
                edits = render(template, changes)
            except CannotEditError:
                refused += 1
                continue
            made += 1
            after = apply_edits(text, edits)
            assert client_reads(after)[0]
            assert after.replace("\r\n", "").count("\n") == 0 or "\r\n" not in text or "\n" in text.replace("\r\n", "")
    assert refused < made * 0.05


def _changes(chance: Chance, path: tuple[str | int, ...]) -> list[Change]:
    kind = chance.randrange(4)
    if kind == 0:
        return [SetValue(path, chance.choice(VALUES))]
    if kind == 1:
        return [DeleteEntry(path, prune=chance.random() < 0.3)]
    if kind == 2 and isinstance(path[-1], str):
        return [RenameKey(path, "renamed"), SetValue(path, chance.choice(VALUES))]
    return [AddEntry((), "moved", {"deep": [Existing(path)]}), DeleteEntry(path)]


def _paths(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(data, dict):
        for name, value in data.items():
            if isinstance(name, str):
                yield from _paths(value, (*path, name))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _paths(value, (*path, index))

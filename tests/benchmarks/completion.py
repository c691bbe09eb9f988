"""Rank of the right suggestion when real templates are typed again from top to bottom."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.expectation import Role, expectation_at
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.catalog.release import Status
from heatstudio.template import Part, TreePath, parse_template
from heatstudio.ui.editor.completion.completion_popup import fitting
from tests.analysis.retyping import corpus_files, paths_of, value_at
from tests.analysis.semantic_models import knowledge, model_of

ROWS = 3
"""The rows among which the right suggestion counts."""
LETTERS = 3
"""The typed letters of a type's last part."""
TYPE, WHOLE_TYPE, KEY = "type, letters of the last part", "type, with its service", "property key, one letter"


def written(model: SemanticModel) -> Iterator[tuple[str, str, TreePath, Part]]:
    """Yield each visible type, and each property key below the type: what it is, its name and its place."""
    words, visible = model.template.dialect, _visible_types()
    for path in paths_of(model.template.data.get(words.resources), (words.resources,)):
        here = expectation_at(model, path)
        name = value_at(model.template.data, path)
        if here.role is Role.TYPE and isinstance(name, str) and name in visible:
            yield TYPE, name, path, Part.VALUE
        schema, owner = here.schema, here.owner
        is_property = here.role is Role.PROPERTY and here.call is None and owner is not None and path != owner.path
        if is_property and owner is not None and schema is not None and schema.name == path[-1]:
            type_name = model.template.find((*owner.path[:-1], words.type))
            key = model.template.locate(path, Part.KEY)
            is_below = type_name is not None and type_name.span(Part.VALUE).start < key.start
            if is_below and schema.support_status.status is not Status.HIDDEN:
                yield KEY, schema.name, path, Part.KEY


def rank(model: SemanticModel, start: int, typed: str, name: str) -> int:
    """Return the row, from 0, of a name after some of its letters are typed at the end of a text."""
    text = model.template.text[:start] + typed
    again = model.with_template(parse_template(text, model.template))
    rows = [one.completion.label for one in fitting(complete(again, len(text), False), text, len(text))]
    return rows.index(name) if name in rows else len(rows) + ROWS


def ranks(file: Path) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the name and the row of each type and property key of a template."""
    text = file.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    model = model_of(text)
    if not model.template.complete or model.template.version is None:
        return
    for kind, name, path, part in written(model):
        span = model.template.locate(path, part)
        if text[span.start : span.end] != name:
            continue
        if kind == KEY:
            yield kind, name, rank(model, span.start, name[:1], name)
        else:
            service, _, last = name.rpartition("::")
            yield TYPE, name, rank(model, span.start, last[:LETTERS], name)
            yield WHOLE_TYPE, name, rank(model, span.start, f"{service}::{last[:LETTERS]}", name)


def rates(files: Iterable[Path]) -> dict[str, tuple[float, int, Counter[str]]]:
    """Return, for each kind, the share in the first rows, the number, and the names that are missed."""
    total, missed = Counter[str](), {kind: Counter[str]() for kind in (TYPE, WHOLE_TYPE, KEY)}
    for file in files:
        for kind, name, row in ranks(file):
            total[kind] += 1
            if row >= ROWS:
                missed[kind][name] += 1
    return {kind: (1 - names.total() / max(total[kind], 1), total[kind], names) for kind, names in missed.items()}


@cache
def _visible_types() -> frozenset[str]:
    return frozenset(knowledge().catalog.visible_names)


if __name__ == "__main__":
    every = [file for _, file in corpus_files(Path(__file__).parents[3] / "shared")]
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for kind, (share, count, names) in rates(every[::step]).items():
        worst = ", ".join(f"{name} {number}" for name, number in names.most_common(12))
        sys.stdout.write(f"{kind}: {share:.1%} of {count} in the first {ROWS} rows; missed: {worst}\n")

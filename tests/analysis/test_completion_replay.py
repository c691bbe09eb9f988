"""Retyping of real templates: completion suggests what their authors wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.expectation import Role, expectation_at
from heatstudio.analysis.assist.reference_index import SymbolKind, index_of
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.catalog.release import Status
from heatstudio.template import Part, TreePath, parse_template
from tests.analysis.retyping import paths_of
from tests.analysis.semantic_models import knowledge, model_of

MOST = 8
"""The maximum number of keys, and of names, that are typed again in one file."""


def written_keys(model: SemanticModel) -> Iterator[tuple[TreePath, Part]]:
    words = model.template.dialect
    for path in paths_of(model.template.data.get(words.resources), (words.resources,)):
        here = expectation_at(model, path)
        if here.role is not Role.PROPERTY or here.schema is None or here.call is not None or len(path) < 4:
            continue
        if here.schema.name == path[-1] and here.schema.support_status.status is not Status.HIDDEN:
            yield path, Part.KEY


def written_names(model: SemanticModel) -> Iterator[tuple[TreePath, Part]]:
    index = index_of(model)
    visible = set(knowledge().catalog.visible_names)
    for mention in index.mentions:
        symbol = mention.symbol
        is_type = symbol.kind is SymbolKind.TYPE and symbol.name in visible
        is_circle = symbol.kind is SymbolKind.RESOURCE and mention.path[1] == symbol.name
        if is_type or (index.definition(symbol) is not None and not mention.is_definition and not is_circle):
            yield mention.path, mention.part


def test_written_keys_and_names_are_suggested(shared: Path) -> None:
    missing, typed = [], 0
    files = sorted(path for path in (shared / "corpus").rglob("*.yaml") if path.stat().st_size < 60_000)
    for file in files[::40]:
        text = file.read_text(encoding="utf-8", errors="replace")
        model = model_of(text)
        if not model.template.complete or model.template.version is None:
            continue
        keys, names = list(written_keys(model)), list(written_names(model))
        for path, part in (*keys[:: len(keys) // MOST + 1], *names[:: len(names) // MOST + 1]):
            span = model.template.locate(path, part)
            name = text[span.start : span.end]
            if len(name) < 3 or not name[0].isalpha() or "\n" in name:
                continue
            half = text[: span.start + 2] + text[text.find("\n", span.end) if "\n" in text[span.end :] else len(text) :]
            again = model.with_template(parse_template(half, model.template))
            typed += 1
            if name not in [one.label for one in complete(again, span.start + 2, False)]:
                missing.append((file.name, path))
    assert typed > 200
    assert missing == []

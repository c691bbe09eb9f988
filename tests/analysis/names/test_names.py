"""Definition, references and rename of names in annotated texts.

Each file of `cases` has parts, which begin with a line `=== NAME`: the template with the mark `‸` at the cursor, files
and environments beside it, and what is expected. A new case is a new file.

- `definition`, `references`: the template with `«»` around each place, `«!»` around one that defines the name; with a
  file after the word, the same for a file beside it. An empty part means that there is no place.
- `rename`: the new name, with the `result`, the `result FILE` of changed files, the files to change `by-hand` and
  `warnings`, or why it is `refused`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.references import definition_at, references_at
from heatstudio.analysis.assist.rename import rename
from heatstudio.text import apply_edits
from tests.analysis.semantic_models import model_at
from tests.analysis.text_parts import beginning_with, parts_of

CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))
FIND = {"definition": definition_at, "references": references_at}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_name(case: Path) -> None:
    parts = parts_of(case)
    files, environments = beginning_with(parts, "file"), beginning_with(parts, "environment")
    model, offset = model_at(parts["template"], files, environments)
    texts = {"": model.template.text, **files, **environments}
    asked = {kind: expected for kind in FIND if (expected := beginning_with(parts, kind))}
    assert asked or "rename" in parts
    for kind, expected in asked.items():
        assert marked(FIND[kind](model, offset), texts) == expected
    if "rename" in parts:
        found = rename(model, offset, parts["rename"].strip("\n"))
        assert found.refusal == parts.get("refused", "").strip("\n")
        changed = {"": found.edits} | {one.file: one.edits for one in found.file_edits}
        results = {file: apply_edits(texts[file], edits) for file, edits in changed.items() if edits}
        assert results == beginning_with(parts, "result")
        assert [file for file in changed if file and not changed[file]] == parts.get("by-hand", "").splitlines()
        assert found.warnings == tuple(parts.get("warnings", "").splitlines())


def marked(places: Iterable[Location], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the files that have places, with each place between marks; an empty text if there are none."""
    found: dict[str, str] = {}
    for place in sorted(places, key=lambda one: one.span, reverse=True):
        file = place.file or ""
        text, (start, end) = found.get(file, texts[file]), place.span
        found[file] = f"{text[:start]}«{'!' * place.is_definition}{text[start:end]}»{text[end:]}"
    return found or {"": ""}

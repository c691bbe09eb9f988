from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout
from pytestqt.qtbot import QtBot

from heatstudio.text import OverlappingEditsError, Span, TextEdit, apply_edits
from heatstudio.ui.editor.text.text_document import TextDocument, difference

ODD = "a\n\r\t \u00a0\u0085\u2028\u2029\ufeff\ufffe\ufdd0\ufdd1\u202a\u202e\u2066\u2069\xad\u200bé漢🚀\0"
LETTERS = st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"], max_codepoint=0xFDCF))
TEXT = st.text(LETTERS, max_size=40)


def make_document() -> tuple[QTextDocument, TextDocument]:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    return document, TextDocument(document)


@st.composite
def text_and_edits(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    text = draw(TEXT)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = [Span(start, end) for start, end in zip(places[::2], places[1::2], strict=False)]
    return text, [TextEdit(span, draw(TEXT)) for span in dict.fromkeys(spans)]


@given(TEXT)
def test_text_round_trips_unchanged(qapp: object, text: str) -> None:
    _, document = make_document()
    document.load(text)
    document._text = None
    assert document.text() == text


@given(text_and_edits())
def test_edits_in_qt_equal_edits_in_the_core_and_are_one_undo_step(
    qapp: object, case: tuple[str, list[TextEdit]]
) -> None:
    text, edits = case
    qt, document = make_document()
    document.load(text)
    document.apply(edits)
    assert document.text() == apply_edits(text, edits)
    for offset in range(len(document.text()) + 1):
        assert document.positions().offset(document.positions().position(offset)) == offset
    if document.text() != text:
        qt.undo()
        assert document.text() == text


@given(TEXT, TEXT)
def test_difference_turns_one_text_into_the_other(old: str, new: str) -> None:
    edits = difference(old, new)
    assert apply_edits(old, edits) == new
    assert bool(edits) == (old != new)


def test_overlapping_edits_change_nothing(qapp: object) -> None:
    _, document = make_document()
    document.load("abc")
    with pytest.raises(OverlappingEditsError):
        document.apply([TextEdit(Span(0, 2), "x"), TextEdit(Span(1, 3), "y")])
    assert document.text() == "abc"


def test_text_is_cached_until_it_changes(qtbot: QtBot) -> None:
    qt, document = make_document()
    document.load("a: b\n")
    assert document.text() is document.text()
    with qtbot.waitSignal(document.changed):
        document.apply([TextEdit(Span(0, 1), "🚀")])
    assert document.text() == "🚀: b\n"
    assert document.positions().position(1) == 2
    qt.undo()
    assert document.text() == "a: b\n"


def test_every_real_file_round_trips_unchanged(qapp: object, shared: Path) -> None:
    _, document = make_document()
    different = []
    for path in sorted((shared / "corpus" / "files").rglob("*.yaml")):
        text = path.read_text(encoding="utf-8", errors="replace")
        document.load(text)
        document._text = None
        if document.text() != text:
            different.append(path.name)
    assert different == []

"""Indentation of pasted lines to match their context."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.indentation import fitted
from tests.ui.editor.conftest import seen, show


@pytest.mark.parametrize(
    ("pasted", "before", "better"),
    [
        ("value:\n  x: 1", " " * 6, "value:\n        x: 1"),
        ("a: 1\nb: 2\n", "    ", "a: 1\n    b: 2\n"),
        ("    a:\n      b: 1\n    c: 2", "  ", "a:\n    b: 1\n  c: 2"),
        ("a:\n        b: 1\n      c: 2", "  ", "a:\n    b: 1\n  c: 2"),
        ("a:\n        b: 1", "  ", "a:\n    b: 1"),
        ("a: 1\n      c: 2", "", "a: 1\nc: 2"),
        ("- a: 1\n  b: 2\n- c", "    ", "- a: 1\n      b: 2\n    - c"),
        ("a: 1\nb: 2", "  - ", "a: 1\n    b: 2"),
        ("a:\n\tb: 1", "  ", "a:\n    b: 1"),
        ("\ta:\n\t\tb: 1", "", "  a:\n    b: 1"),
        ("a: |\n  x\n\n  y", "  ", "a: |\n    x\n\n    y"),
        ("a:\n    b:\n        c: 1", "  ", "a:\n      b:\n          c: 1"),
        ("a:\n    b:\n        c: 1", "", None),
        ("a:\n    b: 1", "", None),
        ("  a:\n    b: 1\n", "", None),
        ("a:\n  b: 1", "", None),
        ("a: 1", "  ", None),
        ("a: 1\nb: 2", "x: ", None),
        ("Once upon\na time", "  ", None),
        ("    a: 1\n  b: 2", "  ", None),
    ],
)
def test_pasted_maps_and_lists_are_indented_like_their_context(pasted: str, before: str, better: str | None) -> None:
    assert fitted(pasted, before, "") == better


def test_any_lines_are_indented_in_a_block_scalar() -> None:
    assert fitted("if x:\n\ty\nfi", "      ", "", is_text=True) == "if x:\n      \ty\n      fi"


def test_text_after_the_pasted_lines_keeps_its_indentation() -> None:
    assert fitted("a: 1\n", "  ", "b: 2") == "a: 1\n  "


def test_first_undo_restores_the_unindented_paste(pane: EditorPane) -> None:
    show(pane, "résumé: 🚀\na:\n  ¦")
    QApplication.clipboard().setText("b:\n  c: 🚀")
    pane.editor.paste()
    assert seen(pane) == "résumé: 🚀\na:\n  b:\n    c: 🚀¦"
    pane.editor.undo()
    assert pane.text() == "résumé: 🚀\na:\n  b:\n  c: 🚀"
    pane.editor.undo()
    assert pane.text() == "résumé: 🚀\na:\n  "


def test_selection_is_replaced_with_indented_lines(pane: EditorPane) -> None:
    show(pane, "a:\n  ¦b: 1¦\n  d: 1\n")
    QApplication.clipboard().setText("b:\n  c: 1")
    pane.editor.paste()
    assert seen(pane) == "a:\n  b:\n    c: 1¦\n  d: 1\n"


def test_script_is_pasted_into_a_block_scalar(pane: EditorPane) -> None:
    show(pane, "a: |\n  x\n  ¦")
    QApplication.clipboard().setText("#!/bin/sh\necho")
    pane.editor.paste()
    assert seen(pane) == "a: |\n  x\n  #!/bin/sh\n  echo¦"


def test_json_is_pasted_unchanged(pane: EditorPane) -> None:
    show(pane, "{\n  ¦\n}")
    QApplication.clipboard().setText('"b": {\n  "c": 1}')
    pane.editor.paste()
    assert pane.text() == '{\n  "b": {\n  "c": 1}\n}'

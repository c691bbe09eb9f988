"""New problems wait while a line is typed, and the preview keeps its content meanwhile."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.analysis import Diagnostic
from heatstudio.ui.documents import document as document_module
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.table import ProblemRow
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.screens import editor_of

TEXT = """\
heat_template_version: 2021-04-16
resources:
  wrong:
    type: OS::Heat::No
  a:
    type: OS::Heat::RandomString
    properties:
      length: 5
"""


@pytest.fixture
def typing(qtbot: QtBot, real: Window, monkeypatch: pytest.MonkeyPatch) -> Document:
    """Return a new document whose quiet time lasts until the test ends it; the cursor is at its end."""
    monkeypatch.setattr(document_module, "QUIET", 10_000_000)
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(TEXT)
    editor_of(real).editor.moveCursor(editor_of(real).editor.textCursor().MoveOperation.End)
    document = real.session.current
    assert document is not None
    return document


def type_text(qtbot: QtBot, window: Window, text: str) -> None:
    document = window.session.current
    assert document is not None
    QTest.keyClicks(editor_of(window).editor, text)
    qtbot.waitUntil(lambda: document.current_analysis is not None)


def marked(window: Window) -> list[str]:
    return [one.mark.code for one in editor_of(window).decorations.marks.all()]


def found(document: Document) -> tuple[Diagnostic, ...]:
    assert document.current_analysis is not None
    return document.current_analysis.diagnostics


def listed(window: Window) -> list[str]:
    """Return the codes of the problems in the list."""
    pane = bench(window).problems
    rows = (pane.model.value(index) for index in pane.model.indexes())
    return [row.diagnostic.code for row in rows if isinstance(row, ProblemRow)]


def test_new_problem_of_the_typed_line_waits_until_the_pause(qtbot: QtBot, real: Window, typing: Document) -> None:
    assert marked(real) == ["unknown-type"]
    counts = real.status.counts.text()
    type_text(qtbot, real, "      lengt: 1")
    assert len(found(typing)) > 1
    assert marked(real) == listed(real) == ["unknown-type"]
    assert real.status.counts.text() == counts == "1 error, 0 warnings"
    typing.rest()
    assert listed(real) == [problem.code for problem in found(typing)]
    assert real.status.counts.text() == "2 errors, 0 warnings"
    assert len(marked(real)) > 1
    before = marked(real)
    QTest.keyClick(editor_of(real).editor, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: typing.current_analysis is not None)
    assert "unknown-property" in before
    assert "unknown-property" in marked(real)


def test_new_problem_is_shown_when_the_caret_leaves_its_line(qtbot: QtBot, real: Window, typing: Document) -> None:
    type_text(qtbot, real, "      lengt: 1")
    QTest.keyClick(editor_of(real).editor, Qt.Key.Key_Up)
    assert len(marked(real)) > 1


def test_syntax_error_waits_wherever_it_is(qtbot: QtBot, real: Window, typing: Document) -> None:
    QTest.keyClick(editor_of(real).editor, Qt.Key.Key_Up)
    QTest.keyClick(editor_of(real).editor, Qt.Key.Key_End)
    QTest.keyClick(editor_of(real).editor, Qt.Key.Key_Return)
    type_text(qtbot, real, "na")
    assert "yaml-syntax" in [problem.code for problem in found(typing)]
    assert marked(real) == listed(real) == ["unknown-type"]
    assert real.status.counts.text() == "1 error, 0 warnings"
    typing.rest()
    assert "yaml-syntax" in listed(real)
    assert "yaml-syntax" in marked(real)


def test_preview_keeps_its_rows_and_says_that_they_are_older(qtbot: QtBot, real: Window, typing: Document) -> None:
    preview = bench(real).preview
    with qtbot.waitSignal(real.session.plan_changed):
        editor_of(real).replace_text(TEXT.replace("OS::Heat::No", "OS::Heat::Value"))
    preview.refresh()
    sentence, rows = preview.verdict.sentence, preview.model.rowCount()
    assert preview.view.isVisible()
    QTest.keyClicks(editor_of(real).editor, "  'open")
    qtbot.waitUntil(lambda: preview._cover.accessibleName() == "Preview of the text before the unfinished line")
    assert (preview.verdict.sentence, preview.model.rowCount()) == (sentence, rows)
    assert preview.view.isVisible()


def test_preview_without_rows_waits_for_the_end_of_typing(qtbot: QtBot, real: Window, typing: Document) -> None:
    preview = bench(real).preview
    with qtbot.waitSignal(real.session.plan_changed):
        editor_of(real).replace_text("heat_template_version: 2021-04-16\n\nresources:\n  ")
    typing.rest()
    assert not preview.verdict.isVisible()
    QTest.keyClick(editor_of(real).editor, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(real.session.plan_changed):
        type_text(qtbot, real, "he")
    assert not preview.verdict.isVisible()
    typing.rest()
    assert preview.verdict.isVisible()
    assert "reject" in preview.verdict.sentence


def test_typed_line_may_be_undone(qtbot: QtBot, real: Window, typing: Document) -> None:
    QTest.keyClick(editor_of(real).editor, Qt.Key.Key_Return)
    type_text(qtbot, real, "#")
    while editor_of(real).text() != TEXT:
        editor_of(real).editor.undo()
    qtbot.waitUntil(lambda: typing.current_analysis is not None)
    assert marked(real) == ["unknown-type"]

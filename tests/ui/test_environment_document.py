"""An open environment file is checked with its template while the user types."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.analysis.assist.environment import environment_definition
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.ui.commands.assistant import NO_DEFINITION
from heatstudio.ui.commands.text_controller import CHANGED_MEANWHILE
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.table import ProblemRow, Scope
from heatstudio.ui.window.window import Window
from tests.analysis.test_analyze_environment import TEMPLATE
from tests.ui.bench import bench


@pytest.fixture
def template(qtbot: QtBot, real: Window, tmp_path: Path) -> Document:
    """Open a template and its environment, which is the current document; return the template."""
    (tmp_path / "t.yaml").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "e.yaml").write_text("parameters:\n  size: 0\n", encoding="utf-8")
    real.files.open([str(tmp_path / "t.yaml")])
    found = real.session.current
    assert found is not None
    real.session.set_environments(found, (tmp_path / "e.yaml",))
    real.files.open([str(tmp_path / "e.yaml")])
    real.activateWindow()
    return found


def messages(document: Document | None) -> list[str]:
    analysis = document.current_analysis if document is not None else None
    return [one.message for one in analysis.diagnostics] if analysis is not None else ["not yet"]


def test_environment_and_template_are_checked_together(qtbot: QtBot, real: Window, template: Document) -> None:
    environment = real.session.current
    bad = "Invalid value of `size`: 0 is too small; the minimum is 1."
    qtbot.waitUntil(lambda: messages(environment) == [bad], timeout=10_000)
    qtbot.waitUntil(lambda: "Environment" in real.status.version.text(), timeout=10_000)
    editor = real.area.editor
    assert editor is not None
    editor.replace_text("parameters:\n  size: 3\n")
    qtbot.waitUntil(lambda: messages(environment) == [], timeout=10_000)
    qtbot.waitUntil(lambda: messages(template) == [], timeout=10_000)
    assert template.state is not None
    assert template.state.analysis.stack.parameter("size") == 3
    assert environment is not None
    assert environment.modified


def test_completion_hover_and_definition_in_an_environment(qtbot: QtBot, real: Window, template: Document) -> None:
    environment = real.session.current
    qtbot.waitUntil(lambda: len(messages(environment)) == 1 and "size" in messages(environment)[0], timeout=10_000)
    editor = real.area.editor
    assert editor is not None
    editor.editor.select(len(editor.text()), len(editor.text()))
    QTest.keyClicks(editor.editor, "  zo")
    qtbot.waitUntil(editor.help.completion.popup.isVisible)
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    assert editor.text().startswith("parameters:\n  size: 0\n  zone: ")
    at = editor.text().index("size")
    editor.help.hover.show_at(at)
    qtbot.waitUntil(editor.help.hover.popup.isVisible)
    assert "How many" in editor.help.hover.popup.label.text()
    editor.help.hover.hide()
    editor.editor.select(at + 1, at + 1)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: real.session.current is template)
    assert real.area.editor is not None
    assert real.area.editor.text()[real.area.editor.caret_offset() :].startswith("size: {type")


def test_typing_does_not_wait_for_a_definition_in_the_template(
    qtbot: QtBot, real: Window, template: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = real.session.current
    qtbot.waitUntil(lambda: len(messages(environment)) == 1 and "size" in messages(environment)[0], timeout=10_000)
    really, begun, may_go_on = environment_definition, Event(), Event()

    def slowly(owner: SemanticModel, text: str, offset: int) -> object:
        begun.set()
        assert may_go_on.wait(20)
        return really(owner, text, offset)

    monkeypatch.setattr("heatstudio.service.workspace.language_service.environment_definition", slowly)
    editor = real.area.editor
    assert editor is not None
    at = editor.text().index("size")
    editor.editor.select(at + 1, at + 1)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    qtbot.waitUntil(begun.is_set)
    QTest.keyClicks(editor.editor, "x")
    assert editor.text() == "parameters:\n  sxize: 0\n"
    with qtbot.waitSignal(real.session.message_requested) as reported:
        may_go_on.set()
    assert reported.args == [CHANGED_MEANWHILE]
    assert real.session.current is environment
    editor.editor.select(2, 2)
    with qtbot.waitSignal(bench(real).assistant.local_message_requested) as reported:
        QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    assert reported.args == [NO_DEFINITION]


def test_environment_is_checked_with_its_last_template(qtbot: QtBot, real: Window, template: Document) -> None:
    environment = real.session.current
    real.session.close(template)
    editor = real.area.editor
    assert editor is not None
    editor.replace_text("parameters:\n  size: 3\n  nobody: 1\n")
    missing = "Unknown parameter `nobody`."
    qtbot.waitUntil(lambda: messages(environment) == [missing], timeout=10_000)


def test_problem_of_the_template_links_to_the_environment(qtbot: QtBot, real: Window, template: Document) -> None:
    environment = real.session.current
    assert environment is not None
    real.session.close(environment)
    qtbot.waitUntil(lambda: len(messages(template)) == 1)
    model = bench(real).problems.model

    def rows() -> list[tuple[QModelIndex, ProblemRow]]:
        return [(at, row) for at in model.indexes() if isinstance(row := model.value(at), ProblemRow)]

    qtbot.waitUntil(lambda: len(rows()) == 1)
    ((index, row),) = rows()
    assert (row.where, row.line) == ("e.yaml", 2)
    bench(real).problems.view.activated.emit(index)
    opened = real.session.current
    assert opened is not None
    assert opened.path == environment.path
    editor = real.area.editor
    assert editor is not None
    assert editor.text()[editor.selection().start : editor.selection().end] == "0"
    bench(real).problems.bar.scopes.setCurrentText(Scope.OPEN)
    qtbot.waitUntil(lambda: len(bench(real).problems.diagnostics()) == 1)

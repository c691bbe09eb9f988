"""Every hostile input in the window: opened and closed one after the other, and the window still takes keys."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from tests.hostile.inputs import INPUTS


def test_every_input_is_opened_and_closed(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    session = real.session
    for at, one in enumerate(INPUTS.values()):
        template = one.write(tmp_path / str(at))
        before = {id(document) for document in session.documents}
        if not template.is_dir():
            real.files.open([str(template)])
        for document in [document for document in session.documents if id(document) not in before]:
            qtbot.waitUntil(partial(is_settled, document))
            QApplication.processEvents()
            session.close(document)
    real.files.new()
    editor = QApplication.focusWidget()
    assert editor is not None
    QTest.keyClicks(editor, "a: 1")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert session.current is not None
    assert "a: 1\n" in session.current.text


def is_settled(document: Document) -> bool:
    return document.is_large or document.analysis is not None

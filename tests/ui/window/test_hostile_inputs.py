"""Hostile texts and files in the window: opened and closed one after the other, and the window still takes keys."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from tests.hostile.inputs import (
    bytes_that_are_no_template,
    files_that_are_none,
    templates_out_of_shape,
    yaml_that_goes_too_far,
)

SHOWN = (bytes_that_are_no_template, yaml_that_goes_too_far, templates_out_of_shape, files_that_are_none)
"""Functions and environments concern the engine alone, which the command line is asked about."""


def test_every_text_and_file_is_opened_and_closed(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    session = real.session
    for at, (_, one) in enumerate(chain.from_iterable(make() for make in SHOWN)):
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

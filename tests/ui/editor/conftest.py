"""Fixtures with an editor pane and a simulated keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.text import Span
from heatstudio.ui.commands.actions import COMMANDS
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.widgets import Appearance, Theme

Press = Callable[..., None]
CARET = "¦"


@pytest.fixture
def theme(appearance: Appearance) -> Theme:
    return appearance.theme


@pytest.fixture
def pane(qtbot: QtBot, appearance: Appearance) -> EditorPane:
    pane = EditorPane(appearance)
    give_keys(pane)
    qtbot.addWidget(pane)
    pane.resize(800, 500)
    with qtbot.waitActive(pane):
        pane.show()
        pane.activateWindow()
    pane.setFocus()
    return pane


def give_keys(pane: EditorPane) -> None:
    """Set the shortcuts of the window's commands in a pane without a window."""
    for name, handler in pane.commands.items():
        action = QAction(pane)
        action.triggered.connect(handler)
        action.setShortcuts([QKeySequence(key) for key in COMMANDS[name].shortcuts])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        pane.addAction(action)


class EditorDriver:
    """A simulated keyboard that sends keys and any characters to the widget with the focus."""

    def __init__(self, pane: EditorPane) -> None:
        self._pane = pane

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self._send(key, modifiers, _TEXTS.get(key, ""))

    def type(self, text: str) -> None:
        for character in text:
            if character == "\n":
                self.press(Qt.Key.Key_Return)
            else:
                self._send(Qt.Key.Key_unknown, Qt.KeyboardModifier.NoModifier, character)

    def _send(self, key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str) -> None:
        target = QApplication.focusWidget() or self._pane.editor
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(target, QKeyEvent(kind, key, modifiers, text))


_TEXTS = {Qt.Key.Key_Return: "\r", Qt.Key.Key_Tab: "\t", Qt.Key.Key_Backspace: "\b"}


@pytest.fixture
def hands(pane: EditorPane) -> EditorDriver:
    return EditorDriver(pane)


def show(pane: EditorPane, marked: str) -> None:
    """Load a text in which one or two marks stand for the cursor or the selection."""
    parts = marked.split(CARET)
    pane.set_text("".join(parts))
    start = len(parts[0])
    pane.go_to(Span(start, start + (len(parts[1]) if len(parts) == 3 else 0)))


def seen(pane: EditorPane) -> str:
    """Return the text with a mark at the cursor, or around the selection."""
    text, span = pane.text(), pane.selection()
    chosen = text[span.start : span.end]
    return text[: span.start] + CARET + (chosen + CARET if chosen else "") + text[span.end :]

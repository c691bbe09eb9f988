"""The hands of a simulated user: events that Qt creates, or real keys and a real mouse on an X server."""

from __future__ import annotations

import os
import subprocess
from select import select
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

Key, Modifier = Qt.Key, Qt.KeyboardModifier
NONE = Modifier.NoModifier
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


class Hand(Protocol):
    """Keys and mouse; points are those of a widget."""

    def press(self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press and release a key."""

    def type(self, widget: QWidget, character: str) -> None:
        """Type a character."""

    def press_shortcut(self, widget: QWidget, shortcut: str) -> None:
        """Press the keys of a shortcut."""

    def click(
        self,
        widget: QWidget,
        point: QPoint,
        button: Qt.MouseButton = LEFT,
        modifiers: Qt.KeyboardModifier = NONE,
        *,
        times: int = 1,
    ) -> None:
        """Click once or twice."""

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        """Drag with the left button."""

    def move(self, widget: QWidget, point: QPoint) -> None:
        """Move the mouse."""

    def scroll(self, widget: QWidget, point: QPoint, clicks: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Turn the wheel; a negative number of clicks is towards the user."""

    def ask_for_menu(self, widget: QWidget, point: QPoint) -> None:
        """Ask for a context menu with the mouse."""

    def is_done(self) -> bool:
        """Return whether all events have been sent."""


class QtHand:
    """Events of Qt, sent to a widget whether or not it has the focus or is covered."""

    def press(self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(widget, key, modifiers)

    def type(self, widget: QWidget, character: str) -> None:
        type_character(widget, character)

    def press_shortcut(self, widget: QWidget, shortcut: str) -> None:
        QTest.keySequence(widget, QKeySequence(shortcut))

    def click(
        self,
        widget: QWidget,
        point: QPoint,
        button: Qt.MouseButton = LEFT,
        modifiers: Qt.KeyboardModifier = NONE,
        *,
        times: int = 1,
    ) -> None:
        (QTest.mouseClick if times == 1 else QTest.mouseDClick)(widget, button, modifiers, point)

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        """Drag in several iterations of the event loop, all to the pressed widget: a drag may run a nested loop."""
        QTimer.singleShot(0, lambda: isValid(widget) and QTest.mouseMove(widget, start + QPoint(20, 20)))
        QTimer.singleShot(5, lambda: isValid(widget) and QTest.mouseMove(widget, end))
        QTimer.singleShot(10, lambda: isValid(widget) and QTest.mouseRelease(widget, LEFT, NONE, end))
        QTest.mousePress(widget, LEFT, NONE, start)

    def move(self, widget: QWidget, point: QPoint) -> None:
        QTest.mouseMove(widget, point)

    def scroll(self, widget: QWidget, point: QPoint, clicks: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
        here, there = QPointF(point), QPointF(widget.mapToGlobal(point))
        none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
        by = QPoint(0, 120 * clicks)
        QApplication.sendEvent(widget, QWheelEvent(here, there, QPoint(), by, none, modifiers, phase, False))

    def ask_for_menu(self, widget: QWidget, point: QPoint) -> None:
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(widget, QContextMenuEvent(reason, point, widget.mapToGlobal(point)))

    def is_done(self) -> bool:
        return True


_KEYSYMS = {
    Key.Key_Return: "Return", Key.Key_Enter: "KP_Enter", Key.Key_Tab: "Tab", Key.Key_Backtab: "Tab",
    Key.Key_Backspace: "BackSpace", Key.Key_Delete: "Delete", Key.Key_Insert: "Insert", Key.Key_Escape: "Escape",
    Key.Key_Up: "Up", Key.Key_Down: "Down", Key.Key_Left: "Left", Key.Key_Right: "Right", Key.Key_Home: "Home",
    Key.Key_End: "End", Key.Key_PageUp: "Prior", Key.Key_PageDown: "Next", Key.Key_Menu: "Menu",
} | {Key(Key.Key_F1.value + at): f"F{at + 1}" for at in range(12)}  # fmt: skip
_NAMES = {"PgUp": "Prior", "PgDown": "Next", "Backspace": "BackSpace", "Space": "space", "Enter": "KP_Enter"}
"""The names of keys in shortcuts and on the X server, if they differ."""
_MODIFIERS = {Modifier.ControlModifier: "ctrl", Modifier.AltModifier: "alt", Modifier.ShiftModifier: "shift"}
_BUTTONS = {LEFT: 1, Qt.MouseButton.MiddleButton: 2, RIGHT: 3}
_ANSWER = "getdisplaygeometry"
"""A command that prints a line, after those before it."""
_UP, _DOWN = 4, 5
"""The buttons of the wheel."""


class XHand:
    """The keyboard and the mouse of the X server, which sends their events to the window with the focus, or on top."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            ["xdotool", "-"], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0
        )
        self._unanswered = 0

    def press(self, _widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        if key is Key.Key_Backtab:
            modifiers |= Modifier.ShiftModifier
        self._run("key --delay 0 " + "+".join([*_names(modifiers), _keysym(key)]))

    def type(self, widget: QWidget, character: str) -> None:
        """Type a character of the keyboard, or another one as an input method does."""
        if character.isascii():
            self._run(f"key --delay 0 {_keysym_of(character)}")
        else:
            type_character(widget, character)

    def press_shortcut(self, _widget: QWidget, shortcut: str) -> None:
        *modifiers, key = shortcut.split("+")
        name = _keysym_of(key.lower()) if len(key) == 1 else _NAMES.get(key, key)
        self._run("key --delay 0 " + "+".join([*map(str.lower, modifiers), name]))

    def click(
        self,
        widget: QWidget,
        point: QPoint,
        button: Qt.MouseButton = LEFT,
        modifiers: Qt.KeyboardModifier = NONE,
        *,
        times: int = 1,
    ) -> None:
        self._with(modifiers, _to(widget, point), *[f"click {_BUTTONS[button]}"] * times)

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        middle = (start + end) / 2
        moves = [line for point in (start + QPoint(20, 20), middle, end) for line in (_to(widget, point), "sleep 0.02")]
        self._run(_to(widget, start), "mousedown 1", *moves, "mouseup 1")

    def move(self, widget: QWidget, point: QPoint) -> None:
        self._run(_to(widget, point))

    def scroll(self, widget: QWidget, point: QPoint, clicks: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self._with(modifiers, _to(widget, point), *[f"click {_UP if clicks > 0 else _DOWN}"] * abs(clicks))

    def ask_for_menu(self, widget: QWidget, point: QPoint) -> None:
        self.click(widget, point, RIGHT)

    def is_done(self) -> bool:
        """Return whether the server has sent all events; the window may not have read them yet."""
        assert self._process.stdout
        while self._unanswered and select([self._process.stdout], [], [], 0)[0]:
            answers = os.read(self._process.stdout.fileno(), 4096)
            if not answers:
                raise ConnectionError("xdotool has ended")
            self._unanswered -= answers.count(b"\n")
        return not self._unanswered

    def _with(self, modifiers: Qt.KeyboardModifier, *commands: str) -> None:
        names = _names(modifiers)
        self._run(*(f"keydown {name}" for name in names), *commands, *(f"keyup {name}" for name in names))

    def _run(self, *commands: str) -> None:
        assert self._process.stdin
        self._process.stdin.write("".join(f"{command}\n" for command in (*commands, _ANSWER)).encode())
        self._unanswered += 1


def type_character(widget: QWidget, character: str) -> None:
    """Press the key of a character, including characters that `QTest` does not support."""
    if character == "\n":
        QTest.keyClick(widget, Key.Key_Return)
    elif character.isascii() and character.isprintable():
        QTest.keyClicks(widget, character)
    else:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, 0, NONE, character))


def _names(modifiers: Qt.KeyboardModifier) -> list[str]:
    return [name for modifier, name in _MODIFIERS.items() if modifier & modifiers]


def _keysym(key: Qt.Key) -> str:
    return _KEYSYMS.get(key) or _keysym_of(chr(key.value).lower())


def _keysym_of(character: str) -> str:
    return {"\n": "Return", "\t": "Tab"}.get(character, f"U{ord(character):04X}")


def _to(widget: QWidget, point: QPoint) -> str:
    """Return the command that moves the mouse, in pixels of the screen."""
    place = widget.mapToGlobal(point) * widget.devicePixelRatioF()
    return f"mousemove {max(place.x(), 0)} {max(place.y(), 0)}"

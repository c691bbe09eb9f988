"""The hands of a simulated user: events that Qt creates, or real keys and a real mouse on an X server."""

from __future__ import annotations

import os
import subprocess
from select import select
from typing import TypeAlias

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

Key: TypeAlias = Qt.Key
Modifier: TypeAlias = Qt.KeyboardModifier
Button: TypeAlias = Qt.MouseButton
NONE = Modifier.NoModifier
LEFT, RIGHT = Button.LeftButton, Button.RightButton


class Hand:
    """Keys and mouse, as events of Qt: a widget gets them whether or not it has the focus or is covered.

    Points are those of the widget.
    """

    def press(self, widget: QWidget, key: Key, held: Modifier = NONE) -> None:
        """Press and release a key."""
        QTest.keyClick(widget, key, held)

    def type(self, widget: QWidget, character: str) -> None:
        """Type a character."""
        type_character(widget, character)

    def click(self, widget: QWidget, at: QPoint, button: Button = LEFT, held: Modifier = NONE, times: int = 1) -> None:
        """Click once or twice."""
        (QTest.mouseClick if times == 1 else QTest.mouseDClick)(widget, button, held, at)

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        """Drag with the left button, in several iterations of the event loop: a drag may run a nested loop."""
        QTimer.singleShot(0, lambda: isValid(widget) and QTest.mouseMove(widget, start + QPoint(20, 20)))
        QTimer.singleShot(5, lambda: isValid(widget) and QTest.mouseMove(widget, end))
        QTimer.singleShot(10, lambda: isValid(widget) and QTest.mouseRelease(widget, LEFT, NONE, end))
        QTest.mousePress(widget, LEFT, NONE, start)

    def move(self, widget: QWidget, at: QPoint) -> None:
        """Move the mouse."""
        QTest.mouseMove(widget, at)

    def scroll(self, widget: QWidget, at: QPoint, clicks: int, held: Modifier = NONE) -> None:
        """Turn the wheel; a negative number of clicks is towards the user."""
        here, there = QPointF(at), QPointF(widget.mapToGlobal(at))
        by, phase = QPoint(0, 120 * clicks), Qt.ScrollPhase.NoScrollPhase
        QApplication.sendEvent(widget, QWheelEvent(here, there, QPoint(), by, Button.NoButton, held, phase, False))

    def ask_for_menu(self, widget: QWidget, at: QPoint) -> None:
        """Ask for a context menu with the mouse."""
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))

    def is_done(self) -> bool:
        """Return whether all events have been sent; the window may not have read them yet."""
        return True


_KEYSYMS = {
    Key.Key_Return: "Return", Key.Key_Enter: "KP_Enter", Key.Key_Tab: "Tab", Key.Key_Backtab: "Tab",
    Key.Key_Backspace: "BackSpace", Key.Key_Delete: "Delete", Key.Key_Insert: "Insert", Key.Key_Escape: "Escape",
    Key.Key_Up: "Up", Key.Key_Down: "Down", Key.Key_Left: "Left", Key.Key_Right: "Right", Key.Key_Home: "Home",
    Key.Key_End: "End", Key.Key_PageUp: "Prior", Key.Key_PageDown: "Next", Key.Key_Menu: "Menu",
} | {Key(Key.Key_F1.value + at): f"F{at + 1}" for at in range(12)}  # fmt: skip
_MODIFIERS = {Modifier.ControlModifier: "ctrl", Modifier.AltModifier: "alt", Modifier.ShiftModifier: "shift"}
_BUTTONS = {LEFT: 1, Button.MiddleButton: 2, RIGHT: 3}
_ANSWER = "getdisplaygeometry"
"""A command that prints a line, after those before it."""
_UP, _DOWN = 4, 5
"""The buttons of the wheel."""


class XHand(Hand):
    """The keyboard and the mouse of the X server, which sends their events to the window with the focus, or on top."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            ["xdotool", "-"], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0
        )
        self._unanswered = 0

    def press(self, _widget: QWidget, key: Key, held: Modifier = NONE) -> None:
        if key is Key.Key_Backtab:
            held |= Modifier.ShiftModifier
        name = _KEYSYMS.get(key) or _keysym_of(chr(key.value).lower())
        self._run("key --delay 0 " + "+".join([*_names(held), name]))

    def type(self, widget: QWidget, character: str) -> None:
        """Type a character of the keyboard, or another one as an input method does."""
        if character.isascii():
            self._run(f"key --delay 0 {_keysym_of(character)}")
        else:
            type_character(widget, character)

    def click(self, widget: QWidget, at: QPoint, button: Button = LEFT, held: Modifier = NONE, times: int = 1) -> None:
        self._run_holding(held, _to(widget, at), *[f"click {_BUTTONS[button]}"] * times)

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        middle = (start + end) / 2
        moves = [line for point in (start + QPoint(20, 20), middle, end) for line in (_to(widget, point), "sleep 0.02")]
        self._run(_to(widget, start), "mousedown 1", *moves, "mouseup 1")

    def move(self, widget: QWidget, at: QPoint) -> None:
        self._run(_to(widget, at))

    def scroll(self, widget: QWidget, at: QPoint, clicks: int, held: Modifier = NONE) -> None:
        self._run_holding(held, _to(widget, at), *[f"click {_UP if clicks > 0 else _DOWN}"] * abs(clicks))

    def ask_for_menu(self, widget: QWidget, at: QPoint) -> None:
        self.click(widget, at, RIGHT)

    def is_done(self) -> bool:
        assert self._process.stdout
        while self._unanswered and select([self._process.stdout], [], [], 0)[0]:
            answers = os.read(self._process.stdout.fileno(), 4096)
            if not answers:
                raise ConnectionError("xdotool has ended")
            self._unanswered -= answers.count(b"\n")
        return not self._unanswered

    def _run_holding(self, held: Modifier, *commands: str) -> None:
        names = _names(held)
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


def _names(held: Modifier) -> list[str]:
    return [name for modifier, name in _MODIFIERS.items() if modifier & held]


def _keysym_of(character: str) -> str:
    return {"\n": "Return", "\t": "Tab"}.get(character, f"U{ord(character):04X}")


def _to(widget: QWidget, point: QPoint) -> str:
    """Return the command that moves the mouse, in pixels of the screen."""
    place = widget.mapToGlobal(point) * widget.devicePixelRatioF()
    return f"mousemove {max(place.x(), 0)} {max(place.y(), 0)}"

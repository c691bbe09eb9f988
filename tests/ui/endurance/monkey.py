"""Random keys, commands, clicks, drags and changes of files, one step in each iteration of the event loop."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMenu, QWidget
from shiboken6 import isValid

from heatstudio.ui.commands.commands import COMMANDS
from heatstudio.ui.widgets.dragged_type import put_type
from heatstudio.ui.window.window import Window
from tests.ui.endurance.samples import FILES, PIECES, TYPES

Key = Qt.Key
Modifier = Qt.KeyboardModifier
_NONE = Modifier.NoModifier
_LEFT = Qt.MouseButton.LeftButton
_MODIFIERS = (
    *(_NONE, _NONE, _NONE, _NONE, Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier),
    Modifier.ControlModifier | Modifier.ShiftModifier,
)
_KEYS = (
    *(Key.Key_Up, Key.Key_Down, Key.Key_Left, Key.Key_Right, Key.Key_Home, Key.Key_End, Key.Key_PageUp),
    *(Key.Key_PageDown, Key.Key_Return, Key.Key_Return, Key.Key_Backspace, Key.Key_Backspace, Key.Key_Delete),
    *(Key.Key_Tab, Key.Key_Backtab, Key.Key_Space, Key.Key_Escape, Key.Key_Insert, Key.Key_Menu, Key.Key_F2),
    *(Key.Key_F6, Key.Key_F10),
)
_IN_MENU = (Key.Key_Down, Key.Key_Up, Key.Key_Right, Key.Key_Left, Key.Key_Return, Key.Key_Escape, Key.Key_Escape)
_IN_DIALOG = (Key.Key_Tab, Key.Key_Tab, Key.Key_Backtab, Key.Key_Space, Key.Key_Return, Key.Key_Down, Key.Key_Escape)
_LEFT_OUT = frozenset({"quit"})
"""Commands that would end the test."""
_PAUSES = (0, 0, 0, 0, 5, 20, 60)
"""Milliseconds between two steps."""
_LAST_STEPS = 40
_MOST_TABS = 12


class Monkey:
    """A simulated user who uses a window at random for some seconds, or until `is_enough`.

    Several keys or commands of one step share an iteration of the event loop; `beat` is called after each of them.
    """

    def __init__(self, window: Window, chance: random.Random, folder: Path, beat: Callable[[], None]) -> None:
        self.count = 0
        self.last_steps: deque[str] = deque(maxlen=_LAST_STEPS)
        self._window, self._chance, self._folder, self._beat = window, chance, folder, beat
        self._steps: tuple[tuple[int, Callable[[], None]], ...] = (
            *((30, self._type), (25, self._press_key), (15, self._press_shortcut), (15, self._trigger)),
            *((4, self._open_menu), (12, self._click), (4, self._drag), (4, self._drop), (4, self._scroll)),
            *((2, self._ask_for_menu), (2, self._resize), (2, self._change_file), (2, self._paste), (2, self._undo)),
            *((1, self._rest), (1, self._come_back), (3, self._open_file), (2, self._close_tab)),
        )

    def use(self, seconds: float, is_enough: Callable[[], bool], then: Callable[[], object]) -> None:
        """Run random steps, and call `then` at the end."""
        until = time.monotonic() + seconds
        is_over = False

        def step() -> None:
            nonlocal is_over
            if is_over:
                return
            if time.monotonic() > until or is_enough():
                is_over = True
                QTimer.singleShot(0, then)
                return
            QTimer.singleShot(self._chance.choice(_PAUSES), step)  # first: a step may run a nested event loop
            self.count += 1
            self._beat()  # events posted by the previous step are not a stall: a user acts later
            self._step()
            QApplication.sendPostedEvents()  # a user is not faster

        QTimer.singleShot(0, step)

    def _step(self) -> None:
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if popup is not None:
            self._use_popup(popup)
        elif modal is not None:
            self._use_dialog(modal)
        else:
            active = QApplication.activeWindow()
            if active is None or not active.isVisible():  # as a desktop does after a menu is closed
                self._window.activateWindow()
            weights, steps = zip(*self._steps, strict=True)
            self._chance.choices(steps, weights)[0]()

    def _note(self, words: str) -> None:
        self.last_steps.append(f"{self.count}. {words}")

    # In menus and dialogs

    def _use_popup(self, popup: QWidget) -> None:
        key = self._chance.choice(_IN_MENU)
        left_out = [self._window.actions_by_name[name] for name in _LEFT_OUT]
        if isinstance(popup, QMenu) and popup.activeAction() in left_out:
            key = Key.Key_Escape
        self._press(_focus_in(popup), key)

    def _use_dialog(self, dialog: QWidget) -> None:
        what = self._chance.random()
        if what < 0.25:
            self._click_in(dialog)
        elif what < 0.4:
            self._type()
        else:
            self._press(_focus_in(dialog), self._chance.choice(_IN_DIALOG))

    # Keys

    def _press(self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = _NONE) -> None:
        self._note(f"{modifiers.name or ''} {key.name} to {_name(widget)}")
        QTest.keyClick(widget, key, modifiers)

    def _press_key(self) -> None:
        self._press(self._focus(), self._chance.choice(_KEYS), self._chance.choice(_MODIFIERS))

    def _type(self) -> None:
        text = self._chance.choice(PIECES)
        self._note(f"types {text!r} into {_name(self._focus())}")
        for character in text:
            if QApplication.activePopupWidget() is None:
                type_character(self._focus(), character)
                QApplication.sendPostedEvents()
                self._beat()

    def _press_shortcut(self) -> None:
        command = self._chance.choice([one for one in COMMANDS.values() if one.shortcuts and one.name not in _LEFT_OUT])
        shortcut, widget = self._chance.choice(command.shortcuts), self._focus()
        self._note(f"{shortcut} ({command.name}) to {_name(widget)}")
        QTest.keySequence(widget, QKeySequence(shortcut))

    def _undo(self) -> None:
        name, count = self._chance.choice(("undo", "undo", "redo")), self._chance.randint(1, 30)
        for _ in range(count):
            self._command(name)
            QApplication.sendPostedEvents()
            self._beat()

    def _paste(self) -> None:
        text = "".join(self._chance.choices(PIECES, k=self._chance.randint(1, 40)))
        QGuiApplication.clipboard().setText(text)
        self._command("paste")

    # Commands

    def _command(self, name: str) -> None:
        self._note(f"command {name}")
        self._window.actions_by_name[name].trigger()

    def _trigger(self) -> None:
        enabled = [one.objectName() for one in self._window.actions_by_name if one.isEnabled()]
        self._command(self._chance.choice([name for name in enabled if name not in _LEFT_OUT]))

    def _open_menu(self) -> None:
        bar = self._window.menuBar()
        entry = self._chance.choice(bar.actions())
        menu = entry.menu()
        self._note(f"opens the menu {entry.text()}")
        if isinstance(menu, QMenu):
            menu.popup(bar.mapToGlobal(bar.actionGeometry(entry).bottomLeft()))

    def _close_tab(self) -> None:
        self._command("close")

    def _open_file(self) -> None:
        if len(self._window.session.documents) > _MOST_TABS:
            self._command("close")
            return
        file = self._chance.choice(sorted(self._folder.iterdir()))
        self._note(f"opens {file.name}")
        self._window.files.open([str(file)])

    # The mouse

    def _click(self) -> None:
        self._click_in(self._chance.choice([one for one in QApplication.topLevelWidgets() if one.isVisible()]))

    def _click_in(self, window: QWidget) -> None:
        widget, point = self._place_in(window)
        button = _LEFT if self._chance.random() < 0.9 else Qt.MouseButton.MiddleButton
        is_double = self._chance.random() < 0.2
        self._note(f"{'double-' * is_double}clicks {button.name} {_name(widget)} at {point.x()}, {point.y()}")
        click = QTest.mouseDClick if is_double else QTest.mouseClick
        click(widget, button, self._chance.choice(_MODIFIERS), point)

    def _drag(self) -> None:
        """Drag with events in separate iterations, all to the pressed widget: a drag may run a nested event loop."""
        widget, point = self._place_in(self._window)
        to, end = (widget, self._point_of(widget)) if self._chance.random() < 0.6 else self._place_in(self._window)
        end = widget.mapFromGlobal(to.mapToGlobal(end))
        self._note(f"drags from {_name(widget)} to {_name(to)}")
        QTimer.singleShot(0, lambda: isValid(widget) and QTest.mouseMove(widget, point + QPoint(20, 20)))
        QTimer.singleShot(5, lambda: isValid(widget) and QTest.mouseMove(widget, end))
        QTimer.singleShot(10, lambda: isValid(widget) and QTest.mouseRelease(widget, _LEFT, _NONE, end))
        QTest.mousePress(widget, _LEFT, _NONE, point)

    def _drop(self) -> None:
        takers = [one for one in self._window.findChildren(QWidget) if one.acceptDrops() and one.isVisible()]
        widget = self._chance.choice([*takers, self._window])
        if isinstance(widget, QAbstractScrollArea):
            widget = widget.viewport()
        data, what = QMimeData(), self._chance.choice(("file", "type", "text"))
        if what == "file" and len(self._window.session.documents) <= _MOST_TABS:
            data.setUrls([QUrl.fromLocalFile(str(self._chance.choice(sorted(self._folder.iterdir()))))])
        elif what == "type":
            put_type(data, self._chance.choice(TYPES))
        else:
            data.setText(self._chance.choice(PIECES))
        point, action = self._point_of(widget), Qt.DropAction.CopyAction
        self._note(f"drops a {what} on {_name(widget)}")
        QApplication.sendEvent(widget, QDragEnterEvent(point, action, data, _LEFT, _NONE))
        QApplication.sendEvent(widget, QDragMoveEvent(point, action, data, _LEFT, _NONE))
        QApplication.sendEvent(widget, QDropEvent(QPointF(point), action, data, _LEFT, _NONE))

    def _scroll(self) -> None:
        widget, point = self._place_in(self._window)
        by, modifiers = QPoint(0, self._chance.choice((-1200, -120, 120, 1200))), self._chance.choice(_MODIFIERS)
        here, there = QPointF(point), QPointF(widget.mapToGlobal(point))
        none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
        self._note(f"scrolls in {_name(widget)}")
        QApplication.sendEvent(widget, QWheelEvent(here, there, QPoint(), by, none, modifiers, phase, False))

    def _ask_for_menu(self) -> None:
        widget, point = self._place_in(self._window)
        reason = self._chance.choice((QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard))
        self._note(f"asks for the menu of {_name(widget)}")
        QApplication.sendEvent(widget, QContextMenuEvent(reason, point, widget.mapToGlobal(point)))

    # Window and files

    def _resize(self) -> None:
        width, height = self._chance.randint(300, 1900), self._chance.randint(200, 1100)
        self._note(f"resizes to {width} x {height}")
        self._window.resize(width, height)

    def _change_file(self) -> None:
        file = self._folder / self._chance.choice(list(FILES))
        what = self._chance.choice(("changes", "changes", "removes", "restores"))
        self._note(f"another program {what} {file.name}")
        if what == "removes":
            file.unlink(missing_ok=True)
        elif what == "restores" or not file.exists():
            file.write_text(FILES[file.name], "utf-8")
        else:
            text = file.read_text("utf-8", "replace")
            at = self._chance.randint(0, len(text))
            file.write_text(text[:at] + self._chance.choice(PIECES) + text[at:], "utf-8")

    def _come_back(self) -> None:
        self._note("comes back to the window")
        self._window.session.check_disk()

    def _rest(self) -> None:
        self._note("rests")
        QTest.qWait(self._chance.choice((50, 300, 1200)))

    # Targets

    def _focus(self) -> QWidget:
        modal, focus = QApplication.activeModalWidget(), QApplication.focusWidget()
        return _focus_in(modal) if modal is not None else focus or self._window

    def _place_in(self, window: QWidget) -> tuple[QWidget, QPoint]:
        """Return a visible widget and a point in it."""
        inside = [one for one in window.findChildren(QWidget) if one.isVisible() and not one.isWindow()]
        widget = self._chance.choice([*(one for one in inside if not one.visibleRegion().isEmpty()), window])
        return widget, self._point_of(widget)

    def _point_of(self, widget: QWidget) -> QPoint:
        width, height = max(1, widget.width()), max(1, widget.height())
        return QPoint(self._chance.randrange(width), self._chance.randrange(height))


def type_character(widget: QWidget, character: str) -> None:
    """Press the key of a character, including characters that `QTest` does not support."""
    if character == "\n":
        QTest.keyClick(widget, Key.Key_Return)
    elif character.isascii() and character.isprintable():
        QTest.keyClicks(widget, character)
    else:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, 0, _NONE, character))


def _focus_in(window: QWidget) -> QWidget:
    """Return the widget that receives keys in a dialog or a menu."""
    focus = QApplication.focusWidget()
    return focus if focus is not None and (focus is window or window.isAncestorOf(focus)) else window


def _name(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName() or widget.objectName() or widget.windowTitle()!r}"

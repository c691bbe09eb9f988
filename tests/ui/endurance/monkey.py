"""Random keys, commands, clicks, drags and changes of files, one step in each iteration of the event loop."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from heatstudio.ui.commands.actions import COMMANDS
from heatstudio.ui.widgets.dragged_type import put_type
from heatstudio.ui.window.window import Window
from tests.ui.endurance.hand import LEFT, NONE, Hand
from tests.ui.endurance.samples import FILES, PIECES, TYPES
from tests.ui.fresh_paint import describe

Key = Qt.Key
Modifier = Qt.KeyboardModifier
_MODIFIERS = (
    *(NONE, NONE, NONE, NONE, Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier),
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
_PAUSES = (0, 0, 0, 0, 5, 20, 60)
"""Milliseconds between two steps."""
_TIP = 900
"""Milliseconds after which a tool tip or a hover is visible."""
_IDLE, _MOST_WAITS = 5, 2000
"""The interval in milliseconds, and the greatest number, of checks whether the window has nothing to do."""
_HURRIED = 0.4
"""The share of steps that do not wait until the window has nothing to do."""
_MOST_TABS = 12
_MOST_IN_POPUP = 200
"""The steps in popups, of which two of seven press Escape, after which one of them does not react."""
_COMMANDS = {
    "zoom": [name for name in COMMANDS if name.startswith("zoom-")],
    "themes": [name for name in COMMANDS if name.startswith("theme-")],
    "panes": [name for name, command in COMMANDS.items() if command.pane or command.submenu == "&Layout"],
    "tabs": [*("next-tab", "previous-tab", "tab-left", "tab-right"), "focus-other-group", *("close",) * 2],
    "dialogs": [name for name, command in COMMANDS.items() if command.text.endswith("…")],
}
"""Commands by the kind of a step."""


class Monkey:
    """A simulated user of a window; the random choices of a step depend on the seed and the number of the step.

    `beat` is called after each key or command of a step, and `look` after each step, when all events have arrived.
    """

    def __init__(
        self,
        window: Window,
        hand: Hand,
        seed: int,
        folder: Path,
        *,
        is_settled: Callable[[], bool],
        is_idle: Callable[[], bool],
        beat: Callable[[], None],
        look: Callable[[], object],
    ) -> None:
        self.count = 0
        self.steps: list[str] = []
        """The steps so far, in words."""
        self._window, self._hand, self._seed, self._folder = window, hand, seed, folder
        self._is_settled, self._is_idle, self._beat, self._look = is_settled, is_idle, beat, look
        self._chance = random.Random(seed)
        self._pause = 0
        """Milliseconds until the next step."""
        self._keys_in_popup = 0
        self._steps: tuple[tuple[int, str, Callable[[], None]], ...] = (
            *((30, "keys", self._type), (25, "keys", self._press_key), (15, "keys", self._press_shortcut)),
            *(
                (12, "mouse", self._click),
                (4, "mouse", self._drag),
                (4, "mouse", self._drop),
                (4, "mouse", self._hover),
            ),
            *((6, "wheel", self._scroll), (4, "menus", self._open_menu), (2, "menus", self._ask_for_menu)),
            *((15, "commands", self._trigger), (2, "commands", self._paste), (2, "commands", self._undo)),
            *((weight, kind, partial(self._command_of, kind)) for weight, kind in ((2, "zoom"), (2, "themes"))),
            *((weight, kind, partial(self._command_of, kind)) for weight, kind in ((4, "panes"), (4, "dialogs"))),
            *((3, "tabs", partial(self._command_of, "tabs")), (3, "tabs", self._open_file)),
            *((3, "resize", self._resize), (2, "files", self._change_file), (1, "files", self._come_back)),
            (1, "rest", self._rest),
        )
        self.counts = Counter({kind: 0 for _, kind, _ in self._steps})
        """The number of steps of each kind."""
        window.actions_by_name["quit"].setEnabled(False)

    def use(self, is_enough: Callable[[], bool], then: Callable[[], object]) -> None:
        """Run random steps, and call `then` at the end.

        Each timer is started before the events that may run a nested event loop.
        """

        def step() -> None:
            if is_enough():
                QTimer.singleShot(0, then)
                return
            self.count += 1
            self._chance = random.Random(f"{self._seed} {self.count}")
            self._pause = self._chance.choice(_PAUSES)
            awaits_end = self._chance.random() > _HURRIED
            QTimer.singleShot(0, lambda: QTimer.singleShot(self._pause, partial(settle, awaits_end, _MOST_WAITS)))
            self._beat()  # events posted by the previous step are not a stall: a user acts later
            self._step()
            QApplication.sendPostedEvents()  # a user is not faster

        def settle(awaits_end: bool, waits: int) -> None:
            """Wait for the events of the hand and for the windows, also for the end of all work if wanted."""
            if waits and not (self._is_settled() and (self._is_idle() or not awaits_end)):
                QTimer.singleShot(_IDLE, partial(settle, awaits_end, waits - 1))
            else:
                self._look()
                step()

        QTimer.singleShot(0, step)

    def _step(self) -> None:
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        self._keys_in_popup = self._keys_in_popup + 1 if popup is not None else 0
        if self._keys_in_popup > _MOST_IN_POPUP:
            raise AssertionError(f"{describe(popup or self._window)} stays open whatever key is pressed.")
        active = QApplication.activeWindow()
        if active is None or not active.isVisible():  # as a desktop does after a menu is closed
            (modal or self._window).activateWindow()
        if popup is not None:
            self.counts["menus"] += 1
            self._press(focus_in(popup), self._chance.choice(_IN_MENU))
        elif modal is not None:
            self.counts["dialogs"] += 1
            self._use_dialog(modal)
        else:
            _, kind, step = self._chance.choices(self._steps, [weight for weight, _, _ in self._steps])[0]
            self.counts[kind] += 1
            step()

    def _note(self, words: str) -> None:
        self.steps.append(f"{self.count}. {words}")

    def _use_dialog(self, dialog: QWidget) -> None:
        what = self._chance.random()
        if what < 0.25:
            self._click_in(dialog)
        elif what < 0.4:
            self._type()
        else:
            self._press(focus_in(dialog), self._chance.choice(_IN_DIALOG))

    # Keys

    def _press(self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self._note(f"{modifiers.name or ''} {key.name} to {describe(widget)}")
        self._hand.press(widget, key, modifiers)

    def _press_key(self) -> None:
        self._press(self._focus(), self._chance.choice(_KEYS), self._chance.choice(_MODIFIERS))

    def _type(self) -> None:
        text = self._chance.choice(PIECES)
        self._note(f"types {text!r} into {describe(self._focus())}")
        for character in text:
            if QApplication.activePopupWidget() is None:
                self._hand.type(self._focus(), character)
                QApplication.sendPostedEvents()
                self._beat()

    def _press_shortcut(self) -> None:
        command = self._chance.choice([command for command in COMMANDS.values() if command.shortcuts])
        sequence: Any = QKeySequence(self._chance.choice(command.shortcuts))  # can be indexed, which its type lacks
        self._note(f"the shortcut of {command.name}")
        self._press(self._focus(), sequence[0].key(), sequence[0].keyboardModifiers())

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
        self._command(self._chance.choice([name for name in COMMANDS if self._is_enabled(name)]))

    def _command_of(self, kind: str) -> None:
        enabled = [name for name in _COMMANDS[kind] if self._is_enabled(name)]
        self._command(self._chance.choice(enabled))

    def _is_enabled(self, name: str) -> bool:
        return self._window.actions_by_name[name].isEnabled()

    def _open_menu(self) -> None:
        bar = self._window.menuBar()
        entry = self._chance.choice(bar.actions())
        self._note(f"opens the menu {entry.text()}")
        self._hand.click(bar, bar.actionGeometry(entry).center())

    def _open_file(self) -> None:
        if len(self._window.session.documents) > _MOST_TABS:
            self._command("close")
            return
        file = self._chance.choice(sorted(self._folder.iterdir()))
        self._note(f"opens {file.name}")
        self._window.files.open([str(file)])

    # The mouse

    def _click(self) -> None:
        self._click_in(self._chance.choice([window for window in QApplication.topLevelWidgets() if window.isVisible()]))

    def _click_in(self, window: QWidget) -> None:
        widget, point = self._place_in(window)
        button = LEFT if self._chance.random() < 0.9 else Qt.MouseButton.MiddleButton
        times, modifiers = self._chance.choice((1, 1, 1, 1, 2)), self._chance.choice(_MODIFIERS)
        self._note(f"{'double-' * (times - 1)}clicks {button.name} {describe(widget)} at {point.x()}, {point.y()}")
        self._hand.click(widget, point, button, modifiers, times)

    def _drag(self) -> None:
        widget, start = self._place_in(self._window)
        to, end = (widget, self._point_of(widget)) if self._chance.random() < 0.6 else self._place_in(self._window)
        self._note(f"drags from {describe(widget)} to {describe(to)}")
        self._hand.drag(widget, start, widget.mapFromGlobal(to.mapToGlobal(end)))

    def _drop(self) -> None:
        takers = [taker for taker in self._window.findChildren(QWidget) if taker.acceptDrops() and taker.isVisible()]
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
        self._note(f"drops a {what} on {describe(widget)}")
        QApplication.sendEvent(widget, QDragEnterEvent(point, action, data, LEFT, NONE))
        QApplication.sendEvent(widget, QDragMoveEvent(point, action, data, LEFT, NONE))
        QApplication.sendEvent(widget, QDropEvent(QPointF(point), action, data, LEFT, NONE))

    def _scroll(self) -> None:
        widget, point = self._place_in(self._window)
        clicks, modifiers = self._chance.choice((-10, -1, 1, 10)), self._chance.choice(_MODIFIERS)
        self._note(f"{modifiers.name or ''} scrolls by {clicks} in {describe(widget)}")
        self._hand.scroll(widget, point, clicks, modifiers)

    def _hover(self) -> None:
        widget, point = self._place_in(self._window)
        self._note(f"rests over {describe(widget)} at {point.x()}, {point.y()}")
        self._hand.move(widget, point)
        self._pause = _TIP

    def _ask_for_menu(self) -> None:
        widget, point = self._place_in(self._window)
        self._note(f"asks for the menu of {describe(widget)} at {point.x()}, {point.y()}")
        if self._chance.random() < 0.5:
            self._hand.ask_for_menu(widget, point)
        else:
            reason = QContextMenuEvent.Reason.Keyboard
            QApplication.sendEvent(widget, QContextMenuEvent(reason, point, widget.mapToGlobal(point)))

    # Window and files

    def _resize(self) -> None:
        what = self._chance.choice((self._window.showMaximized, self._window.showNormal, None, None))
        width, height = self._chance.randint(300, 1900), self._chance.randint(200, 1100)
        self._note(f"resizes to {width} x {height}" if what is None else what.__name__)
        if what is None:
            self._window.resize(width, height)
        else:
            what()

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
        self._pause = self._chance.choice((50, 300, 1200))

    # Targets

    def _focus(self) -> QWidget:
        modal, focus = QApplication.activeModalWidget(), QApplication.focusWidget()
        return focus_in(modal) if modal is not None else focus or self._window

    def _place_in(self, window: QWidget) -> tuple[QWidget, QPoint]:
        """Return a visible widget and a point in it."""
        inside = [child for child in window.findChildren(QWidget) if child.isVisible() and not child.isWindow()]
        widget = self._chance.choice([*(child for child in inside if not child.visibleRegion().isEmpty()), window])
        return widget, self._point_of(widget)

    def _point_of(self, widget: QWidget) -> QPoint:
        width, height = max(1, widget.width()), max(1, widget.height())
        return QPoint(self._chance.randrange(width), self._chance.randrange(height))


def focus_in(window: QWidget) -> QWidget:
    """Return the widget that receives keys in a dialog or a menu."""
    focus = QApplication.focusWidget()
    return focus if focus is not None and (focus is window or window.isAncestorOf(focus)) else window

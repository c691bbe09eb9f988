"""Resizing of panes by keyboard."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from heatstudio.ui.window.panes import Row
from heatstudio.ui.window.sides import Sides

_STEP = 40
_ACROSS, _UP = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


class PaneSizes(QObject):
    """A controller that resizes the focused pane; with the focus in the text, the panes around it."""

    message_requested = Signal(str)
    """The result of a command."""

    def __init__(self, sides: Sides, text: QWidget) -> None:
        super().__init__(sides)
        self._sides = sides
        self._text = text

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the commands."""
        return {
            "wider": partial(self.resize, _ACROSS, _STEP),
            "narrower": partial(self.resize, _ACROSS, -_STEP),
            "taller": partial(self.resize, _UP, _STEP),
            "shorter": partial(self.resize, _UP, -_STEP),
        }

    def resize(self, orientation: Qt.Orientation, by: int) -> None:
        """Resize the focused pane by a number of pixels, and report its size."""
        row = self._sides.row_with_focus()
        before = self._size(row, orientation)
        for resized, change in self._changes(row, orientation, by).items():
            self._sides.resize_row(resized, change)
        name, now = self._sides.state.fronts[row] if row is not None else "The editor", self._size(row, orientation)
        word = "wide" if orientation is _ACROSS else "high"
        if now == before:
            self.message_requested.emit(f"{name} stays {now} pixels {word}: no pane next to it can be resized.")
        else:
            self.message_requested.emit(f"{name} is {now} pixels {word}.")

    def _changes(self, row: Row | None, orientation: Qt.Orientation, by: int) -> dict[Row, int]:
        """Return the changes of widths or heights that resize a row, or the text."""
        if orientation is _UP:
            above = {Row.LEFT: Row.LOWER_LEFT, None: Row.BOTTOM}  # rows give up the height of the one above them
            return {above[row]: -by} if row in above else {row: by} if row in {Row.LOWER_LEFT, Row.BOTTOM} else {}
        if row is None:
            around = self._sides.state.resizable_rows() & {Row.LEFT, Row.RIGHT}
            return {side: -by // len(around) for side in around}
        return {} if row is Row.BOTTOM else {row.side: by}

    def _size(self, row: Row | None, orientation: Qt.Orientation) -> int:
        size = (self._sides.rows[row] if row is not None else self._text).size()
        return size.width() if orientation is _ACROSS else size.height()

"""A Qt model of a tree with one value per row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, overload

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from heatstudio.text import Severity
from heatstudio.text.invisible import visible
from heatstudio.ui.widgets.plain_text import in_lines, plain
from heatstudio.ui.widgets.theme import Color

Index = QModelIndex | QPersistentModelIndex
VALUE_ROLE = int(Qt.ItemDataRole.UserRole)
"""The value of a row."""
CELL_ROLE = VALUE_ROLE + 1
"""The cell of a value in a column, with escapes instead of invisible characters."""
_TOP = -1
_NOWHERE = QModelIndex()
"""The root index; a negative column identifies it in one Qt call, which matters because views query every row."""


class Cell(NamedTuple):
    """The visible and the accessible content of a cell."""

    text: str = ""
    icon: tuple[str, Color] | None = None
    detail: str = ""
    """A muted text behind the main one."""
    badge: tuple[str, Color] | None = None
    """A short text at the right end."""
    accent: Color | None = None
    """The color of the text."""
    strong: bool = False
    is_struck: bool = False
    wraps: bool = False
    alignment: Qt.AlignmentFlag | None = None
    tip: str = ""
    spoken: str = ""
    """The accessible text; if empty, it is composed of text, detail and badge."""
    counts: tuple[tuple[Severity, int], ...] = ()
    """The numbers of problems at the right end."""
    change: tuple[str, str, str] | None = None
    """The old value, the new value and the description of a changed property."""
    lines: tuple[str, ...] = ()
    """The lines of a comparison, which begin with `-`, `+` or a space, instead of the text."""


NO_CELL = Cell()
_PARTS: Mapping[int, Callable[[Cell], object]] = {
    CELL_ROLE: lambda cell: cell,
    Qt.ItemDataRole.DisplayRole: lambda cell: cell.text,
    Qt.ItemDataRole.TextAlignmentRole: lambda cell: cell.alignment,
    Qt.ItemDataRole.ToolTipRole: lambda cell: plain(cell.tip) or None,
    Qt.ItemDataRole.AccessibleTextRole: lambda cell: in_lines(cell.spoken or _words(cell)) or None,
}


def _words(cell: Cell) -> str:
    return " ".join(filter(None, (cell.text, cell.detail, cell.badge[0] if cell.badge else "")))


class Branch(NamedTuple):
    """A value and the branches below it."""

    value: object
    children: tuple[Branch, ...] = ()


class _Row:
    __slots__ = ("children", "parent", "row", "value")

    def __init__(self, value: object, parent: int, row: int) -> None:
        self.value, self.parent, self.row = value, parent, row
        self.children: tuple[int, ...] = ()


CellOf = Callable[[object, int], Cell]
"""A function that returns the cell of a value in a column; each kind of tree has its own."""


def _itself(value: object, _column: int) -> Cell:
    return value if isinstance(value, Cell) else NO_CELL


class TreeModel(QAbstractItemModel):
    """A tree model; indexes carry row numbers, since PySide keeps no reference to objects in them."""

    def __init__(self, headers: Sequence[str], cell_of: CellOf = _itself) -> None:
        super().__init__()
        self._cell_of = cell_of
        self._headers = tuple(headers)
        self._width = len(self._headers)
        self._rows: list[_Row] = []
        self._top: tuple[int, ...] = ()
        self._cell: tuple[object, int, Cell] = (None, 0, NO_CELL)
        """A cache of the last cell, since views query one role after the other."""

    def set_branches(self, branches: Iterable[Branch]) -> None:
        """Replace the tree."""
        self.beginResetModel()
        self._rows = []
        self._cell = (None, 0, NO_CELL)
        self._top = self._add(tuple(branches), _TOP)
        self.endResetModel()

    def renew_branches(self, branches: Iterable[Branch]) -> bool:
        """Replace the tree, and return whether the shape is the same and all rows are preserved.

        If they are, views need no new layout, and repaint only if a value looks different.
        """
        new = tuple(branches)
        if not self._has_shape(self._top, new):
            self.set_branches(new)
            return False
        self._refill(self._top, new)
        return True

    def _has_shape(self, numbers: Sequence[int], branches: Sequence[Branch]) -> bool:
        return len(numbers) == len(branches) and all(
            self._has_shape(self._rows[number].children, branch.children)
            for number, branch in zip(numbers, branches, strict=True)
        )

    def _refill(self, numbers: Sequence[int], branches: Sequence[Branch]) -> None:
        is_different = False
        for number, branch in zip(numbers, branches, strict=True):
            row = self._rows[number]
            is_different = is_different or not self.looks_like(row.value, branch.value)
            row.value = branch.value
            self._refill(row.children, branch.children)
        if is_different:
            last = len(numbers) - 1
            corner = self.createIndex(last, len(self._headers) - 1, numbers[last])
            self.dataChanged.emit(self.createIndex(0, 0, numbers[0]), corner)

    def looks_like(self, value: object, other: object) -> bool:
        """Return whether two values look the same in every cell; overridden by subclasses."""
        return value == other

    def _add(self, branches: tuple[Branch, ...], parent: int) -> tuple[int, ...]:
        first = len(self._rows)
        numbers = tuple(range(first, first + len(branches)))
        self._rows += [_Row(branch.value, parent, row) for row, branch in enumerate(branches)]
        for number, branch in zip(numbers, branches, strict=True):
            if branch.children:
                self._rows[number].children = self._add(branch.children, number)
        return numbers

    def value(self, index: Index) -> object:
        """Return the value of a row; None outside of the tree."""
        return self._rows[index.internalId()].value if index.isValid() else None

    def indexes(self) -> Iterator[QModelIndex]:
        """Yield the first cell of every row, from top to bottom."""
        waiting = list(reversed(self._top))
        while waiting:
            number = waiting.pop()
            row = self._rows[number]
            waiting += reversed(row.children)
            yield self.createIndex(row.row, 0, number)

    def parents(self) -> Iterator[QModelIndex]:
        """Yield the rows with children."""
        for number, row in enumerate(self._rows):
            if row.children:
                yield self.createIndex(row.row, 0, number)

    def last_of(self, is_wanted: Callable[[object], bool]) -> QModelIndex:
        """Return the last row whose value satisfies a predicate; invalid if there is none."""
        for number in range(len(self._rows) - 1, -1, -1):
            if is_wanted(self._rows[number].value):
                return self.createIndex(self._rows[number].row, 0, number)
        return QModelIndex()

    def cell(self, value: object, column: int) -> Cell:
        """Return the cell of a value."""
        return self._cell_of(value, column)

    def _children(self, parent: Index) -> Sequence[int]:
        """Return the children of a cell: of the first column or the root only."""
        column = parent.column()
        if column == 0:
            return self._rows[parent.internalId()].children
        return self._top if column < 0 else ()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return len(self._children(parent))

    def hasChildren(self, parent: Index = _NOWHERE) -> bool:
        """Return whether a row has children, faster than Qt's default, which counts rows and columns."""
        return bool(self._children(parent))

    def columnCount(self, _parent: Index = _NOWHERE) -> int:
        return self._width

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        children = self._children(parent)
        if 0 <= row < len(children) and 0 <= column < self._width:
            return self.createIndex(row, column, children[row])
        return _NOWHERE

    @overload
    def parent(self, /) -> QObject | None: ...

    @overload
    def parent(self, index: Index, /) -> QModelIndex: ...

    def parent(self, index: Index | None = None, /) -> QObject | QModelIndex | None:
        """Return the parent index; without an index, the parent object of the model."""
        if index is None:
            return super().parent()
        number = self._rows[index.internalId()].parent if index.column() >= 0 else _TOP
        return _NOWHERE if number == _TOP else self.createIndex(self._rows[number].row, 0, number)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the value of a row, its cell, or the part of the cell for a role of Qt."""
        value, part = self.value(index), _PARTS.get(role)
        if value is None or part is None:
            return value if role == VALUE_ROLE else None
        column = index.column()
        if self._cell[0] is not value or self._cell[1] != column:
            cell = self.cell(value, column)
            self._cell = (value, column, cell._replace(text=visible(cell.text), detail=in_lines(cell.detail)))
        return part(self._cell[2])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return self._headers[section] if 0 <= section < len(self._headers) else None
        return None

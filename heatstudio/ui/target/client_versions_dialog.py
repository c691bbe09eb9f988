"""The API versions of the user's cloud: what property groups ask for cannot be known without a cloud."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from heatstudio.stack.groups.api_version import read_api_version
from heatstudio.ui.widgets.announcer import RowAnnouncer, SpokenLabel
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.plain_text import PlainLabel

_SIZE = (460, 260)
_COLUMNS = ("Client plug-in", "API version", "Default")
_NAME, _VERSION, _DEFAULT = range(len(_COLUMNS))
_WORDS = (
    "The API versions of your cloud decide which properties Heat accepts. "
    "An empty field means the default; changes apply at once."
)
_RULES = """
QTableView { border: 1px solid palette(mid); gridline-color: palette(mid); outline: 0; }
QTableView::item { border: 1px solid transparent; padding: 0 4px; }
QTableView::item:selected { background: palette(highlight); color: palette(text); }
QTableView::item:focus { border-color: palette(link); }
"""
"""Flat, in the colors of the theme, and with the words of a column below its title."""
_EDITABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable


class _Fields(QStyledItemDelegate):
    """Fields to type a version into; each says of which client plug-in."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        field = super().createEditor(parent, option, index)
        field.setAccessibleName(f"API version of {index.sibling(index.row(), _NAME).data()}")
        return field


class ClientVersionsDialog(QDialog):
    """A table: client plug-in, version, default. It stays open beside the text."""

    changed = Signal(dict)
    """The versions that are not the default ones, by client plug-in."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Cloud API versions")
        self.setAccessibleName("Cloud API versions")
        self.resize(*_SIZE)
        self._chosen: dict[str, str] = {}
        self._defaults: Mapping[str, str] = {}
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setAccessibleName("API versions by client plug-in")
        self.table.installEventFilter(RowAnnouncer(self.table))
        self.table.setItemDelegate(_Fields(self.table))
        self.table.setHorizontalHeaderLabels(_COLUMNS)
        self.table.setStyleSheet(_RULES)
        self.table.verticalHeader().hide()
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.itemChanged.connect(self._take)
        self.complaint = SpokenLabel("Error")
        self.complaint.setWordWrap(True)
        words = PlainLabel(_WORDS)
        words.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        in_column(words, (self.table, 1), self.complaint, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)

    def choose(self, chosen: Mapping[str, str], defaults: Mapping[str, str]) -> None:
        """Shows the versions in force; an empty default is one that nobody knows."""
        self._chosen, self._defaults = dict(chosen), defaults
        self._show_versions()
        self.complaint.setText("")
        self.show()
        self.raise_()
        self.table.setCurrentCell(0, _VERSION)
        self.table.setFocus()

    def _show_versions(self) -> None:
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._defaults))
        for row, (name, default) in enumerate(sorted(self._defaults.items())):
            for column, text in enumerate((name, self._chosen.get(name, ""), default or "not known")):
                item = QTableWidgetItem(text)
                item.setFlags(_EDITABLE if column == _VERSION else Qt.ItemFlag.ItemIsEnabled)
                if column == _VERSION:
                    self._write(item, name, text)
                self.table.setItem(row, column, item)
        self.table.blockSignals(False)

    def _take(self, item: QTableWidgetItem) -> None:
        of: QTableWidgetItem | None = self.table.item(item.row(), _NAME)
        name, written = of.text() if of is not None else "", item.text().strip()
        version = read_api_version(written)
        if written and version is None:
            self.complaint.setText(f"“{written}” is not an API version. Example: 2.79.")
        else:
            self.complaint.setText("")
            self._choose(name, version)
        self.table.blockSignals(True)
        self._write(item, name, self._chosen.get(name, ""))
        self.table.blockSignals(False)

    def _write(self, item: QTableWidgetItem, name: str, version: str) -> None:
        item.setText(version)
        words = version or f"default {self._defaults.get(name) or 'not known'}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name} {words}")

    def _choose(self, name: str, version: str | None) -> None:
        chosen = {other: one for other, one in self._chosen.items() if other != name}
        if version is not None:
            chosen[name] = version
        if chosen != self._chosen:
            self._chosen = chosen
            self.changed.emit(dict(chosen))

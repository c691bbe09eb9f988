"""Fixing many problems at once: which files, which kind, and the report of what was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.choice_box import choice_box
from heatstudio.ui.document import Document
from heatstudio.ui.panel import EDGE, GAP

EVERY_KIND = "every kind of problem"
NEUTRAL = "This update changes nothing: every value of every resource stays as it is."
_SIZE = (560, 440)


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done to one document."""

    title: str
    lines: tuple[str, ...]
    """`<resource path> <property> <action> <details>`, as the command line says it."""
    refusals: tuple[str, ...] = ()
    neutral: bool = False
    """Whether a stack update with these changes alone is proven to change nothing."""


class FixAllDialog(QDialog):
    """Stands beside the window, not in its way; the files stay as they are until the button is pressed."""

    apply_requested = Signal(list, object)
    """The documents, and the codes of findings; None for all."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Fix all")
        self.setAccessibleName("Fix all")
        self.resize(*_SIZE)
        self.kinds: QComboBox = choice_box("Kind of problem")
        self.files = QListWidget()
        self.files.setAccessibleName("Files to fix")
        self.files.itemChanged.connect(lambda _item: self._allow())
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setFrameShape(QFrame.Shape.NoFrame)
        self.report.setAccessibleName("What was done")
        self.report.setFont(appearance.fixed_font())
        self.report.setPlaceholderText("What is done appears here: resource, property, action, details.")
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.verdict.setAccessibleName("Verdict")
        self._documents: list[Document] = []
        buttons = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        self.apply_button = buttons.addButton("Apply the safe fixes", roles.AcceptRole)
        self.copy_button = buttons.addButton("Copy the report", roles.ActionRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Close)
        buttons.accepted.connect(self._apply)
        buttons.rejected.connect(self.close)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report.toPlainText()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        layout.setSpacing(GAP)
        layout.addWidget(QLabel("Only fixes that are safe are applied; one undo per file takes them back."))
        for widget in (self.kinds, self.files, self.verdict, self.report, buttons):
            layout.addWidget(widget)
        layout.setStretch(4, 1)
        self.files.setMaximumHeight(120)

    def choose(self, documents: Sequence[Document], code: str | None) -> None:
        """Offers documents; a code narrows it to one kind of problem."""
        self._documents = list(documents)
        codes = sorted({found.code for one in documents if one.analysis for found in one.analysis.diagnostics
                        if found.has_fixes})  # fmt: skip
        self.kinds.clear()
        self.kinds.addItem(EVERY_KIND, None)
        for one in codes:
            self.kinds.addItem(one, one)
        self.kinds.setCurrentIndex(codes.index(code) + 1 if code in codes else 0)
        self.files.clear()
        for document in documents:
            item = QListWidgetItem(document.title)
            item.setToolTip(str(document.path or document.title))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.files.addItem(item)
        self.report.clear()
        self.verdict.clear()
        self._allow()
        self.show()
        self.raise_()
        self.apply_button.setFocus()

    def chosen(self) -> list[Document]:
        """The documents that are checked."""
        rows = range(self.files.count())
        return [self._documents[row] for row in rows if self.files.item(row).checkState() is Qt.CheckState.Checked]

    def show_result(self, mended: Sequence[Mended]) -> None:
        """The closing report."""
        lines: list[str] = []
        for one in mended:
            lines += [f"{one.title}: {line}" for line in one.lines]
            lines += [f"{one.title}: not fixed: {refusal}" for refusal in one.refusals]
        self.report.setPlainText("\n".join(lines))
        count = sum(len(one.lines) for one in mended)
        changed = [one for one in mended if one.lines]
        words = f"{count} change{'' if count == 1 else 's'} in {len(changed)} file{'' if len(changed) == 1 else 's'}."
        if changed and all(one.neutral for one in changed):
            words = f"{words} {NEUTRAL}"
        self.verdict.setText(words if changed else "There is nothing that could be fixed safely.")

    def _allow(self) -> None:
        self.apply_button.setEnabled(bool(self.chosen()))

    def _apply(self) -> None:
        code = self.kinds.currentData()
        self.apply_requested.emit(self.chosen(), frozenset({code}) if isinstance(code, str) else None)

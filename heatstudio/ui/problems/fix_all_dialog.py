"""Fix many problems at once: scope, code, changes, and the report."""

from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QTextCursor

from heatstudio.text import counted
from heatstudio.text.invisible import visible
from heatstudio.ui.problems.diff_view import DiffView
from heatstudio.ui.problems.fix_proposal import FixProposal, FixProposals, FixResult
from heatstudio.ui.widgets import EDGE, GAP, Appearance, PlainLabel, in_column, in_row, plain, show_code
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.check_box import TickDelegate
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.dialogs import Button, resize_within_screen
from heatstudio.ui.widgets.row_delegate import style_rows

EVERY_KIND = "all problems"
OPEN_FILES = "the open files"
ANOTHER_FOLDER = "a folder…"
NEUTRAL = "No effect on the stack: all resource values stay the same."
NOTHING = "No safe fixes available."
STOPPED = "Canceled. Nothing was changed."
_PROMISE = "Applies safe fixes only. Undo reverts them in open files; closed files are saved immediately."
_RELEASE = "Target release"
_SIZE = (860, 560)
_LISTED = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_MOST_LINES = 5_000
"""The maximum number of shown lines for all changes together."""


class FixAllDialog(QtWidgets.QDialog):
    """A non-modal dialog; files do not change until the button is pressed."""

    folder_wanted = Signal()
    """Emitted to choose another folder."""
    search_requested = Signal(object, object)
    """The folder, None for the open files, and the codes of problems, None for all."""
    apply_requested = Signal(list)
    """The checked proposals."""
    stop_requested = Signal()
    left = Signal()

    def __init__(self, appearance: Appearance, releases: QtWidgets.QMenu, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Fix all")
        self.setAccessibleName("Fix all")
        resize_within_screen(self, *_SIZE)
        self._proposals = FixProposals()
        self._headings: dict[int, int] = {}
        self.places: QtWidgets.QComboBox = choice_box("Where to fix")
        self.places.activated.connect(self._choose_place)
        self.kinds: QtWidgets.QComboBox = choice_box("Problem code")
        self.kinds.activated.connect(self.search)
        self.release = Button(_RELEASE)
        self.release.setMenu(releases)
        self.release.setAccessibleName(_RELEASE)
        self.files = QtWidgets.QListWidget()
        style_rows(self.files, "Files to fix")
        self.files.setItemDelegate(TickDelegate(self.files))
        self.files.setWordWrap(True)
        self.files.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.files.itemChanged.connect(lambda _item: self._allow())
        self.files.currentRowChanged.connect(self._show_changes_of)
        self.changes = DiffView(appearance, "Changes")
        self.report = QtWidgets.QPlainTextEdit()
        show_code(self.report, appearance, "Report")
        words = "The report appears here: resource, property, action and details of each change."
        self.report.setPlaceholderText(words)
        self.tabs = QtWidgets.QTabWidget(documentMode=True)
        self.tabs.setAccessibleName("Changes and report")
        self.tabs.addTab(self.changes, "Changes")
        self.tabs.addTab(self.report, "Report")
        self.verdict = AnnouncingLabel("Verdict", wraps=True)
        self.progress = QtWidgets.QProgressBar(textVisible=False)
        self.progress.setAccessibleName("Progress")
        self.progress.setMaximumHeight(4)
        self._lay_out(self._make_buttons())

    def choose(self, folder: Path | None, code: str | None, *, in_folder: bool) -> None:
        """Open the dialog for the open files or a folder, and offer both; a code limits it to one kind of problem."""
        self._offer_folder(folder)
        self.places.setCurrentIndex(int(in_folder and folder is not None))
        self._offer_kinds([code] if code else [], code)
        self.report.clear()
        self.show()
        self.raise_()
        self.files.setFocus()
        self.search()

    def choose_open_files(self) -> None:
        """Switch to the open files, as after no folder was chosen."""
        self.places.setCurrentIndex(0)
        self.search()

    def choose_folder(self, folder: Path) -> None:
        """Switch to a folder."""
        self._offer_folder(folder)
        self.places.setCurrentIndex(1)
        self.search()

    def show_progress(self, done: int, total: int) -> None:
        """Show the progress."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def show_stopped(self) -> None:
        """Show that the user canceled the work."""
        self._set_busy("")
        self.verdict.setText(STOPPED)

    def show_proposals(self, proposals: FixProposals) -> None:
        """Show the proposed changes, to be confirmed."""
        self._proposals = proposals
        self._set_busy("")
        self._offer_kinds(proposals.kinds, self.kinds.currentData())
        self.release.setText(proposals.release or _RELEASE)
        self.files.clear()
        self.changes.clear()
        self._headings.clear()
        shown = 0
        for one in proposals.found:
            self.files.addItem(_item(one))
            if one.edits and shown < _MOST_LINES:
                self._headings[self.files.count() - 1] = self.changes.add_heading(one.title)
                self.changes.add_lines(one.diff)
                shown += len(one.diff)
        if shown >= _MOST_LINES:
            self.changes.add_heading("Too many changes to show. Choose a single problem code.")
        self.changes.show_line(0)
        self.tabs.setCurrentWidget(self.changes)
        count, files = sum(len(one.lines) for one in proposals.found), sum(bool(one.edits) for one in proposals.found)
        left, unread = sum(len(one.decisions) for one in proposals.found), len(proposals.unread)
        more = f" {counted(left, 'problem')} left; see the report." if left else ""
        more += f" {counted(unread, 'file')} cannot be read; see the report." if unread else ""
        self.verdict.setText(f"{_counted(count, files)} to apply.{more}" if files else f"{NOTHING}{more}")
        self.report.setPlainText("\n".join(proposals.report))
        self._allow()

    def chosen(self) -> list[FixProposal]:
        """Return the checked proposals."""
        states = [self.files.item(row).checkState() for row in range(self.files.count())]
        pairs = zip(self._proposals.found, states, strict=False)
        return [one for one, state in pairs if one.edits and state is Qt.CheckState.Checked]

    def show_result(self, fixed: Sequence[FixResult]) -> None:
        """Show the final report."""
        self._set_busy("")
        lines = list[str]()
        for one in fixed:
            lines += [f"{one.title}:{line}: {sentence}" for line, sentence in one.lines]
            lines += [f"{one.title}: not fixed: {refusal}" for refusal in one.refusals]
        self.report.setPlainText("\n".join([*lines, *self._proposals.unread]))
        self.tabs.setCurrentWidget(self.report)
        changed = [one for one in fixed if one.lines]
        words = f"{_counted(sum(len(one.lines) for one in fixed), len(changed))}."
        if changed and all(one.neutral for one in changed):
            words = f"{words} {NEUTRAL}"
        self.verdict.setText(words if changed else NOTHING)
        self._show_results(fixed)

    def _show_results(self, fixed: Sequence[FixResult]) -> None:
        """Replace the proposed changes of each file by what was done."""
        results = {one.title: one for one in fixed}
        for row, proposal in enumerate(self._proposals.found):
            if proposal.edits:
                item, result = self.files.item(row), results.get(proposal.title)
                done = len(result.lines) if result is not None else 0
                words = f"{counted(done, 'change')} made" if done else "not fixed"
                item.setText(visible(f"{proposal.title}: {words}"))
                item.setData(Qt.ItemDataRole.CheckStateRole, None)
                item.setFlags(_LISTED)
        self._proposals = FixProposals()
        self._allow()

    def reject(self) -> None:
        """Close the dialog, which cancels a running search, but not a running save."""
        self.left.emit()
        super().reject()

    def _offer_folder(self, folder: Path | None) -> None:
        self.places.clear()
        self.places.addItem(OPEN_FILES, None)
        if folder is not None:
            self.places.addItem(visible(f"the folder {folder.name}"), folder)
            self.places.setItemData(self.places.count() - 1, plain(str(folder)), Qt.ItemDataRole.ToolTipRole)
        self.places.addItem(ANOTHER_FOLDER, ANOTHER_FOLDER)

    def _offer_kinds(self, codes: Sequence[str], wanted: object) -> None:
        self.kinds.clear()
        for words, code in ((EVERY_KIND, None), *((code, code) for code in codes)):
            self.kinds.addItem(words, code)
        self.kinds.setCurrentIndex(max(self.kinds.findData(wanted), 0) if wanted else 0)

    def _choose_place(self) -> None:
        if self.places.currentData() == ANOTHER_FOLDER:
            self.folder_wanted.emit()
        else:
            self.search()

    def search_again(self) -> None:
        """Request the proposed changes again if they are shown."""
        if self.isVisible():
            self.search()

    def search(self) -> None:
        """Request the proposed changes."""
        place, code = self.places.currentData(), self.kinds.currentData()
        self._proposals = FixProposals()
        self.files.clear()
        self.changes.clear()
        self._set_busy("Finding fixes…")
        codes = frozenset({code}) if isinstance(code, str) else None
        self.search_requested.emit(place if isinstance(place, Path) else None, codes)

    def _apply(self) -> None:
        chosen = self.chosen()
        self._set_busy("Fixing…")
        self.apply_requested.emit(chosen)

    def _set_busy(self, words: str) -> None:
        """Show that work is running; empty words end it."""
        self.progress.setRange(0, 0 if words else 1)
        self.progress.setVisible(bool(words))
        self.stop_button.setEnabled(bool(words))
        if words:
            self.verdict.setText(words)
        self._allow()

    def _allow(self) -> None:
        self.apply_button.setEnabled(bool(self.chosen()) and not self.stop_button.isEnabled())

    def _show_changes_of(self, row: int) -> None:
        if row in self._headings:
            self.tabs.setCurrentWidget(self.changes)
            self.changes.show_line(self._headings[row])
        elif 0 <= row < len(self._proposals.found):
            self.tabs.setCurrentWidget(self.report)
            self.report.moveCursor(QTextCursor.MoveOperation.Start)
            self.report.find(f"## {self._proposals.found[row].title}")
            self.report.ensureCursorVisible()

    def _make_buttons(self) -> QtWidgets.QDialogButtonBox:
        buttons, roles = QtWidgets.QDialogButtonBox(self), QtWidgets.QDialogButtonBox.ButtonRole
        self.apply_button = buttons.addButton("Apply Safe Fixes", roles.AcceptRole)
        self.copy_button = buttons.addButton("Copy Report", roles.ActionRole)
        self.stop_button = buttons.addButton("Stop", roles.ActionRole)
        self.stop_button.setEnabled(False)
        buttons.addButton(QtWidgets.QDialogButtonBox.StandardButton.Close)
        buttons.accepted.connect(self._apply)
        buttons.rejected.connect(self.close)
        self.stop_button.clicked.connect(self.stop_requested)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report.toPlainText()))
        return buttons

    def _lay_out(self, buttons: QtWidgets.QDialogButtonBox) -> None:
        choices = in_row()
        for words, box in (("In", self.places), ("Fix", self.kinds), ("Target release for all files", self.release)):
            label = PlainLabel(words)
            label.setBuddy(box)
            choices.addWidget(label)
            choices.addWidget(box, 1)
        parts = QtWidgets.QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        parts.addWidget(self.files)
        parts.addWidget(self.tabs)
        parts.setStretchFactor(1, 1)
        parts.setSizes([_SIZE[0] // 3, _SIZE[0] * 2 // 3])
        promise = PlainLabel(_PROMISE, wraps=True)
        rows = (promise, choices, (parts, 1), self.progress, self.verdict, buttons)
        in_column(*rows, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)


def _item(proposal: FixProposal) -> QtWidgets.QListWidgetItem:
    words = counted(len(proposal.lines), "change") if proposal.edits else "no safe fixes"
    words += f", {counted(len(proposal.decisions), 'problem')} left" if proposal.decisions else ""
    item = QtWidgets.QListWidgetItem(visible(f"{proposal.title}: {words}"))
    item.setFlags(_LISTED | Qt.ItemFlag.ItemIsUserCheckable if proposal.edits else _LISTED)
    if proposal.edits:
        item.setCheckState(Qt.CheckState.Checked)
    path = proposal.file.path if proposal.file is not None else None
    open_words = "open: undo reverts the changes" if proposal.document is not None else "closed: saved immediately"
    item.setToolTip(plain(f"{path or proposal.title}\n{open_words}"))
    return item


def _counted(changes: int, files: int) -> str:
    return f"{counted(changes, 'change')} in {counted(files, 'file')}"

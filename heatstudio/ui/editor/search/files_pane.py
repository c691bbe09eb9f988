"""Find and replace in the files of the open folder, or in the open files."""

import os
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QPushButton

from heatstudio.analysis.assist.rename import FileEdit
from heatstudio.service.inputs.folder_files import MOST_FILES, walk
from heatstudio.service.workspace.job import Job
from heatstudio.text import DocumentError, Span, counted, read_text
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.search.edit_tree import EDIT, EditTree
from heatstudio.ui.editor.search.search import Search, SearchPatternError, find_all, replace_edits
from heatstudio.ui.editor.search.search_bar import named_field, option_button
from heatstudio.ui.tasks.jobs import no_op
from heatstudio.ui.widgets import EDGE, GAP, Appearance, EmptyState, Panel, in_row, tool_button
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.row_actions import ChosenBy, RowChoice
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.workspace.session import Session

_FOLDER = "Open folder"
MOST_MATCHES = 2_000
_EDGES = (EDGE, 4, EDGE, 4)
Edit = Callable[[Document | Path, FileEdit, Callable[[str], object]], object]
"""A function that edits a file in its tab; it calls the last argument with the name if the text has changed."""


class FindInFilesPane(Panel):
    """The pane that searches files while the user types; the text of a tab replaces the file on disk."""

    location_requested = Signal(object, object)
    """A document or a file, and a span of it."""
    skipped = Signal(list)
    """The files in which nothing was replaced, as their texts have changed."""
    _found = Signal(object, object)

    def __init__(self, session: Session, appearance: Appearance, edit: Edit) -> None:
        super().__init__("Search", EmptyState(appearance, "search", "Find in files", ""))
        self._session, self._edit = session, edit
        self._job: Job | None = None
        self._changes: list[FileEdit] = []
        self._waiting: list[FileEdit] = []
        self._skipped: list[str] = []
        self.field, self.replacement = SearchField(appearance, "Find in files"), named_field("Replace with")
        self.case, self.words = option_button("Aa", "Match case"), option_button("W", "Whole words")
        self.regex, self.replacing = option_button(".*", "Regular expression"), option_button("a\u2192b", "Replace")
        self.scope, self.status = choice_box("Scope of the search"), AnnouncingLabel("Matches in files")
        self.scope.addItems([_FOLDER, "Open files"])
        self.stop = tool_button(appearance, "close", "Cancel the search")
        self.replace_button = QPushButton("Replace Selected")
        self.tree = EditTree("Matches; Space includes or excludes the selected match")
        options = (self.case, self.words, self.regex, self.replacing)
        self.set_content(
            in_row((self.field, 1), *options, self.scope, self.status, self.stop, edges=_EDGES, gap=GAP),
            in_row((self.replacement, 1), self.replace_button, edges=_EDGES, gap=GAP),
            self.tree,
        )
        self.setTabOrder(self.replacing, self.replacement)
        self.setTabOrder(self.replacement, self.replace_button)
        self.setTabOrder(self.replace_button, self.scope)
        self.set_filled(True)
        self.lead_to(self.field)
        self._soon, self._next = QTimer(self, singleShot=True, interval=200), QTimer(self, interval=0)
        self._soon.timeout.connect(self.search)
        self._next.timeout.connect(self._replace_next)
        self._found.connect(self._take)
        for asked in (*(option.toggled for option in options), self.scope.currentTextChanged):
            asked.connect(self.search)
        for field in (self.field, self.replacement):
            field.returnPressed.connect(self.search)
            field.textChanged.connect(self._wait)
        self.field.left_downwards.connect(self.tree.setFocus)
        self.replacing.toggled.connect(lambda on: (self.replacement if on else self.field).setFocus())
        self.stop.clicked.connect(lambda: self._job and self._job.stop())
        self.replace_button.clicked.connect(self._replace)
        RowChoice(self.tree, self._show_text).entered.connect(self.text_requested)
        session.stopped.connect(self._soon.stop)
        self.search()

    def _wait(self) -> None:
        """Restart the search after a pause; until then, the results do not match the fields."""
        self.replace_button.setEnabled(False)
        self._soon.start()

    def search(self) -> None:
        """Restart the search; a running one is canceled."""
        self._soon.stop()
        self.replace_button.setEnabled(False)
        self.replace_button.setText("Replace Selected" if self.replacement.text() else "Delete Selected")
        if self._job is not None:
            self._job.stop()
        self.tree.clear()
        self._changes, self._job = [], None
        for part in (self.replacement, self.replace_button):
            part.setVisible(self.replacing.isChecked())
        search = Search(self.field.text(), self.regex.isChecked(), self.case.isChecked(), self.words.isChecked())
        root = self._session.root if self.scope.currentText() == _FOLDER else None
        texts = {_name(one): one.text for one in self._session.documents}
        if self.scope.currentText() == _FOLDER:
            texts = {file: text for file, text in texts.items() if root is not None and Path(file).is_relative_to(root)}
        self._say("Searching\u2026" if search.pattern else "")
        if search.pattern:
            replacement = self.replacement.text() if self.replacing.isChecked() else ""
            work = partial(self._work, root, texts, search, replacement)
            self._job = self._session.jobs.start(
                "Searching files", work, lambda found: self._say(*found), partial(self._say, "Canceled.")
            )

    def _work(
        self, root: Path | None, texts: dict[str, str], search: Search, replacement: str, job: Job
    ) -> tuple[str, int]:
        """Search the files (in a thread); unreadable ones are skipped."""
        count = 0
        files = map(str, islice(walk(root, ("",)), MOST_FILES)) if root is not None else ()
        for file in dict.fromkeys((*texts, *files)):
            job.check()
            try:
                text = texts[file] if file in texts else read_text(Path(file))
                places = find_all(text, search)[: MOST_MATCHES - count]
                edits = tuple(replace_edits(text, search, replacement, places))
            except DocumentError:
                continue
            except SearchPatternError as error:
                return str(error), 0
            count += len(edits)
            if edits:
                self._found.emit(job, FileEdit(file, edits, text))
        words = counted(count, "match", "matches")
        return f"The first {words}" if count == MOST_MATCHES else words, count

    def _say(self, words: str, found: int = 0) -> None:
        self.status.setText(words)
        self.replace_button.setEnabled(found > 0)

    def _take(self, job: Job, change: FileEdit) -> None:
        if not job.is_stopped:
            self._changes.append(change)
            name = change.file.removeprefix(f"{self._session.root}{os.sep}")
            words = f"{name}: {counted(len(change.edits), 'match', 'matches')}"
            self.tree.add_file(change.file, words, change.text, change.edits, can_tick=self.replacing.isChecked())

    def _show_text(self, index: QModelIndex, by: ChosenBy) -> bool:
        """Show a match; only Enter or a double click opens a closed file."""
        edit = index.data(EDIT)
        if edit is None:
            return False
        place = self._place(edit[0])
        if by is ChosenBy.ENTER or isinstance(place, Document):
            self.location_requested.emit(place, Span(edit[1], edit[2]))
        return True

    def _replace(self) -> None:
        """Replace the checked matches, one file per turn of the event loop, as files may have to be opened."""
        ticked = (replace(one, edits=self.tree.chosen(one.file, one.edits)) for one in self._changes)
        self._waiting = [one for one in ticked if one.edits]
        self._next.start()

    def _replace_next(self) -> None:
        if self._waiting:
            change = self._waiting.pop(0)
            self._edit(self._place(change.file), change, self._skipped.append)
            return
        self._next.stop()
        self._session.disk.run("", no_op, self._end_replacement)

    def _end_replacement(self, _: object) -> None:
        self.search()
        if self._skipped:
            self.skipped.emit(self._skipped)
            self._skipped = []

    def _place(self, file: str) -> Document | Path:
        return next((one for one in self._session.documents if _name(one) == file), Path(file))


def _name(document: Document) -> str:
    return str(document.path or document.title)

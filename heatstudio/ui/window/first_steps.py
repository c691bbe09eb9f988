"""First steps: four tasks on the sample in a strip below the text, checked off automatically."""

import re
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QMargins, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QFrame, QToolButton

from heatstudio.text import Severity
from heatstudio.ui.commands.files import sample_text
from heatstudio.ui.documents.document import Document
from heatstudio.ui.preview.pane import PreviewPane
from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, Flow, PlainLabel, in_column, in_row, tool_button
from heatstudio.ui.widgets.shown_keys import with_keys
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.update_plan import Action, SubjectKind


class Task(NamedTuple):
    """A task. Keys in braces are shown in the platform's format."""

    title: str
    how: str
    is_done: Callable[[Document], bool]


def _is_right(document: Document) -> bool:
    state = document.state
    return state is not None and not any(one.severity is Severity.ERROR for one in state.analysis.diagnostics)


def _replaces(document: Document) -> bool:
    """Return whether a parameter causes a replacement."""
    plan = document.state.plan if document.state is not None else None
    changes = plan.accepted_changes if plan is not None else ()
    reasons = (reason for change in changes if change.action is Action.REPLACED for reason in change.because)
    return any(reason.subject is not None and reason.subject.kind is SubjectKind.PARAMETER for reason in reasons)


TASKS = (
    Task(
        "Fix the error",
        "Click “Fix…” beside the error in Problems and press {Enter}, or {F8} up to the error, {Alt+Enter}, {Enter}.",
        _is_right,
    ),
    Task(
        "Change a parameter",
        "Click cidr in Outline, set its default to 10.20.0.0/24, and watch Preview: resources will be replaced.",
        _replaces,
    ),
    Task("See why", "Click a replaced resource in Preview to see what causes it.", lambda _document: False),
    Task("Save", "{Ctrl+S} saves the template.", lambda one: one.path is not None and not one.modified),
)
_SEE_WHY = 2
"""The number of the task that is completed by a click, not by the document's state."""
_LAST = "That is all you need. {Ctrl+Space} shows suggestions; {Ctrl+Shift+P} finds every command."


class FirstSteps(QFrame):
    """The strip of tasks, shown at the first start and from the Help menu."""

    announced = Signal(str)
    """The completed tasks and the next one, for a screen reader."""

    def __init__(self, session: Session, appearance: Appearance, preview: PreviewPane) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._document: Document | None = None
        self._sample = sample_text()
        self.done: set[int] = set()
        self.ticks = [_tick(task.title) for task in TASKS]
        self._how = PlainLabel(wraps=True)
        self.close_button = tool_button(appearance, "close", "Close first steps", self.end)
        row = Flow("Tasks", QMargins(), GAP)
        for number, tick in enumerate(self.ticks):
            row.add(tick)
            tick.clicked.connect(lambda _checked, number=number: self._show(number))
        below = in_row((self._how, 1), (self.close_button, Qt.AlignmentFlag.AlignTop), gap=GAP)
        in_column(row, below, of=self, edges=(EDGE, 4, GAP, GAP), gap=4)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Light)  # the raised background of every theme
        session.analysis_changed.connect(self._refresh)
        session.plan_changed.connect(self._refresh)
        session.current_changed.connect(self._follow)
        session.document_closed.connect(self._leave)
        for looked in (preview.location_requested, preview.subject_requested, preview.before_requested):
            looked.connect(self._note_preview_use)
        self.hide()

    def start(self, document: Document) -> None:
        """Show the tasks for the current document without changing the focus."""
        self.end()
        self._document = document
        document.state_changed.connect(self._refresh)
        self.done.clear()
        self._show(0)
        self.show()
        self._refresh()

    def end(self) -> None:
        """Hide the tasks and forget their document."""
        self.hide()
        document, self._document = self._document, None
        if document is not None:
            document.state_changed.disconnect(self._refresh)

    def minimumSizeHint(self) -> QSize:
        """Do not constrain the width of the window."""
        return QSize(0, super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)

    def _follow(self, document: Document | None) -> None:
        """Show the tasks with their document only."""
        self.setVisible(document is not None and document is self._document)

    def _leave(self, document: Document) -> None:
        if document is self._document:
            self.end()

    def _note_preview_use(self) -> None:
        if self._document is self._session.current and self._document is not None and _replaces(self._document):
            self._tick({_SEE_WHY})

    def _refresh(self) -> None:
        document = self._document
        if document is not None and document.text != self._sample:
            self._tick({number for number, task in enumerate(TASKS) if task.is_done(document)})

    def _tick(self, done: set[int]) -> None:
        new = done - self.done
        if new:
            self.done |= new
            following = next((number for number in range(len(TASKS)) if number not in self.done), len(TASKS))
            self._show(following)
            self.announced.emit(f"Done: {', '.join(TASKS[number].title for number in new)}. {self._how.text()}")

    def _show(self, number: int) -> None:
        """Show the instructions of a task, or the closing words."""
        self._how.setText(_native(TASKS[number].how if number < len(TASKS) else _LAST))
        for at, tick in enumerate(self.ticks):
            tick.setChecked(at == number)
            tick.setAccessibleDescription("done" if at in self.done else "not done yet")
            tick.setIcon(self._appearance.icon("check", Color.ADDED) if at in self.done else QIcon())
        self.setAccessibleName(f"First steps: {len(self.done)} of {len(TASKS)} done")
        self.setAccessibleDescription(self._how.text())


def _tick(title: str) -> QToolButton:
    tick = QToolButton(autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    tick.setText(title)
    tick.setCheckable(True)
    tick.setAccessibleName(title)
    tick.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return tick


def _native(text: str) -> str:
    """Replace keys in braces by the platform's names."""
    native = QKeySequence.SequenceFormat.NativeText
    return re.sub(r"\{([^{}]+)\}", lambda key: QKeySequence(key[1]).toString(native) or key[1], with_keys(text))

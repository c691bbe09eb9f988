"""The status bar: state of the document, problem at the cursor, number of problems, position of the caret."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStatusBar, QToolButton, QWidget

from heatstudio.service.workspace.job import Job
from heatstudio.text import Position, Severity, counted
from heatstudio.text.invisible import visible
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import Jobs
from heatstudio.ui.widgets import (
    EDGE,
    GAP,
    SEVERITY_ICONS,
    Appearance,
    Color,
    Isolated,
    PlainLabel,
    icon_size,
    in_row,
    plain,
    scaled,
    tool_button,
)
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.shown_keys import with_keys
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint, the progress bar for the first long task
    from PySide6.QtWidgets import QProgressBar

    from heatstudio.analysis import Analysis
    from heatstudio.catalog.release import Release

_LEAST_ROOM = 80
_USUAL_ROOM = 160
"""The reserved width in pixels, so that the layout does not change when the cursor reaches a problem."""


class ProblemLine(QWidget):
    """A line that uses the remaining width and requires none."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._severity = Severity.HINT
        self.words = ""
        self.message = ""
        self.setAccessibleName("Problem at the cursor")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        appearance.theme_changed.connect(self.update)

    def show_problem(self, severity: Severity, words: str) -> None:
        """Show a problem; empty words hide it."""
        self._severity, self.words = severity, words
        self.setAccessibleDescription(words)
        self.setToolTip(plain(words))
        self.update()

    def tell(self, message: str) -> None:
        """Show a message instead of the problem; an empty one shows the problem again."""
        self.message = message
        self.setToolTip(plain(message or self.words))
        self.update()

    def wanted_width(self) -> int:
        """Return the preferred width: that of a message, but at least the reserved width."""
        whole = self.fontMetrics().horizontalAdvance(self.message) + 3 * GAP if self.message else 0
        return max(whole, _USUAL_ROOM)

    def sizeHint(self) -> QSize:
        return QSize(0, max(icon_size().height(), self.fontMetrics().height()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        words = self.message or self.words
        if not words or self.width() < _LEAST_ROOM:
            return
        painter = QPainter(self)
        room, color = self.rect().adjusted(GAP, 0, -GAP, 0), Color.TEXT
        if not self.message:
            icon, color = SEVERITY_ICONS[self._severity]
            side = icon_size().width()
            square = QRect(room.left(), (self.height() - side) // 2, side, side)
            self._appearance.icon(icon, color).paint(painter, square)
            room.setLeft(square.right() + 6)
        painter.setPen(self._appearance.theme.color(color))
        text = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


_GAP = 4
_HEIGHT = 24
_TOP = Position(0, 0)
AnyWidget = TypeVar("AnyWidget", bound=QWidget)
_BAR = (96, 6)
_FLAT = """
QProgressBar { border: 0; border-radius: 3px; background: palette(mid); }
QProgressBar::chunk { border-radius: 3px; background: palette(accent); }
"""


class StatusBar(QStatusBar):
    """The status bar; a click on the number of problems shows them."""

    problems_requested = Signal()
    environments_requested = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._document: Document | None = None
        self.setSizeGripEnabled(False)
        self.setContentsMargins(EDGE - 4, 0, EDGE - 4, 0)
        self.setAccessibleName("Status")
        row = QWidget()
        self._parts = in_row(of=row, gap=_GAP)
        self._held = Isolated(row)
        self.addWidget(self._held, 1)
        self.state = self._add(PlainLabel(), "Saved or modified")
        self.language = self._add(PlainLabel(), "Language")
        self.encoding = self._add(PlainLabel(), "Encoding")
        self.ends = self._add(PlainLabel(), "Line endings")
        self.counts = self._add(QToolButton(), "Problem count")
        self.release = self._add(QToolButton(), "Target release")
        self.release.setAutoRaise(True)
        self.release.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.release.setToolTip("OpenStack release that templates are checked against")
        self.version = self._add(PlainLabel(), "Template version")
        self.environments = self._add(QToolButton(), "Environments")
        self.environments.setAutoRaise(True)
        self.environments.clicked.connect(self.environments_requested)
        self.network = self._add(PlainLabel("offline"), "Network")
        self.problem = ProblemLine(appearance)
        self.jobs = JobIndicator(session.jobs, appearance)
        self._parts.addWidget(self.problem, 1)
        self._parts.addWidget(self.jobs)
        self.place = self._add(PlainLabel(), "Line and column")
        self.place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._follow_scale()
        appearance.scale_changed.connect(self._follow_scale)
        self.counts.setAutoRaise(True)
        self.counts.clicked.connect(self.problems_requested)
        important = (self.encoding, self.release, self.network, self.environments)
        self._by_weight = (*important, self.version, self.language, self.ends)
        self.setMinimumWidth(1)
        self._place = _TOP
        self._is_message_here = False
        self._message_timer = QTimer(self, singleShot=True)
        self._message_timer.timeout.connect(lambda: self.showMessage(""))
        session.jobs.changed.connect(self._make_room)
        session.current_changed.connect(self._follow)
        session.analysis_changed.connect(self._show_analysis)
        for news in (session.folder_opened, session.rested):
            news.connect(self._show_counts)
        session.catalog_loaded.connect(self._show_release)
        session.target_changed.connect(self._show_release)
        self._follow(None)

    def showMessage(self, message: str, timeout: int | None = 0, /) -> None:
        """Show a message without hiding the permanent items."""
        self._message_timer.stop()
        self._is_message_here = False
        self.problem.tell(with_keys(message))
        self._make_room()
        if timeout:
            self._message_timer.start(timeout)

    def tell(self, message: str, timeout: int, *, here: bool) -> None:
        """Show a message for a time in milliseconds; with `here`, until the caret moves."""
        self.showMessage(without_marks(message), timeout)
        self._is_message_here = here

    def currentMessage(self) -> str:
        return self.problem.message

    def show_cloud(self, name: str, reported: str) -> None:
        """Show the connected cloud, or the name of the imported types."""
        self.network.setText(name or (f"offline, types of {reported}" if reported else "offline"))
        types = f"; imported types of {reported}" if reported else ""
        self.network.setAccessibleDescription(f"Connected to {name}" if name else f"Not connected{types}")
        self._make_room()

    def show_caret(self, place: Position, carets: int = 1) -> None:
        """Show line and column, counted from 1, or the number of many carets."""
        if self._is_message_here and place != self._place:
            self.showMessage("")
        self._place = place
        words = f"Ln {place.line + 1}, Col {place.character + 1}" if carets == 1 else counted(carets, "cursor")
        self.place.setText(words if self._document is not None else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the least important items if the bar is narrow."""
        super().resizeEvent(event)
        self._make_room()

    def _follow_scale(self) -> None:
        """Reserve the room for changing texts, so that a key moves nothing."""
        self._held.setFixedHeight(scaled(_HEIGHT))
        for label, widest in ((self.state, "No file yet"), (self.place, "Ln 9999, Col 99")):
            label.setFixedSize(label.fontMetrics().horizontalAdvance(widest) + 8, scaled(_HEIGHT))

    def _make_room(self) -> None:
        """Hide items by importance until the rest and the message fit, without widening the window."""
        always = [self.state, self.counts, self.jobs, self.place]
        room = self.contentsRect().width() - sum(map(_width, [one for one in always if not one.isHidden()]))
        room -= min(self.problem.wanted_width(), max(room - _width(self.release), 0))
        for widget in self._by_weight:
            is_known = bool(widget.text()) and (self._document is not None or widget in {self.network, self.release})
            room -= _width(widget) if is_known else 0
            widget.setVisible(is_known and room >= 0)

    def _show_release(self) -> None:
        engine, wanted = self._session.engine, self._session.target.release
        if engine is None:
            return
        state = self._document.state if self._document is not None else None
        if not wanted and state is not None and state.analysis.settings.release is not None:  # from the project file
            wanted = state.analysis.settings.release.name
        self.release.setText(release_words(engine.releases, engine.catalog.heat_version, wanted))
        self._make_room()

    def _add(self, widget: AnyWidget, name: str) -> AnyWidget:
        widget.setObjectName(name)
        if isinstance(widget, QLabel):  # buttons have tool tips
            widget.setAccessibleDescription(name)
        widget.setContentsMargins(4, 0, 4, 0)
        self._parts.addWidget(widget)
        return widget

    def _follow(self, document: Document | None) -> None:
        if self._document is not None:
            self._document.state_changed.disconnect(self._show_state)
        self._document = document
        if self._is_message_here:
            self.showMessage("")
        if document is not None:
            document.state_changed.connect(self._show_state)
        for widget in (self.state, self.counts):
            widget.setVisible(document is not None)
        self._show_state()
        self.show_caret(_TOP)
        if document is not None:
            self._show_analysis(document)
        self._make_room()

    def _show_state(self) -> None:
        document = self._document
        if document is not None:
            kept = "Read-only" if document.is_read_only else "Saved" if document.path is not None else "No file yet"
            saving = "Saving\u2026" if document.is_being_saved else ""
            self.state.setText(saving or ("Modified" if document.modified else kept))
            self.encoding.setText(document.encoding_word)
            self.ends.setText(document.newline_word)
            self._make_room()
            self._show_environments(document)

    def _show_environments(self, document: Document) -> None:
        """Show the number of environment files, with the errors of unusable files in the tool tip."""
        used, complaints = document.used_environments, document.state.complaints if document.state is not None else ()
        words = counted(len(used), "environment") if used else "no environment"
        self.environments.setText(f"{words}, {counted(len(complaints), 'unusable file')}" if complaints else words)
        source = "" if document.environments or not used else "From heatstudio.toml:\n"
        names = source + "\n".join(str(path) for path in used) or with_keys("Ctrl+E adds environment files")
        self.environments.setToolTip(plain("\n".join(complaints) or names))

    def _show_counts(self) -> None:
        """Show the number of problems, which is that of the file also while a folder is open."""
        found = self._document.problems if self._document is not None else None
        words = count_words([one.severity for one in found]) if found is not None else "not checked yet"
        words = words_of_tests(self._document) or words
        self.counts.setText(f"This file: {words}" if self._session.root is not None else words)
        self._make_room()

    def _show_analysis(self, document: Document) -> None:
        if document is not self._document:
            return
        analysis = document.state.analysis if document.state is not None else None
        self._show_environments(document)
        self._show_counts()
        is_toml = document.path is not None and document.path.suffix == ".toml"
        self.language.setText("TOML" if is_toml else "JSON" if analysis and analysis.template.is_json else "YAML")
        self.version.setText(_version_words(analysis, document.path) if analysis and not is_toml else "")
        self._show_release()
        self._make_room()


def _width(widget: QWidget) -> int:
    return max(widget.sizeHint().width(), widget.minimumWidth()) + _GAP


def release_words(releases: Sequence[Release], heat_version: str, wanted: str) -> str:
    """Return the target such as `Target: Rocky`, or the bundled Heat's release if the target is unset or unknown."""
    from heatstudio.catalog.release import find_release, release_of

    target = find_release(releases, wanted) if wanted else None
    if target is not None:
        return f"Target: {target.name}"
    own = release_of(releases, heat_version)
    return f"Heat {own.name if own is not None else heat_version}"


def _version_words(analysis: Analysis, path: Path | None) -> str:
    from heatstudio.analysis import EnvironmentAnalysis
    from heatstudio.service.inputs.template_tests import is_test_file, tested_template

    if path is not None and is_test_file(path):
        return f"Tests of {visible(tested_template(analysis.template, path))}"
    if isinstance(analysis, EnvironmentAnalysis):
        return "Environment"
    dialect = analysis.template.dialect
    return f"{dialect.language.value} {dialect.version}"


def words_of_tests(document: Document | None) -> str:
    """Return the results of a file with tests, such as `3 tests, 1 failed`; empty for other files."""
    if document is None or document.state is None:
        return ""
    from heatstudio.service.inputs.template_tests import is_test_file, results_of_tests

    results = results_of_tests(document.state.analysis) if is_test_file(document.path) else ()
    failed = sum(bool(one.failures) for one in results)
    return f"{counted(len(results), 'test')}, {failed:,} failed" if results else ""


def count_words(severities: list[Severity]) -> str:
    """Return the counts of errors and warnings, such as `1 error, 2 warnings`, zeros included."""
    return ", ".join(counted(severities.count(one), one.word) for one in (Severity.ERROR, Severity.WARNING))


class JobIndicator(QWidget):
    """An indicator that is hidden without tasks and names the oldest of several."""

    words: QLabel
    bar: QProgressBar
    stop: QToolButton

    def __init__(self, jobs: Jobs, appearance: Appearance) -> None:
        super().__init__()
        self._jobs = jobs
        self._appearance = appearance
        self.setAccessibleName("Running tasks")
        self.hide()
        jobs.changed.connect(self._show)

    def _fill(self) -> None:
        from PySide6.QtWidgets import QProgressBar

        self.words = PlainLabel()
        self.words.setAccessibleDescription("Running tasks")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName("Progress")
        self.bar.setFixedSize(*_BAR)
        self.bar.setStyleSheet(_FLAT)
        self.stop = tool_button(self._appearance, "close", "Cancel", self._jobs.stop_shown)
        parts = ((part, Qt.AlignmentFlag.AlignVCenter) for part in (self.words, self.bar, self.stop))
        in_row(*parts, of=self, edges=(4, 0, 4, 0), gap=6)

    def _show(self) -> None:
        shown = self._jobs.shown
        if shown:
            if self.layout() is None:
                self._fill()
            done, total = shown[0].steps
            self.words.setText(job_words(shown))
            self.stop.setToolTip(plain(f"Cancel: {', '.join(job.name for job in shown)} ({with_keys('Shift+F5')})"))
            self.bar.setRange(0, total)
            self.bar.setValue(done)
        self.setVisible(bool(shown))


def job_words(shown: tuple[Job, ...]) -> str:
    """Return a description such as `Fixing 12 files: 3 of 12, and 1 more task`."""
    done, total = shown[0].steps
    steps = f": {done} of {total}" if total else "…"
    more = f", and {counted(len(shown) - 1, 'more task')}" if len(shown) > 1 else ""
    return f"{shown[0].name}{steps}{more}"

"""The base class of panes about the current document."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QWidget

from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets.panel import GAP, EmptyState, Panel
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.service.workspace.workspace import TextState

LARGE = "The file is too large to be checked while you type. F5 checks it once."
"""The sentence of an empty pane for a file that is too large to be checked while typing."""
PAUSED = "Checks are paused, because the last start failed. F5 resumes them."
_LONG_TEXT = 60_000
"""Minimum length of a text for which panes are refreshed after a pause instead of at every key."""
_REFRESH_DELAY = 160
"""Milliseconds without changes after which a pane shows the content of a long text."""
_OUTDATED_DELAY = 150
"""Milliseconds after which outdated content is marked."""
UPDATING = "Updating…"
_DIMMED = 0.3
"""The opacity of the background color over outdated content."""


class _OutdatedCover(QWidget):
    """A cover that dims outdated content with a label and is transparent for the mouse."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._words = ""
        self.hide()

    def say(self, words: str) -> None:
        """Cover the panel with a reason; an empty one uncovers it."""
        self._words = words
        self.setAccessibleName(words)
        self.setGeometry(self._panel.rect())
        self.setVisible(bool(words))
        self.raise_()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        ground = self.palette().color(QPalette.ColorRole.Window)
        painter.setOpacity(_DIMMED)
        painter.fillRect(self.rect(), ground)
        painter.setOpacity(1)
        words = painter.fontMetrics().boundingRect(self._words).adjusted(-GAP, -4, GAP, 4)
        words.moveBottomRight(self.rect().bottomRight())
        painter.fillRect(words, ground)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self._words)
        painter.end()


class DocumentPanel(Panel):
    """A pane about the current document, which is marked while it is older than the text."""

    def __init__(self, title: str, empty: EmptyState, session: Session, *, marks_age: bool = True) -> None:
        super().__init__(title, empty)
        self._session = session
        self._document = session.current
        self._rest = QTimer(self, singleShot=True, interval=_REFRESH_DELAY)
        self._rest.timeout.connect(self.catch_up)
        self._cover = _OutdatedCover(self)
        self._kept = ""
        self._patience = QTimer(self, singleShot=True, interval=_OUTDATED_DELAY)
        self._patience.timeout.connect(partial(self._cover.say, UPDATING))
        session.current_changed.connect(self._follow)
        session.analysis_changed.connect(self._follow_analysis)
        session.plan_changed.connect(self._follow_plan)
        session.checking_paused.connect(self.refresh)
        if marks_age:
            session.freshness_changed.connect(self._follow_age)

    @property
    def state(self) -> TextState | None:
        """What is known about the document, if any."""
        return self._document.state if self._document is not None else None

    @property
    def analysis(self) -> Analysis | None:
        """The last analysis of the document, if any."""
        return self.state.analysis if self.state is not None else None

    def show_nothing(self, headline: str, sentence: str) -> None:
        """Show the empty state."""
        self.empty.say(headline, self.or_how_to_check(sentence))
        self.set_filled(False)

    def or_how_to_check(self, sentence: str) -> str:
        """Return a sentence, or for a document whose first check waits for the user, the one that says so."""
        if self._document is None or self.state is not None:
            return sentence
        return PAUSED if self._session.is_paused else LARGE if self._document.is_large else sentence

    def refresh_for(self, text: str) -> None:
        """Refresh for a changed text: at once if it is short, after a pause if it is long."""
        if not self.isVisible():
            return
        if len(text) < _LONG_TEXT:
            self.refresh()
        else:
            self._rest.start()

    def catch_up(self) -> None:
        """Show the current content after a pause in the changes of a long text; a pane may prepare it in a thread."""
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cover.setGeometry(self.rect())

    def _follow(self, document: Document | None) -> None:
        self._document = document
        self.refresh()

    def _follow_analysis(self, document: Document) -> None:
        if document is self._document:
            self.refresh_for(document.text)

    def _follow_plan(self, document: Document) -> None:
        """Follow a new plan of the update; implemented by the panes that show it."""

    def _follow_age(self) -> None:
        """Mark the content while it is older than the text, after a delay."""
        if not self._session.is_outdated():
            self._patience.stop()
            self._cover.say(self._kept)
        elif not self._patience.isActive() and self._cover.isHidden():
            self._patience.start()

    def keep(self, reason: str) -> None:
        """Mark the content as older than the text for a reason, or as current if there is none."""
        self._kept = reason
        self._follow_age()

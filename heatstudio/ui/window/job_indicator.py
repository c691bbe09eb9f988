"""Running tasks in the status bar: name, progress, and a stop button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from heatstudio.service.workspace.job import Job
from heatstudio.text import counted
from heatstudio.ui.tasks.jobs import Jobs
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import tool_button
from heatstudio.ui.widgets.plain_text import PlainLabel, plain

if TYPE_CHECKING:  # imported for the first long task
    from PySide6.QtWidgets import QProgressBar, QToolButton

_BAR = (96, 6)
_FLAT = """
QProgressBar { border: 0; border-radius: 3px; background: palette(mid); }
QProgressBar::chunk { border-radius: 3px; background: palette(accent); }
"""


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
        self.stop = tool_button(self._appearance, "close", "Cancel")
        self.stop.clicked.connect(self._jobs.stop_shown)
        in_row(
            (self.words, Qt.AlignmentFlag.AlignVCenter),
            (self.bar, Qt.AlignmentFlag.AlignVCenter),
            (self.stop, Qt.AlignmentFlag.AlignVCenter),
            of=self,
            edges=(4, 0, 4, 0),
            gap=6,
        )

    def _show(self) -> None:
        shown = self._jobs.shown
        if shown:
            if self.layout() is None:
                self._fill()
            done, total = shown[0].steps
            self.words.setText(job_words(shown))
            self.stop.setToolTip(plain(f"Cancel: {', '.join(job.name for job in shown)} (Shift+F5)"))
            self.bar.setRange(0, total)
            self.bar.setValue(done)
        self.setVisible(bool(shown))


def job_words(shown: tuple[Job, ...]) -> str:
    """Return a description such as `Fixing 12 files: 3 of 12, and 1 more task`."""
    done, total = shown[0].steps
    steps = f": {done} of {total}" if total else "…"
    more = f", and {counted(len(shown) - 1, 'more task')}" if len(shown) > 1 else ""
    return f"{shown[0].name}{steps}{more}"

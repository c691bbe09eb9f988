"""The verdict on an update, above its changes."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from heatstudio.text.markup import Html
from heatstudio.ui.widgets import GAP, Appearance, Color, PlainLabel, icon_size, in_row
from heatstudio.ui.widgets.announcer import SHORT_REST, ScreenReaderAnnouncer
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.update.plan.capacity import Shortage
from heatstudio.update.plan.plan_text import headline
from heatstudio.update.plan.update_plan import UpdatePlan, Verdict

_ICONS = {
    "refused": ("severity-error", Color.ERROR),
    "fails": ("update-not-supported", Color.NOT_SUPPORTED),
    "may_fail": ("severity-warning", Color.WARNING),
    "runs": ("check", Color.ADDED),
    "changes_nothing": ("update-unchanged", Color.UNCHANGED),
}


class VerdictLabel(QWidget):
    """A label with an icon and a sentence, whose code is monospaced."""

    def __init__(self, appearance: Appearance, margins: QMargins) -> None:
        super().__init__()
        self._appearance = appearance
        self._icon_and_color = _ICONS["runs"]
        self._icon, self._words = PlainLabel(), HtmlLabel()
        self._voice = ScreenReaderAnnouncer(self, SHORT_REST)
        self._row = in_row((self._icon, Qt.AlignmentFlag.AlignTop), (self._words, 1), of=self, gap=GAP)
        self._row.setContentsMargins(margins)
        appearance.theme_changed.connect(self._show_icon)
        appearance.scale_changed.connect(self._show_icon)
        appearance.scale_changed.connect(self._keep_height)

    @property
    def sentence(self) -> str:
        """The sentence as plain text."""
        return self.accessibleName()

    def show_plan(self, plan: UpdatePlan, shortages: Sequence[Shortage] = ()) -> None:
        """Show the verdict on an update, which may have shortages in a cloud."""
        runs = {Verdict.RUNS, Verdict.MAY_FAIL} if shortages and shortages[0].certain else {Verdict.RUNS}
        if shortages and plan.verdict in runs:
            self.show_misfit("update", shortages)
        else:
            self.show_verdict(str(plan.verdict), headline(plan))

    def show_misfit(self, what: str, shortages: Sequence[Shortage]) -> None:
        """Show that an update or a new stack would or may fail because of the cloud."""
        certain = shortages[0].certain
        verdict = Verdict.FAILS if certain else Verdict.MAY_FAIL
        self.show_verdict(str(verdict), f"The {what} {'would' if certain else 'may'} fail in this cloud")

    def show_verdict(self, verdict: str, words: str) -> None:
        """Show a sentence with the icon of a verdict."""
        self._icon_and_color = _ICONS[verdict]
        self.setAccessibleName(without_marks(words))
        if self.window().isVisible():
            self._voice.say_later(self.sentence)
        self._words.setAccessibleName(self.sentence)
        self._words.set_html(Html("<b>{}</b>").fill(Html.sentence(words)))
        self._keep_height()
        self._show_icon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()

    def _keep_height(self) -> None:
        """Keep room for all lines; a layout gives less where it is low, which would hide words."""
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())))
        self._row.setGeometry(self.contentsRect())  # during a resize event, Qt sends no other one

    def _show_icon(self) -> None:
        self._icon.setPixmap(self._appearance.icon(*self._icon_and_color).pixmap(icon_size()))

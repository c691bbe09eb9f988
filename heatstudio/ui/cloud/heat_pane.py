"""The Heat pane: validation, dry run compared with the local preview, and events of a stack."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QLabel, QProgressBar

from heatstudio.ui.cloud.heat_answers import AnswerRow, cell_of_answer
from heatstudio.ui.widgets import EDGE, GAP, Appearance, EmptyState, Panel, PlainLabel
from heatstudio.ui.widgets.row_actions import ChosenBy, RowChoice
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.tree_model import TreeModel

_EMPTY = (
    "Results from Heat appear here",
    "Connect to a cloud, then validate the template (Ctrl+Alt+V) or follow a stack.",
)
_BAR_HEIGHT = 4


class HeatPane(Panel):
    """The pane of Heat's results: a headline, a progress bar while Heat works, and rows that link to the text."""

    location_requested = Signal(object)
    """The row whose location in the template is to be shown."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Heat", EmptyState(appearance, "cloud", *_EMPTY))
        self.model = TreeModel(("Heat says",), cell_of_answer)
        self.view = RowTree(self.model, appearance, "Heat results")
        self.headline = PlainLabel(wraps=True)
        self.bar = QProgressBar()
        self.set_content(self._make_headline(), self._make_bar(), self.view)
        self.view.setWordWrap(True)
        RowChoice(self.view, self._show_text).entered.connect(self.text_requested)
        self.lead_to(self.view)

    def say(self, headline: str, rows: Sequence[AnswerRow] = ()) -> None:
        """Show a result from its start."""
        self.headline.setText(headline)
        self.bar.hide()
        self.model.set_branches(row.branch for row in rows)
        self.view.setRootIsDecorated(any(row.explanation or row.below for row in rows))
        self.view.expandAll()
        self.view.scrollToTop()
        self.set_filled(True)

    def follow(self, headline: str, rows: Sequence[AnswerRow], done: int, total: int) -> None:
        """Show the events so far, scrolled to the newest one."""
        self.say(headline, rows)
        self.bar.setRange(0, total)
        self.bar.setValue(min(done, total))
        self.bar.setVisible(done < total)
        self.view.scrollToBottom()

    def leave(self, headline: str) -> None:
        """Change the headline and hide the progress bar when the events end; the rows stay."""
        self.headline.setText(headline)
        self.bar.hide()

    def _make_headline(self) -> QLabel:
        self.headline.setContentsMargins(EDGE, GAP, EDGE, 4)
        self.headline.setAccessibleDescription("Heat results")
        self.headline.set_bold()
        return self.headline

    def _make_bar(self) -> QProgressBar:
        self.bar.setAccessibleName("Heat progress")
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(_BAR_HEIGHT)
        self.bar.hide()
        return self.bar

    def _show_text(self, index: QModelIndex, _by: ChosenBy) -> bool:
        row = self.model.value(index)
        if not isinstance(row, AnswerRow) or not (row.resource or row.path):
            return False
        self.location_requested.emit(row)
        return True

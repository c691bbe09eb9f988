"""The list of suggestions, with the documentation of the selected one next to it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame

from heatstudio.analysis.assist.suggestion import Completion
from heatstudio.assets import icon_path
from heatstudio.text.invisible import visible
from heatstudio.text.markup import Html
from heatstudio.ui.editor.text.code_page import CodePage, FloatingFrame
from heatstudio.ui.widgets import Color, in_row
from heatstudio.ui.widgets.announcer import ChoiceAnnouncer
from heatstudio.ui.widgets.fuzzy import WHOLE, FuzzyMatch, fuzzy_match, is_word_start
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.ui.widgets.row_delegate import list_view, row_height
from heatstudio.ui.widgets.tree_model import NO_CELL, VALUE_ROLE, Branch, Cell, TreeModel

MOST_SHOWN = 200


TakeCompletions = Callable[[Sequence["Completion"]], object]
CompletionProvider = Callable[[int, bool, TakeCompletions], object]
"""A function that supplies suggestions at a code point offset, at once or later; the flag is for explicit requests."""


class Candidate(Struct, frozen=True):
    """A matching suggestion."""

    completion: Completion
    match: FuzzyMatch
    hint: str = ""
    """The key that accepts the first suggestion while none is selected."""


def fitting(completions: Iterable[Completion], text: str, caret: int) -> list[Candidate]:
    """Return the suggestions that match the text before the cursor.

    Exact matches come first, deprecated ones last, and contiguous matches before scattered ones. Within each of these
    groups, foreign suggestions come last, unless they start with the typed text. Then come the starts of a name or of
    its last part, the starts of other words, and other letters, each from the most likely to the least.
    """

    def rank(candidate: Candidate) -> tuple[bool, bool, bool, bool, int, str, int, str]:
        completion, match = candidate.completion, candidate.match
        typed = text[completion.replace.start : caret]
        is_back = completion.foreign and not (typed and completion.label.casefold().startswith(typed.casefold()))
        start = match.places[0] if match.places else 0
        part = completion.label[:start].rpartition("::")
        place = 0 if not part[2] else 1 if is_word_start(completion.label, start) else 2
        order = place, completion.sort_key, -match.score, completion.label
        return typed != completion.label, completion.deprecated, match.score < WHOLE, is_back, *order

    candidates = []
    for completion in completions:
        match = fuzzy_match(text[completion.replace.start : caret], completion.label)
        if match is not None:
            candidates.append(Candidate(completion, match))
    candidates.sort(key=rank)
    return candidates[:MOST_SHOWN]


_MOST_ROWS: Final = 10
_WIDTHS: Final = 380, 560
"""The minimum and maximum width of the list."""
_BESIDE_LABEL: Final = 32 + 16 + 10 + 24
"""The width of the icon, the gaps and a scroll bar, in addition to label and detail."""
_PAGE_WIDTH: Final = 320


def _cell_of(value: object, _column: int) -> Cell:
    """Return the icon of a suggestion, its label, and its detail with the key that accepts it."""
    if not isinstance(value, Candidate):
        return NO_CELL
    completion, icon = value.completion, f"kind-{value.completion.kind}"
    return Cell(
        completion.label,
        (icon, Color.MUTED) if icon_path(icon).exists() else None,
        badge=(" · ".join(filter(None, (visible(completion.detail), value.hint))), Color.MUTED),
        accent=Color.MUTED if completion.deprecated else None,
        is_struck=completion.deprecated,
        spoken=" ".join((completion.label, completion.detail, "deprecated" * completion.deprecated)).strip(),
    )


class CompletionPopup(FloatingFrame):
    """The popup of suggestions; the editor forwards the keys."""

    chosen = Signal(object)

    def __init__(self, editor: CodePage) -> None:
        self._model = TreeModel(("Suggestion",), _cell_of)
        self._list = list_view(self._model, editor.appearance, "Suggestions", least_badge=0)
        self._page = HtmlLabel(margin=10)
        self._page.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._voice = ChoiceAnnouncer(editor)
        super().__init__(editor)
        self.setAccessibleName("Completion")
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.viewport().setAutoFillBackground(False)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.clicked.connect(lambda index: self.chosen.emit(index.data(VALUE_ROLE)))
        self._list.selectionModel().currentChanged.connect(lambda *_: self._show_page())
        self._page.setAccessibleDescription("Documentation of the suggestion")
        self._page.setFixedWidth(_PAGE_WIDTH)
        self._page.setMaximumHeight(_MOST_ROWS * row_height())
        self.fill(in_row((self._list, Qt.AlignmentFlag.AlignTop), self._page, edges=(1, 3, 1, 3), gap=0))

    def show_candidates(
        self, candidates: Sequence[Candidate], anchor: QRect, *, typed: str, select: bool, hint: str = ""
    ) -> None:
        """List suggestions for what is typed next to a rectangle of the screen; `select` selects the first one.

        `hint` is the key that accepts it otherwise.
        """
        first = candidates[0] if select else replace(candidates[0], hint=hint)
        self._list.mark_matches(typed, scattered=True)
        self._model.set_branches(map(Branch, (first, *candidates[1:])))
        if select:
            self._list.setCurrentIndex(self._model.index(0, 0))
        rows = min(len(candidates), _MOST_ROWS)
        self._list.setFixedSize(self._width_for(candidates), rows * row_height() + 2)
        self._show_page()
        self.show_beside(anchor)
        self._say_choice()

    def _width_for(self, candidates: Sequence[Candidate]) -> int:
        """Return the width in which the longest of the likely suggestions fits with its detail, within bounds."""
        metrics = self._list.fontMetrics()
        texts = (f"{one.completion.label}{visible(one.completion.detail)}" for one in candidates[:_MOST_ROWS])
        return max(_WIDTHS[0], min(_WIDTHS[1], max(map(metrics.horizontalAdvance, texts)) + _BESIDE_LABEL))

    def current(self) -> Candidate | None:
        """Return the selected suggestion, if any."""
        return self._candidate(self._list.currentIndex())

    def first(self) -> Candidate | None:
        """Return the first suggestion, if any."""
        return self._candidate(self._model.index(0, 0))

    def _candidate(self, index: QModelIndex) -> Candidate | None:
        candidate = self._model.value(index)
        return candidate if isinstance(candidate, Candidate) else None

    def move_choice(self, by: int) -> None:
        """Select another row; steps of one wrap around, larger ones stop at the ends."""
        count, now = self._model.rowCount(), self._list.currentIndex().row()
        if now < 0:
            row = 0 if by > 0 else count - 1
        elif abs(by) == 1:
            row = (now + by) % count
        else:
            row = max(0, min(now + by, count - 1))
        self._list.setCurrentIndex(self._model.index(row, 0))
        if (first := self.first()) is not None and first.hint:
            shown = filter(None, map(self._candidate, self._model.indexes()))
            self._model.renew_branches(Branch(replace(one, hint="")) for one in shown)
        self._say_choice()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._voice.cancel()

    def _say_choice(self) -> None:
        """Announce the selected row on behalf of the editor, which keeps the focus."""
        index = self._list.currentIndex()
        words = index.data(Qt.ItemDataRole.AccessibleTextRole) if index.isValid() else ""
        self._voice.choose(str(words), index.row(), self._model.rowCount())

    def _show_page(self) -> None:
        candidate = self.current() or self.first()
        documentation = candidate.completion.documentation if candidate else None
        self._page.set_html(Html.popup(*documentation) if documentation else Html(""))
        self._page.setVisible(bool(documentation))

"""The menu of fixes and refactorings, with the changes of the selected one and their effect on the stack."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from heatstudio.analysis.refactorings import Refactored, Refactoring
from heatstudio.service.edit_effect import NEUTRAL, EditEffect
from heatstudio.text import Applicability, Fix
from heatstudio.ui.problems.diff_view import DiffView
from heatstudio.ui.problems.mini_diff import DiffLine
from heatstudio.ui.widgets import Appearance, Color, PlainLabel, in_column, scaled
from heatstudio.ui.widgets.announcer import announce
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.popup import Popup
from heatstudio.ui.widgets.row_delegate import list_view, row_height
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel

_WIDTH = 560
_MOST_ROWS = 14
_MOST_LINES = 12
_ENTER = "Enter to apply, one undo step."
_HINTS = {
    Applicability.SAFE: _ENTER,
    Applicability.UNSAFE: "Review: this may change the template's behavior.",
    Applicability.DECISION: "Needs your decision.",
}
_COMPUTING = "Computing the effect on the stack…"


class AllOfKind(Struct, frozen=True):
    """The row of the fixes for all problems of the same code."""

    code: str


class MenuCommand(Struct, frozen=True):
    """The row of a command of the window."""

    title: str
    name: str


class Heading(Struct, frozen=True):
    """The heading of the rows below it, which cannot be selected."""

    words: str


class Proposal(Struct, frozen=True):
    """What a refactoring would change."""

    result: Refactored | None = None
    """The edits; None if the refactoring is refused."""
    files: Sequence[tuple[str, Sequence[DiffLine]]] = ()
    """The changed lines of each file with its heading, which is empty for the template itself."""
    effect: EditEffect = EditEffect()


def cell_of_row(value: object, _column: int) -> Cell:
    """Return the title of a row; a fix is bold if it is preferred, and has a badge if it is not safe."""
    match value:
        case Heading(words):
            return Cell(words, accent=Color.MUTED, strong=True)
        case AllOfKind(code):
            return Cell(f"Fix all {code} problems…", ("check", Color.MUTED))
        case MenuCommand(title):
            return Cell(title, ("jump", Color.MUTED))
        case Refactoring(title):
            return Cell(title, ("refactor", Color.ACCENT), tip=title)
        case Fix():
            pass
        case _:
            return NO_CELL
    safe = value.applicability is Applicability.SAFE
    return Cell(
        _parts(value)[0],
        ("fix", Color.ACCENT if value.preferred else Color.MUTED),
        badge=None if safe else (value.applicability.word, Color.WARNING),
        strong=value.preferred,
        tip=value.title,
        spoken=value.title if safe else f"{value.title}, {value.applicability.word}",
    )


def _parts(fix: Fix) -> tuple[str, str]:
    """Return the title of a fix without its reason, and a hint with the reason, which may be long."""
    title, _, reason = fix.title.removesuffix(")").partition(" (")
    hint, is_reason = _HINTS[fix.applicability], fix.title.endswith(")") and " " in reason
    return (title, f"{hint} {reason[:1].upper()}{reason[1:]}.") if is_reason else (fix.title, hint)


def ordered_fixes(fixes: Iterable[Fix]) -> list[Fix]:
    """Return fixes with the preferred ones first, then the safe ones."""
    return sorted(fixes, key=lambda fix: (not fix.preferred, -fix.applicability))


class _Rows(TreeModel):
    """The rows, of which headings cannot be selected."""

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        return Qt.ItemFlag.NoItemFlags if isinstance(self.value(index), Heading) else super().flags(index)


class FixChooser(Popup):
    """The popup menu: arrow keys select, Enter applies, Escape closes."""

    fix_requested = Signal(object)
    kind_requested = Signal(str)
    command_requested = Signal(str)
    refactoring_requested = Signal(object, object)
    """The refactoring and its edits, which have been shown with their effect."""
    effect_asked = Signal(object)
    """The selected fix or refactoring, whose effect on the stack is to be computed."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        self._diffs: Mapping[Fix, Sequence[DiffLine]] = {}
        self._proposals: dict[str, Proposal] = {}
        self._wanted: object = None
        """The refactoring that Enter chose before its effect was known."""
        self.setAccessibleName("Fixes and refactorings")
        self.setObjectName("popup")
        self.model = _Rows(("Fix",), cell_of_row)
        self._list = list_view(self.model, appearance, "Fixes and refactorings")
        self._list.selectionModel().currentChanged.connect(self._show_row)
        self._list.clicked.connect(self._apply)
        self._diff = DiffView(appearance, "Changes")
        self._diff.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._diff.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._diff.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._hint = PlainLabel(wraps=True)
        self._hint.setContentsMargins(8, 4, 8, 4)
        self._hint.setForegroundRole(self._hint.palette().ColorRole.PlaceholderText)
        self.fill(in_column(self._list, self._diff, self._hint, edges=(1, 5, 1, 1), gap=0))
        self.setFocusProxy(self._list)

    def choose(self, rows: Sequence[object], diffs: Mapping[Fix, Sequence[DiffLine]], anchor: QRect) -> None:
        """Show rows next to a rectangle of the screen, and select the first one below a heading."""
        self._diffs, self._proposals, self._wanted = diffs, {}, None
        self._diff.setFont(self._appearance.fixed_font())
        self.model.set_branches(map(Branch, rows))
        self._list.setFixedSize(scaled(_WIDTH), min(len(rows), _MOST_ROWS) * row_height() + 4)
        self._list.setCurrentIndex(self.model.index(int(isinstance(rows[0], Heading)), 0))
        self._list.scrollToTop()
        self.show_beside(anchor)
        self._list.setFocus()
        announce(self, f"{self._list.currentIndex().data()}. {self._hint.text()}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply the selected row on Enter, whichever widget has the focus."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._apply(self._list.currentIndex())
        else:
            super().keyPressEvent(event)

    def show_effect(self, fix: Fix, effect: EditEffect) -> None:
        """Show the effect of the selected fix on a stack."""
        if effect.sentence and self._current() == fix:
            self._say_hint(f"{_parts(fix)[1]} {effect.sentence}")

    def show_proposal(self, refactoring: Refactoring, proposal: Proposal) -> None:
        """Show what the selected refactoring changes; apply it if Enter was pressed and no resource is affected."""
        self._proposals[refactoring.title] = proposal
        if self._current() == refactoring:
            self._show_row(self._list.currentIndex())
            if self._wanted == refactoring and proposal.effect.sentence == NEUTRAL:
                self._apply(self._list.currentIndex())

    def _current(self) -> object:
        return self.model.value(self._list.currentIndex())

    def _apply(self, index: QModelIndex) -> None:
        row = self.model.value(index)
        if isinstance(row, Refactoring):
            self._apply_refactoring(row)
        elif row is not None and not isinstance(row, Heading):
            self.hide()
        match row:
            case Fix():
                self.fix_requested.emit(row)
            case AllOfKind(code):
                self.kind_requested.emit(code)
            case MenuCommand(_, name):
                self.command_requested.emit(name)

    def _apply_refactoring(self, refactoring: Refactoring) -> None:
        """Apply a refactoring whose effect is shown; otherwise wait for it."""
        proposal = self._proposals.get(refactoring.title)
        if proposal is None:
            self._wanted = refactoring
        elif proposal.result is not None:
            self.hide()
            self.refactoring_requested.emit(refactoring, proposal.result)
        else:
            announce(self, self._hint.text())

    def _show_row(self, index: QModelIndex) -> None:
        row = self.model.value(index)
        match row:
            case Fix():
                self.effect_asked.emit(row)
                self._show_lines([("", self._diffs[row])])
                self._say_hint(_parts(row)[1])
            case Refactoring(title):
                self._show_refactoring(row, self._proposals.get(title))
            case AllOfKind():
                self._show_lines(())
                self._say_hint("Enter to choose the files. Applies safe fixes only.")
            case MenuCommand():
                self._show_lines(())
                self._say_hint("Enter to continue.")

    def _show_refactoring(self, row: Refactoring, proposal: Proposal | None) -> None:
        if proposal is None:
            self._show_lines(())
            self._say_hint(_COMPUTING)
            self.effect_asked.emit(row)
            return
        self._show_lines(proposal.files)
        refusal = proposal.effect.refusal
        self._say_hint(f"Not possible. {refusal}" if refusal else f"{_ENTER} {proposal.effect.sentence}")

    def _show_lines(self, files: Sequence[tuple[str, Sequence[DiffLine]]]) -> None:
        self._diff.clear()
        for heading, lines in files:
            if heading:
                self._diff.add_heading(heading)
            self._diff.add_lines(lines[: _MOST_LINES // len(files)])
        self._diff.setFixedHeight(self._diff.height_of_lines() if files else 0)
        self._diff.setFixedWidth(scaled(_WIDTH))

    def _say_hint(self, hint: str) -> None:
        self._hint.setText(without_marks(hint))
        self._hint.setFixedHeight(self._hint.heightForWidth(scaled(_WIDTH)))  # a layout ignores it for its own size
        if self.isVisible():
            announce(self, self._hint.text())

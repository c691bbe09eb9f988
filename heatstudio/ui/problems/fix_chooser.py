"""The list of fixes of one problem, with the changes of the selected fix."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from heatstudio.text import Applicability, Fix
from heatstudio.ui.problems.diff_view import DiffView
from heatstudio.ui.problems.mini_diff import DiffLine
from heatstudio.ui.widgets.announcer import announce
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.popup import Popup
from heatstudio.ui.widgets.row_delegate import ROW_HEIGHT, list_view
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel

_WIDTH = 560
_MOST_ROWS = 6
_MOST_LINES = 12
_HINTS = {
    Applicability.SAFE: "Enter to apply, one undo step.",
    Applicability.UNSAFE: "Review: this may change the template's behavior.",
    Applicability.DECISION: "Needs your decision.",
}
NEUTRAL = "No effect on the stack."


class AllOfKind(Struct, frozen=True):
    """The last row: the fixes for all problems of the same code."""

    code: str


def cell_of_fix(value: object, _column: int) -> Cell:
    """Return the title of a fix, bold if it is preferred, with a badge if it is not safe."""
    if isinstance(value, AllOfKind):
        return Cell(f"Fix all {value.code} problems…", ("check", Color.MUTED))
    if not isinstance(value, Fix):
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


class FixChooser(Popup):
    """The popup of fixes: arrow keys select, Enter applies, Escape closes."""

    fix_requested = Signal(object)
    kind_requested = Signal(str)
    neutrality_asked = Signal(object)
    """The selected fix, whose effect on the stack is to be computed."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._appearance = appearance
        self._diffs: Mapping[Fix, Sequence[DiffLine]] = {}
        self.setAccessibleName("Fixes")
        self.setObjectName("popup")
        self.model = TreeModel(("Fix",), cell_of_fix)
        self._list = list_view(self.model, appearance, "Fixes")
        self._list.selectionModel().currentChanged.connect(self._show_diff)
        self._list.clicked.connect(self._apply)
        self._diff = DiffView(appearance, "Fix preview")
        self._diff.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._diff.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._diff.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._hint = PlainLabel(wraps=True)
        self._hint.setContentsMargins(8, 4, 8, 4)
        self._hint.setForegroundRole(self._hint.palette().ColorRole.PlaceholderText)
        self.fill(in_column(self._list, self._diff, self._hint, edges=(1, 5, 1, 1), gap=0))
        self.setFocusProxy(self._list)

    def choose(self, diffs: Mapping[Fix, Sequence[DiffLine]], anchor: QRect, code: str = "") -> None:
        """Show the fixes of a diagnostic next to a rectangle of the screen, and select the preferred one."""
        self._diffs = diffs
        self._diff.setFont(self._appearance.fixed_font())
        ordered = sorted(diffs, key=lambda fix: (not fix.preferred, -fix.applicability))
        rows: list[object] = [*ordered, *([AllOfKind(code)] if code else [])]
        self.model.set_branches(map(Branch, rows))
        self._list.setFixedSize(_WIDTH, min(len(rows), _MOST_ROWS) * ROW_HEIGHT + 4)
        self._list.setCurrentIndex(self.model.index(0, 0))
        self.show_beside(anchor)
        self._list.setFocus()
        announce(self, f"{self._list.currentIndex().data()}. {self._hint.text()}")

    def fixes(self) -> list[Fix]:
        """Return the fixes in their visible order."""
        return [fix for index in self.model.indexes() if isinstance(fix := self.model.value(index), Fix)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply the selected fix on Enter, whichever widget has the focus."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._apply(self._list.currentIndex())
        else:
            super().keyPressEvent(event)

    def _apply(self, index: QModelIndex) -> None:
        fix = self.model.value(index)
        self.hide()
        if isinstance(fix, Fix):
            self.fix_requested.emit(fix)
        elif isinstance(fix, AllOfKind):
            self.kind_requested.emit(fix.code)

    def show_neutrality(self, fix: Fix, neutral: bool) -> None:
        """Show that the selected fix has no effect on a stack, if that is proven."""
        if neutral and self.model.value(self._list.currentIndex()) == fix:
            self._hint.setText(without_marks(f"{_parts(fix)[1]} {NEUTRAL}"))

    def _show_diff(self, index: QModelIndex) -> None:
        fix = self.model.value(index)
        if isinstance(fix, AllOfKind):
            self._say_hint("Enter to choose the files. Applies safe fixes only.")
            self._diff.setFixedHeight(0)
            return
        if not isinstance(fix, Fix):
            return
        self.neutrality_asked.emit(fix)
        lines = self._diffs[fix]
        self._say_hint(without_marks(_parts(fix)[1]))
        self._diff.show_lines(lines[:_MOST_LINES])
        height = self._diff.fontMetrics().lineSpacing() * max(min(len(lines), _MOST_LINES), 1)
        self._diff.setFixedHeight(height + 2 * int(self._diff.document().documentMargin()) + 4)
        self._diff.setFixedWidth(_WIDTH)

    def _say_hint(self, hint: str) -> None:
        self._hint.setText(hint)
        if self.isVisible():
            announce(self, hint)

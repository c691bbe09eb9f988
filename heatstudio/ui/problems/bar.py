"""The filter bar of the problems pane: severities, families, text, scope and grouping."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from heatstudio.text import FAMILIES, CheckFamily, Severity
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.problems.grouping import Grouping, Scope
from heatstudio.ui.widgets import EDGE, GAP, SEVERITY_ICONS, Appearance, Color, in_row, plain, tool_button
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.search_field import SearchField

USUAL = {Scope.FOLDER: Grouping.FILE}
"""The default grouping of some scopes; others are grouped by severity."""


class ProblemsBar(QWidget):
    """The filter bar, which stores the scope, and the grouping for each scope."""

    changed = Signal()
    fix_requested = Signal()

    def __init__(self, settings: Settings, appearance: Appearance) -> None:
        super().__init__()
        self._settings = settings
        self.filter = SearchField(appearance, "Filter problems")
        self.scopes = choice_box("Scope of the problems list")
        self.groupings = choice_box("Group problems by")
        self.toggles: dict[Severity | CheckFamily, QToolButton] = {}
        for severity in Severity:
            icon, color = SEVERITY_ICONS[severity]
            button = tool_button(appearance, icon, f"Show or hide problems of severity {severity.word}", color)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self._add_toggle(severity, button, is_on=True)
        for family in FAMILIES:
            button = QToolButton(autoRaise=True)
            button.setToolTip(plain(f"Show or hide the family {family}"))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._add_toggle(family, button, is_on=family not in settings.hidden_families)
        self.scopes.addItems([scope.value for scope in Scope])
        self.groupings.addItems([grouping.value for grouping in Grouping])
        fix = tool_button(appearance, "fix", "Show fixes (Alt+Enter)", Color.ACCENT)
        fix.clicked.connect(self.fix_requested)
        choices = (self.filter, 1), self.scopes, self.groupings, fix
        in_row(*self.toggles.values(), *choices, of=self, edges=(EDGE, 4, EDGE, 4), gap=GAP)
        self.scopes.setCurrentText(settings.problem_scope)
        self._recall_grouping()
        self.scopes.currentTextChanged.connect(self._take_scope)
        self.groupings.currentTextChanged.connect(self._take_grouping)

    @property
    def scope(self) -> Scope:
        """The selected scope."""
        return Scope(self.scopes.currentText())

    @property
    def grouping(self) -> Grouping:
        """The selected grouping."""
        return Grouping(self.groupings.currentText())

    @property
    def hidden(self) -> frozenset[Severity | CheckFamily]:
        """The severities and families that are not listed."""
        return frozenset(kind for kind, button in self.toggles.items() if not button.isChecked())

    def count(self, counts: Mapping[Severity | CheckFamily, int]) -> None:
        """Show the unfiltered number of problems by severity and by family; no button for an empty family."""
        for kind, button in self.toggles.items():
            number = counts[kind]
            if isinstance(kind, CheckFamily):
                words, name = f"{number} {kind}", f"the family {kind}"
                button.setVisible(number > 0)
            else:
                words, name = str(number), f"severity {kind.word}"
            button.setText(words)
            button.setAccessibleName(f"Problems of {name}: {number}; toggle the filter")

    def _add_toggle(self, kind: Severity | CheckFamily, button: QToolButton, *, is_on: bool) -> None:
        button.setCheckable(True)
        button.setChecked(is_on)
        button.toggled.connect(self._keep_families)
        self.toggles[kind] = button

    def _keep_families(self) -> None:
        self._settings.hidden_families = [family for family in FAMILIES if family in self.hidden]
        self.changed.emit()

    def _recall_grouping(self) -> None:
        known = self._settings.problem_groupings.get(self.scope, USUAL.get(self.scope, Grouping.SEVERITY))
        self.groupings.setCurrentText(known)

    def _take_scope(self, scope: str) -> None:
        self._settings.problem_scope = scope
        with QSignalBlocker(self.groupings):
            self._recall_grouping()
        self.groupings.update()
        self.changed.emit()

    def _take_grouping(self, grouping: str) -> None:
        self._settings.problem_groupings = {**self._settings.problem_groupings, self.scope: grouping}
        self.changed.emit()

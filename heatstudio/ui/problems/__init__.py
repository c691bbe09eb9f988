"""The problems pane: what is wrong, grouped and filtered, and the fixes for it."""

from heatstudio.ui.problems.fix_all_dialog import FixAllDialog
from heatstudio.ui.problems.fix_chooser import FixChooser
from heatstudio.ui.problems.pane import ProblemsPane

__all__ = ["FixAllDialog", "FixChooser", "ProblemsPane"]

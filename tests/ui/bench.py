"""Creation and lookup of the workbench of a window in tests."""

from __future__ import annotations

from heatstudio.ui.editor.completion.completion_popup import CompletionPopup
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.problems.fix_chooser import FixChooser
from heatstudio.ui.problems.pane import ProblemsPane
from heatstudio.ui.window.window import Window
from heatstudio.ui.window.workbench import Workbench
from heatstudio.ui.workspace.folder_problems import FolderProblems


def make_bench(window: Window) -> Workbench:
    """Create the workbench of a window, as the program does after the first paint."""
    folder_problems = FolderProblems(window.session)
    problems = ProblemsPane(window.session, window.appearance, folder_problems)
    window.sides.fill({"Problems": problems})
    window.prepare_welcome()
    workbench = Workbench(window, folder_problems, problems)
    while window.sides.make_next():
        pass
    return workbench


def bench(window: Window) -> Workbench:
    """Return the workbench of a window."""
    found = window.findChild(Workbench)
    assert isinstance(found, Workbench)
    return found


def labels_of(popup: CompletionPopup) -> list[str]:
    """Return the labels of the listed suggestions, from top to bottom."""
    rows = popup._list.model()
    return [str(rows.index(row, 0).data()) for row in range(rows.rowCount())]


def rows_of(chooser: FixChooser) -> list[object]:
    """Return the rows of the menu of fixes in their visible order."""
    return [chooser.model.value(index) for index in chooser.model.indexes()]


def crumbs_of(pane: EditorPane) -> list[str]:
    """Return the visible elements of the path."""
    return [button.text() for button in pane.breadcrumbs._buttons if not button.isHidden()]

"""Creation and lookup of the workbench of a window in tests."""

from __future__ import annotations

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

"""What the preview says where it has no rows, and why it has none."""

from __future__ import annotations

from heatstudio.analysis import EnvironmentAnalysis
from heatstudio.ui.documents.document import Document
from heatstudio.ui.widgets.panel import LARGE

Words = tuple[str, str]
"""A headline and a sentence."""
_NOTHING = ("The effects of a stack update appear here", "Change the template; Ctrl+Alt+D shows this pane.")
_ENVIRONMENT = ("No preview for environment files", "Open the template that uses this environment.")
_SAME = (
    "No changes",
    "The template and its baseline give the same stack. Change the template, or choose another baseline above.",
)


def words_for_none(document: Document | None) -> tuple[bool, Words]:
    """Whether both sides are known well enough that another old side may help, and the words."""
    if document is None:
        return False, _NOTHING
    plan = document.plan
    if document.analysis is None or plan is None:
        return False, LARGE if document.is_large else _NOTHING
    if plan.unread == "new":
        return True, _unreadable(document)
    if plan.unread == "old":
        return True, (
            "The baseline has a syntax error",
            f"{document.baseline.label} cannot be read. Choose another baseline above.",
        )
    if isinstance(document.analysis, EnvironmentAnalysis):
        return False, _ENVIRONMENT
    return (True, _SAME) if plan.changes else (False, _NOTHING)


def _unreadable(document: Document) -> Words:
    headline = "The template has a syntax error"
    problems = document.analysis.template.problems if document.analysis is not None else ()
    if not problems:
        return headline, "F8 goes to the error."
    first = min(problems, key=lambda problem: problem.span)
    line = document.lines.position(min(first.span.start, len(document.text))).line + 1
    return headline, f"Line {line}: {first.message} F8 goes there."

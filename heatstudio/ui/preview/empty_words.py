"""What the preview says where it has no rows, and why it has none."""

from __future__ import annotations

from heatstudio.ui.document import Document
from heatstudio.ui.panel import LARGE

Words = tuple[str, str]
"""A headline and a sentence."""
_NOTHING = (
    "What a stack update would do appears here",
    "Change something in the template; Ctrl+Alt+D brings this pane back.",
)
_ENVIRONMENT = (
    "What a stack update would do appears beside templates",
    "This is an environment file: open the template that it belongs to.",
)
_SAME = (
    "Nothing would change",
    "The template does the same as the one it is compared with. Change something in it, or compare with another one "
    "above.",
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
            "The preview waits until the old side can be read",
            f"The old text ({document.baseline.label}) has an error in its writing: choose another old side above.",
        )
    from heatstudio.analysis import EnvironmentAnalysis

    if isinstance(document.analysis, EnvironmentAnalysis):
        return False, _ENVIRONMENT
    return (True, _SAME) if plan.changes else (False, _NOTHING)


def _unreadable(document: Document) -> Words:
    headline = "The preview waits until the text can be read"
    problems = document.analysis.template.problems if document.analysis is not None else ()
    if not problems:
        return headline, "F8 goes to what is wrong."
    first = min(problems, key=lambda problem: problem.span)
    line = document.lines.position(min(first.span.start, len(document.text))).line + 1
    return headline, f"Line {line}: {first.message} F8 goes there."

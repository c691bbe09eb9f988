"""Limits on problems and resources: thousands of problems are unreadable and would block the window."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from heatstudio.analysis.scope import Diagnostic, Finding
from heatstudio.template import SyntaxProblem
from heatstudio.text import Severity

MOST_ERRORS = 500
MOST = 5_000
"""The maximum number of errors and warnings, and that of the other problems, which take no place from the former."""
MOST_RESOURCES = 5_000
"""Five times Heat's default limit; resources of a larger template are not checked."""
MOST_IN_TREE = 3_000
"""Three times Heat's default limit; in a larger tree of nested stacks, nested templates are not checked."""


_Problem = TypeVar("_Problem", SyntaxProblem, Diagnostic, Finding)


class ProblemLimit:
    """A counter of problems with a limit."""

    def __init__(self) -> None:
        self._errors = self._grave = self._calm = 0

    @property
    def is_reached(self) -> bool:
        """Whether the limit is reached, so that checking stops."""
        return self._errors >= MOST_ERRORS or self._grave >= MOST

    @property
    def leaves_out(self) -> bool:
        """Whether further problems that are less severe than warnings are left out."""
        return self._calm >= MOST

    def within(self, problems: Iterable[_Problem]) -> Iterator[_Problem]:
        """Yield the problems up to the limit, and count them."""
        if self.is_reached:
            return
        for problem in problems:
            is_calm = problem.severity > Severity.WARNING
            if is_calm and self.leaves_out:
                continue
            yield problem
            self._calm += is_calm
            self._grave += not is_calm
            self._errors += problem.severity is Severity.ERROR
            if self.is_reached:
                return

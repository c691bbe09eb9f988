"""Limits on problems and resources: thousands of problems are not readable and would block the window."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from heatstudio.text import Severity

MOST_ERRORS = 500
MOST = 5_000
MOST_RESOURCES = 5_000
"""Five times as many as Heat allows by default; a template with more is not checked further."""


class _Graded(Protocol):
    @property
    def severity(self) -> Severity: ...


_Problem = TypeVar("_Problem", bound=_Graded)


class ProblemLimit:
    """Counts problems, and stops at a limit."""

    def __init__(self) -> None:
        self._errors = 0
        self._all = 0

    @property
    def is_reached(self) -> bool:
        """Whether nothing more is looked for."""
        return self._errors >= MOST_ERRORS or self._all >= MOST

    def within(self, problems: Iterable[_Problem]) -> Iterator[_Problem]:
        """The problems up to the limit; then the iteration stops."""
        if self.is_reached:
            return
        for problem in problems:
            yield problem
            self._all += 1
            self._errors += problem.severity is Severity.ERROR
            if self.is_reached:
                return

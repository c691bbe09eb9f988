"""A syntax problem of a text."""

from __future__ import annotations

from msgspec import Struct

from heatstudio.text import Severity, Span


class SyntaxProblem(Struct, frozen=True):
    """A problem of the writing itself: a kebab-case code, one sentence with the way out, and where it is."""

    code: str
    message: str
    span: Span
    severity: Severity = Severity.ERROR

    def shifted(self, by: int) -> SyntaxProblem:
        """The same problem, `by` code points further on."""
        return SyntaxProblem(self.code, self.message, self.span.shifted(by), self.severity) if by else self

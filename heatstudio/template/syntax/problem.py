"""Problems in the syntax of a text."""

from __future__ import annotations

from msgspec import Struct

from heatstudio.text import Severity, Span


class SyntaxProblem(Struct, frozen=True):
    """A syntax problem: a kebab-case code, a message that names the fix if possible, and the position."""

    code: str
    message: str
    span: Span
    severity: Severity = Severity.ERROR

    def shifted(self, by: int) -> SyntaxProblem:
        """Return the problem moved by a number of code points."""
        return SyntaxProblem(self.code, self.message, self.span.shifted(by), self.severity) if by else self

"""A diagnostic without its fixes, for transfer between processes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.text import CheckFamily, OtherFileSpan, Severity, Span

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.scope.finding import Diagnostic


class DiagnosticSummary(NamedTuple):
    """A diagnostic without its fixes."""

    code: str
    severity: Severity
    message: str
    span: Span
    also: tuple[Span, ...] = ()
    resource: str | None = None
    property: str | None = None
    has_fixes: bool = False
    heat: str = ""
    related: tuple[tuple[str, Span], ...] = ()
    elsewhere: OtherFileSpan | None = None
    has_preferred_fix: bool = False
    family: CheckFamily = CheckFamily.PROBLEM


def summaries_of(diagnostics: Iterable[Diagnostic]) -> tuple[DiagnosticSummary, ...]:
    """Return diagnostics without their fixes."""
    return tuple(DiagnosticSummary(*(getattr(one, name) for name in DiagnosticSummary._fields)) for one in diagnostics)

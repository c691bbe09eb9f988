"""Quoted Jinja expressions, which Heat reads as plain text."""

import re
from collections.abc import Iterable, Iterator

from heatstudio.analysis.scope import Diagnostic
from heatstudio.text import Severity

CODE = "jinja-template"
_EXPRESSION = re.compile(r"\{\{[^{}\n]*\}\}")
_SHOWN = 2
"""Maximum number of expressions in a message."""


def with_quoted_jinja(text: str, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the diagnostics, but a single one for all values with a Jinja expression that Heat does not accept."""
    found: list[tuple[Diagnostic, str]] = []
    for diagnostic in diagnostics:
        written = text[diagnostic.span.start : diagnostic.span.end]
        expression = _EXPRESSION.search(diagnostic.message) or ("\n" not in written and _EXPRESSION.search(written))
        is_own = diagnostic.finding is not None and diagnostic.elsewhere is None
        if not (expression and is_own) or diagnostic.severity > Severity.WARNING:
            yield diagnostic
        else:
            found.append((diagnostic, expression[0]))
    found.sort(key=lambda one: one[0].span.start)
    if found:
        first, names = found[0][0], [f"`{name}`" for name in dict.fromkeys(name for _, name in found)]
        shown = names if len(names) <= _SHOWN else [", ".join(names[:_SHOWN]), f"{len(names) - _SHOWN} more"]
        be = "is" if len(names) == 1 else "are"
        message = f"This looks like a Jinja source: {' and '.join(shown)} {be} not rendered."
        severity = min(diagnostic.severity for diagnostic, _ in found)
        also = tuple(diagnostic.span for diagnostic, _ in found[1:])
        yield Diagnostic(None, CODE, severity, message, first.span, also)

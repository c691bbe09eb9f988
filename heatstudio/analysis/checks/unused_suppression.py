"""An unused suppression."""

from collections.abc import Iterable, Iterator

from heatstudio.analysis.scope import Diagnostic
from heatstudio.analysis.suppressions import UnusedSuppression, naming, removal
from heatstudio.template import Template
from heatstudio.text import Applicability, Fix, Severity

CODE = "unused-ignore"
_NAMED = 5
"""Maximum number of codes in a message."""


def check(template: Template, suppressions: Iterable[UnusedSuppression], known: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield every unused suppression; `known` are all existing codes."""
    codes = frozenset(known)
    for unused in suppressions:
        span = unused.suppression.comment if unused.entire else unused.codes[0].span
        severity = Severity.WARNING if unused.here else Severity.HINT
        message = _message(unused, codes)
        yield Diagnostic(None, CODE, severity, message, span, ready_fixes=tuple(_fixes(template, unused)))


def _fixes(template: Template, unused: UnusedSuppression) -> Iterator[Fix]:
    if unused.here:
        named = ", ".join(f"`{code}`" for code in unused.here)
        yield Fix(f"Suppress {named}", (naming(unused),), Applicability.UNSAFE, preferred=True)
    title = "Remove this suppression" if unused.entire else "Remove the unused codes from this suppression"
    safety = Applicability.UNSAFE if unused.here else Applicability.SAFE
    yield Fix(title, (removal(template, unused),), safety, preferred=not unused.here)


def _message(unused: UnusedSuppression, known: frozenset[str]) -> str:
    if not unused.suppression.codes:
        return "This suppression has no code; write `ignore[CODE]`, or remove it."
    if unused.suppression.of_file and unused.suppression.target is None:
        return "`ignore-file` must be at the top of the file. Move it there, or remove it."
    names = ", ".join(f"`{one.code}`" for one in unused.codes[:_NAMED]) + (", ..." if unused.codes[_NAMED:] else "")
    strange = next((one.code for one in unused.codes if one.code not in known), None)
    if strange is not None:
        return f"Unknown code `{strange}` in this suppression."
    where = "in this file" if unused.suppression.of_file else "on this line"
    return f"Unused suppression: no {names} problems {where}."

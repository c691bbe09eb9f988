"""# A mute that silences nothing

The comment `# heatstudio: ignore[code]` silences findings of that code: those of its own line where it stands at the
end of one, and otherwise those of the next line. `# heatstudio: ignore-file[code]` above everything else silences those
of the whole file. This one silences nothing.

## Why

Such a comment tells the reader of a problem that is not there any more, and would hide the next one.

## Example

    name: private    # heatstudio: ignore[unknown-property]

## The way out

Remove the comment, or the codes of it that are of no use; the fix does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heatstudio.analysis.finding import Diagnostic
from heatstudio.analysis.mutes import Unused, removal
from heatstudio.text import Applicability, Fix, Severity

CODE = "unused-mute"


def check(text: str, mutes: Iterable[Unused], known: Iterable[str]) -> Iterator[Diagnostic]:
    """Every mute that is of no use; `known` are the codes that there are."""
    codes = frozenset(known)
    for unused in mutes:
        edit = removal(text, unused)
        title = "Remove this mute" if unused.entire else "Remove the codes of no use from this mute"
        fix = Fix(title, (edit,), Applicability.SAFE, preferred=True)
        span = unused.mute.comment if unused.entire else unused.codes[0].span
        message = _message(unused, codes)
        yield Diagnostic(None, CODE, Severity.HINT, message, span, ready_fixes=(fix,))


def _message(unused: Unused, known: frozenset[str]) -> str:
    if not unused.mute.codes:
        return "This mute names no code: write `ignore[code]`, or remove it."
    if unused.mute.of_file and not unused.mute.whole_file:
        return "A mute of the whole file stands above everything else in it: move it up, or remove it."
    names = ", ".join(f"`{one.code}`" for one in unused.codes)
    strange = next((one.code for one in unused.codes if one.code not in known), None)
    if strange is not None:
        return f"There is no code `{strange}`: remove it from this mute."
    where = "file" if unused.mute.whole_file else "line"
    return f"There is no finding of {names} to mute in this {where}: remove it."

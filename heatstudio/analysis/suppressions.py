"""Suppressions: comments that suppress diagnostics, such as `# heatstudio: ignore[type-support] we know`."""

import re
from collections import defaultdict
from collections.abc import Collection

from msgspec import Struct

from heatstudio.analysis.scope import Diagnostic
from heatstudio.template import Template
from heatstudio.template.syntax.nodes import BLOCK_STYLES, ScalarNode
from heatstudio.text import LineIndex, Span, TextEdit

_SIGN = "heatstudio:"
_MUTE = (
    r"(?<![^\s\ufeff])#[ \t]*heatstudio:[ \t]*ignore(?P<file>-file)?"
    r"(?:[ \t]*\[(?P<codes>[^\[\]\r\n]*)\]|(?![\w-]))[^\r\n]*"
)
_CODE = r"[^\s,]+"
WHOLE_FILE = -1


class SuppressedCode(Struct, frozen=True):
    """One code of a suppression, and its position."""

    code: str
    span: Span


class Suppression(Struct, frozen=True):
    """A comment that suppresses codes: on one line, or in the whole file."""

    comment: Span
    codes: tuple[SuppressedCode, ...]
    brackets: Span
    """The span of the codes between the brackets, or the position at which brackets can be inserted."""
    has_brackets: bool
    target: int | None
    """The line whose diagnostics it suppresses; WHOLE_FILE for all lines, None for no line."""
    alone: bool
    """Whether the line of the comment has no other text."""
    of_file: bool
    """Whether the comment is an `ignore-file`, which must be above all content."""


class UnusedSuppression(Struct, frozen=True):
    """A suppression with codes that suppress nothing."""

    suppression: Suppression
    codes: tuple[SuppressedCode, ...]
    here: tuple[str, ...] = ()
    """The codes that a suppression without codes could name."""

    @property
    def entire(self) -> bool:
        """Whether all codes of the suppression are unused."""
        return len(self.codes) == len(self.suppression.codes)


class SplitDiagnostics(Struct, frozen=True):
    """The reported and the suppressed diagnostics of a text."""

    reported: tuple[Diagnostic, ...]
    suppressed: tuple[Diagnostic, ...] = ()
    unused: tuple[UnusedSuppression, ...] = ()


def suppressions(template: Template) -> tuple[Suppression, ...]:
    """Return the suppressions in the comments of a template, in text order; none for JSON."""
    if _SIGN not in template.text or template.is_json:
        return ()
    lines = _ContentLines(template.text)
    found = re.finditer(_MUTE, template.text)
    return tuple(_mute(one, lines) for one in found if not _is_in_scalar(template, one.start()))


def part(template: Template, diagnostics: tuple[Diagnostic, ...], dormant: Collection[str] = ()) -> SplitDiagnostics:
    """Separate suppressed diagnostics from the others. Suppressions of `dormant`, unchecked codes count as used."""
    found = suppressions(template)
    if not found:
        return SplitDiagnostics(diagnostics)
    lines = _ContentLines(template.text)
    muting = {(one.code, suppression.target) for suppression in found for one in suppression.codes}
    codes = {code for code, _ in muting}
    reported: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    used: set[tuple[str, int | None]] = set()
    for diagnostic in diagnostics:
        places = (diagnostic.span, *diagnostic.also) if diagnostic.code in codes else ()
        silencing = muting.intersection((diagnostic.code, line) for line in (WHOLE_FILE, *map(lines.of, places)))
        (suppressed if silencing else reported).append(diagnostic)
        used |= silencing
    named: dict[int | None, dict[str, None]] = defaultdict(dict)
    for one in reported:
        for line in (WHOLE_FILE, lines.index.position(one.span.start).line):
            named[line][one.code] = None
    unused: list[UnusedSuppression] = []
    for suppression in found:
        useless = tuple(
            one for one in suppression.codes if one.code not in dormant and (one.code, suppression.target) not in used
        )
        if not suppression.codes:
            unused.append(UnusedSuppression(suppression, (), tuple(named[suppression.target])))
        elif useless:
            unused.append(UnusedSuppression(suppression, useless))
    return SplitDiagnostics(tuple(reported), tuple(suppressed), tuple(unused) if template.complete else ())


def removal(template: Template, unused: UnusedSuppression) -> TextEdit:
    """Return the edit that removes an unused suppression, or only the unused codes."""
    text, suppression = template.text, unused.suppression
    if not unused.entire:
        useless = set(unused.codes)
        kept = [one.code for one in suppression.codes if one not in useless]
        return TextEdit(suppression.brackets, ", ".join(kept))
    start, end = suppression.comment.start, suppression.comment.end
    while start and text[start - 1] in " \t":
        start -= 1
    if suppression.alone and not text[end:].strip() and _is_block(template, len(text[:start].rstrip())):
        return TextEdit(Span(suppression.comment.start + 1, end), "")  # at the end, the block would lose its line break
    if suppression.alone:
        end = text.find("\n", end) + 1 or len(text)
    return TextEdit(Span(start, end), "")


def naming(unused: UnusedSuppression) -> TextEdit:
    """Return the edit that inserts the missing codes into a suppression."""
    codes, place = ", ".join(unused.here), unused.suppression.brackets
    return TextEdit(place, codes if unused.suppression.has_brackets else f"[{codes}]")


def mute_edit(template: Template, diagnostic: Diagnostic, reason: str = "") -> TextEdit | None:
    """Return the edit that suppresses a diagnostic: in the existing suppression of its line, or in a new line above.

    Return None if no comment is possible: in JSON, and in a multi-line scalar.
    """
    text = template.text
    lines = _ContentLines(text)
    line = lines.of(diagnostic.span)
    start = lines.index.line_span(line).start
    if template.is_json or (start and _is_in_scalar(template, start)):
        return None
    for suppression in suppressions(template):
        if not reason and suppression.target == line and suppression.codes:
            return TextEdit(Span(suppression.brackets.end, suppression.brackets.end), f", {diagnostic.code}")
    mark = "\ufeff" if text.startswith("\ufeff", start) else ""
    content = text[start + len(mark) :]
    indent = content[: len(content) - len(content.lstrip(" "))]
    words = " ".join(reason.split())
    comment = f"# heatstudio: ignore[{diagnostic.code}]" + (f" {words}" if words else "")
    line_end = "\r\n" if "\r\n" in text else "\n"
    at = start + len(mark)
    return TextEdit(Span(at, at), f"{indent}{comment}{line_end}")


class _ContentLines:
    """The lines of a text, with the positions of content: lines other than blank lines and comments."""

    def __init__(self, text: str) -> None:
        self.index = LineIndex(text)
        self.following: list[int | None] = [None]
        """For each line, the number of the first line with content from there on."""
        lines = text.split("\n")
        for number in range(len(lines) - 1, -1, -1):
            content = lines[number].strip(" \t\r\ufeff")
            has_content = bool(content) and not content.startswith("#")
            self.following.append(number if has_content else self.following[-1])
        self.following.reverse()

    def of(self, span: Span) -> int:
        """Return the line of a span, or the first line with content below if that line has none."""
        number = self.index.position(span.start).line
        following = self.following[number]
        return number if following is None else following


def _mute(found: re.Match[str], lines: _ContentLines) -> Suppression:
    number = lines.index.position(found.start()).line
    alone = not found.string[lines.index.line_span(number).start : found.start()].strip(" \t\ufeff")
    of_file, first = found["file"] is not None, lines.following[0]
    target = lines.following[number + 1] if alone else number
    if of_file:
        target = WHOLE_FILE if alone and (first is None or number < first) else None
    end = found.start() + found[0].index("ignore") + len("ignore-file" if of_file else "ignore")
    has_brackets, brackets = found["codes"] is not None, Span(*found.span("codes"))
    codes = (
        SuppressedCode(one[0], Span(*one.span()).shifted(brackets.start))
        for one in re.finditer(_CODE, found["codes"] or "")
    )
    brackets = brackets if has_brackets else Span(end, end)
    return Suppression(Span(*found.span()), tuple(codes), brackets, has_brackets, target, alone, of_file)


def _is_in_scalar(template: Template, offset: int) -> bool:
    """Return whether an offset is inside a scalar, except for the header line of a block scalar."""
    place = template.path_at(offset)
    if not isinstance(place.node, ScalarNode) or not place.span.start < offset < place.span.end:
        return False
    if _is_block(template, offset):
        return "\n" in template.text[place.span.start : offset]
    return True


def _is_block(template: Template, offset: int) -> bool:
    node = template.path_at(offset).node
    return isinstance(node, ScalarNode) and node.style in BLOCK_STYLES

"""Mutes: comments that silence findings, such as `# heatstudio: ignore[type-support] we know`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from heatstudio.analysis.finding import Diagnostic
from heatstudio.template import Template
from heatstudio.template.nodes import ScalarNode
from heatstudio.text import LineIndex, Span, TextEdit

_SIGN = "heatstudio:"
_MUTE = r"(?<![^\s\ufeff])#[ \t]*heatstudio:[ \t]*ignore(?P<file>-file)?[ \t]*\[(?P<codes>[^\]\r\n]*)\][^\r\n]*"
_CODE = r"[^\s,]+"
_BLOCK_STYLES = ("|", ">")


class MutedCode(Struct, frozen=True):
    """One code of a mute, and where it is written."""

    code: str
    span: Span


class Mute(Struct, frozen=True):
    """A comment that silences some codes: on one line, or in the whole file."""

    comment: Span
    codes: tuple[MutedCode, ...]
    brackets: Span
    """What stands between them."""
    line: int | None
    """The line whose findings it silences; None where it silences those of the whole file, or none at all."""
    alone: bool
    """Whether nothing else stands in its line."""
    of_file: bool
    """Whether it is meant for the whole file."""
    whole_file: bool
    """Whether it also stands where such a mute counts: above everything else."""

    def silences(self, line: int) -> bool:
        """Whether it is about findings that are marked in a line."""
        return self.whole_file or line == self.line


class Unused(Struct, frozen=True):
    """A mute of which some codes, or all, silence nothing."""

    mute: Mute
    codes: tuple[MutedCode, ...]

    @property
    def entire(self) -> bool:
        """Whether nothing of the mute is of use."""
        return len(self.codes) == len(self.mute.codes)


class Parted(Struct, frozen=True):
    """Diagnostics, parted by the mutes of their text."""

    told: tuple[Diagnostic, ...]
    muted: tuple[Diagnostic, ...] = ()
    unused: tuple[Unused, ...] = ()


def mutes(template: Template) -> tuple[Mute, ...]:
    """The mutes in the comments of a template, in the order of the text; JSON has no comments."""
    text = template.text
    if _SIGN not in text or template.is_json:
        return ()
    lines = LineIndex(text)
    first = _first_content(text, lines)
    return tuple(
        _mute(found, text, lines, first)
        for found in re.finditer(_MUTE, text)
        if not _is_in_scalar(template, found.start())
    )


def part(
    template: Template,
    diagnostics: tuple[Diagnostic, ...],
    dormant: Collection[str] = (),
    asleep: Iterable[Span] = (),
) -> Parted:
    """Take out what is muted.

    `dormant` codes are not looked for now, and nothing is looked for in the places that are `asleep`, such as resources
    that a condition switches off: mutes of these may well be of use.
    """
    found = mutes(template)
    if not found:
        return Parted(diagnostics)
    lines = LineIndex(template.text)
    by_code: dict[str, list[Mute]] = defaultdict(list)
    for mute in found:
        for one in mute.codes:
            by_code[one.code].append(mute)
    told: list[Diagnostic] = []
    muted: list[Diagnostic] = []
    used: set[tuple[Mute, str]] = set()
    for diagnostic in diagnostics:
        candidates = by_code.get(diagnostic.code, ())
        places = (diagnostic.span, *diagnostic.also) if candidates else ()
        numbers = [_line(span, template.text, lines) for span in places]
        silencing = [mute for mute in candidates if any(map(mute.silences, numbers))]
        (muted if silencing else told).append(diagnostic)
        used.update((mute, diagnostic.code) for mute in silencing)
    used |= {(mute, code) for mute in found for code in dormant}
    quiet = [(lines.position(span.start).line, lines.position(span.end).line) for span in asleep]
    awake = tuple(mute for mute in found if not any(_concerns(mute, *place) for place in quiet))
    unused = tuple(_unused(awake, used))
    return Parted(tuple(told), tuple(muted), unused if template.complete else ())


def _concerns(mute: Mute, first: int, last: int) -> bool:
    return mute.whole_file or (mute.line is not None and first <= mute.line <= last)


def _unused(found: tuple[Mute, ...], used: set[tuple[Mute, str]]) -> Iterator[Unused]:
    for mute in found:
        codes = tuple(one for one in mute.codes if (mute, one.code) not in used)
        if codes or not mute.codes:
            yield Unused(mute, codes)


def removal(text: str, unused: Unused) -> TextEdit:
    """Takes an unused mute out of the text, or the codes of it that are of no use."""
    mute = unused.mute
    if not unused.entire:
        kept = [one.code for one in mute.codes if one not in unused.codes]
        return TextEdit(mute.brackets, ", ".join(kept))
    start, end = mute.comment.start, mute.comment.end
    while start and text[start - 1] in " \t":
        start -= 1
    if mute.alone:
        end = text.find("\n", end) + 1 or len(text)
    return TextEdit(Span(start, end), "")


def mute_edit(template: Template, diagnostic: Diagnostic, reason: str = "") -> TextEdit | None:
    """Mutes the code of a diagnostic in its line: in a mute above that is there already, or in a new line of its own.

    None where no comment can be written: in JSON, and within a text of several lines.
    """
    text = template.text
    lines = LineIndex(text)
    line = _line(diagnostic.span, text, lines)
    start = lines.line_span(line).start
    if template.is_json or (start and _is_in_scalar(template, start)):
        return None
    for mute in mutes(template):
        if not reason and not mute.whole_file and mute.line == line and mute.codes:
            return TextEdit(Span(mute.brackets.end, mute.brackets.end), f", {diagnostic.code}")
    mark = "\ufeff" if text.startswith("\ufeff", start) else ""
    content = text[start + len(mark) :]
    indent = content[: len(content) - len(content.lstrip(" "))]
    words = " ".join(reason.split())
    comment = f"# heatstudio: ignore[{diagnostic.code}]" + (f" {words}" if words else "")
    line_end = "\r\n" if "\r\n" in text else "\n"
    at = start + len(mark)
    return TextEdit(Span(at, at), f"{indent}{comment}{line_end}")


def _mute(found: re.Match[str], text: str, lines: LineIndex, first: int) -> Mute:
    number = lines.position(found.start()).line
    span = lines.line_span(number)
    alone = not text[span.start : found.start()].strip(" \t\ufeff")
    of_file = found["file"] is not None
    line = None
    if not of_file:
        line = _next_content(text, lines, number + 1) if alone else number
    base = found.start("codes")
    codes = tuple(
        MutedCode(one[0], Span(base + one.start(), base + one.end())) for one in re.finditer(_CODE, found["codes"])
    )
    return Mute(
        comment=Span(*found.span()),
        codes=codes,
        brackets=Span(*found.span("codes")),
        line=line,
        alone=alone,
        of_file=of_file,
        whole_file=of_file and alone and number < first,
    )


def _line(span: Span, text: str, lines: LineIndex) -> int:
    """Where a place of a finding starts; what is said of the text as a whole starts below the comments at its top."""
    number = lines.position(span.start).line
    following = _next_content(text, lines, number)
    return number if following is None else following


def _first_content(text: str, lines: LineIndex) -> int:
    first = _next_content(text, lines, 0)
    return len(lines) if first is None else first


def _next_content(text: str, lines: LineIndex, number: int) -> int | None:
    """The first line from a number on that is neither empty nor a comment."""
    for candidate in range(number, len(lines)):
        span = lines.line_span(candidate)
        content = text[span.start : span.end].strip(" \t\r\ufeff")
        if content and not content.startswith("#"):
            return candidate
    return None


def _is_in_scalar(template: Template, offset: int) -> bool:
    """Whether an offset lies within a text that is a value or key; the first line of a block scalar is none of it."""
    place = template.path_at(offset)
    if not isinstance(place.node, ScalarNode) or not place.span.start < offset < place.span.end:
        return False
    if place.node.style in _BLOCK_STYLES:
        return "\n" in template.text[place.span.start : offset]
    return True

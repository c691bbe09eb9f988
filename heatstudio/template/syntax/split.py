"""Splitting of a text into its sections and entries by indentation alone, without parsing.

A text is not split if its pieces could parse differently than the whole.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from heatstudio.template.syntax.yaml_reader import UNREADABLE

_TOP = re.compile(r"\n(?=[^ \t\r\n#])")
_HEAD = re.compile(r"(?:[ ]*(?:#[^\n]*)?\r?\n)*")
_MARKER = re.compile(r"---[ ]*(?:[ ]#[^\n]*)?\r?(?:\n|\Z)")
_HEADER = re.compile(r"[A-Za-z_][\w-]*:[ ]*(?:[ ]#[^\n]*)?\r?\n")
_FIRST = re.compile(r"\n([ ]*)(?=[^ \r\n#])")
_ROUGH_KEY = re.compile(r"""^(?:[\w"'][^\n#]*?):(?=\s|$)""", re.MULTILINE)
_OTHER_BREAKS = ("\x85", "\u2028", "\u2029", "\ufeff")
_NO_TOP_KEY = frozenset("{}[]\"'&*!|>%@`,?\t.")
_NO_ENTRY = frozenset("{}[]&*!|>%@`,?\t")


class Chunk(Struct, frozen=True):
    """A chunk of the text from the start of a line: one pair whose key is in the column `indent`."""

    start: int
    end: int
    indent: int


class SectionCut(Struct, frozen=True):
    """A top-level pair; `entries` are the pairs below its header line, if it has one."""

    whole: Chunk
    header: str
    entries: tuple[Chunk, ...]


def split(text: str) -> list[SectionCut] | None:
    """Split a text into sections; None if it has to be read as a whole."""
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        return None
    if not text.isascii() and any(sign in text for sign in _OTHER_BREAKS):
        return None
    starts = _top_starts(text)
    if not starts:
        return None
    ends = [*starts[1:], len(text)]
    cuts = [_section(text, start, end) for start, end in zip(starts, ends, strict=True)]
    if UNREADABLE.search(text, 0, starts[0]) or any(_hides_unreadable(text, cut) for cut in cuts):
        return None
    return cuts


def split_roughly(text: str) -> list[SectionCut]:
    """Return the chunks of a text that cannot be read as a whole, each from a line that looks like a top-level key."""
    starts = [found.start() for found in _ROUGH_KEY.finditer(text)]
    ends = [*starts[1:], len(text)]
    return [_section(text, start, end) for start, end in zip(starts, ends, strict=False)]


def _hides_unreadable(text: str, cut: SectionCut) -> bool:
    """Return whether YAML rejects a character between a header line and the first entry, which is not parsed."""
    return bool(cut.entries) and UNREADABLE.search(text, cut.whole.start, cut.entries[0].start) is not None


def _top_starts(text: str) -> list[int]:
    """Return the starts of the top-level keys; empty if anything else is in the first column."""
    candidates = [found.end() for found in _TOP.finditer(text)]
    if text[:1] not in ("", " ", "\r", "\n", "#"):
        candidates.insert(0, 0)
    if candidates and text.startswith("---", candidates[0]):
        marker = _MARKER.match(text, candidates[0])
        if marker is None or not _is_blank(text, 0, candidates[0]):
            return []
        return _key_starts(text, candidates[1:], marker.end())
    return _key_starts(text, candidates, 0)


def _key_starts(text: str, candidates: list[int], start: int) -> list[int]:
    """Return the candidates where a key starts; empty if one is neither a key nor a list item."""
    starts = [at for at in candidates if not _is_item(text, at)]
    if not starts or starts[0] != candidates[0] or not _is_blank(text, start, starts[0]):
        return []
    if any(text[at] in _NO_TOP_KEY or text.startswith("---", at) for at in starts):
        return []
    return starts


def _is_blank(text: str, start: int, end: int) -> bool:
    head = _HEAD.match(text, start, end)
    return head is not None and head.end() == end


def _section(text: str, start: int, end: int) -> SectionCut:
    whole = Chunk(start, end, 0)
    header = _HEADER.match(text, start, end)
    if header is None:
        return SectionCut(whole, "", ())
    first = _FIRST.search(text, header.end() - 1, end)
    if first is None or not first.group(1):
        return SectionCut(whole, "", ())
    sign = text[first.end()]
    if sign in _NO_ENTRY or _is_item(text, first.end()):
        return SectionCut(whole, "", ())
    indent = len(first.group(1))
    starts = list(_entry_starts(text, header.end() - 1, end, indent))
    ends = [*starts[1:], end]
    entries = tuple(Chunk(at, until, indent) for at, until in zip(starts, ends, strict=True))
    return SectionCut(whole, header.group(), entries)


def _entry_starts(text: str, start: int, end: int, indent: int) -> Iterator[int]:
    for found in _at_indent(indent).finditer(text, start, end):
        # A list or block scalar may be in the column of its key.
        sign = text[found.end()]
        if sign not in "|>" and not (sign == "-" and _is_item(text, found.end())):
            yield found.end() - indent


def _is_item(text: str, at: int) -> bool:
    return text[at] == "-" and text[at + 1 : at + 2] in (" ", "\n", "\r", "\t", "")


@lru_cache(maxsize=64)
def _at_indent(indent: int) -> re.Pattern[str]:
    return re.compile(r"\n" + " " * indent + r"(?=[^ \t\r\n#])")

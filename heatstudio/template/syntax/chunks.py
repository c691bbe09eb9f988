"""Incremental reading: a text is read entry by entry, and unchanged entries are reused.

Indentation alone splits the text; it is read as a whole if its pieces could parse differently.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from heatstudio.template.syntax import nodes
from heatstudio.template.syntax.construct import (
    NODE_BUDGET,
    Construction,
    construct,
    duplicate_key,
    is_merge,
    key_data,
    loaded_key,
)
from heatstudio.template.syntax.reading import Divider, Known, Reading
from heatstudio.template.syntax.yaml_reader import UNREADABLE, read_yaml
from heatstudio.text import Span, checkpoint

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
    cuts = [_cut_section(text, start, end) for start, end in zip(starts, ends, strict=True)]
    # YAML also rejects a character that no parsed chunk has: above the first key, or between a header and its entries.
    unparsed = [(0, starts[0]), *((cut.whole.start, cut.entries[0].start) for cut in cuts if cut.entries)]
    if any(UNREADABLE.search(text, start, end) for start, end in unparsed):
        return None
    return cuts


def split_roughly(text: str) -> list[SectionCut]:
    """Return the chunks of a text that cannot be read as a whole, each from a line that looks like a top-level key."""
    starts = [found.start() for found in _ROUGH_KEY.finditer(text)]
    ends = [*starts[1:], len(text)]
    return [_cut_section(text, start, end) for start, end in zip(starts, ends, strict=False)]


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


def _cut_section(text: str, start: int, end: int) -> SectionCut:
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
    at_indent = re.compile(r"\n" + " " * indent + r"(?=[^ \t\r\n#])")
    for found in at_indent.finditer(text, start, end):
        # A list or block scalar may be in the column of its key.
        sign = text[found.end()]
        if sign not in "|>" and not (sign == "-" and _is_item(text, found.end())):
            yield found.end() - indent


def _is_item(text: str, at: int) -> bool:
    return text[at] == "-" and text[at + 1 : at + 2] in (" ", "\n", "\r", "\t", "")


class ChunkingError(Exception):
    """An error for chunks that may parse differently than the whole text."""


class _Failure(Struct, frozen=True):
    """A chunk that cannot be read on its own, with the header line that must precede it."""

    cut: Chunk
    header: str = ""
    header_start: int = 0


def read_chunks(text: str, known: Known) -> Reading | None:
    """Read a text piece by piece; None if it has to be read as a whole."""
    cuts = split(text)
    if cuts is None:
        return None
    reader = _Reader(text, known)
    try:
        for cut in cuts:
            reader.read(cut)
            if reader.failure is not None and not reader.failure.header:
                break
    except ChunkingError:
        return None
    if reader.failure is None:
        return reader.reading(None)
    verdict = _verdict(text, reader.failure)
    if verdict is None:
        return None
    # `salvage` splits differently, so that a line in the first column that is no key does not end its section.
    return reader.reading(verdict) if reader.failure.header else salvage(text, verdict, known)


def salvage(text: str, problem: nodes.SyntaxProblem, known: Known) -> Reading:
    """Read the pieces of an invalid YAML text that are valid on their own."""
    reader = _Reader(text, known, alone=False)
    for cut in split_roughly(text):
        reader.read(cut)
    return reader.reading(problem)


def _verdict(text: str, failure: _Failure) -> nodes.SyntaxProblem | None:
    """Return the syntax error at or after the failed piece; the text before it is known to be valid."""
    start, header = failure.cut.start, failure.header
    problem = read_yaml(header + text[start:]).problem
    if problem is None:
        return None

    def placed(offset: int) -> int:
        return offset - len(header) + start if offset >= len(header) else failure.header_start + offset

    span = Span(placed(problem.span.start), placed(problem.span.end))
    return nodes.SyntaxProblem(problem.code, problem.message, span, problem.severity)


class _Reader:
    """A reader of chunks in text order; with `alone`, every chunk must be self-contained."""

    def __init__(self, text: str, known: Known, *, alone: bool = True) -> None:
        self._text = text
        self._known = known
        self._alone = alone
        self._anchors: dict[str, nodes.Node] = {}
        self._sections: list[nodes.Section] = []
        self._names: dict[object, nodes.Key] = {}
        self._problems: list[nodes.SyntaxProblem] = []
        self._complete = True
        self._size = 0
        self.failure: _Failure | None = None

    def reading(self, problem: nodes.SyntaxProblem | None) -> Reading:
        """Return the result, with the syntax error of the whole text if there is one."""
        data: dict[object, object] = {}
        problems: list[nodes.SyntaxProblem] = [problem] if problem else []
        for section in self._sections:
            if section.name in data:
                problems.append(duplicate_key(section.key).shifted(section.shift))
            data[section.name] = section.data
        complete = self._complete and problem is None
        return Reading(tuple(self._sections), data, (*problems, *self._problems), complete)

    def read(self, cut: SectionCut) -> None:
        """Read one section; raise ChunkingError."""
        if not cut.entries or not self._read_entries(cut):
            self._read_section(cut.whole)
        for section in self._sections[-1:]:
            self._distinguish(self._names, section.key, section.name)

    def _read_section(self, cut: Chunk) -> None:
        text = self._text[cut.start : cut.end]
        tree = self._tree(text)
        pair = _single_pair(tree, cut.indent)
        if pair is None or tree.problem is not None:
            self._fail(_Failure(cut))
        if pair is None:
            return
        construction, anchors = self._construct(tree)
        self._problems += [problem.shifted(cut.start) for problem in construction.problems]
        self._complete &= construction.whole
        data = construction.data if isinstance(construction.data, dict) else {}
        divider = Divider(text, nodes.Tree(tree.root, anchors, tree.problem, tree.shared), self._known, construction)
        self._sections += [section.shifted(cut.start) for section in divider.sections(tree.root, data)]

    def _read_entries(self, cut: SectionCut) -> bool:
        """Read a section entry by entry; return False if it has to be read as one piece."""
        key = nodes.ScalarNode(0, cut.header.index(":"), cut.header[: cut.header.index(":")])
        name = key_data(key)
        placed: list[nodes.ShiftedEntry] = []
        for piece in cut.entries:
            checkpoint()
            text = self._text[piece.start : piece.end]
            entry = self._known.get((name, text))
            if entry is None:
                tree = self._tree(text)
                pair = _single_pair(tree, piece.indent)
                if pair is None and tree.problem is None and not placed:
                    return False
                if pair is None or tree.problem is not None:
                    self._fail(_Failure(piece, cut.header, cut.whole.start))
                if pair is None:
                    continue
                entry = self._entry(pair, text, tree)
            placed.append(nodes.ShiftedEntry(entry, piece.start + piece.indent - entry.key.start))
        self._add(name, key, cut.whole.start, placed)
        return True

    def _entry(self, pair: tuple[nodes.Node, nodes.Node], text: str, tree: nodes.Tree) -> nodes.Entry:
        construction, anchors = self._construct(tree)
        data = construction.data if isinstance(construction.data, dict) else {}
        name = key_data(pair[0])
        complete = construction.whole and tree.problem is None
        reusable = complete and not tree.shared
        return nodes.Entry(name, *pair, text, data.get(name), construction.problems, complete, anchors, reusable)

    def _construct(self, tree: nodes.Tree) -> tuple[Construction, Mapping[str, nodes.Node]]:
        """Return the data of a piece, and the anchors for its aliases unless they would expand too far."""
        anchors: Mapping[str, nodes.Node] = self._anchors if self._size <= NODE_BUDGET else {}
        construction = construct(nodes.Tree(tree.root, anchors))
        self._size += construction.size
        return construction, anchors if construction.expands else {}

    def _add(self, name: nodes.Key, key: nodes.Node, start: int, placed: list[nodes.ShiftedEntry]) -> None:
        data: dict[object, object] = {}
        names: dict[object, nodes.Key] = {}
        for item in placed:
            entry = item.entry
            self._distinguish(names, entry.key, entry.name)
            if entry.name in data:
                self._problems.append(duplicate_key(entry.key).shifted(item.shift))
            data[entry.name] = entry.data
            if entry.problems:
                self._problems += [problem.shifted(item.shift) for problem in entry.problems]
            self._complete &= entry.complete
        self._sections.append(nodes.Section(name, key, None, data, tuple(placed), shift=start))

    def _distinguish(self, names: dict[object, nodes.Key], key: nodes.Node, name: nodes.Key) -> None:
        """Raise ChunkingError if two different keys are equal for the loader, such as `1` and `true`."""
        if names.setdefault(loaded_key(key), name) != name and self._alone:
            raise ChunkingError

    def _tree(self, text: str) -> nodes.Tree:
        tree = read_yaml(text, foreign_anchors=not self._alone)
        if tree.shared:
            if self._alone:
                raise ChunkingError
            self._anchors.update(tree.anchors)
        return tree

    def _fail(self, failure: _Failure) -> None:
        self._complete = False
        if self.failure is None:
            self.failure = failure


def _single_pair(tree: nodes.Tree, indent: int) -> tuple[nodes.Node, nodes.Node] | None:
    """Return the only pair of a piece if it starts at the indentation and has a plain scalar key."""
    root = tree.root
    if not isinstance(root, nodes.MappingNode) or root.flow or root.start != indent or len(root.pairs) != 1:
        return None
    key, value = root.pairs[0]
    if not isinstance(key, nodes.ScalarNode) or key.tag is not None or key.start != indent or is_merge(key):
        return None
    return key, value

"""Changes of a template as data, and their rendering as text edits.

Every path refers to the template before all changes. Rendering parses the edited text again, and fails if its data
is not exactly the data after the changes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Self

from msgspec import Struct

from heatstudio.template.editing.container import Child, Container, container_at, reach
from heatstudio.template.editing.rendering_plan import (
    CannotEditError,
    Change,
    Existing,
    Plan,
    changed_data,
    data_at,
    moved_paths,
    plan_changes,
    same_data,
)
from heatstudio.template.editing.writer import Writer
from heatstudio.template.syntax.lookup import Located, Part
from heatstudio.template.syntax.nodes import BLOCK_STYLES, MappingNode, Node, ScalarNode, SequenceNode, TreePath, walk
from heatstudio.template.template import Template, parse_template
from heatstudio.text import (
    Applicability,
    Fix,
    OverlappingEditsError,
    Severity,
    Span,
    TextEdit,
    apply_edits,
    ordered_edits,
)
from heatstudio.text.yaml_lexer import block_header

_COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\r\n]*", re.MULTILINE)
_TRAILING_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")


def comments_within(text: str, span: Span, located: Located) -> Iterator[Span]:
    """Yield the comments in a span around a located value, in text order; `#` inside scalars does not count."""
    nodes = (node for part in (located.key, located.node) if part is not None for node in walk(part))
    scalars = [(node.start + located.shift, node.end + located.shift) for node in nodes if isinstance(node, ScalarNode)]
    for found in _COMMENT.finditer(text, span.start, span.end):
        if not any(start <= found.start() < end for start, end in scalars):
            yield Span(*found.span())


def comment_behind(text: str, located: Located) -> Span | None:
    """Return the trailing comment of a single-line value with the spaces before it; None if there is none."""
    span = located.span()
    found = _TRAILING_COMMENT.match(text, span.end) if "\n" not in text[span.start : span.end] else None
    return Span(*found.span()) if found is not None else None


class Editor:
    """A converter of plans into edits of one template."""

    def __init__(self, template: Template, writer: Writer) -> None:
        self._template = template
        self._text = template.text
        self._writer = writer
        self._moved: frozenset[TreePath] = frozenset()
        """The values whose comments are kept: moved values, and deletions that keep their comments."""
        self._carried: frozenset[int] = frozenset()
        """End offsets of the trailing comments that move with their values."""

    def edits(self, plan: Plan) -> list[TextEdit]:
        """Return all edits of a plan, in text order; raise CannotEditError."""
        added = frozenset(moved_paths(plan))
        changed = {value.path for value in plan.values.values() if isinstance(value, Existing)}
        self._moved = added | plan.commented | changed
        self._carried = frozenset(found.end for path in added if (found := self._comment_behind(path)))
        edits = list(self._all_edits(plan))
        return self._merged(sorted([*edits, *self._at_end_of_text(edits)]))

    def _at_end_of_text(self, edits: list[TextEdit]) -> Iterator[TextEdit]:
        """Yield the edits that keep the value of a last block scalar without a final line break above new lines."""
        _, _, node, span = self._template.path_at(len(self._text.rstrip()))
        header = self._block_header(node, span)
        if header is None or not isinstance(node, ScalarNode) or node.value[-1:] in {"", "\n"}:
            return
        is_kept = not any(edit.span.start < span.end and span.start < edit.span.end for edit in edits)
        if not is_kept or not any(edit.span.start >= span.end and edit.text.strip() for edit in edits):
            return
        if header[2] != "-":
            yield TextEdit(Span(*header.span(2)).shifted(span.start), "-")
        blanks = Span(span.end, self._line_end(span.end))
        if not node.value.endswith(self._text[blanks.start : blanks.end]):
            yield TextEdit(blanks, "")

    def _merged(self, edits: list[TextEdit]) -> list[TextEdit]:
        """Merge edits that add text at the end of deleted lines into the deletions."""
        merged: list[TextEdit] = []
        eol = self._writer.eol
        if edits and edits[-1].span.end == len(self._text) and "|" + eol in edits[-1].text:
            # A block scalar at the end of the text keeps its final newline only if the text ends with one.
            edits[-1] = TextEdit(edits[-1].span, edits[-1].text + eol)
        for edit in edits:
            lines = merged[-1] if merged else None
            at, is_addition = edit.span.start, edit.span.start == edit.span.end
            if lines and is_addition and at <= lines.span.end and self._deletes_lines(lines, at):
                added = edit.text.removeprefix(eol) + eol
                merged[-1] = TextEdit(lines.span, lines.text + added)
            elif lines and edit.text and self._only_comments_between(lines, edit):
                # Kept comments precede the text that replaces their lines.
                merged[-1] = TextEdit(edit.span, edit.text + lines.text.removeprefix(eol) + eol)
            else:
                merged.append(edit)
        return merged

    def _only_comments_between(self, added: TextEdit, edit: TextEdit) -> bool:
        """Return whether `added` inserts lines that only comments separate from the lines that `edit` replaces."""
        at, start = added.span.end, edit.span.start
        if added.span.start != at or not added.text.startswith(self._writer.eol) or start != self._line_start(start):
            return False
        return at < start and all(line.lstrip().startswith("#") for line in self._text[at:start].splitlines()[1:])

    def _deletes_lines(self, edit: TextEdit, end: int) -> bool:
        """Return whether an edit starts at the start of a line before `end`, and `end` is the end of a line."""
        start = edit.span.start
        return start < end and start == self._line_start(start) and end == self._line_end(end)

    def _all_edits(self, plan: Plan) -> Iterator[TextEdit]:
        for path, name in plan.renamed.items():
            yield self._rename(path, name)
        for path, value in plan.values.items():
            yield from self._set(path, value)
        for path in {**plan.entries, **plan.items, **plan.deleted}:
            container = container_at(self._template, path)
            deleted = plan.deleted.get(path, set())
            kept = [child for child in container.children if child.name not in deleted]
            yield from self._delete(path, container, deleted)
            if path in plan.entries:
                yield from self._add_entries(path, container, kept, plan)
            if path in plan.items:
                yield from self._add_items(container, kept, plan.items[path])

    def _rename(self, path: TreePath, name: str) -> TextEdit:
        located = reach(self._template, path)
        key = located.key
        if not isinstance(key, ScalarNode) or key.tag is not None:
            raise CannotEditError("This key has an unusual format. Edit it by hand.")
        quote = key.style if key.style in {"'", '"'} else ""
        return TextEdit(located.span(Part.KEY), self._writer.key(name, quote, flow=self._in_flow(path)))

    def _set(self, path: TreePath, value: object) -> Iterator[TextEdit]:
        located = reach(self._template, path)
        span = located.span()
        node = located.node
        quote = node.style if isinstance(node, ScalarNode) and node.style in {"'", '"'} else ""
        if self._in_flow(path):
            yield self._set_in_flow(span, self._writer.flow(value, quote))
        elif located.key is None:
            yield self._set_item(span, value)
        else:
            yield from self._set_pair(path, located, value, quote)

    def _set_in_flow(self, span: Span, text: str) -> TextEdit:
        if span.start < span.end:
            return TextEdit(span, text)
        if self._text[span.start - 1 : span.start] != ":":
            raise CannotEditError("This key has no colon: add it by hand.")
        return TextEdit(span, " " + text)

    def _set_item(self, span: Span, value: object) -> TextEdit:
        if span.start == span.end:
            dash = self._text.rfind("-", 0, span.start)
            return TextEdit(Span(dash + 1, dash + 1), self._writer.after_dash(value, self._column(dash)))
        return TextEdit(span, self._writer.after_dash(value, self._column(span.start) - 2)[1:])

    def _set_pair(self, path: TreePath, located: Located, value: object, quote: str) -> Iterator[TextEdit]:
        """Set a block value; keep comments after the key, after the old value and above a wrapped value."""
        key, span = located.span(Part.KEY), located.span()
        colon = self._text.find(":", key.end) + 1
        if not colon or self._text[key.end : colon - 1].strip(" \t"):
            raise CannotEditError("This key has an unusual format. Edit it by hand.")
        head, eol, tail = self._writer.after_colon(value, self._column(key.start), quote).partition(self._writer.eol)
        header_end = self._line_end(colon)
        if span.start > header_end:
            above = self._line_start(span.start) - len(self._writer.eol) if _contains(value, path) else header_end
            yield TextEdit(Span(colon, colon), head)
            yield TextEdit(Span(max(above, header_end), span.end), eol + tail)
            return
        if span.start == span.end:
            if colon == header_end:
                yield TextEdit(Span(colon, colon), head + eol + tail)
                return
            yield TextEdit(Span(colon, colon), head)
        elif head:
            yield TextEdit(span, head[1:])
        else:
            yield TextEdit(Span(colon, span.end), "")
        if eol:
            line_end = self._line_end(span.end)
            yield TextEdit(Span(line_end, line_end), eol + tail)

    def _delete(self, path: TreePath, container: Container, names: set[str | int]) -> Iterator[TextEdit]:
        children = container.children
        index = 0
        while index < len(children):
            if children[index].name not in names:
                index += 1
                continue
            first = index
            while index < len(children) and children[index].name in names:
                index += 1
            if container.flow or not self._starts_line(children[first].start):
                edit = self._delete_within(children, first, index)
                if any(self._comments_of(path, child, edit.span) for child in children[first:index]):
                    raise CannotEditError("The moved text contains a comment. Move the text by hand.")
                yield edit
            else:
                for child in children[first:index]:
                    lines = self._lines_of(child)
                    margin = " " * self._column(child.start)
                    comments = self._comments_of(path, child, lines)
                    yield TextEdit(lines, "".join(margin + comment + self._writer.eol for comment in comments))

    def _delete_within(self, children: Sequence[Child], first: int, behind: int) -> TextEdit:
        """Delete consecutive children that share lines with other children."""
        if behind < len(children):
            return TextEdit(Span(children[first].start, children[behind].start), "")
        if first:
            return TextEdit(Span(children[first - 1].end, children[behind - 1].end), "")
        raise CannotEditError("Deleting this would leave an empty map or list. Delete the whole map or list.")

    def _comments_of(self, path: TreePath, child: Child, span: Span) -> list[str]:
        """Return the comments of a deleted child that are kept and do not move with a value."""
        place = (*path, child.name) if isinstance(child.name, str | int) else path
        located = self._template.find(place)
        if located is None or not any(moved[: len(place)] == place for moved in self._moved):
            return []
        found = comments_within(self._text, span, located)
        return [self._text[one.start : one.end] for one in found if one.end not in self._carried]

    def _comment_behind(self, path: TreePath) -> Span | None:
        """Return the trailing comment that moves with a value; None in flow collections and in JSON."""
        located = self._template.find(path)
        if located is None or self._in_flow(path) or self._template.is_json:
            return None
        return comment_behind(self._text, located)

    def _lines_of(self, child: Child) -> Span:
        """Return the lines of a child, with the blank lines below if the line above is also blank."""
        start = self._line_start(child.start)
        end = min(self._line_end(child.end) + len(self._writer.eol), len(self._text))
        if not self._text[self._line_start(max(start - 1, 0)) : start].strip():
            while end < len(self._text) and not self._text[end : self._line_end(end)].strip():
                end = min(self._line_end(end) + len(self._writer.eol), len(self._text))
        return Span(start, end)

    def _add_entries(self, path: TreePath, container: Container, kept: list[Child], plan: Plan) -> Iterator[TextEdit]:
        """Add pairs; pairs with the same predecessor share one edit."""
        places: dict[int, list[str]] = {}
        for name, (value, after) in plan.entries[path].items():
            index = self._predecessor(path, kept, name, after)
            places.setdefault(index, []).append(self._pair_text(path, container, name, value))
        for index, texts in places.items():
            yield self._insert(container, kept, index, texts, blank=len(path) <= 1)

    def _pair_text(self, path: TreePath, container: Container, name: str, value: object) -> str:
        if container.flow:
            return f"{self._writer.key(name, flow=True)}: {self._writer.flow(value)}"
        pair = self._writer.pair(name, value, self._column(container.children[0].start) if path else 0)
        comment = self._comment_behind(value.path) if isinstance(value, Existing) else None
        return pair if comment is None else pair + self._text[comment.start : comment.end]

    def _predecessor(self, path: TreePath, kept: list[Child], name: str, after: str | None) -> int:
        """Return the index of the kept child after which to add a pair; new sections follow the usual order."""
        names = [child.name for child in kept]
        if after in names:
            return names.index(after)
        order = self._template.dialect.section_order
        if not path and name in order:
            earlier = set(order[: order.index(name)])
            return max((index for index, known in enumerate(names) if known in earlier), default=len(kept) - 1)
        return len(kept) - 1

    def _add_items(
        self, container: Container, kept: list[Child], items: list[tuple[int | None, object]]
    ) -> Iterator[TextEdit]:
        places: dict[int, list[str]] = {}
        for at, value in items:
            index = len(kept) - 1
            if at is not None:
                index = sum(isinstance(child.name, int) and child.name < at for child in kept) - 1
            column = self._column(container.children[0].start)
            text = self._writer.flow(value) if container.flow else "-" + self._writer.after_dash(value, column)
            places.setdefault(index, []).append(text)
        for index, texts in places.items():
            yield self._insert(container, kept, index, texts, blank=False)

    def _insert(
        self, container: Container, kept: list[Child], index: int, texts: list[str], *, blank: bool
    ) -> TextEdit:
        """Insert texts after the kept child at an index; -1 inserts before the first."""
        if container.flow:
            return self._insert_in_flow(container, kept, index, texts)
        if not kept:
            raise CannotEditError("Cannot insert the element here. Edit the template by hand.")
        eol = self._writer.eol
        margin = " " * self._column(container.children[0].start)
        if index < 0:
            start = kept[0].start
            return TextEdit(Span(start, start), "".join(text + eol + margin for text in texts))
        at = self._line_end(kept[index].end)
        gap = eol * 2 if blank and self._blank_before(container, kept[index], at) else eol
        return TextEdit(Span(at, at), "".join(gap + margin + text for text in texts))

    def _insert_in_flow(self, container: Container, kept: list[Child], index: int, texts: list[str]) -> TextEdit:
        if not kept:
            at = container.start + 1
            return TextEdit(Span(at, at), ", ".join(texts))
        if container.is_map and self._text[container.start] != "{":  # the only pair of `[a: b]`
            span = Span(kept[0].start, kept[-1].end)
            return TextEdit(span, "{" + ", ".join((self._text[span.start : span.end], *texts)) + "}")
        beside = kept[max(index, 0)]
        line_start = self._line_start(beside.start)
        separator = ", "
        if self._starts_line(beside.start) and line_start:
            separator = "," + self._writer.eol + self._text[line_start : beside.start]
        if index < 0:
            return TextEdit(Span(beside.start, beside.start), "".join(text + separator for text in texts))
        return TextEdit(Span(beside.end, beside.end), "".join(separator + text for text in texts))

    def _blank_before(self, container: Container, beside: Child, at: int) -> bool:
        """Return whether blank lines separate the children and may follow this one."""
        _, _, node, span = self._template.path_at(beside.end)
        header = self._block_header(node, span)
        if header is not None and header[2] == "+":
            return False
        following = self._text[at:].lstrip(" ")
        if following.startswith((self._writer.eol * 2, "\n\n")):
            return True
        start = self._line_start(beside.start)
        return beside != container.children[0] and not self._text[self._line_start(start - 1) : start].strip()

    def _block_header(self, node: Node | None, span: Span) -> re.Match[str] | None:
        is_block = isinstance(node, ScalarNode) and node.style in BLOCK_STYLES
        return block_header(self._text[span.start : self._line_end(span.start)]) if is_block else None

    def _in_flow(self, path: TreePath) -> bool:
        parent = self._template.find(path[:-1])
        node = parent.node if parent else None
        return isinstance(node, MappingNode | SequenceNode) and node.flow

    def _line_start(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _line_end(self, offset: int) -> int:
        """Return the end of the line at an offset, before its line ending."""
        end = self._text.find("\n", offset)
        if end < 0:
            return len(self._text)
        return end - 1 if end > offset and self._text[end - 1] == "\r" else end

    def _column(self, offset: int) -> int:
        line = self._text[self._line_start(offset) : offset]
        return len(line) - line.startswith("\ufeff")

    def _starts_line(self, offset: int) -> bool:
        return not self._text[self._line_start(offset) : offset].strip(" \t\ufeff")


def _contains(value: object, path: TreePath) -> bool:
    """Return whether a new value contains the existing value of a path."""
    if isinstance(value, Existing):
        return value.path == path
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_contains(one, path) for one in inner)


class DataFix(Struct, frozen=True):
    """A quick fix of a diagnostic, described by its changes."""

    title: str
    changes: tuple[Change, ...]
    applicability: Applicability = Applicability.SAFE
    preferred: bool = False

    @classmethod
    def likely(cls, title: str, *changes: Change) -> Self:
        """Return the fix that is probably meant, which changes what the template means."""
        return cls(title, changes, Applicability.UNSAFE, preferred=True)


def render(template: Template, changes: Iterable[Change]) -> tuple[TextEdit, ...]:
    """Return the edits that make the changes, in text order; raise CannotEditError with the reason."""
    if not template.complete:
        raise CannotEditError("The text has syntax errors; fix them first.")
    plan = plan_changes(template.data, tuple(changes))
    expected = changed_data(template.data, plan)
    after = template
    # A new block scalar may lose its last line break at the end of the text; quotes keep it.
    for writer in (Writer(template), Writer(template, verbatim=False), Writer(template, blocks=False)):
        edits = _edits_of(template, plan, writer)
        after = parse_template(apply_edits(template.text, edits), template, template.reader)
        if _is_right(template, after, expected):
            return edits
    raise CannotEditError(_refusal(after, expected))


def render_fix(template: Template, fix: DataFix) -> Fix | None:
    """Return a fix as text edits; None if its changes cannot be applied to this text."""
    try:
        edits = render(template, fix.changes)
    except CannotEditError:
        return None
    return Fix(fix.title, edits, fix.applicability, fix.preferred)


def _edits_of(template: Template, plan: Plan, writer: Writer) -> tuple[TextEdit, ...]:
    try:
        return tuple(ordered_edits(Editor(template, writer).edits(plan)))
    except OverlappingEditsError as error:
        raise CannotEditError("Two of the changes overlap.") from error


def _is_right(template: Template, after: Template, expected: object) -> bool:
    before = sum(problem.severity is Severity.WARNING for problem in template.problems)
    warnings = sum(problem.severity is Severity.WARNING for problem in after.problems)
    return after.complete and warnings <= before and same_data(after.data, expected)


def _refusal(after: Template, expected: object) -> str:
    path, _, node, _ = after.path_at(len(after.text.rstrip()))
    if isinstance(node, ScalarNode) and node.style in BLOCK_STYLES:
        with suppress(CannotEditError):
            if data_at(expected, path) != node.value:
                return f"`{path[-1]}` would lose its last line break at the end of the text. Edit it by hand."
    return "This text cannot be changed safely. Edit it by hand."

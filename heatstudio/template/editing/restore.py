"""Restoration of one pair of an older text with its comments, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from heatstudio.template.editing.container import Child, container_in
from heatstudio.template.editing.rendering_plan import CannotEditError, data_at, same_data
from heatstudio.template.syntax.nodes import Key, MappingNode, TreePath
from heatstudio.template.template import Template, parse_template
from heatstudio.text import Span, TextEdit, apply_edits


def restored(old: Template, new: Template, old_path: TreePath, new_path: TreePath) -> Template | None:
    """Return the new template with the old pair at `old_path` in place of the pair at `new_path`.

    If a path does not exist in its template, the pair is deleted or added. Return None if the text cannot be restored
    exactly, that is, if its data would differ from the expected data, and its text from the old text.
    """
    before, after = _Map.at(old, old_path[:-1]), _Map.at(new, new_path[:-1])
    if before is None or after is None or before.is_flow is not after.is_flow:
        return None
    try:
        expected = _expected(old, new, old_path, new_path)
    except CannotEditError:
        return None
    for edit in _edits(before, after, old_path[-1], new_path[-1]):
        found = parse_template(apply_edits(new.text, [edit]), new, new.reader)
        is_right = found.complete and len(found.problems) <= max(len(old.problems), len(new.problems))
        # At the end of the text, a pair also decides whether the block above it keeps its last line break.
        if found.text == old.text or (is_right and same_data(found.data, expected)):
            return found
    return None


class _Map(Struct, frozen=True):
    """A map in a text."""

    text: str
    children: tuple[Child, ...]
    start: int
    """The offset after its key or its opening brace."""
    end: int
    """The offset of the next pair of an enclosing map, or of its closing brace."""
    is_flow: bool

    @classmethod
    def at(cls, template: Template, path: TreePath) -> _Map | None:
        """Return the map or empty value at a path; None if it cannot be edited key by key."""
        located = template.find(path)
        if located is None:
            return None
        node, shift = located.node, located.shift
        start = located.key.end + shift if located.key is not None else 0
        if located.key is not None and node.start == node.end:
            return cls(template.text, (), start, _end(template, path, start), is_flow=False)
        try:
            container = container_in(template, path, located)
        except CannotEditError:
            return None
        if not container.is_map:
            return None
        if container.flow:
            return cls(template.text, container.children, node.start + shift + 1, node.end + shift - 1, is_flow=True)
        return cls(template.text, container.children, start, _end(template, path, start), is_flow=False)

    def index(self, name: object) -> int | None:
        """Return the index of the last pair with a key."""
        found = [at for at, child in enumerate(self.children) if child.name == name]
        return found[-1] if found else None

    def gap(self, before: Key, behind: Key) -> Span | None:
        """Return the span between two pairs, or the start or end for None; None if they do not exist in this order."""
        first, last = (self.index(before) if before is not None else -1), self.index(behind)
        last = len(self.children) if behind is None else last
        if first is None or last is None or last <= first:
            return None
        start = self.children[first].end if first >= 0 else self.start
        return Span(start, self.children[last].start if last < len(self.children) else self.end)

    def name_above(self, at: int) -> Key:
        """Return the key of the previous pair; None for the first."""
        return self.children[at - 1].name if at else None

    def tile(self, at: int, *, with_comments: bool = True) -> Span:
        """Return the span of a pair: its lines, with its comments above, or in a flow map only the pair."""
        child = self.children[at]
        if self.is_flow:
            return Span(child.start, child.end)
        above = self.line_end(self.children[at - 1].end if at else self.start)
        own = self.text.rfind("\n", 0, child.start) + 1
        return Span(min(above, own) if with_comments else own, self.line_end(child.end))

    def words(self, span: Span) -> list[str]:
        """Return the stripped lines of a span, without blank lines and lines of commas only."""
        lines = self.text[span.start : max(span.end, span.start)].splitlines()
        return [line.strip() for line in lines if line.strip(" ,")]

    def line_end(self, offset: int) -> int:
        """Return the beginning of the next line, or the end of the text."""
        end = self.text.find("\n", max(offset - 1, 0)) + 1
        return end or len(self.text)


def _end(template: Template, path: TreePath, start: int) -> int:
    """Return the start of the next pair after a block map; `start` is the end of the map's key."""
    while path:
        located = template.find(path[:-1])
        if located is not None and isinstance(located.node, MappingNode):
            around = container_in(template, path[:-1], located)
            others = (child for child in around.children if (*path[:-1], child.name) != path)
            behind = [child.start for child in others if child.start >= start]
            if located.node.flow:
                behind.append(located.span().end - 1)
            if behind:
                return min(behind)
        path = path[:-1]
    return len(template.text)


def _edits(before: _Map, after: _Map, old_name: Key, new_name: Key) -> Iterator[TextEdit]:
    """Yield candidate edits, the most exact first."""
    was, is_now = before.index(old_name), after.index(new_name)
    yield from _between_neighbors(before, was, after, is_now)
    if was is not None and is_now is not None:
        is_alike = before.name_above(was) == after.name_above(is_now)
        old, new = (one.tile(at, with_comments=is_alike) for one, at in ((before, was), (after, is_now)))
        yield TextEdit(new, _lines(before, old, after, new.end))
    elif was is not None and not after.is_flow:
        known = [at for child in before.children[:was] if (at := after.index(child.name)) is not None]
        place = after.tile(known[-1]).end if known else after.line_end(after.start)
        newline = "\n" if place and after.text[place - 1] != "\n" else ""
        yield TextEdit(Span(place, place), newline + _lines(before, before.tile(was), after, place))
    elif is_now is not None and not after.is_flow:
        yield TextEdit(after.tile(is_now), "")


def _lines(before: _Map, tile: Span, after: _Map, end: int) -> str:
    """Return the text of a pair's lines, with a final newline if more text follows."""
    text = before.text[tile.start : tile.end]
    return text + "\n" if not after.is_flow and end < len(after.text) and not text.endswith("\n") else text


def _between_neighbors(before: _Map, was: int | None, after: _Map, is_now: int | None) -> Iterator[TextEdit]:
    """Yield the edit that restores all text between the pair's neighbors, if both texts have the same neighbors.

    Other comments of the new text must not be lost, and those of the old text must not return while the pair exists.
    """
    holder, at = (after, is_now) if is_now is not None else (before, was)
    if at is None:
        return
    first = holder.name_above(at)
    last = holder.children[at + 1].name if at + 1 < len(holder.children) else None
    old, new = before.gap(first, last), after.gap(first, last)
    if old is None or new is None:
        return
    others = _others(before, old, was), _others(after, new, is_now)
    if _contains(before.words(old), others[1]) and (is_now is None or _contains(after.words(new), others[0])):
        yield TextEdit(new, before.text[old.start : old.end])


def _others(around: _Map, gap: Span, at: int | None) -> list[str]:
    """Return the lines between a pair's neighbors that do not belong to the pair."""
    if at is None:
        return around.words(gap)
    own = around.tile(at)
    return [*around.words(Span(gap.start, own.start)), *around.words(Span(own.end, gap.end))]


def _contains(lines: list[str], others: list[str]) -> bool:
    """Return whether `others` is a subsequence of `lines`."""
    rest = iter(lines)
    return all(line in rest for line in others)


def _expected(old: Template, new: Template, old_path: TreePath, new_path: TreePath) -> object:
    """Return the data of the new template after the restoration."""
    holder = data_at(old.data, old_path[:-1])

    def changed(value: object, path: TreePath) -> object:
        if len(path) > 1:
            items = value.items() if isinstance(value, Mapping) else ()
            return {key: changed(item, path[1:]) if key == path[0] else item for key, item in items}
        kept = {key: item for key, item in value.items() if key != path[0]} if isinstance(value, Mapping) else {}
        if not isinstance(holder, Mapping):
            return kept or holder
        return kept | {key: item for key, item in holder.items() if key == old_path[-1]}

    return changed(new.data, new_path)

"""Placeholders of `str_replace`, `repeat` and related functions: in the text, and as keys of the values."""

from collections.abc import Iterator

from msgspec import Struct

from heatstudio.analysis.assist.expectation import EnclosingCall, expectation_at
from heatstudio.analysis.assist.reference_index import DEEPEST, Location, SymbolKind, reference_index
from heatstudio.analysis.assist.signature import Placeholders
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, value_at
from heatstudio.stack.path import step
from heatstudio.template import OffsetPlace, Part, TreePath
from heatstudio.template.syntax.nodes import BLOCK_STYLES, Node, ScalarNode
from heatstudio.text import Span
from heatstudio.text.words import occurrences

_TAKEN = "\0"
"""The substitute for replaced characters, which no template can contain."""


class Placeholder(Struct, frozen=True):
    """A placeholder of a call."""

    name: str
    call: TreePath
    """The path of the call's arguments."""
    places: Placeholders
    """The positions of the arguments with the text and with the values."""
    at_key: bool
    """Whether the placeholder is a key of the values, not a part of the text."""


class _Text(Struct, frozen=True):
    """A piece of source text with its offset."""

    written: str
    start: int = 0
    file: str | None = None
    taken: frozenset[object] = frozenset()
    """The placeholders that inner calls have already replaced."""


def placeholder_at(model: SemanticModel, offset: int) -> Placeholder | None:
    """Return the placeholder that contains or ends at an offset."""
    place = model.template.path_at(offset)
    if place.node is None:
        return None
    for length in range(len(place.path), 0, -1):
        found = _of_call(model, place, offset, length)
        if found is not None:
            return found
    return None


def _of_call(model: SemanticModel, place: OffsetPlace, offset: int, length: int) -> Placeholder | None:
    """Return the placeholder if the first `length` steps of the path are an argument of a call with placeholders."""
    argument = place.path[:length]
    call = expectation_at(model, argument).call
    if call is None or call.path != argument[:-1] or call.signature.placeholders is None:
        return None
    places = call.signature.placeholders
    values = (*call.path, places.values)
    if argument == values and place.part is Part.KEY and place.path[:-1] == values:
        return Placeholder(str(place.path[-1]), call.path, places, at_key=True)
    if argument != (*call.path, places.text):
        return None
    at = [
        (offset == end.span.end, name)
        for name, ends in _uses(model, call.path, places).items()
        for end in ends
        if end.file is None and end.span.start <= offset <= end.span.end
    ]
    return Placeholder(min(at)[1], call.path, places, at_key=False) if at else None


def placeholder_key(model: SemanticModel, placeholder: Placeholder) -> Location:
    """Return the location of a placeholder's value."""
    path = (*placeholder.call, placeholder.places.values, placeholder.name)
    return Location(model.template.locate(path, Part.KEY), is_definition=True)


def placeholder_uses(model: SemanticModel, placeholder: Placeholder) -> tuple[Location, ...]:
    """Return the locations of a placeholder in the text, or in the file that contains the text."""
    return tuple(_uses(model, placeholder.call, placeholder.places).get(placeholder.name, ()))


def _uses(model: SemanticModel, call: TreePath, places: Placeholders) -> dict[str, list[Location]]:
    """Return the locations of each placeholder, except where other placeholders are replaced first.

    heat/engine/hot/functions.py, Replace and Repeat.
    """
    names = [name for name in map_at(model.template, (*call, places.values)) if isinstance(name, str) and name]
    uses: dict[str, list[Location]] = {name: [] for name in names}
    for piece in _texts(model, (*call, places.text), set()):
        left = piece.written
        for name in names if places.in_order else sorted(sorted(names), key=len, reverse=True):
            if name not in piece.taken:
                starts = (piece.start + at for at in occurrences(left, name, whole=False))
                uses[name] += [Location(Span(start, start + len(name)), piece.file) for start in starts]
            left = left.replace(name, _TAKEN * len(name))
    return uses


def _texts(
    model: SemanticModel, path: TreePath, seen: set[int], taken: frozenset[object] = frozenset()
) -> Iterator[_Text]:
    """Yield the pieces of the text: keys, scalars other than references, and contents of files."""
    value = value_at(model.template, path)
    if isinstance(value, str):
        named = reference_index(model.template, model.language).at(path, Part.VALUE)
        if named is None:
            yield from _scalar(model, path, Part.VALUE, taken)
        elif named.kind is SymbolKind.FILE:
            yield _Text(model.file_text(named.name) or "", file=named.name, taken=taken)
    elif isinstance(value, dict | list) and id(value) not in seen and len(path) < DEEPEST:
        seen.add(id(value))
        call = expectation_at(model, path).call
        places = call.signature.placeholders if call is not None else None
        for key in value if isinstance(value, dict) else range(len(value)):
            below, gone = (*path, step(key)), taken
            if isinstance(value, dict) and _is_kept(model, below, len(value), call):
                yield from _scalar(model, below, Part.KEY, taken)
            if call is not None and call.path == path and places is not None and key == places.text:
                gone |= frozenset(map_at(model.template, (*path, places.values)))
            yield from _texts(model, below, seen, gone)


def _is_kept(model: SemanticModel, path: TreePath, count: int, around: EnclosingCall | None) -> bool:
    """Return whether a key remains in the evaluated text, unlike functions, arguments and placeholders."""
    if count == 1 and path[-1] in model.language.functions:
        return False
    if around is None or around.path == path[:-1]:
        return around is None
    places = around.signature.placeholders
    return places is None or (*around.path, places.values) != path[:-1]


def _scalar(model: SemanticModel, path: TreePath, part: Part, taken: frozenset[object]) -> Iterator[_Text]:
    """Yield the text of a scalar without quotes or block header."""
    found = model.template.find(path)
    node: Node | None = None if found is None else found.key if part is Part.KEY else found.node
    if found is None or not isinstance(node, ScalarNode):
        return
    span, style = found.span(part), node.style
    written = model.template.text[span.start : span.end]
    skipped = written.find("\n") + 1 if style in BLOCK_STYLES else len(style)
    yield _Text(written[skipped:], span.start + skipped, taken=taken)

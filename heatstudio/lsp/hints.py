"""Hover and inlay hints: the documentation of a name, and the values of parameters and conditions after their uses."""

from lsprotocol.types import Hover, InlayHint, MarkupContent, MarkupKind, Position, Range

from heatstudio.analysis.assist.inline_hints import value_hints
from heatstudio.lsp.workspace import View
from heatstudio.text.invisible import visible
from heatstudio.text.markup import Markdown


def hover(view: View, position: Position) -> Hover | None:
    """Return the hover of the word at a position, or None."""
    found = view.language.hover(view.positions.offset(position))
    if found is None:
        return None
    return Hover(
        MarkupContent(MarkupKind.Markdown, Markdown.popup(found.title, found.lines)), view.positions.range(found.span)
    )


def inlay_hints(view: View, range_: Range) -> list[InlayHint]:
    """Return hints with the current values of the parameters and conditions in a range."""
    if view.is_environment:
        return []
    found = value_hints(view.language.model, view.positions.span(range_))
    return [
        InlayHint(view.positions.position(one.offset), visible(f"= {one.value}"), padding_left=True) for one in found
    ]

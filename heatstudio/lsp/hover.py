"""Hover: the documentation of the word at a position, in Markdown."""

from lsprotocol.types import Hover, MarkupContent, MarkupKind, Position

from heatstudio.lsp.workspace import View
from heatstudio.text.markup import Markdown


def hover(view: View, position: Position) -> Hover | None:
    """Return the hover of the word at a position, or None."""
    found = view.language.hover(view.positions.offset(position))
    if found is None:
        return None
    return Hover(
        MarkupContent(MarkupKind.Markdown, Markdown.popup(found.title, found.lines)), view.positions.range(found.span)
    )

"""Hover: the documentation of the word at a position, in Markdown."""

from lsprotocol.types import Hover, MarkupContent, MarkupKind, Position

from heatstudio.analysis.assist import environment_hover
from heatstudio.analysis.assist import hover as hover_at
from heatstudio.lsp.workspace import View
from heatstudio.text.markup import Markdown


def hover(view: View, position: Position) -> Hover | None:
    """Return the hover of the word at a position, or None."""
    offset = view.positions.offset(position)
    if view.owner is not None:
        found = environment_hover(view.owner, view.document.text, offset)
    else:
        found = hover_at(view.analysis, offset)
    if found is None:
        return None
    return Hover(
        MarkupContent(MarkupKind.Markdown, Markdown.popup(found.title, found.lines)), view.positions.range(found.span)
    )

"""Inlay hints: the values of parameters and conditions after their uses."""

from lsprotocol.types import InlayHint, Range

from heatstudio.analysis.assist.value_hints import value_hints
from heatstudio.lsp.workspace import View
from heatstudio.text.invisible import visible


def inlay_hints(view: View, range_: Range) -> list[InlayHint]:
    """Return hints with the current values of the parameters and conditions in a range."""
    if view.is_environment:
        return []
    found = value_hints(view.analysis, view.positions.span(range_))
    return [
        InlayHint(view.positions.position(one.offset), visible(f"= {one.value}"), padding_left=True) for one in found
    ]

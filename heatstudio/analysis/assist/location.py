"""Locations for navigation."""

from msgspec import Struct

from heatstudio.text import Span

NOWHERE = Span(0, 0)


class Location(Struct, frozen=True):
    """A span in this template or in another file."""

    span: Span
    file: str | None = None
    """None for this template."""
    is_definition: bool = False

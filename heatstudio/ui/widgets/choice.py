"""One thing to pick from a list."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from heatstudio.ui.widgets.theme import Color


class Choice(Struct, frozen=True):
    """One thing to pick."""

    text: str
    pick: Callable[[], object]
    detail: str = ""
    badge: str = ""
    icon: tuple[str, Color] | None = None
    keywords: str = ""
    """What it is found by too, though less than by what is seen."""
    yields: bool = False
    """Whether it stands behind others that fit as well."""

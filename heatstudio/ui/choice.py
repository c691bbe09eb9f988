"""One thing to pick from a list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heatstudio.ui.theme import Color


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to pick."""

    text: str
    pick: Callable[[], object]
    detail: str = ""
    badge: str = ""
    icon: tuple[str, Color] | None = None

"""The colors of a theme that must be distinguishable."""

from __future__ import annotations

from heatstudio.ui.widgets.theme import Color

GROUNDS = (Color.EDITOR_GROUND, Color.PANEL_GROUND)
"""The background colors of text."""
TEXTS = (
    *(Color.TEXT, Color.MUTED, Color.ACCENT, Color.ERROR, Color.WARNING, Color.INFORMATION, Color.HINT),
    *(Color.ADDED, Color.UPDATED, Color.REPLACED, Color.DELETED, Color.MOVED),
    *(Color.NOT_SUPPORTED, Color.UNCHANGED),
    *(Color.KEY, Color.RESOURCE_TYPE, Color.FUNCTION, Color.STRING, Color.REFERENCE, Color.NUMBER, Color.COMMENT),
)
"""The foreground colors of text."""

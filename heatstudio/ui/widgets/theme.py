"""Themes: colors by meaning."""

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from PySide6.QtGui import QColor

from heatstudio.assets import resource_path
from heatstudio.text import Severity


class Color(StrEnum):
    """The meaning of a color, which each theme maps to a value."""

    EDITOR_GROUND = "editor-ground"
    PANEL_GROUND = "panel-ground"
    RAISED_GROUND = "raised-ground"
    HOVER_GROUND = "hover-ground"
    CURRENT_LINE = "current-line"
    SELECTION = "selection"
    MATCH_GROUND = "match-ground"
    ERROR_GROUND = "error-ground"
    WARNING_GROUND = "warning-ground"
    ADDED_GROUND = "added-ground"
    MOVED_GROUND = "moved-ground"
    BORDER = "border"
    """The border between panes, and around widgets that are visible without it."""
    EDGE = "edge"
    """The edge of fields, buttons and scroll bar handles, which are invisible without it."""
    INDENT_GUIDE = "indent-guide"
    TEXT = "text"
    MUTED = "muted"
    DISABLED = "disabled"
    ACCENT = "accent"
    ACCENT_TEXT = "accent-text"
    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    ADDED = "added"
    UPDATED = "updated"
    REPLACED = "replaced"
    DELETED = "deleted"
    MOVED = "moved"
    NOT_SUPPORTED = "not-supported"
    UNCHANGED = "unchanged"
    KEY = "key"
    RESOURCE_TYPE = "resource-type"
    FUNCTION = "function"
    STRING = "string"
    REFERENCE = "reference"
    NUMBER = "number"
    COMMENT = "comment"


SEVERITY_ICONS = {severity: (f"severity-{severity.word}", Color(severity.word)) for severity in Severity}
"""The icon and the color of each severity."""


class Theme(NamedTuple):
    """A theme: the color of every meaning as `#RRGGBB`."""

    name: str
    dark: bool
    least_contrast: float
    colors: Mapping[Color, str]

    def value(self, color: Color) -> str:
        """Return the color of a meaning as `#RRGGBB`."""
        return self.colors[color]

    def color(self, color: Color) -> QColor:
        """Return the color of a meaning as QColor."""
        return QColor(self.colors[color])


@cache
def load_theme(name: str) -> Theme:
    """Load a theme of resources/themes by name; raise OSError if there is none."""
    data = json.loads(resource_path("themes", f"{name}.json").read_text(encoding="utf-8"))
    return Theme(**{**data, "colors": {Color(meaning): value for meaning, value in data["colors"].items()}})

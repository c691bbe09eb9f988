"""Shared widgets, delegates, models, theme and icons."""

from heatstudio.ui.widgets.appearance import ICON_SIZE, Appearance, Scheme, scaled
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.ui.widgets.layouts import Flow, Isolated, in_column, in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, EmptyState, Panel, make_readable, tool_button
from heatstudio.ui.widgets.plain_text import ElidedLabel, PlainLabel, plain
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color, Theme

__all__ = [
    "EDGE",
    "GAP",
    "ICON_SIZE",
    "SEVERITY_ICONS",
    "Appearance",
    "Color",
    "ElidedLabel",
    "EmptyState",
    "Flow",
    "HtmlLabel",
    "Isolated",
    "Panel",
    "PlainLabel",
    "Scheme",
    "Theme",
    "in_column",
    "in_row",
    "make_readable",
    "plain",
    "scaled",
    "tool_button",
]

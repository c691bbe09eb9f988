"""Shared widgets, delegates, models, theme and icons."""

from heatstudio.ui.widgets.appearance import Appearance, Scheme, icon_size, scaled
from heatstudio.ui.widgets.layouts import Flow, Isolated, in_column, in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, EmptyState, Panel, make_readable, show_code, tool_button
from heatstudio.ui.widgets.plain_text import ElidedLabel, PlainLabel, plain
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color, MeaningIconEngine, Theme, fill_background, paint_icon

__all__ = [
    "EDGE",
    "GAP",
    "SEVERITY_ICONS",
    "Appearance",
    "Color",
    "ElidedLabel",
    "EmptyState",
    "Flow",
    "Isolated",
    "MeaningIconEngine",
    "Panel",
    "PlainLabel",
    "Scheme",
    "Theme",
    "fill_background",
    "icon_size",
    "in_column",
    "in_row",
    "make_readable",
    "paint_icon",
    "plain",
    "scaled",
    "show_code",
    "tool_button",
]

"""Widgets, delegates, models, theme and icons that every pane may use."""

"""Shared widgets, delegates, models, theme and icons."""

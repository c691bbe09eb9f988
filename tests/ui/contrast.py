"""The contrast of colors (WCAG 2.1)."""

from __future__ import annotations


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two `#RRGGBB` colors, 1 to 21 (WCAG 2.1)."""
    brighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(value: str) -> float:
    """Return the relative luminance of a `#RRGGBB` color, 0 to 1."""
    channels = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

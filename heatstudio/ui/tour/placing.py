"""Where a card stands beside its anchor: geometry only."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPoint, QRect, QSize

_EDGE = 12


class Side(StrEnum):
    """The side of the anchor that a card stands at; INSIDE where no side has room."""

    RIGHT = "right"
    LEFT = "left"
    BELOW = "below"
    ABOVE = "above"
    INSIDE = "inside"


def place_card(anchor: QRect, size: QSize, room: QRect) -> tuple[QPoint, Side]:
    """The corner of a card of this size: beside the anchor, wholly in the room, and over the anchor only at need."""
    across, along = (Side.RIGHT, Side.LEFT), (Side.BELOW, Side.ABOVE)
    for side in (*along, *across) if anchor.width() > anchor.height() else (*across, *along):
        place = QRect(_corner(anchor, size, side), size)
        if side in across:
            place.moveTop(_clamp(place.top(), room.top(), room.bottom() - size.height() + 1))
        else:
            place.moveLeft(_clamp(place.left(), room.left(), room.right() - size.width() + 1))
        if room.contains(place):
            return place.topLeft(), side
    return place_inside(anchor, size, room)


def place_inside(anchor: QRect, size: QSize, room: QRect) -> tuple[QPoint, Side]:
    """The corner of a card at the lower right of its anchor, over the end of the text and not its beginning."""
    corner = QPoint(anchor.right() - size.width() - _EDGE, anchor.bottom() - size.height() - _EDGE)
    return QPoint(
        _clamp(corner.x(), room.left(), room.right() - size.width() + 1),
        _clamp(corner.y(), room.top(), room.bottom() - size.height() + 1),
    ), Side.INSIDE


def _corner(anchor: QRect, size: QSize, side: Side) -> QPoint:
    match side:
        case Side.RIGHT:
            return QPoint(anchor.right() + 1, anchor.top())
        case Side.LEFT:
            return QPoint(anchor.left() - size.width(), anchor.top())
        case Side.BELOW:
            return QPoint(anchor.left(), anchor.bottom() + 1)
        case _:
            return QPoint(anchor.left(), anchor.top() - size.height())


def _clamp(value: int, least: int, most: int) -> int:
    return max(least, min(value, most))

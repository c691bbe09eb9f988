"""Where a card stands, whatever it belongs to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize

from heatstudio.ui.tour.placing import Side, place_card

ROOM = QRect(0, 0, 900, 600)
CARD = QSize(300, 150)


@pytest.mark.parametrize(
    ("anchor", "side", "corner"),
    [
        (QRect(0, 60, 280, 500), Side.RIGHT, (280, 60)),
        (QRect(650, 60, 250, 500), Side.LEFT, (350, 60)),
        (QRect(200, 300, 120, 20), Side.BELOW, (200, 320)),
        (QRect(200, 400, 700, 200), Side.ABOVE, (200, 250)),
        (QRect(800, 20, 90, 30), Side.BELOW, (600, 50)),
        (QRect(0, 0, 900, 600), Side.INSIDE, (587, 437)),
    ],
)
def test_card_stands_beside_its_anchor(anchor: QRect, side: Side, corner: tuple[int, int]) -> None:
    assert place_card(anchor, CARD, ROOM) == (QPoint(*corner), side)


@given(st.integers(-50, 950), st.integers(-50, 650), st.integers(1, 900), st.integers(1, 600))
def test_card_is_always_wholly_seen(x: int, y: int, width: int, height: int) -> None:
    anchor = QRect(x, y, width, height)
    corner, side = place_card(anchor, CARD, ROOM)
    assert ROOM.contains(QRect(corner, CARD))
    if side is not Side.INSIDE:
        assert not anchor.intersects(QRect(corner, CARD))

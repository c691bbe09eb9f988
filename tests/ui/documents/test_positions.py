from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.ui.documents.qt_text import QtPositions

TEXT = st.text(st.sampled_from("ab\né漢🚀😀"))


@given(TEXT)
def test_position_is_the_number_of_utf16_units_before_it(text: str) -> None:
    positions = QtPositions(text)
    for offset in range(len(text) + 1):
        units = len(text[:offset].encode("utf-16-le")) // 2
        assert positions.position(offset) == units
        assert positions.offset(units) == offset


def test_middle_of_a_surrogate_pair_maps_to_its_start() -> None:
    assert QtPositions("a🚀b").offset(2) == 1

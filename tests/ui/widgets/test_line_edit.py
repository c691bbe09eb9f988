"""Line edits: their picture after each edit."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.text_keys import LineEdit
from tests.ui.fresh_paint import find_difference


def test_a_cut_before_the_visible_part_leaves_no_gap_at_the_end(qtbot: QtBot, appearance: Appearance) -> None:
    field = LineEdit("Words", "type: OS::Neutron::Net, type: OS::Neutron::Net")
    appearance.restyle(field)
    qtbot.addWidget(field)
    field.resize(100, 30)
    with qtbot.waitExposed(field):
        field.show()
    field.setCursorPosition(24)
    assert find_difference() is None
    for start, length in ((24, 12), (6, 12)):
        field.setSelection(start, length)
        field.cut()
        assert find_difference() is None, field.text()

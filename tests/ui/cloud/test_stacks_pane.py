"""The pane of stacks: choice of a cloud, and the stacks of the connected cloud."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem

from heatstudio.cloud.clouds import CloudChoices
from heatstudio.ui.cloud.stacks_model import status_icon
from heatstudio.ui.widgets.row_delegate import RowDelegate, caption_font
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.cloud_screens import connected


@pytest.mark.parametrize(("preferred", "chosen"), [("", "second"), ("third", "third")])
def test_preferred_or_last_used_cloud_is_selected(real: Window, preferred: str, chosen: str) -> None:
    real.actions_by_name["show-cloud"].trigger()
    link = bench(real).cloud.link
    link.last_used = "second"
    link._take_choices(CloudChoices(("first", "second", "third"), preferred=preferred))
    assert bench(real).cloud.stacks.clouds.currentText() == chosen
    assert real.session.settings.last_cloud == "second"


def test_configured_clouds_come_with_the_next_step(real: Window) -> None:
    real.actions_by_name["show-cloud"].trigger()
    pane = bench(real).cloud.stacks
    bench(real).cloud.link._take_choices(CloudChoices(("lab",)))
    assert pane.words.text() == "Connect lists the stacks of the selected cloud. No cloud is contacted until then."
    assert not pane.words.isHidden()
    bench(real).cloud.link._take_choices(CloudChoices(()))
    assert pane.words.text().startswith("No clouds found.")


def test_actions_of_a_stack_are_those_of_the_menu(real: Window) -> None:
    real.session.new("heat_template_version: 2021-04-16\n")
    with connected(real):
        pane = bench(real).cloud.stacks
        menus = (pane.actions_button.menu(), *pane.actions_button.menu().findChildren(QMenu))
        offered = [one for menu in menus for one in menu.actions() if one.objectName()]
        handlers = bench(real).cloud.command_handlers()
        without = {"refresh", "catalog", "import", "forget", "disconnect", "opinion", "create", "adopt"}
        assert {one.objectName() for one in offered} == {*handlers} - {f"cloud-{name}" for name in without}
        assert offered[0] is real.actions_by_name["cloud-open"]
        assert pane.actions_button.menu().actions() == pane.view.actions()
        assert pane.actions_button.isEnabled()
        resume = real.actions_by_name["cloud-resume"]
        assert (resume.isEnabled(), resume.toolTip()) == (False, "The stack is not suspended.")
        assert real.actions_by_name["cloud-suspend"].isEnabled()
        pane.search.setText("no such stack")
        pane.refresh()
        assert not pane.actions_button.isEnabled()
        assert pane.view.contextMenuPolicy() is Qt.ContextMenuPolicy.NoContextMenu
    assert pane.actions_button.isHidden()
    assert real.actions_by_name["cloud-resume"].isEnabled()  # asks to connect


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_opens_the_stack(real: Window, key: Qt.Key) -> None:
    real.session.new("heat_template_version: 2021-04-16\n")
    with connected(real):
        pane, opened = bench(real).cloud.stacks, list[object]()
        pane.open_requested.disconnect()
        pane.open_requested.connect(opened.append)
        real.activateWindow()
        pane.view.setFocus()
        QTest.keyClick(pane.view, key)
        assert opened == [pane.stack]


def test_status_is_never_elided(real: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    real.session.new("heat_template_version: 2021-04-16\n")
    real.resize(900, 600)
    paint, cut = RowDelegate._paint_badge, dict[str, int]()

    def watched(
        delegate: RowDelegate,
        painter: QPainter,
        option: QStyleOptionViewItem,
        room: QRect,
        badge: tuple[str, Color],
        text_width: int,
    ) -> int:
        left = paint(delegate, painter, option, room, badge, text_width)
        whole = QFontMetrics(caption_font(option.font)).horizontalAdvance(badge[0])
        cut[badge[0]] = whole - (room.right() - left)
        return left

    with connected(real):
        monkeypatch.setattr(RowDelegate, "_paint_badge", watched)
        bench(real).cloud.stacks.view.grab()
        monkeypatch.undo()
    assert {"create complete", "rollback complete", "update in progress"} <= set(cut)
    assert max(cut.values()) <= 0


def test_completed_rollback_looks_like_a_warning() -> None:
    warning = ("severity-warning", Color.WARNING)
    assert status_icon("ROLLBACK_COMPLETE") == warning
    assert status_icon("ROLLBACK_IN_PROGRESS")[0] == "refresh"
    assert status_icon("ROLLBACK_FAILED")[0] == "severity-error"
    assert status_icon("UPDATE_COMPLETE")[0] == "check"

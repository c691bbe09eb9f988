"""The icon of the notice above the text."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity
from heatstudio.ui.widgets.appearance import Appearance, icon_size
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.widgets.theme import Color


@pytest.mark.parametrize(
    ("severity", "icon", "color"),
    [
        (Severity.ERROR, "severity-error", Color.ERROR),
        (Severity.WARNING, "severity-warning", Color.WARNING),
        (Severity.INFORMATION, "severity-information", Color.INFORMATION),
    ],
)
def test_icon_shows_the_severity(
    qtbot: QtBot, appearance: Appearance, severity: Severity, icon: str, color: Color
) -> None:
    banner = Banner(appearance)
    qtbot.addWidget(banner)
    banner.say("Heat failed.", severity=severity)
    assert banner._icon.pixmap().toImage() == appearance.icon(icon, color).pixmap(icon_size()).toImage()


def test_notice_is_a_warning_unless_it_says_otherwise(qtbot: QtBot, appearance: Appearance) -> None:
    banner = Banner(appearance)
    qtbot.addWidget(banner)
    banner.say("It was changed.")
    assert banner._notice.severity is Severity.WARNING


def test_notice_that_returns_keeps_its_severity(qtbot: QtBot, appearance: Appearance) -> None:
    banner = Banner(appearance)
    qtbot.addWidget(banner)
    banner.say("Heat failed.", severity=Severity.ERROR, stays=True)
    banner.say("It was changed.")
    banner.turn_to(None)
    assert banner._notice.severity is Severity.ERROR

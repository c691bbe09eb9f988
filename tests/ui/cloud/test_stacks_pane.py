"""The pane of stacks: choice of a cloud, and the stacks of the connected cloud."""

from __future__ import annotations

import pytest

from heatstudio.cloud.clouds import CloudChoices
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench


@pytest.mark.parametrize(("preferred", "chosen"), [("", "second"), ("third", "third")])
def test_preferred_or_last_used_cloud_is_selected(real: Window, preferred: str, chosen: str) -> None:
    real.actions_by_name["show-cloud"].trigger()
    link = bench(real).cloud.link
    link.last_used = "second"
    link._take_choices(CloudChoices(("first", "second", "third"), preferred=preferred))
    assert bench(real).cloud.stacks.clouds.currentText() == chosen
    assert real.session.settings.last_cloud == "second"

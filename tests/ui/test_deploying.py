"""What is said before a stack is created or updated, with a cloud that a test stands in for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from heatstudio.analysis import Analysis
from heatstudio.stack.update.running_stack import RunningStack
from heatstudio.stack.update.update_plan import UpdatePlan
from heatstudio.ui.deploy_dialog import DeployDialog
from heatstudio.ui.document import Document
from heatstudio.ui.window import Window
from tests.ui.cloud_screens import connected

Ask = Callable[[UpdatePlan, UpdatePlan], object]
TEMPLATE = "heat_template_version: 2021-04-16\nresources:\n"


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        (0, ""),
        (1, "The template has 1 error, for which Heat refuses it; F8 leads there."),
        (2, "The template has 2 errors, for which Heat refuses it; F8 leads from one to the next."),
    ],
)
def test_errors_are_told_before_a_stack_is_created(qtbot: QtBot, real: Window, errors: int, words: str) -> None:
    lines = "".join(f"  wrong_{at}: {{type: OS::No::Such}}\n" for at in range(errors))
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n{lines}")
    with connected(real):
        real.actions_by_name["cloud-create"].trigger()
        dialog = real.findChild(DeployDialog)
        assert isinstance(dialog, DeployDialog)
        told = [label.text() for label in dialog.findChildren(QLabel) if "Heat refuses" in label.text()]
        assert told == ([words] if words else [])


def test_every_way_into_the_cloud_leads_out_again(qtbot: QtBot, real: Window) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        document = real.session.new(f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n")
    before = document.baseline
    with connected(real):
        assert real.status.network.text() == "lab"
        assert real.cloud.stacks.view.currentIndex().data() == "web-tier"
        real.actions_by_name["cloud-compare"].trigger()
        qtbot.waitUntil(lambda: document.baseline.label == "stack web-tier in lab")
    assert real.status.network.text() == "offline"
    assert document.baseline is before


def test_nothing_is_left_to_confirm_once_the_cloud_was_left(
    qtbot: QtBot, real: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n")
    planned: list[object] = []
    plan = real.cloud.reader.plan

    def watched(document: Document, analysis: Analysis, found: RunningStack, done: Ask) -> None:
        def take(plan: UpdatePlan, kept: UpdatePlan) -> None:
            done(plan, kept)
            planned.append(plan)

        plan(document, analysis, found, take)
        real.cloud.link.disconnect_cloud()

    monkeypatch.setattr(real.cloud.reader, "plan", watched)
    with connected(real):
        real.actions_by_name["cloud-update"].trigger()
        qtbot.waitUntil(lambda: bool(planned))
        assert real.findChildren(DeployDialog) == []

"""The confirmation before a stack is created or updated, with a simulated cloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.analysis import Analysis
from heatstudio.ui.cloud.confirmations import ActionDialog, DeployDialog
from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from heatstudio.update.plan.update_plan import UpdatePlan
from heatstudio.update.running_stack import RunningStack
from tests.ui.bench import bench
from tests.ui.cloud_screens import connected
from tests.ui.fake_cloud import FakeConnection

Ask = Callable[[UpdatePlan, UpdatePlan], object]
TEMPLATE = "heat_template_version: 2021-04-16\nresources:\n"


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        (0, "The stack would be created"),
        (1, "Heat would reject this: 1 error"),
        (2, "Heat would reject this: 2 errors"),
    ],
)
def test_errors_are_reported_before_a_stack_is_created(qtbot: QtBot, real: Window, errors: int, words: str) -> None:
    lines = "".join(f"  wrong_{at}: {{type: OS::Nova::NoSuch}}\n" for at in range(errors))
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n{lines}")
    with connected(real):
        real.actions_by_name["cloud-create"].trigger()
        qtbot.waitUntil(lambda: real.findChild(DeployDialog) is not None)
        dialog = real.findChild(DeployDialog)
        assert isinstance(dialog, DeployDialog)
        assert dialog.verdict.sentence == words
        assert dialog.verdict.isVisible()


def test_missing_value_is_an_error_unless_the_value_of_the_stack_is_kept(qtbot: QtBot, real: Window) -> None:
    words = "Parameter `key_name` has no value. Set one in the Parameters pane (Ctrl+Shift+U)."
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(
            "heat_template_version: 2021-04-16\nparameters: {key_name: {type: string}}\n"
            "resources: {key: {type: OS::Heat::Value, properties: {value: {get_param: key_name}}}}\n"
        )
    with connected(real):
        real.actions_by_name["cloud-create"].trigger()
        qtbot.waitUntil(lambda: real.findChild(DeployDialog) is not None)
        creation = real.findChild(DeployDialog)
        assert isinstance(creation, DeployDialog)
        assert [index.data() for index in creation._model.indexes()] == [words]
        creation.reject()
        real.actions_by_name["cloud-update"].trigger()
        qtbot.waitUntil(lambda: any(one is not creation for one in real.findChildren(DeployDialog)))
        update = next(one for one in real.findChildren(DeployDialog) if one is not creation)
        assert update.keep.isChecked()
        assert update.verdict.sentence == "The update would change nothing"
        update.keep.setChecked(False)
        assert update.verdict.sentence == "Heat would reject this: 1 error"
        assert update._model.index(0, 0).data() == words


def test_disconnecting_restores_the_baseline(qtbot: QtBot, real: Window) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        document = real.session.new(f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n")
    before = document.baseline
    with connected(real):
        assert real.status.network.text() == "lab"
        assert bench(real).cloud.stacks.view.currentIndex().data() == "web-tier"
        real.actions_by_name["cloud-compare"].trigger()
        qtbot.waitUntil(lambda: document.baseline.label == "stack web-tier in lab")
    assert real.status.network.text() == "offline"
    assert document.baseline is before


def test_no_confirmation_is_shown_after_disconnecting(
    qtbot: QtBot, real: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n")
    planned: list[object] = []
    plan = bench(real).cloud.reader.plan

    def watched(document: Document, analysis: Analysis, found: RunningStack, done: Ask) -> None:
        def take(plan: UpdatePlan, kept: UpdatePlan) -> None:
            done(plan, kept)
            planned.append(plan)

        plan(document, analysis, found, take)
        bench(real).cloud.link.disconnect_cloud()

    monkeypatch.setattr(bench(real).cloud.reader, "plan", watched)
    with connected(real):
        real.actions_by_name["cloud-update"].trigger()
        qtbot.waitUntil(lambda: bool(planned))
        assert real.findChildren(DeployDialog) == []


class ChangingConnection(FakeConnection):
    """A connection with a settable update time of its stacks that counts the requests other than GET."""

    updated = "2026-03-04T16:05:12Z"
    changes = 0

    def ask(self, method: str, path: str, body: Mapping[str, object] | None = None, **options: Any) -> object:
        self.changes += method != "GET"
        found = super().ask(method, path, body, **options)
        shown = found.get("stack") if isinstance(found, dict) else None
        return {"stack": {**shown, "updated_time": self.updated}} if shown else found


def test_stack_changed_by_others_is_previewed_and_confirmed_again(qtbot: QtBot, real: Window) -> None:
    text = f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n"
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(text)
    with connected(real):
        connection = bench(real).cloud.link.connection = ChangingConnection("lab", text)
        said: list[str] = []
        bench(real).cloud.link.failed.connect(said.append)
        real.actions_by_name["cloud-update"].trigger()
        qtbot.waitUntil(lambda: len(real.findChildren(DeployDialog)) == 1)
        first = real.findChildren(DeployDialog)[0]
        connection.updated = "2026-03-05T09:00:00Z"
        first.button.click()
        qtbot.waitUntil(lambda: any(dialog is not first for dialog in real.findChildren(DeployDialog)))
        assert connection.changes == 0
        assert said == ["web-tier was changed in the meantime. Nothing was sent; confirm again."]


def test_stack_is_deleted_only_after_its_name_is_typed(qtbot: QtBot, real: Window) -> None:
    text = f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n"
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(text)
    with connected(real):
        connection = bench(real).cloud.link.connection = ChangingConnection("lab", text)
        real.actions_by_name["cloud-delete"].trigger()
        qtbot.waitUntil(lambda: bool(real.findChildren(ActionDialog)))
        dialog = real.findChild(ActionDialog)
        assert isinstance(dialog, ActionDialog)
        assert not dialog.button.isEnabled()
        dialog.typed.setText("web-tier")
        assert connection.changes == 0
        dialog.button.click()
        qtbot.waitUntil(lambda: connection.changes == 1)


def test_action_is_confirmed_again_if_the_stack_changed(qtbot: QtBot, real: Window) -> None:
    text = f"{TEMPLATE}  right: {{type: OS::Heat::None}}\n"
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(text)
    with connected(real):
        connection = bench(real).cloud.link.connection = ChangingConnection("lab", text)
        real.actions_by_name["cloud-check"].trigger()
        qtbot.waitUntil(lambda: len(real.findChildren(ActionDialog)) == 1)
        first = real.findChildren(ActionDialog)[0]
        connection.updated = "2026-03-05T09:00:00Z"
        first.button.click()
        qtbot.waitUntil(lambda: any(dialog is not first for dialog in real.findChildren(ActionDialog)))
        assert connection.changes == 0

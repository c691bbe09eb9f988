"""The confirmation before an update, including losses inside a group."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from heatstudio.text import Span
from heatstudio.ui.cloud.deploy_dialog import DeployDialog, Deployment, is_grave
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.update.update_plan import Action, Refusal, ResourceChange, UpdatePlan

MEMBERS = (
    ResourceChange("0", "OS::Nova::Server", Action.REPLACED),
    ResourceChange("1", "OS::Nova::Server", Action.DELETED),
)
GROUP = ResourceChange("group", "OS::Heat::ResourceGroup", Action.UPDATED, members=MEMBERS)


def test_replaced_server_in_a_group_needs_confirmation(qtbot: QtBot, appearance: Appearance) -> None:
    plan = UpdatePlan((GROUP,))
    assert is_grave(plan)
    parent = QWidget()
    qtbot.addWidget(parent)
    what = Deployment("mycloud", "a.yaml", "web", (plan, plan))
    dialog = DeployDialog(appearance, parent, what, lambda *_: None)
    assert not dialog.button.isEnabled()
    assert dialog.verdict.sentence == "Heat would accept this update"
    assert dialog._totals.text() == "1 replaced inside · 1 deleted inside · 1 updated in place"
    assert dialog._warning.text() == "This cannot be undone: 1 resource replaced, 1 resource deleted."
    dialog.typed.setText("web")
    assert dialog.button.isEnabled()


def test_update_without_changes_says_so(qtbot: QtBot, appearance: Appearance) -> None:
    plan = UpdatePlan((ResourceChange("server", "OS::Nova::Server", Action.UNCHANGED),))
    parent = QWidget()
    qtbot.addWidget(parent)
    what = Deployment("mycloud", "a.yaml", "web", (plan, plan))
    dialog = DeployDialog(appearance, parent, what, lambda *_: None)
    assert dialog._totals.text() == "No resource changes."
    assert dialog.verdict.sentence == "The update would change nothing"
    assert not is_grave(plan)


def test_possible_replacement_must_be_confirmed(qtbot: QtBot, appearance: Appearance) -> None:
    plan = UpdatePlan((ResourceChange("server", "OS::Nova::Server", Action.REPLACED, certain=False),))
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = DeployDialog(appearance, parent, Deployment("mycloud", "a.yaml", "web", (plan, plan)), lambda *_: None)
    assert dialog._warning.text() == "This cannot be undone: 1 resource may be replaced."
    assert not dialog.button.isEnabled()


def test_failure_is_listed_separately_from_irreversible_changes(qtbot: QtBot, appearance: Appearance) -> None:
    refused = ResourceChange("server", "OS::Nova::Server", Action.NOT_SUPPORTED)
    lost = ResourceChange("volume", "OS::Cinder::Volume", Action.DELETED)
    parent = QWidget()
    qtbot.addWidget(parent)
    for changes, words in (
        ((refused,), "The update would fail."),
        ((refused, lost), "This cannot be undone: 1 resource deleted. The update would fail."),
    ):
        plan = UpdatePlan(changes)
        dialog = DeployDialog(appearance, parent, Deployment("mycloud", "a.yaml", "web", (plan, plan)), lambda *_: None)
        assert dialog._warning.text() == words
        assert not dialog.button.isEnabled()


def test_rejected_update_changes_nothing(qtbot: QtBot, appearance: Appearance) -> None:
    change = ResourceChange("server", "OS::Nova::Server", Action.REPLACED)
    plan = UpdatePlan((change,), refusals=(Refusal("Unknown Property foo.", Span(3, 6), 7),))
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = DeployDialog(appearance, parent, Deployment("mycloud", "a.yaml", "web", (plan, plan)), lambda *_: None)
    assert dialog.verdict.sentence == "Heat would reject this: 1 error"
    assert dialog._totals.text() == "No resource changes."
    assert dialog._warning.text() == "Heat would reject this update and change nothing."
    assert not dialog.button.isEnabled()


@pytest.mark.parametrize("is_update", [True, False])
def test_return_key_sends_nothing_in_a_new_dialog(qtbot: QtBot, appearance: Appearance, is_update: bool) -> None:
    plan = UpdatePlan((ResourceChange("server", "OS::Nova::Server", Action.UPDATED),))
    parent, sent = QWidget(), list[str]()
    qtbot.addWidget(parent)
    what = Deployment("lab", "a.yaml", "web" if is_update else "", (plan, plan) if is_update else None, name="web")
    dialog = DeployDialog(appearance, parent, what, lambda name, *_: sent.append(name))
    dialog.open()
    qtbot.waitUntil(lambda: dialog.focusWidget() is not None)
    assert dialog.button.isEnabled()
    assert not dialog.button.isDefault()
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert sent == []

"""The second yes before an update: what is lost inside of a group is as grave as what is lost beside it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from heatstudio.stack.update.update_plan import Action, ResourceChange, UpdatePlan
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.deploy_dialog import DeployDialog, Deployment, is_grave

MEMBERS = (
    ResourceChange("0", "OS::Nova::Server", Action.REPLACED),
    ResourceChange("1", "OS::Nova::Server", Action.DELETED),
)
GROUP = ResourceChange("group", "OS::Heat::ResourceGroup", Action.UPDATED, members=MEMBERS)


def test_a_server_that_is_replaced_inside_of_a_group_has_to_be_confirmed(qtbot: QtBot, appearance: Appearance) -> None:
    plan = UpdatePlan((GROUP,))
    assert is_grave(plan)
    parent = QWidget()
    qtbot.addWidget(parent)
    what = Deployment("mycloud", "a.yaml", "web", (plan, plan))
    dialog = DeployDialog(appearance, parent, what, lambda _name, _keep: None)
    assert not dialog.button.isEnabled()
    assert dialog._totals.text() == "1 to replace inside · 1 to delete inside · 1 in place"
    assert dialog._warning.text() == "This cannot be undone: 1 to replace inside, 1 to delete inside."
    dialog.typed.setText("web")
    assert dialog.button.isEnabled()


def test_an_update_that_changes_nothing_says_so_without_zeros(qtbot: QtBot, appearance: Appearance) -> None:
    plan = UpdatePlan((ResourceChange("server", "OS::Nova::Server", Action.UNCHANGED),))
    parent = QWidget()
    qtbot.addWidget(parent)
    what = Deployment("mycloud", "a.yaml", "web", (plan, plan))
    dialog = DeployDialog(appearance, parent, what, lambda _name, _keep: None)
    assert dialog._totals.text() == "No resource changes."

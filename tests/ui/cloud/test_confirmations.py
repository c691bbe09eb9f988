"""The confirmation before an update, including losses inside a group."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from heatstudio.cloud.changes import StackOptions
from heatstudio.text import Span
from heatstudio.ui.cloud.confirmations import DeployDialog, Deployment, is_grave
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.update.plan.update_plan import Action, Refusal, ResourceChange, UpdatePlan
from tests.update.plan.test_capacity import CLOUD
from tests.update.plan.test_demand_table import group, plan, server

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


@pytest.mark.parametrize("stack", ["", "web"])
def test_button_needs_a_second_act_if_the_stack_would_fail(qtbot: QtBot, appearance: Appearance, stack: str) -> None:
    demand = plan({}, {"g": group(2, server("large"))})
    parent, sent = QWidget(), list[str]()
    qtbot.addWidget(parent)
    plans = (demand, demand) if stack else (UpdatePlan(), UpdatePlan())
    what = Deployment("lab", "a.yaml", stack, plans, name="web", demand=None if stack else demand, capacity=CLOUD)
    dialog = DeployDialog(appearance, parent, what, lambda name, *_: sent.append(name))
    dialog.show()
    assert dialog.verdict.sentence == f"The {'update' if stack else 'stack'} would fail in this cloud"
    assert "12 cores left, 16 needed by g." in dialog.demand._reasons.accessibleName()
    assert not dialog.button.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert sent == []
    dialog.show()
    dialog.anyway.setChecked(True)
    assert dialog.button.isEnabled()
    dialog.button.click()
    assert sent == ["web"]


def test_stack_that_fits_needs_no_second_act(qtbot: QtBot, appearance: Appearance) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    demand = plan({}, {"s": server("small")})
    what = Deployment("lab", "a.yaml", name="web", demand=demand, capacity=CLOUD)
    dialog = DeployDialog(appearance, parent, what, lambda *_: None)
    assert dialog.verdict.sentence == "The stack would be created"
    assert dialog.anyway.isHidden()
    assert dialog.button.isEnabled()


def test_rename_without_loss_is_offered_instead_of_a_deletion(qtbot: QtBot, appearance: Appearance) -> None:
    deleted = ResourceChange("old", "OS::Nova::Server", Action.DELETED, renamed="new")
    parent, begun = QWidget(), list[str]()
    qtbot.addWidget(parent)
    changes = UpdatePlan((deleted,))
    what = Deployment("lab", "a.yaml", "web", (changes, changes), rename=lambda: begun.append("old"))
    dialog = DeployDialog(appearance, parent, what, lambda *_: begun.append("update"))
    assert not dialog.rename.isHidden()
    dialog.rename.click()
    assert begun == ["old"]
    assert dialog.isHidden()
    without = DeployDialog(appearance, parent, Deployment("lab", "a.yaml", "web", (changes, changes)), lambda *_: None)
    assert without.rename.isHidden()


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


REFUSED = UpdatePlan(
    (ResourceChange("server", "OS::Nova::Server", Action.REPLACED),),
    refusals=(Refusal("Unknown Property foo.", Span(3, 6), 7),),
)


def test_rejected_update_has_no_totals_and_must_be_confirmed(qtbot: QtBot, appearance: Appearance) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    what = Deployment("mycloud", "a.yaml", "web", (REFUSED, REFUSED))
    dialog = DeployDialog(appearance, parent, what, lambda *_: None)
    assert dialog.verdict.sentence == "Heat would reject this: 1 error"
    assert listed(dialog) == ["Line 7: Unknown Property foo.", "Changes once all errors are fixed"]
    assert dialog._totals.isHidden()
    assert not dialog.button.isEnabled()
    dialog.typed.setText("web")
    assert dialog.button.isEnabled()


def test_errors_follow_the_choice_of_values(qtbot: QtBot, appearance: Appearance) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    what = Deployment("mycloud", "a.yaml", "web", (REFUSED, UpdatePlan(REFUSED.changes)), keeps_values=True)
    dialog = DeployDialog(appearance, parent, what, lambda *_: None)
    assert listed(dialog) == ["server"]
    assert not dialog._totals.isHidden()
    assert not dialog._confirmation.isHidden()
    assert not dialog.button.isEnabled()
    dialog.keep.setChecked(False)
    assert "Line 7: Unknown Property foo." in listed(dialog)
    dialog.keep.setChecked(True)
    assert "Line 7: Unknown Property foo." not in listed(dialog)


def test_errors_of_a_new_stack_are_listed(qtbot: QtBot, appearance: Appearance) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    plan = UpdatePlan(refusals=REFUSED.refusals)
    dialog = DeployDialog(appearance, parent, Deployment("lab", "a.yaml", plans=(plan, plan)), lambda *_: None)
    assert listed(dialog) == ["Line 7: Unknown Property foo."]
    assert not dialog.view.isHidden()
    assert dialog.view.accessibleName() == "Errors"


def test_fields_of_a_new_stack_align_and_labels_get_no_spare_height(qtbot: QtBot, appearance: Appearance) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = DeployDialog(appearance, parent, Deployment("lab", "a.yaml", name="web"), lambda *_: None)
    dialog.resize(620, 600)
    dialog.open()
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.view.isHidden()
    assert {field.x() for field in (dialog.name, dialog.options.timeout, dialog.options.tags)} == {dialog.name.x()}
    assert dialog.verdict.height() <= dialog.verdict.sizeHint().height()
    assert dialog.button.mapTo(dialog, QPoint()).y() - dialog.options.tags.geometry().bottom() > 200
    assert dialog.options.timeout.placeholderText() == "in minutes; if empty, the cloud's default"


def listed(dialog: DeployDialog) -> list[str]:
    model = dialog._model
    return [str(index.data()) for index in model.indexes() if not index.parent().isValid()]


@pytest.mark.parametrize(
    ("keys", "minutes"), [("1,000", 1000), ("+", 0), ("+5", 5), ("99999", 9999), ("10081", 1008), ("10080", 10080)]
)
def test_only_a_valid_timeout_can_be_typed(qtbot: QtBot, appearance: Appearance, keys: str, minutes: int) -> None:
    parent, sent = QWidget(), list[StackOptions]()
    qtbot.addWidget(parent)
    locale = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    what = Deployment("lab", "a.yaml", name="web")
    dialog = DeployDialog(appearance, parent, what, lambda _name, _keep, options: sent.append(options))
    QTest.keyClicks(dialog.options.timeout, keys)
    QLocale.setDefault(locale)
    dialog.button.click()
    assert [options.timeout for options in sent] == [minutes]


@pytest.mark.parametrize("is_update", [True, False])
def test_return_key_sends_nothing_in_a_new_dialog(qtbot: QtBot, appearance: Appearance, is_update: bool) -> None:
    plan = UpdatePlan((ResourceChange("server", "OS::Nova::Server", Action.UPDATED),))
    parent, sent = QWidget(), list[str]()
    qtbot.addWidget(parent)
    what = Deployment("lab", "a.yaml", "web", (plan, plan)) if is_update else Deployment("lab", "a.yaml", name="web")
    dialog = DeployDialog(appearance, parent, what, lambda name, *_: sent.append(name))
    dialog.open()
    qtbot.waitUntil(lambda: dialog.focusWidget() is not None)
    assert dialog.button.isEnabled()
    assert not dialog.button.isDefault()
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert sent == []

"""Workflows in the real window with a real Heat and a real Keystone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from heatstudio.cloud.adoption import RenameStage
from heatstudio.service.engine import Engine
from heatstudio.ui.cloud.confirmations import DeployDialog
from heatstudio.ui.cloud.rename_controller import RenameGuide
from heatstudio.ui.widgets.tree_model import CELL_ROLE
from heatstudio.ui.window.window import Window
from tests.cloud.faults import PATIENCE, FaultyProxy, answered, cut_off, slow
from tests.cloud.running import Server
from tests.cloud.server.accounts import DEMO
from tests.cloud.stories import TEMPLATE, written
from tests.ui.bench import bench
from tests.ui.opening import plan_of

pytestmark = pytest.mark.loopback

LONG = 60_000
"""The timeout for Heat in milliseconds."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written(tmp_path)
    return tmp_path / "stack.yaml"


@pytest.fixture
def window(qtbot: QtBot, real: Window, heat: Engine, clouds: Path, file: Path, tmp_path: Path) -> Window:
    """Open a template of widgets in the real window."""
    bench(real).cloud.link._cache_folder = tmp_path / "cache"
    real.files.open([str(file)])
    wait_for_plan(qtbot, real)
    return real


def wait_for_plan(qtbot: QtBot, window: Window) -> None:
    """Wait until the current text is analyzed with its parameter values, and previewed."""
    document = window.session.current
    assert document is not None

    def is_read() -> bool:
        analysis = document.current_analysis
        if analysis is None:
            return False
        return document.is_read_only or analysis.source.parameter_values == document.parameter_values

    qtbot.waitUntil(lambda: is_read() and plan_of(document) is not None, timeout=LONG)


def connected(qtbot: QtBot, window: Window, cloud: str = "heat-demo") -> None:
    """Find the clouds, select one and connect, through the buttons."""
    pane = bench(window).cloud.stacks
    window.actions_by_name["show-cloud"].trigger()
    press(pane.button, "Find Clouds")
    qtbot.waitUntil(lambda: pane.button.text() == "Connect", timeout=LONG)
    pane.clouds.setCurrentText(cloud)
    press(pane.button, "Connect")
    qtbot.waitUntil(lambda: pane.button.text() != "Cancel", timeout=LONG)


def press(button: QPushButton, text: str) -> None:
    assert button.text() == text
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def knowing(qtbot: QtBot, window: Window) -> None:
    """Wait until the catalog of the cloud is loaded."""
    link = bench(window).cloud.link
    qtbot.waitUntil(lambda: link.known is not None and link.known.catalog is not None, timeout=LONG)
    wait_for_plan(qtbot, window)


def dialog_of(qtbot: QtBot, window: Window) -> DeployDialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(DeployDialog)), timeout=LONG)
    found = window.findChildren(DeployDialog)[-1]
    assert isinstance(found, DeployDialog)
    return found


def headline(window: Window) -> str:
    return bench(window).cloud.heat.headline.text()


def said(qtbot: QtBot, window: Window, words: str) -> None:
    qtbot.waitUntil(lambda: words in headline(window), timeout=LONG)


def create(qtbot: QtBot, window: Window, name: str, end: str = "create complete") -> None:
    window.actions_by_name["cloud-create"].trigger()
    dialog = dialog_of(qtbot, window)
    dialog.name.setText(name)
    dialog.button.click()
    said(qtbot, window, f"{name}: {end}")
    wait_for_stack(qtbot, window, name)


def wait_for_stack(qtbot: QtBot, window: Window, name: str) -> None:
    """Wait until the list shows the stack without an action in progress, and select it."""
    pane = bench(window).cloud.stacks

    def select() -> bool:
        for index in pane.model.indexes():
            found = pane.model.value(index)
            if getattr(found, "name", "") == name and not getattr(found, "status", "").endswith("IN_PROGRESS"):
                pane.view.setCurrentIndex(index)
                return True
        return False

    qtbot.waitUntil(select, timeout=LONG)


def replaced(window: Window, old: str, new: str) -> None:
    editor = window.area.editor
    assert editor is not None
    editor.replace_text(editor.text().replace(old, new))


def test_no_cloud_is_contacted_before_a_button_is_pressed(qtbot: QtBot, window: Window) -> None:
    window.actions_by_name["show-cloud"].trigger()
    assert bench(window).cloud.link.choices is None
    assert bench(window).cloud.link.connection is None
    assert window.status.network.text() == "offline"
    window.actions_by_name["cloud-opinion"].trigger()
    assert bench(window).cloud.link.connection is None


def test_stack_is_created_compared_updated_and_followed(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    assert window.status.network.text() == "heat-demo"
    knowing(qtbot, window)
    window.actions_by_name["cloud-opinion"].trigger()
    said(qtbot, window, "Heat accepts this template")
    create(qtbot, window, "story")

    window.actions_by_name["cloud-compare"].trigger()
    document = window.session.current
    assert document is not None
    qtbot.waitUntil(lambda: document.baseline.stack is not None, timeout=LONG)
    replaced(window, "size: 1", "size: 2")
    wait_for_plan(qtbot, window)
    qtbot.waitUntil(lambda: bool((plan := plan_of(document)) and plan.get("base")), timeout=LONG)

    window.actions_by_name["cloud-preview"].trigger()
    said(qtbot, window, "Heat's dry run")
    window.actions_by_name["cloud-update"].trigger()
    dialog = dialog_of(qtbot, window)
    assert not dialog.button.isEnabled()
    dialog.typed.setText("stor")
    assert not dialog.button.isEnabled()
    dialog.typed.setText("story")
    dialog.button.click()
    said(qtbot, window, "story: update complete")

    def compared_with_what_it_is_now() -> bool:
        plan = plan_of(document)
        base = plan.get("base") if plan is not None else None
        return base is not None and str(base.action) == "unchanged"

    qtbot.waitUntil(compared_with_what_it_is_now, timeout=LONG)


def test_template_of_a_stack_is_opened_read_only(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    create(qtbot, window, "opened-story")
    window.actions_by_name["cloud-open"].trigger()
    qtbot.waitUntil(lambda: "opened-story in heat-demo" in window.windowTitle(), timeout=LONG)
    wait_for_plan(qtbot, window)
    assert window.status.state.text() == "Read-only"
    editor, document = window.area.editor, window.session.current
    assert editor is not None
    assert document is not None
    before = editor.text()
    QTest.keyClicks(editor.editor, "x")
    window.actions_by_name["toggle-comment"].trigger()
    window.actions_by_name["fix-all"].trigger()
    assert editor.text() == before
    assert not document.modified


def test_failure_links_to_the_resource(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    replaced(
        window, "lonely: {type: OS::Heat::RandomString, properties: {length: 8}}", "lonely: {type: Studio::Test::Fail}"
    )
    wait_for_plan(qtbot, window)
    create(qtbot, window, "failed-story", "create failed")
    qtbot.waitUntil(lambda: "always fails" in window.area.banner.sentence, timeout=LONG)
    window.area.banner.press("Show Resource")
    editor = window.area.editor
    assert editor is not None
    assert editor.text()[editor.caret_offset() :].startswith("lonely")


def test_rejected_update_must_be_confirmed_by_typing(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    knowing(qtbot, window)
    create(qtbot, window, "refused-story")
    replaced(window, "zone: z1", "zone: z2")
    wait_for_plan(qtbot, window)
    window.actions_by_name["cloud-update"].trigger()
    dialog = dialog_of(qtbot, window)
    assert not dialog.button.isEnabled()
    dialog.reject()


def test_values_of_the_stack_are_kept_only_on_request(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    knowing(qtbot, window)
    document = window.session.current
    assert document is not None
    window.session.set_parameter_values(document, {"label": "given"}, {})
    wait_for_plan(qtbot, window)
    create(qtbot, window, "kept-story")
    window.session.set_parameter_values(document, {}, {})
    wait_for_plan(qtbot, window)
    window.actions_by_name["cloud-update"].trigger()
    dialog = dialog_of(qtbot, window)
    assert "3 updated in place, 1 more inside" in dialog._totals.text()
    dialog.keep.setChecked(True)
    assert dialog._totals.text() == "1 updated without effect"  # Heat always updates the nested stack
    dialog.button.click()
    said(qtbot, window, "kept-story: update complete")
    wait_for_stack(qtbot, window, "kept-story")
    window.actions_by_name["cloud-compare"].trigger()
    qtbot.waitUntil(lambda: document.baseline.stack is not None, timeout=LONG)
    assert document.baseline.stack is not None
    assert document.baseline.stack.parameters["label"] == "given"


def test_error_of_heats_validation_links_to_its_position(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    replaced(window, "size: 1,", "nonsense: 1,")
    wait_for_plan(qtbot, window)
    window.actions_by_name["cloud-opinion"].trigger()
    said(qtbot, window, "Heat rejects this template")
    pane = bench(window).cloud.heat
    assert "nonsense" in str(pane.model.index(0, 0).data())
    pane.view.activated.emit(pane.model.index(0, 0))
    editor = window.area.editor
    assert editor is not None
    line = editor.text()[: editor.caret_offset()].count("\n")
    assert editor.text().splitlines()[line].startswith("  base:")


def test_text_that_is_not_a_template_is_not_sent(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    replaced(window, "resources:", "resources: {")
    document = window.session.current
    assert document is not None
    qtbot.waitUntil(lambda: document.current_analysis is not None, timeout=LONG)
    window.actions_by_name["cloud-opinion"].trigger()
    assert "syntax errors" in window.area.banner.sentence


def test_wrong_password_is_reported_in_the_pane(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window, "heat-wrong-password")
    assert "rejected the login" in bench(window).cloud.stacks.words.text()
    assert bench(window).cloud.stacks.button.text() == "Connect"
    assert window.status.network.text() == "offline"


def test_connecting_can_be_stopped(
    qtbot: QtBot, window: Window, login_faults: FaultyProxy, faults: FaultyProxy
) -> None:
    login_faults.on("/", slow(20))
    pane = bench(window).cloud.stacks
    window.actions_by_name["show-cloud"].trigger()
    press(pane.button, "Find Clouds")
    qtbot.waitUntil(lambda: pane.button.text() == "Connect", timeout=LONG)
    pane.clouds.setCurrentText("heat-faulty")
    press(pane.button, "Connect")
    qtbot.waitUntil(lambda: "Connecting to heat-faulty" in shown_jobs(window), timeout=LONG)
    assert pane.button.text() == "Cancel"
    window.actions_by_name["stop"].trigger()
    assert pane.button.text() == "Connect"


def test_end_of_following_is_announced(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    slow_one = "lonely: {type: Studio::Test::Slow, properties: {seconds: 4}}"
    replaced(window, "lonely: {type: OS::Heat::RandomString, properties: {length: 8}}", slow_one)
    wait_for_plan(qtbot, window)
    window.actions_by_name["cloud-create"].trigger()
    dialog = dialog_of(qtbot, window)
    dialog.name.setText("left-story")
    dialog.button.click()
    qtbot.waitUntil(lambda: "Following left-story" in shown_jobs(window), timeout=LONG)
    window.actions_by_name["stop"].trigger()
    assert "Stopped following" in headline(window)
    assert bench(window).cloud.heat.bar.isHidden()


def test_following_continues_after_errors_of_the_cloud(qtbot: QtBot, window: Window, faults: FaultyProxy) -> None:
    connected(qtbot, window, "heat-faulty")
    interruptions: list[str] = []
    bench(window).cloud.events.interrupted.connect(lambda *_: interruptions.append(headline(window)))
    faults.on(r"/events", answered(500), times=1)
    faults.on(r"/events", cut_off(5), times=1)
    create(qtbot, window, "steady-story")
    first, second = interruptions
    assert "failed (HTTP 500)" in first
    assert first.endswith("Retrying in 2 s.")
    assert second.endswith("Retrying in 4 s.")


def test_expired_login_ends_the_session(qtbot: QtBot, window: Window, faults: FaultyProxy) -> None:
    connected(qtbot, window, "heat-faulty")
    faults.on(r"/stacks", answered(401))
    window.actions_by_name["cloud-refresh"].trigger()
    qtbot.waitUntil(lambda: "expired" in bench(window).cloud.stacks.words.text(), timeout=LONG)
    assert bench(window).cloud.stacks.button.text() == "Connect"


def test_slow_cloud_does_not_block_the_window(qtbot: QtBot, window: Window, faults: FaultyProxy) -> None:
    connected(qtbot, window, "heat-faulty")
    faults.on(r"/stacks", slow(PATIENCE))
    window.actions_by_name["cloud-refresh"].trigger()
    qtbot.waitUntil(lambda: "Loading stacks" in shown_jobs(window), timeout=LONG)
    window.actions_by_name["stop"].trigger()
    assert "Loading stacks" not in shown_jobs(window)


def shown_jobs(window: Window) -> list[str]:
    return [job.name for job in window.session.jobs.shown]


def test_killed_heat_is_reported(qtbot: QtBot, window: Window, mortal_heat: Server) -> None:
    connected(qtbot, window, "heat-faulty")
    mortal_heat.kill()
    window.actions_by_name["cloud-opinion"].trigger()
    qtbot.waitUntil(lambda: "heat-faulty" in bench(window).cloud.stacks.words.text(), timeout=LONG)
    assert window.status.network.text() == "heat-faulty"


def test_types_have_badges_if_only_this_cloud_has_or_lacks_them(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    knowing(qtbot, window)
    engine = window.session.engine
    assert engine is not None
    words = {name: badge(window, name) for name in ("Studio::Test::Widget", "OS::Trove::Instance", "OS::Nova::Server")}
    assert words == {
        "Studio::Test::Widget": "only in heat-demo",
        "OS::Trove::Instance": "not in heat-demo",
        "OS::Nova::Server": "",
    }
    bench(window).browser.type_selected.emit("OS::Trove::Instance", "")
    assert "Not in heat-demo." in bench(window).type_page._status.text()


def badge(window: Window, name: str) -> str:
    """Return the text of the badge in a type's row."""
    model = bench(window).browser.model
    for index in model.indexes():
        if model.data(index, Qt.ItemDataRole.ToolTipRole) == name:
            found = index.data(CELL_ROLE).badge
            return str(found[0]) if isinstance(found, tuple) else ""
    raise AssertionError(f"{name} is not shown")


def test_secrets_are_not_stored_or_shown(qtbot: QtBot, window: Window, tmp_path: Path, clouds: Path) -> None:
    """Neither the cloud's password nor a hidden value of the stack is in the program's files or on the screen."""
    connected(qtbot, window)
    knowing(qtbot, window)
    document = window.session.current
    assert document is not None
    window.session.set_parameter_values(document, {"secret": "sh-it-is-hidden"}, {})
    wait_for_plan(qtbot, window)
    create(qtbot, window, "secretive-story")
    window.actions_by_name["cloud-open"].trigger()
    qtbot.waitUntil(lambda: "secretive-story in" in window.windowTitle(), timeout=LONG)
    wait_for_plan(qtbot, window)
    opened = window.session.current
    assert opened is not None
    assert opened.stack is not None
    reported = f"{opened.text}{opened.stack}{window.windowTitle()}{headline(window)}"
    kept = [path.read_text("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file() and path != clouds]
    assert any("Studio::Test::Widget" in text for text in kept)  # the cached catalog of the cloud is one of the files
    for secret in (DEMO.password, "sh-it-is-hidden"):
        assert secret not in reported
        assert not any(secret in text for text in kept)


def guide_of(qtbot: QtBot, window: Window) -> RenameGuide:
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(RenameGuide)), timeout=LONG)
    return next(one for one in window.findChildren(RenameGuide) if one.isVisible())


def step(qtbot: QtBot, guide: RenameGuide, text: str, stage: RenameStage) -> None:
    """Press the button for the next step, and wait until it is done."""
    assert guide.next.text() == text
    guide.next.click()
    qtbot.waitUntil(lambda: guide.stage is stage and guide.next.isEnabled(), timeout=LONG)


def test_rename_is_continued_in_another_session(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    connected(qtbot, window)
    create(qtbot, window, "rename-story")
    window.actions_by_name["cloud-compare"].trigger()
    window.actions_by_name["cloud-rename"].trigger()
    guide = guide_of(qtbot, window)
    guide.resource.setCurrentText("base")
    guide.name.setText("lonely")
    guide.next.click()
    qtbot.waitUntil(lambda: "already exists" in guide.words.text(), timeout=LONG)
    guide.name.setText("first")
    step(qtbot, guide, "Write the Data", RenameStage.BEFORE)
    step(qtbot, guide, "Abandon", RenameStage.ABANDONED)
    guide.close()
    assert window.session.settings.unfinished_rename == str(tmp_path / "rename-story-rename")
    window.actions_by_name["cloud-disconnect"].trigger()
    press(bench(window).cloud.stacks.button, "Connect")
    qtbot.waitUntil(lambda: "rename of base" in window.area.banner.sentence, timeout=LONG)
    answer = next(one for one in window.area.banner.findChildren(QPushButton) if one.text() == "Continue")
    answer.click()
    guide = guide_of(qtbot, window)
    qtbot.waitUntil(lambda: guide.stage is RenameStage.ABANDONED, timeout=LONG)
    step(qtbot, guide, "Adopt with the Change", RenameStage.RENAMED)
    assert guide.words.text() == "0 changes in the preview. 5 physical IDs as before."
    guide.next.click()
    assert window.session.settings.unfinished_rename == ""


def test_disconnecting_removes_the_data_of_the_cloud(qtbot: QtBot, window: Window) -> None:
    connected(qtbot, window)
    knowing(qtbot, window)
    assert window.session.catalog is not None
    assert window.session.catalog.get("Studio::Test::Widget") is not None
    window.actions_by_name["cloud-disconnect"].trigger()
    assert window.session.catalog.get("Studio::Test::Widget") is None
    assert window.status.network.text() == "offline"
    assert TEMPLATE.splitlines()[0] in (window.session.current.text if window.session.current else "")

"""What an untrusted cloud may do: insecure connections are marked, special files need consent, logins are shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from heatstudio.ui.cloud.confirmations import ActionDialog, DeployDialog
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.window import cloud_controller
from heatstudio.ui.window.window import Window
from heatstudio.update.running_stack import RunningStack
from tests.ui.bench import bench
from tests.ui.cloud_screens import connected

HOT = "heat_template_version: 2021-04-16\n"
CAUTION = "Caution: the certificate of the server is not verified."


def has_child(window: Window, kind: type[QDialog]) -> bool:
    return bool(window.findChildren(kind))


def test_insecure_connection_is_marked_in_the_pane_and_in_every_confirmation(qtbot: QtBot, real: Window) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(f"{HOT}resources: {{a: {{type: OS::Heat::None}}}}\n")
    with connected(real):
        link = bench(real).cloud.link
        assert link.connection is not None
        link.connection.caution = CAUTION
        link.changed.emit()
        assert CAUTION in bench(real).cloud.stacks.origin.text()
        for command, kind in (("cloud-create", DeployDialog), ("cloud-delete", ActionDialog)):
            real.actions_by_name[command].trigger()
            qtbot.waitUntil(partial(has_child, real, kind))
            assert any(CAUTION in label.text() for label in real.findChildren(kind)[0].findChildren(PlainLabel))


@pytest.mark.parametrize(("answer", "written"), [("Leave Out", False), ("Export All", True)])
def test_special_files_of_a_stack_are_exported_after_consent(
    qtbot: QtBot, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, written: bool
) -> None:
    real.session.new(f"{HOT}resources: {{a: {{type: OS::Heat::None}}}}\n")
    stack = RunningStack(HOT, files={".git/config": "", "a.yaml": HOT})
    monkeypatch.setattr(cloud_controller, "open_stack", lambda *_: stack)
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(chosen))
    banner = real.area.banner
    with connected(real):
        real.actions_by_name["cloud-export"].trigger()
        qtbot.waitUntil(lambda: ".git/config" in banner.sentence)
        assert list(chosen.iterdir()) == []
        banner.press(answer)
        qtbot.waitUntil(lambda: banner.sentence.startswith("Exported"))
        folder = next(chosen.iterdir())
        assert (folder / "a.yaml").is_file()
        assert (folder / ".git" / "config").is_file() is written


def test_device_login_shows_its_address_and_code(real: Window) -> None:
    link, banner = bench(real).cloud.link, real.area.banner
    link.login_requested.emit("https://login.example/device", "ABCD-EFGH")
    assert banner.sentence == "To log in, open https://login.example/device and enter the code ABCD-EFGH."
    banner.press("Copy Code")
    assert QGuiApplication.clipboard().text() == "ABCD-EFGH"
    link.login_requested.emit("", "")
    assert banner.sentence == "To log in, continue in the web browser."

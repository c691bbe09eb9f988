"""Selection of the target release and client versions in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from heatstudio.catalog.load import load_catalog
from heatstudio.catalog.release import load_releases
from heatstudio.service.inputs.snapshot import Target
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.target.target_controller import TargetController
from heatstudio.ui.window.status import release_words
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench

SERVER = """\
heat_template_version: 2021-04-16
resources:
  server:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, tags: [a], networks: [{network: n}]}
"""


def codes(session: Session) -> list[str]:
    document = session.current
    assert document is not None
    return [one.code for one in document.state.analysis.diagnostics] if document.state is not None else ["not yet"]


NEWEST = load_releases()[-1]


def action(menu: QMenu, words: str) -> QAction:
    return next(one for one in menu.actions() if one.text().startswith(words))


@pytest.fixture
def opened(qtbot: QtBot, real: Window) -> Window:
    with qtbot.waitSignal(real.session.analysis_changed):
        real.session.new(SERVER)
    return real


def test_problems_follow_the_target_release(qtbot: QtBot, opened: Window) -> None:
    session, status, menu = opened.session, opened.status, bench(opened).target_controller.releases
    assert status.release.text() == f"Heat {NEWEST.name}"
    assert codes(session) == []
    with qtbot.waitSignal(session.analysis_changed):
        action(menu, "Rocky").trigger()
    assert status.release.text() == "Target: Rocky"
    assert codes(session) == ["not-in-release"]
    assert action(menu, "Rocky").isChecked()
    assert session.settings.target == Target("Rocky")
    with qtbot.waitSignal(session.analysis_changed):
        action(menu, "Bundled Heat (").trigger()
    assert (codes(session), status.release.text()) == ([], f"Heat {NEWEST.name}")
    assert not action(menu, "Rocky").isChecked()


def test_status_bar_and_menu_list_all_releases(opened: Window) -> None:
    menu = bench(opened).target_controller.releases
    words = [one.text() for one in menu.actions() if not one.isSeparator()]
    version = load_catalog().heat_version
    assert words[:2] == [f"Bundled Heat ({version})", f"{NEWEST.name} (Heat {NEWEST.heat})"]
    assert words[-1] == "Icehouse (Heat 2014.1)"
    assert len(words) == len(load_releases()) + 1
    assert opened.status.release.menu() is menu
    template = next(one.menu() for one in opened.menuBar().actions() if one.text() == "&Template")
    assert isinstance(template, QMenu)
    assert menu.menuAction() in template.actions()


def test_menu_that_is_made_after_the_engine_lists_all_releases(opened: Window) -> None:
    menu = TargetController(opened.session, opened).releases
    assert len(menu.actions()) == len(load_releases()) + 2, "with the bundled Heat and a separator"


def test_a_click_on_the_release_opens_the_menu(qtbot: QtBot, opened: Window) -> None:
    menu = bench(opened).target_controller.releases
    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, menu.close))
    with qtbot.waitSignal(menu.aboutToShow):
        QTest.mouseClick(opened.status.release, Qt.MouseButton.LeftButton)


def test_fixes_of_a_whole_file_respect_the_target(qtbot: QtBot, opened: Window) -> None:
    session = opened.session
    with qtbot.waitSignal(session.analysis_changed):
        session.set_target(Target("Rocky"))
    assert session.engine is not None
    assert session.current is not None
    assert session.current.state is not None
    assert session.engine.fix_all(session.current.state.analysis).steps == ()


def write(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_client_versions_affect_the_checks(qtbot: QtBot, opened: Window) -> None:
    session = opened.session
    opened.actions_by_name["client-versions"].trigger()
    dialog = bench(opened).target_controller.dialog
    assert dialog is not None
    assert not dialog.isModal()
    found = {name: (field.text(), field.placeholderText()) for name, field in dialog.fields.items()}
    assert found == {"nova": ("", "default 2.96"), "trove": ("", "default not known")}
    nova = dialog.fields["nova"]
    assert nova.accessibleName() == "API version of nova"
    with qtbot.waitSignal(session.analysis_changed):
        write(nova, "v2.9")
    assert nova.text() == "2.9"
    assert codes(session) == ["property-group"]
    assert session.settings.target.client_versions == {"nova": "2.9"}
    write(nova, "latest")
    assert dialog.complaint.text() == "“latest” is not an API version. Example: 2.79."
    assert nova.text() == "2.9"
    assert dialog.isVisible()
    with qtbot.waitSignal(session.analysis_changed):
        write(nova, " ")
    assert codes(session) == []
    assert (dialog.complaint.text(), dict(session.target.client_versions)) == ("", {})


def test_dialog_shows_the_current_client_versions(opened: Window) -> None:
    opened.session.set_target(Target("", {"nova": "2.9"}))
    bench(opened).target_controller.show_client_versions()
    dialog = bench(opened).target_controller.dialog
    assert dialog is not None
    assert dialog.fields["nova"].text() == "2.9"
    opened.session.set_target(Target())
    bench(opened).target_controller.show_client_versions()
    assert dialog.fields["nova"].text() == ""


def test_the_target_is_remembered(settings: Settings) -> None:
    target = Target("Rocky", {"nova": "2.79"})
    settings.target = target
    assert settings.target == target


@pytest.mark.parametrize("written", ["[1]", "{", '{"nova": 2, "trove": "1.0"}', ""])
def test_invalid_settings_are_ignored(settings: Settings, written: str) -> None:
    store: QSettings = settings.store
    store.setValue("checks/client-versions", written)
    store.setValue("checks/release", 7.5)
    assert set(settings.target.client_versions) <= {"trove"}


def test_text_for_a_release() -> None:
    releases = load_releases()
    assert release_words(releases, "27.0.1", "") == "Heat 2026.2 Hibiscus"
    assert release_words(releases, "27.0.1", "Icehouse") == "Target: Icehouse"
    assert release_words(releases, "27.0.1", "Atlantis") == "Heat 2026.2 Hibiscus"
    assert release_words((), "99.0.1", "Rocky") == "Heat 99.0.1"

"""Announcements for screen readers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.ui.commands.editor_area import WAY_ON
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.row_delegate import NOTHING
from heatstudio.ui.window.caret_problem import HAS_FIXES
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench, make_bench
from tests.ui.screens import go

Heard = list[tuple[str, bool]]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """Return the list of announcements to Qt's accessibility bridge, each with whether it is urgent."""
    sentences: Heard = []

    def listen(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            urgent = event.politeness() is QAccessible.AnnouncementPoliteness.Assertive
            sentences.append((event.message(), urgent))

    monkeypatch.setattr(QAccessible, "updateAccessibility", listen)
    return sentences


def description(window: Window) -> str:
    """Return the accessible description of the current editor."""
    editor = window.area.editor
    assert editor
    return QAccessible.queryAccessibleInterface(editor.editor).text(QAccessible.Text.Description)


def words(heard: Heard) -> list[str]:
    return [sentence for sentence, _ in heard]


def test_problem_at_the_cursor_is_described_shown_and_announced_once(
    qtbot: QtBot, real: Window, heard: Heard, file: Path
) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    editor = real.area.editor
    assert editor
    assert description(real) == WAY_ON
    real.area.command("next-problem")
    sentence = f"Warning: Property `network_id` has been hidden since 5.0.0; use `network`. {HAS_FIXES}"
    qtbot.waitUntil(lambda: description(real) == sentence)
    assert real.status.problem.words in sentence
    QTest.qWait(60)
    assert words(heard).count(sentence) == 1
    editor.go_to_line(0)
    qtbot.waitUntil(lambda: description(real) == WAY_ON)
    assert real.status.problem.words == ""


def test_problem_disappears_with_its_document(qtbot: QtBot, real: Window, file: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin.yaml"
    twin.write_text(file.read_text())
    for one in (file, twin):
        with qtbot.waitSignal(real.session.plan_changed):
            real.files.open([str(one)])
        real.area.command("next-problem")
        qtbot.waitUntil(lambda: "network_id" in description(real))
    for document in real.session.documents:
        real.session.close(document)
    assert real.status.problem.words == ""


def test_result_of_a_command_and_new_counts_are_announced(qtbot: QtBot, real: Window, heard: Heard, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    qtbot.waitUntil(lambda: ("1 error, 5 warnings", False) in heard)
    real.actions_by_name["fix-all"].trigger()
    qtbot.waitUntil(lambda: any("changes made in one undo step" in one for one in words(heard)))
    qtbot.waitUntil(lambda: "1 error, 1 warning" in words(heard))
    real.actions_by_name["undo"].trigger()


def test_open_question_is_urgent(real: Window, heard: Heard) -> None:
    real.area.banner.say("It was changed.", ("Keep Mine", lambda: None))
    assert heard[-1] == ("It was changed. Keep Mine. Shift+F6 moves from the editor to the buttons.", True)


def test_icon_of_a_notification_is_next_to_its_text(qtbot: QtBot, real: Window) -> None:
    banner = real.area.banner
    banner.say("It was changed.")
    qtbot.waitUntil(lambda: abs(banner._icon.geometry().center().y() - banner._words.geometry().center().y()) <= 1)


def test_saving_is_announced_and_the_state_stays_visible(qtbot: QtBot, real: Window, heard: Heard, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    assert real.area.editor
    real.area.editor.replace_text(f"# mine\n{real.area.editor.text()}")
    real.actions_by_name["save"].trigger()
    assert "web-server.yaml is saved." in words(heard)
    assert real.status.currentMessage() == "web-server.yaml is saved."
    assert all(one.isVisible() for one in (real.status.state, real.status.counts, real.status.place))
    real.status.showMessage("shown for a moment", 30)
    qtbot.waitUntil(lambda: not real.status.currentMessage())


def test_selection_in_a_list_without_the_focus_is_announced(
    qtbot: QtBot, real: Window, heard: Heard, file: Path
) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.actions_by_name["command-palette"].trigger()
    bench(real).picker.search.setText("theme")
    qtbot.waitUntil(lambda: any("Theme" in one and ", 1 of " in one for one in words(heard)))
    QTest.keyClick(bench(real).picker, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: any(", 2 of " in one for one in words(heard)))
    bench(real).picker.search.setText("qqqq")
    qtbot.waitUntil(lambda: f"{NOTHING}, 0 to choose from" in words(heard))
    bench(real).picker.hide()
    editor = go(real, "network_id: {")
    editor.help.completion.begin(explicit=True)
    qtbot.waitUntil(lambda: any(one.startswith("network ") and ", 1 of " in one for one in words(heard)))
    editor.help.completion.hide()


def test_matches_and_hover_texts_are_announced(qtbot: QtBot, real: Window, heard: Heard, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.activateWindow()
    qtbot.waitActive(real)
    editor = go(real, "network_id: {")
    editor.help.hover.show_at_caret()
    qtbot.waitUntil(lambda: any(one.startswith("Warning Property network_id has been hidden") for one in words(heard)))
    editor.help.hover.hide()
    real.area.command("find")
    QTest.keyClicks(editor.search_bar.pattern, "router")
    qtbot.waitUntil(lambda: "1 of 8" in words(heard))
    editor.search_bar.close_bar()
    bench(real).browser.search.setFocus()
    QTest.keyClicks(bench(real).browser.search, "floatingip")
    qtbot.waitUntil(lambda: "4 found" in words(heard))
    bench(real).browser.search.clear()


def test_tab_of_a_document_says_that_it_is_modified(qtbot: QtBot, real: Window, file: Path) -> None:
    real.files.open([str(file)])
    tabs = real.area.tabs
    assert tabs.accessibleTabName(0) == "web-server.yaml"
    assert real.area.editor
    real.area.editor.replace_text("a: 1\n")
    assert tabs.accessibleTabName(0) == "web-server.yaml, modified"


def test_current_row_is_reported_when_a_tree_gets_the_focus(
    qtbot: QtBot, real: Window, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.activateWindow()
    qtbot.waitActive(real)
    reported: list[str] = []

    def listen(event: QAccessibleEvent) -> None:
        if event.type() is QAccessible.Event.Focus:
            reported.append(event.accessibleInterface().text(QAccessible.Text.Name))

    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", listen)
    real.actions_by_name["show-outline"].trigger()
    qtbot.waitUntil(lambda: bool(reported))
    assert reported == ["section heat_template_version 2021-04-16"]


def test_early_messages_are_announced_later(
    qtbot: QtBot, session: Session, appearance: Appearance, heard: Heard
) -> None:
    window = Window(session, appearance)
    qtbot.addWidget(window)
    window.area.banner.say("Restored a.yaml.", ("Keep", lambda: None))
    assert words(heard) == []
    make_bench(window)
    assert words(heard) == ["Restored a.yaml. Keep. Shift+F6 moves from the editor to the buttons."]

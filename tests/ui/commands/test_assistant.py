"""Editing assistance by the real engine, through key presses."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.references import references_at
from heatstudio.analysis.assist.rename import rename
from heatstudio.stack import parent_templates
from heatstudio.text import Span, TextEdit
from heatstudio.ui.commands.rename_dialog import RenameDialog
from heatstudio.ui.commands.text_controller import CHANGED_MEANWHILE
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench, labels_of

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def opened(qtbot: QtBot, real: Window, file: Path) -> Window:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.activateWindow()
    return real


def editor_at(window: Window, mark: str, past: int = 0) -> EditorPane:
    editor = window.area.editor
    assert editor
    at = editor.text().index(mark) + past
    editor.editor.select(at, at)
    editor.setFocus()
    return editor


def test_properties_are_completed_while_the_text_is_broken(qtbot: QtBot, opened: Window) -> None:
    mark = "type: OS::Neutron::Subnet\n    properties:\n"
    editor = editor_at(opened, mark, len(mark))
    QTest.keyClicks(editor.editor, "      ga")
    popup = editor.help.completion.popup
    qtbot.waitUntil(popup.isVisible)
    current = popup.current()
    assert current
    assert current.completion.label == "gateway_ip"
    assert "replacement" in str(current.completion.documentation)
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    assert "      gateway_ip: " in editor.text()


def test_hover_explains_a_property(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "network_id:", 3)
    editor.help.hover.show_at_caret()
    qtbot.waitUntil(editor.help.hover.popup.isVisible)
    assert "network_id" in editor.help.hover.popup.label.text()
    assert "Updates cause replacement" in editor.help.hover.popup.label.text()


def test_definition_and_uses_of_a_name(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "{get_param: cidr}", 13)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: editor.text()[editor.caret_offset() :].startswith("cidr:\n"))
    QTest.keyClick(editor.editor, Qt.Key.Key_F12, SHIFT)
    qtbot.waitUntil(bench(opened).picker.isVisible)
    assert len(list(bench(opened).picker.model.indexes())) >= 2
    QTest.keyClick(bench(opened).picker, Qt.Key.Key_Escape)
    QTest.keyClick(editor.editor, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)


def test_definition_in_a_file_with_an_invalid_name_is_not_found(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    name = f"{'x' * 300}.yaml"
    (tmp_path / "a.yaml").write_text(f"heat_template_version: 2021-04-16\nresources: {{a: {{type: {name}}}}}\n")
    real.files.open([str(tmp_path / "a.yaml"), str(tmp_path / name)])
    assert real.area.banner.sentence.endswith("the name is too long; choose a shorter one.")
    document = real.session.current
    qtbot.waitUntil(lambda: document is not None and document.state is not None)
    editor = editor_at(real, "xxx", 3)
    with qtbot.waitSignal(real.session.message_requested) as said:
        QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    assert said.args == [f"File not found: {name}."]


def test_rename_changes_all_references_in_one_undo_step(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "  cidr:", 3)
    before = editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, opened)
    assert dialog.consequences.text() == "This is the current name."
    assert not dialog.accept_button.isEnabled()
    QTest.keyClicks(dialog.field, "flavor")
    qtbot.waitUntil(lambda: "The parameter flavor already exists" in dialog.consequences.text())
    assert not dialog.accept_button.isEnabled()
    dialog.field.clear()
    QTest.keyClicks(dialog.field, "address_range")
    qtbot.waitUntil(lambda: "2 occurrences" in dialog.consequences.text())
    assert dialog.accept_button.isEnabled()
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert "{get_param: address_range}" in editor.text()
    assert "cidr: {get_param: cidr}" not in editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text() == before


def test_files_next_to_the_template_are_suggested(qtbot: QtBot, opened: Window, file: Path) -> None:
    (file.parent / "boot.sh").write_text("x", encoding="utf-8")
    editor = editor_at(opened, "description: Web and SSH", 13)
    editor.editor.insertPlainText("{get_file: boo")
    QTest.keyClick(editor.editor, Qt.Key.Key_Space, CONTROL)
    qtbot.waitUntil(lambda: labels_of(editor.help.completion.popup) == ["boot.sh"])


def test_template_is_not_suggested_as_its_own_type(qtbot: QtBot, opened: Window, file: Path) -> None:
    (file.parent / "web-child.yaml").write_text(CHILD, encoding="utf-8")
    editor = editor_at(opened, "OS::Neutron::Subnet\n", 0)
    QTest.keyClicks(editor.editor, "web-")
    QTest.keyClick(editor.editor, Qt.Key.Key_Space, CONTROL)
    qtbot.waitUntil(lambda: "web-child.yaml" in labels_of(editor.help.completion.popup))
    assert file.name not in labels_of(editor.help.completion.popup)


def test_value_becomes_a_parameter(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "description: Web and SSH", 15)
    before = editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_X, CONTROL | Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: "description: {get_param: " in editor.text())
    assert "Extract parameter security_group" in opened.statusBar().currentMessage()
    QTest.keyClick(editor.editor, Qt.Key.Key_Z, CONTROL)
    assert editor.text() == before


def test_a_picked_property_refers_to_a_resource(qtbot: QtBot, opened: Window) -> None:
    editor, assistant, picker = opened.area.editor, bench(opened).assistant, bench(opened).picker
    assert editor
    text = editor.text()
    assistant.link("network", "server")
    qtbot.waitUntil(picker.isVisible)
    QTest.keyClicks(picker.search, "networks[1].network")
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: editor.text() != text)
    assert "        - network: {get_resource: network}\n" in editor.text()
    editor.editor.undo()
    assert editor.text() == text
    assistant.link("server", "network")
    qtbot.waitUntil(lambda: "would be a cycle" in opened.status.currentMessage())


def test_parameter_is_not_extracted_after_the_text_changed(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "description: Web and SSH", 15)
    with qtbot.waitSignal(opened.session.message_requested) as reported:
        QTest.keyClick(editor.editor, Qt.Key.Key_X, CONTROL | Qt.KeyboardModifier.AltModifier)
        editor.apply_edits([TextEdit(Span(0, 0), "#")])
        changed = editor.text()
    assert reported.args == [CHANGED_MEANWHILE]
    assert editor.text() == changed


def test_a_message_explains_why_nothing_can_be_done(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "heat_template_version", 3)
    for key, modifiers, words in (
        (Qt.Key.Key_F12, Qt.KeyboardModifier.NoModifier, "No definition found"),
        (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier, "Nothing to rename at the cursor"),
        (Qt.Key.Key_X, CONTROL | Qt.KeyboardModifier.AltModifier, "Place the cursor on a value"),
    ):
        with qtbot.waitSignal(bench(opened).assistant.local_message_requested):
            QTest.keyClick(editor.editor, key, modifiers)
        assert words in opened.statusBar().currentMessage()


def test_message_about_a_position_disappears_when_the_cursor_moves(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "heat_template_version", 3)
    for key, modifier in ((Qt.Key.Key_F12, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_F12, SHIFT)):
        QTest.keyClick(editor.editor, Qt.Key.Key_Right)
        with qtbot.waitSignal(bench(opened).assistant.local_message_requested):
            QTest.keyClick(editor.editor, key, modifier)  # before the panes have followed the cursor
        qtbot.wait(80)
        assert opened.statusBar().currentMessage().startswith(("No definition ", "No references "))
        QTest.keyClick(editor.editor, Qt.Key.Key_Down)
        qtbot.waitUntil(lambda: not opened.statusBar().currentMessage())
    with qtbot.waitSignal(bench(opened).assistant.local_message_requested):
        QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    opened.files.new()
    assert not opened.statusBar().currentMessage()


def test_definition_of_a_catalog_type_is_its_page(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "OS::Neutron::Subnet", 4)
    opened.actions_by_name["only-text"].trigger()
    with qtbot.waitSignal(bench(opened).assistant.type_requested):
        QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    shown_type = bench(opened).type_page.type
    assert shown_type is not None
    assert shown_type.name == "OS::Neutron::Subnet"
    assert opened.sides.is_seen("Type")
    qtbot.waitUntil(lambda: "Ctrl+Alt+T" in opened.statusBar().currentMessage())


def test_go_to_definition_of_a_placeholder(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    file = tmp_path / "replaced.yaml"
    file.write_text(
        "heat_template_version: 2021-04-16\noutputs:\n  o:\n    value:\n      str_replace:\n"
        "        template: http://$host/$host\n        params:\n          $host: a\n"
    )
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    editor = editor_at(real, "/$host\n", 3)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: editor.text()[editor.caret_offset() :].startswith("$host: a"))
    QTest.keyClick(editor.editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: editor.text()[editor.caret_offset() :].startswith("$host/$host"))
    QTest.keyClick(editor.editor, Qt.Key.Key_F12, SHIFT)
    qtbot.waitUntil(bench(real).picker.isVisible)
    assert len(list(bench(real).picker.model.indexes())) == 3
    QTest.keyClick(bench(real).picker, Qt.Key.Key_Escape)


PARENT = """heat_template_version: 2021-04-16
resources:
  web: {type: child.yaml, properties: {size: 1}}
  many: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: child.yaml, properties: {size: 2}}}}
  other: {type: OS::Heat::Value, properties: {value: {get_attr: [web, place]}}}
"""
CHILD = """heat_template_version: 2021-04-16
parameters:
  size: {type: number}
outputs:
  place: {value: {get_param: size}}
"""


@pytest.fixture
def nested(qtbot: QtBot, real: Window, tmp_path: Path) -> Path:
    """Open a template in the window `real`; return its folder, which also has a template that nests it."""
    (tmp_path / "parent.yaml").write_text(PARENT, encoding="utf-8")
    (tmp_path / "child.yaml").write_text(CHILD, encoding="utf-8")
    (tmp_path / "unrelated.yaml").write_text(PARENT.replace("child.yaml", "niece.yaml"), encoding="utf-8")
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(tmp_path / "child.yaml")])
    real.activateWindow()
    return tmp_path


def dialog_of(qtbot: QtBot, window: Window) -> RenameDialog:
    """Return the rename dialog when it is visible."""
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(RenameDialog)))
    return next(one for one in window.findChildren(RenameDialog) if one.isVisible())


def lines_of(dialog: RenameDialog, row: int) -> list[QTreeWidgetItem]:
    file = dialog.places.topLevelItem(row)
    assert file is not None
    found = [file.child(number) for number in range(file.childCount())]
    return [item for item in found if item is not None]


def test_rename_of_a_parameter_updates_parent_templates(qtbot: QtBot, real: Window, nested: Path) -> None:
    editor = editor_at(real, "size: {type", 1)
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, real)
    dialog.field.setText("width")
    qtbot.waitUntil(lambda: dialog.places.topLevelItemCount() == 2 and not real.session.jobs._running)
    assert dialog.consequences.text().startswith("4 occurrences in 2 files.")
    first, second = lines_of(dialog, 1)
    assert first.text(0) == "3: web: {type: child.yaml, properties: {size \u2192 width: 1}}"
    assert second.text(0).endswith("resource_def: {type: child.yaml, properties: {size \u2192 width: 2}}}}")
    second.setCheckState(0, Qt.CheckState.Unchecked)
    dialog.accept_button.click()
    texts = {one.title: one.text for one in real.session.documents}
    assert texts["child.yaml"] == CHILD.replace("size", "width")
    assert texts["parent.yaml"] == PARENT.replace("size: 1", "width: 1")
    assert (nested / "parent.yaml").read_text("utf-8") == PARENT, "nothing is saved that nobody saved"


def test_rename_before_all_files_are_loaded_uses_the_current_text(
    qtbot: QtBot, real: Window, nested: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly = Slowly(parent_templates.load_parents)
    monkeypatch.setattr("heatstudio.service.workspace.language_service.load_parents", slowly)
    reported: list[str] = []
    real.session.message_requested.connect(reported.append)
    editor = editor_at(real, "size: {type", 1)
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, real)
    QTest.keyClicks(dialog.field, "width")
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    slowly.may_go_on.set()
    qtbot.waitUntil(lambda: "width: {type" in editor.text() and not real.session.jobs._running)
    assert reported == []


def test_rename_of_an_output_updates_parent_templates(qtbot: QtBot, real: Window, nested: Path) -> None:
    editor = editor_at(real, "place: {value", 1)
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, real)
    dialog.field.setText("spot")
    qtbot.waitUntil(lambda: dialog.places.topLevelItemCount() == 2 and not real.session.jobs._running)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    texts = {one.title: one.text for one in real.session.documents}
    assert texts["parent.yaml"] == PARENT.replace("[web, place]", "[web, spot]")


def test_rename_is_disabled_if_nothing_is_selected(qtbot: QtBot, real: Window, nested: Path) -> None:
    editor = editor_at(real, "size: {type", 1)
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, real)
    dialog.field.setText("width")
    qtbot.waitUntil(lambda: dialog.places.topLevelItemCount() == 2 and not real.session.jobs._running)
    for row in range(2):
        item = dialog.places.topLevelItem(row)
        assert item is not None
        item.setCheckState(0, Qt.CheckState.Unchecked)
    assert not dialog.accept_button.isEnabled()


def test_references_of_a_parameter_in_parent_templates_are_listed(qtbot: QtBot, real: Window, nested: Path) -> None:
    editor = editor_at(real, "size: {type", 1)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12, SHIFT)
    qtbot.waitUntil(bench(real).picker.isVisible)
    shown = [str(index.data()) for index in bench(real).picker.model.indexes()]
    assert len([words for words in shown if "child.yaml, properties" in words]) == 2


class Slowly:
    """A function that blocks until the test sets `may_go_on`."""

    def __init__(self, really: Callable[..., object]) -> None:
        self.really, self.may_go_on, self.begun = really, threading.Event(), threading.Event()

    def __call__(self, *arguments: object) -> object:
        self.begun.set()
        assert self.may_go_on.wait(20)
        return self.really(*arguments)


def test_typing_does_not_wait_for_suggestions(qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    slowly = Slowly(complete)
    monkeypatch.setattr("heatstudio.service.workspace.language_service.complete", slowly)
    mark = "cidr: {get_param: cidr}\n"
    editor = editor_at(opened, mark, len(mark))
    QTest.keyClicks(editor.editor, "      ga")
    QTest.keyClick(editor.editor, Qt.Key.Key_Space, CONTROL)
    qtbot.waitUntil(slowly.begun.is_set)
    QTest.keyClicks(editor.editor, "te")
    assert f"{mark}      gate" in editor.text()
    assert not editor.help.completion.popup.isVisible()
    slowly.may_go_on.set()
    qtbot.waitUntil(editor.help.completion.popup.isVisible)
    assert labels_of(editor.help.completion.popup)[0] == "gateway_ip"


def test_typing_does_not_wait_for_references_and_outdated_ones_are_not_shown(
    qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly = Slowly(references_at)
    monkeypatch.setattr("heatstudio.service.workspace.language_service.references_at", slowly)
    editor = editor_at(opened, "{get_param: cidr}", 13)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12, SHIFT)
    qtbot.waitUntil(slowly.begun.is_set)
    qtbot.waitUntil(lambda: any("Finding references" in job.name for job in opened.session.jobs.shown))
    QTest.keyClicks(editor.editor, "x")
    slowly.may_go_on.set()
    with qtbot.waitSignal(opened.session.message_requested):
        pass
    assert opened.statusBar().currentMessage() == CHANGED_MEANWHILE
    assert not bench(opened).picker.isVisible()
    QTest.keyClick(editor.editor, Qt.Key.Key_Z, CONTROL)
    QTest.keyClick(editor.editor, Qt.Key.Key_F12, SHIFT)
    qtbot.waitUntil(bench(opened).picker.isVisible)


def slow_rename(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch, name: str
) -> tuple[EditorPane, RenameDialog, Slowly]:
    """Type a name into the rename dialog; return the editor, the dialog and the blocked rename function."""
    editor = editor_at(window, "  cidr:", 3)
    slowly = Slowly(rename)
    slowly.may_go_on.set()
    monkeypatch.setattr("heatstudio.service.workspace.language_service.rename", slowly)
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, window)
    QTest.keyClicks(dialog.field, "range")
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    qtbot.waitUntil(lambda: not window.session.jobs._running)
    slowly.may_go_on.clear()
    slowly.begun.clear()
    dialog.field.selectAll()
    QTest.keyClicks(dialog.field, name)
    qtbot.waitUntil(slowly.begun.is_set)
    return editor, dialog, slowly


def test_typing_does_not_wait_for_a_definition(qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    _, dialog, slowly = slow_rename(qtbot, opened, monkeypatch, "flavor")
    assert dialog.field.text() == "flavor"
    assert "2 occurrences" in dialog.consequences.text(), "what is known stays for a moment"
    assert dialog.accept_button.isEnabled()
    qtbot.waitUntil(lambda: not dialog.accept_button.isEnabled())
    assert "Finding" in dialog.consequences.text()
    line = lines_of(dialog, 0)[0]
    line.setCheckState(0, Qt.CheckState.Unchecked)
    assert not dialog.accept_button.isEnabled(), "a tick says nothing of a name that is still looked at"
    slowly.may_go_on.set()
    qtbot.waitUntil(lambda: "The parameter flavor already exists" in dialog.consequences.text())
    assert not dialog.accept_button.isEnabled()
    assert dialog.places.topLevelItemCount() == 0


def test_name_typed_before_the_answer_is_used(qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    editor, dialog, slowly = slow_rename(qtbot, opened, monkeypatch, "address_range")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert "{get_param: cidr}" in editor.text()
    slowly.may_go_on.set()
    qtbot.waitUntil(lambda: "{get_param: address_range}" in editor.text())
    qtbot.waitUntil(lambda: not opened.findChildren(RenameDialog))


def test_invalid_name_entered_before_the_check_is_not_written(
    qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, dialog, slowly = slow_rename(qtbot, opened, monkeypatch, "flavor")
    before = editor.text()
    dialog.accept_button.click()
    slowly.may_go_on.set()
    qtbot.waitUntil(lambda: "already" in dialog.consequences.text())
    assert dialog.isVisible()
    dialog.field.selectAll()
    QTest.keyClicks(dialog.field, "address_range")
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    assert editor.text() == before, "a wish is for the name that was there"


def test_closed_dialog_does_not_wait_for_an_answer(
    qtbot: QtBot, opened: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, dialog, slowly = slow_rename(qtbot, opened, monkeypatch, "address_range")
    before, jobs = editor.text(), list(opened.session.jobs._running)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    QTest.keyClick(dialog.field, Qt.Key.Key_Escape)
    assert jobs
    assert all(job.is_stopped for job in jobs)
    slowly.may_go_on.set()
    qtbot.waitUntil(lambda: not opened.findChildren(RenameDialog) and not opened.session.jobs._running)
    assert editor.text() == before


def test_name_is_not_written_into_a_text_that_another_program_changed(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "  cidr:", 3)
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, opened)
    QTest.keyClicks(dialog.field, "address_range")
    qtbot.waitUntil(dialog.accept_button.isEnabled)
    editor.replace_text("# Another text\n")
    with qtbot.waitSignal(opened.session.message_requested) as reported:
        QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert reported.args == [CHANGED_MEANWHILE]
    assert editor.text() == "# Another text\n"


def test_new_line_gets_suggestions_and_enter_still_breaks_the_line(qtbot: QtBot, opened: Window) -> None:
    mark = "cidr: {get_param: cidr}"
    editor = editor_at(opened, mark, len(mark))
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(editor.help.completion.popup.isVisible)
    assert "gateway_ip" in labels_of(editor.help.completion.popup)
    line = editor.editor.caret_line()
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    assert editor.editor.caret_line() == line + 1
    assert not editor.text().splitlines()[line].strip()


def test_escape_closes_the_locator_and_neutron_ports_come_first(qtbot: QtBot, opened: Window) -> None:
    opened.actions_by_name["locate"].trigger()
    qtbot.waitUntil(bench(opened).picker.isVisible)
    QTest.keyClicks(bench(opened).picker.search, "port")
    rows = [bench(opened).picker.model.index(row, 0).data() for row in range(bench(opened).picker.model.rowCount())]
    assert rows.index("OS::Neutron::Port") < rows.index("OS::Ironic::Port")
    QTest.keyClick(bench(opened).picker.search, Qt.Key.Key_Escape)
    assert not bench(opened).picker.isVisible()


def test_rename_of_a_double_name_says_why_it_is_refused(qtbot: QtBot, opened: Window) -> None:
    editor = editor_at(opened, "  router:", 3)
    with qtbot.waitSignal(opened.session.analysis_changed):
        editor.replace_text(editor.text().replace("  router:", "  network:"))
    QTest.keyClick(editor.editor, Qt.Key.Key_F2)
    dialog = dialog_of(qtbot, opened)
    assert dialog.consequences.text().startswith("The resource network is defined more than once.")
    assert not dialog.accept_button.isEnabled()
    dialog.reject()

"""The menu of fixes and refactorings, with the real engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.analysis.refactorings import Refactoring
from heatstudio.service.edit_effect import REJECTED
from heatstudio.text import Fix, Span
from heatstudio.ui.problems.fix_chooser import FixChooser, Heading, MenuCommand
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench, rows_of

TEXT = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net}
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network_id: {get_resource: net}
      cidr: 10.0.0.0/24
      colour: red
  disk:
    type: OS::Cinder::Volume
    properties:
      size: 1
"""


def opened(qtbot: QtBot, window: Window, tmp_path: Path) -> Path:
    file = tmp_path / "a.yaml"
    file.write_text(TEXT, encoding="utf-8")
    with qtbot.waitSignal(window.session.plan_changed):
        window.files.open([str(file)])
    return file


def menu_at(qtbot: QtBot, window: Window, words: str) -> FixChooser:
    editor = window.area.editor
    assert editor is not None
    offset = editor.text().index(words) + 1
    editor.go_to(Span(offset, offset))
    bench(window).fix_controller.show_fixes_at_caret()
    chooser = bench(window).fix_controller.chooser
    qtbot.waitUntil(chooser.isVisible)
    return chooser


def select(qtbot: QtBot, chooser: FixChooser, title: str) -> None:
    """Select a row with the arrow keys, and wait for its effect."""
    for _ in rows_of(chooser):
        if chooser._list.currentIndex().data() == title:
            break
        QTest.keyClick(chooser._list, Qt.Key.Key_Down)
    assert chooser._list.currentIndex().data() == title
    qtbot.waitUntil(lambda: "Computing" not in chooser._hint.text())


def test_menu_has_fixes_of_the_line_and_the_resource_then_refactorings(
    qtbot: QtBot, real: Window, tmp_path: Path
) -> None:
    opened(qtbot, real, tmp_path)
    chooser = menu_at(qtbot, real, "network_id")
    words = [row.words for row in rows_of(chooser) if isinstance(row, Heading)]
    assert words == ["Line 7", "Resource subnet", "Refactor", "More"]
    fixes = [fix.title for fix in [row for row in rows_of(chooser) if isinstance(row, Fix)]]
    assert fixes[0] == "Replace `network_id` with `network`"
    assert "Delete `colour`" in fixes
    assert any(isinstance(row, Refactoring) for row in rows_of(chooser))
    assert MenuCommand("Explain property-support", "explain") in rows_of(chooser)
    chooser.hide()
    below = menu_at(qtbot, real, "cidr: ")
    assert [row.words for row in rows_of(below) if isinstance(row, Heading)] == ["Resource subnet", "Refactor"]
    assert isinstance(below.model.value(below._list.currentIndex()), Fix), "a heading cannot be selected"
    below.hide()


def test_refactoring_is_applied_after_its_effect_is_shown(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    opened(qtbot, real, tmp_path)
    chooser = menu_at(qtbot, real, "disk")
    select(qtbot, chooser, "Wrap `disk` in a ResourceGroup")
    assert chooser._hint.text().endswith("A stack update: disk deleted, disk_group added.")
    QTest.keyClick(chooser, Qt.Key.Key_Return)
    editor = real.area.editor
    assert editor is not None
    assert "  disk_group:\n    type: OS::Heat::ResourceGroup\n" in editor.text()
    editor.editor.undo()
    assert editor.text() == TEXT


@pytest.mark.parametrize(
    ("title", "is_applied"), [("Make resource `disk` conditional", True), ("Wrap `disk` in a ResourceGroup", False)]
)
def test_enter_before_the_effect_applies_only_what_has_none(
    qtbot: QtBot, real: Window, tmp_path: Path, title: str, *, is_applied: bool
) -> None:
    opened(qtbot, real, tmp_path)
    chooser = menu_at(qtbot, real, "disk")
    rows = [row.title if isinstance(row, Refactoring) else "" for row in rows_of(chooser)]
    chooser._list.setCurrentIndex(chooser.model.index(rows.index(title), 0))
    QTest.keyClick(chooser, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not chooser.isVisible() or "added" in chooser._hint.text())
    assert chooser.isVisible() is not is_applied
    chooser.hide()
    assert real.area.editor is not None
    assert (real.area.editor.text() != TEXT) is is_applied


def test_refused_refactoring_says_why_and_is_not_applied(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    opened(qtbot, real, tmp_path)
    chooser = menu_at(qtbot, real, "size: 1")
    select(qtbot, chooser, "Make property `size` conditional")
    assert chooser._hint.text().startswith("Not possible. ")
    QTest.keyClick(chooser, Qt.Key.Key_Return)
    assert chooser.isVisible()
    chooser.hide()
    assert real.area.editor is not None
    assert real.area.editor.text() == TEXT


def test_fix_of_an_error_claims_no_effect_on_a_stack(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    opened(qtbot, real, tmp_path)
    chooser = menu_at(qtbot, real, "colour")
    qtbot.waitUntil(lambda: REJECTED in chooser._hint.text())
    chooser.hide()


def test_extraction_writes_a_new_file_and_inlining_reverts_it(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    file = opened(qtbot, real, tmp_path)
    chooser = menu_at(qtbot, real, "disk")
    select(qtbot, chooser, "Extract `disk` to a nested template")
    assert "disk.yaml (new)" in chooser._diff.toPlainText()
    assert chooser._hint.text().endswith("A stack update: disk deleted, disk_stack added.")
    with qtbot.waitSignal(real.session.plan_changed):
        QTest.keyClick(chooser, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(real.session.documents) == 2)
    outer, inner = real.session.documents
    qtbot.waitUntil(lambda: real.session.current is outer)
    assert (inner.path, inner.modified) == (tmp_path / "disk.yaml", True)
    assert "  disk_stack:\n    type: disk.yaml\n" in outer.text
    qtbot.waitUntil(lambda: outer.current_analysis is not None)
    chooser = menu_at(qtbot, real, "disk_stack")
    select(qtbot, chooser, "Inline `disk.yaml`")
    QTest.keyClick(chooser, Qt.Key.Key_Return)
    assert outer.text == TEXT
    editor = real.area.editor_of(inner).editor
    editor.undo()
    assert inner.text == ""
    editor.redo()
    assert inner.text.endswith("      size: 1\n")
    assert file.read_text("utf-8") == TEXT


def test_extraction_needs_the_folder_of_the_template(qtbot: QtBot, real: Window) -> None:
    with qtbot.waitSignal(real.session.analysis_changed):
        real.session.new(TEXT)
    chooser = menu_at(qtbot, real, "disk")
    select(qtbot, chooser, "Extract `disk` to a nested template")
    assert chooser._hint.text() == "Not possible. Save the template first: the other file lies beside it."
    chooser.hide()

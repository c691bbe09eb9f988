"""The tour in the real window: every card beside its thing, no work in its way."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.tour import STEPS, Place
from heatstudio.ui.window.window import Window

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def toured(qtbot: QtBot, real: Window, file: Path) -> Window:
    real.activateWindow()
    qtbot.waitActive(real)
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    real.tour.start()
    return real


def press_next(qtbot: QtBot, window: Window, target: QWidget | None = None) -> None:
    """Qt shows a button pressed for a moment before it clicks."""
    QTest.keyClick(target or window, Qt.Key.Key_N, ALT)
    qtbot.waitUntil(lambda: not window.tour.card.next.isDown())


def place_of(window: Window, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())


def test_nobody_gets_a_tour_unasked(real: Window) -> None:
    assert "tour" not in real.__dict__


def test_every_card_is_seen_and_does_not_hide_its_thing(qtbot: QtBot, toured: Window) -> None:
    for size in ((1280, 800), (900, 600)):
        toured.resize(*size)
        toured.tour.start()
        for step in STEPS:
            QTest.qWait(20)
            assert toured.tour.step == step
            card = place_of(toured, toured.tour.card)
            assert toured.rect().contains(card)
            assert not toured.tour.ring.isVisible() or not card.intersects(place_of(toured, toured.tour.ring))
            labels = [*toured.tour.card.findChildren(QWidget)]
            assert all(place_of(toured, label).bottom() < card.bottom() for label in labels if label.isVisible())
            press_next(qtbot, toured)
        assert toured.tour.step is None


def test_no_button_of_a_card_is_cut_off(qtbot: QtBot, toured: Window) -> None:
    for _ in STEPS:
        QTest.qWait(20)
        buttons = [one for one in toured.tour.card.findChildren(QPushButton) if one.isVisible()]
        assert len(buttons) >= 2
        assert all(one.width() >= one.sizeHint().width() for one in buttons), [one.text() for one in buttons]
        press_next(qtbot, toured)


def test_keys_lead_on_and_back_while_the_text_has_the_focus(qtbot: QtBot, toured: Window) -> None:
    editor = toured.area.editor
    assert editor
    assert editor.editor.hasFocus()
    press_next(qtbot, toured, editor.editor)
    press_next(qtbot, toured, editor.editor)
    assert toured.tour.step == STEPS[2]
    QTest.keyClick(editor.editor, Qt.Key.Key_B, ALT)
    qtbot.waitUntil(lambda: toured.tour.step == STEPS[1])
    before = editor.text()
    QTest.keyClick(editor.editor, Qt.Key.Key_X)
    assert editor.text() != before
    QTest.keyClick(editor.editor, Qt.Key.Key_Escape)
    assert toured.tour.step is None
    assert not toured.tour.ring.isVisible()


def test_card_of_the_fixes_stands_at_a_problem_that_has_one(qtbot: QtBot, toured: Window) -> None:
    press_next(qtbot, toured)
    press_next(qtbot, toured)
    assert toured.tour.step
    assert toured.tour.step.place is Place.PROBLEM
    assert toured.navigation.diagnostic_at_caret() is not None
    editor = toured.area.editor
    assert editor
    QTest.keyClick(editor.editor, Qt.Key.Key_Return, ALT)
    chooser = toured.problems._chooser
    qtbot.waitUntil(chooser.isVisible)
    chooser.hide()
    assert toured.tour.step is STEPS[2]


def test_help_menu_begins_it_again_with_enter_to_go_on(qtbot: QtBot, toured: Window) -> None:
    toured.tour.end()
    toured.actions_by_name["tour"].trigger()
    card = toured.tour.card
    qtbot.waitUntil(card.next.hasFocus)
    QTest.keyClick(card.next, Qt.Key.Key_Space)
    assert toured.tour.step == STEPS[1]
    interface = QAccessible.queryAccessibleInterface(card)
    assert interface.text(QAccessible.Text.Name) == f"Tour, step 2 of {len(STEPS)}: {STEPS[1].title}"
    assert "F8" in interface.text(QAccessible.Text.Description)
    QTest.keyClick(card.next, Qt.Key.Key_Escape)
    assert toured.tour.step is None
    editor = toured.area.editor
    assert editor
    qtbot.waitUntil(editor.editor.hasFocus)


def test_tour_without_a_document_opens_the_sample(qtbot: QtBot, real: Window) -> None:
    real.actions_by_name["tour"].trigger()
    assert real.session.current
    assert not real.session.current.modified
    assert real.status.state.text() == "No file yet"
    qtbot.waitUntil(lambda: real.session.current is not None and real.session.current.plan is not None)
    assert real.session.current.plan
    assert not [change for change in real.session.current.plan.changes if str(change.action) != "unchanged"]
    real.tour.end()
    assert real.files.may_close(real.session.documents)

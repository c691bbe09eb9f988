from __future__ import annotations

from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QCursor, QFont, QHelpEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.text import LineIndex, Severity, Span, TextEdit
from heatstudio.text.markup import Html
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.gutter import ScrollBarMarkers
from heatstudio.ui.editor.text.marks import Mark
from heatstudio.ui.widgets import Color, Scheme
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.outcome import ShownOutcome
from heatstudio.update.plan.outcome import Outcome
from tests.ui.bench import crumbs_of
from tests.ui.editor.conftest import EditorDriver, seen, show

Key, Modifier = Qt.Key, Qt.KeyboardModifier
TEXT = "résumé: 🚀\nresources:\n  server:\n    flavour: x\n    image: y\n"
FLAVOUR = Span(TEXT.index("flavour"), TEXT.index("flavour") + 7)
IMAGE = Span(TEXT.index("image"), TEXT.index("image") + 5)
MARKS = [
    Mark(FLAVOUR, Severity.ERROR, "Not known <here>", "unknown-property", fixable=True),
    Mark(IMAGE, Severity.WARNING, "Old"),
]
REPLACED, MAYBE = ShownOutcome(Outcome.REPLACED), ShownOutcome(Outcome.UPDATED, certain=False)


@pytest.fixture
def marked(pane: EditorPane) -> EditorPane:
    pane.set_text(TEXT)
    pane.decorations.set_marks(MARKS)
    return pane


def test_fix_is_one_undo_step_and_keeps_the_cursor(marked: EditorPane) -> None:
    marked.go_to(Span(IMAGE.end, IMAGE.end))
    marked.apply_edits((TextEdit(FLAVOUR, "flavor"), TextEdit(Span(0, 0), "# 🚀\n")))
    assert seen(marked) == "# 🚀\n" + TEXT.replace("flavour", "flavor").replace("image", "image¦")
    marked.editor.undo()
    assert marked.text() == TEXT
    marked.editor.redo()
    assert marked.text() == "# 🚀\n" + TEXT.replace("flavour", "flavor")


def test_caret_at_the_lower_edge_stays_visible_in_a_lower_view(qtbot: QtBot, pane: EditorPane) -> None:
    editor = pane.editor
    pane.set_text("a\n" * 200)
    pane.go_to_line(editor.visible_lines()[-3].block.blockNumber())
    before = editor.firstVisibleBlock().blockNumber()
    pane.resize(800, 400)
    qtbot.waitUntil(lambda: editor.viewport().rect().contains(editor.cursorRect()))
    assert editor.firstVisibleBlock().blockNumber() > before
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    editor.verticalScrollBar().setValue(100)
    pane.resize(800, 300)
    assert editor.firstVisibleBlock().blockNumber() == 100


def test_gutter_and_its_icons_grow_with_all_texts(pane: EditorPane, appearance: Appearance) -> None:
    width = pane.editor.gutter.needed_width()
    appearance.scale(200)
    pane.editor.use_font(pane.editor.text_size, "")
    try:
        assert pane.editor.gutter.needed_width() > 1.7 * width
    finally:
        appearance.scale(100)


def test_marks_and_outcomes_do_not_move_the_text(pane: EditorPane) -> None:
    pane.set_text(TEXT)
    before = pane.editor.viewport().geometry()
    pane.decorations.set_marks(MARKS)
    pane.decorations.set_changes({2: REPLACED})
    assert pane.editor.viewport().geometry() == before


def test_cursor_position_and_line_match_the_line_index(pane: EditorPane) -> None:
    text = "a\n🚀🚀b\n\n🚀"
    pane.set_text(text)
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        pane.go_to(Span(offset, offset))
        place = lines.position(offset)
        assert (pane.caret_place(), pane.caret_line()) == (place, lines.line_span(place.line))


def test_cursor_is_reported_in_code_points(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦🚀b")
    hands.press(Key.Key_End)
    assert pane.caret_offset() == 2


def test_highlighting_does_not_emit_text_changed(pane: EditorPane, qtbot: QtBot) -> None:
    pane.set_text(TEXT)
    with qtbot.assertNotEmitted(pane.editor.text_document.changed):
        pane.editor.appearance.choose(Scheme.DARK)
        pane.editor.highlighter.rehighlight()


def test_next_problem_wraps_around(marked: EditorPane, hands: EditorDriver) -> None:
    marked.go_to(Span(0, 0))
    places = []
    for _ in range(3):
        hands.press(Key.Key_F8)
        places.append(marked.selection())
    assert places == [FLAVOUR, IMAGE, FLAVOUR]
    hands.press(Key.Key_F8, Modifier.ShiftModifier)
    assert marked.selection() == IMAGE


def test_click_on_a_problem_icon_requests_its_fixes(marked: EditorPane, qtbot: QtBot) -> None:
    line = marked.editor.visible_lines()[3]
    with qtbot.waitSignal(marked.editor.gutter.fixes_requested):
        QTest.mouseClick(marked.editor.gutter, Qt.MouseButton.LeftButton, pos=QPoint(8, int(line.rect.center().y())))
    assert marked.selection() == Span(FLAVOUR.start, FLAVOUR.start)


def test_gutter_explains_its_icons(marked: EditorPane) -> None:
    marked.decorations.set_changes({3: REPLACED})
    line = marked.editor.visible_lines()[3]
    assert marked.editor.gutter.explain(line).split("\n") == [
        "Preview: Replaced",
        "Error: Not known <here>",
        "Alt+Enter shows the fixes",
    ]


def test_marks_move_with_the_text_until_they_are_replaced(marked: EditorPane, hands: EditorDriver) -> None:
    marked.go_to(Span(0, 0))
    hands.type("🚀\n")
    hands.press(Key.Key_F8)
    text, span = marked.text(), marked.selection()
    assert text[span.start : span.end] == "flavour"


def test_the_scroll_bar_shows_where_problems_are(marked: EditorPane) -> None:
    bar = marked.editor.verticalScrollBar()
    assert isinstance(bar, ScrollBarMarkers)
    assert [(tick.place, tick.color) for tick in bar.ticks] == [(4 / 6, Color.WARNING), (3 / 6, Color.ERROR)]


def test_messages_are_painted_and_not_part_of_the_text(marked: EditorPane) -> None:
    with_messages = marked.editor.viewport().grab().toImage()
    marked.switch("messages", False)
    assert marked.editor.viewport().grab().toImage() != with_messages
    assert marked.text() == TEXT
    marked.switch("messages", True)
    assert marked.editor.viewport().grab().toImage() == with_messages


@pytest.mark.parametrize("severity", list(Severity))
def test_every_severity_looks_different_without_color(pane: EditorPane, severity: Severity) -> None:
    def gray(other: Severity) -> object:
        pane.set_text("abcdefgh")
        pane.decorations.set_marks([Mark(Span(0, 8), other, "m")])
        return pane.editor.grab().toImage().convertToFormat(pane.grab().toImage().Format.Format_Mono)

    assert all(gray(severity) != gray(other) for other in Severity if other is not severity)


def test_hover_shows_problems_and_documentation(marked: EditorPane) -> None:
    asked: list[int] = []

    def answer(offset: int, take: Callable[[Html], object]) -> None:
        asked.append(offset)
        take(Html("<b>flavor</b>"))

    marked.help.hover.provider = answer
    cursor = marked.editor.textCursor()
    cursor.setPosition(TEXT.index("flavour") + 1 + 2)
    point = marked.editor.cursorRect(cursor).center()
    viewport = marked.editor.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, point, viewport.mapToGlobal(point)))
    popup = marked.help.hover.popup
    assert popup.isVisible()
    assert asked == [FLAVOUR.start + 2]
    assert "Not known &lt;here&gt;" in popup.label.text()
    assert "<b>flavor</b>" in popup.label.text()
    QTest.keyClick(marked.editor, Key.Key_Escape)
    assert not popup.isVisible()


def test_inactive_text_is_dimmed_and_has_a_reason(pane: EditorPane, hands: EditorDriver) -> None:
    pane.set_text(TEXT)
    plain = pane.editor.viewport().grab().toImage()
    pane.decorations.set_marks([Mark(FLAVOUR, Severity.HINT, "Disabled: `prod` is false.", is_inactive=True)])
    assert pane.editor.viewport().grab().toImage() != plain
    assert len(pane.decorations.marks) == 0
    pane.go_to(Span(FLAVOUR.start, FLAVOUR.start))
    hands.press(Key.Key_I, Modifier.ControlModifier)
    assert "Disabled: <code>prod</code> is false." in pane.help.hover.popup.label.text()


def test_hover_by_key_stays_if_it_appears_below_the_mouse(
    pane: EditorPane, hands: EditorDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane.set_text(TEXT)
    pane.help.hover.provider = lambda _offset, take: take(Html("Many words. " * 60))
    hands.press(Key.Key_I, Modifier.ControlModifier)
    popup, leave = pane.help.hover.popup, QEvent(QEvent.Type.Leave)
    monkeypatch.setattr(QCursor, "pos", lambda: popup.geometry().center())
    QApplication.sendEvent(pane.editor.viewport(), leave)
    assert popup.isVisible()
    monkeypatch.setattr(QCursor, "pos", lambda: popup.geometry().bottomRight() + QPoint(40, 40))
    QApplication.sendEvent(popup, leave)
    assert not popup.isVisible()


def test_hover_has_the_size_of_its_text_each_time(pane: EditorPane) -> None:
    pane.set_text(TEXT)
    sizes = []
    for words in ("A word", "Many words. " * 60, "A word", "Two words", "A word"):
        pane.help.hover.provider = lambda _offset, take, words=words: take(words)
        pane.help.hover.show_at_caret()
        QApplication.processEvents()
        sizes.append(pane.help.hover.popup.size())
    assert sizes[0] == sizes[2] == sizes[4]
    assert sizes[1].height() > 2 * sizes[0].height()
    assert sizes[3].width() > sizes[0].width()


def test_hover_by_key_without_content(marked: EditorPane, hands: EditorDriver) -> None:
    marked.go_to(Span(IMAGE.start, IMAGE.start))
    hands.press(Key.Key_I, Modifier.ControlModifier)
    assert marked.help.hover.popup.isVisible()
    marked.go_to(Span(0, 0))
    hands.press(Key.Key_I, Modifier.ControlModifier)
    assert not marked.help.hover.popup.isVisible()


@pytest.fixture
def answers(marked: EditorPane) -> list[Callable[[Html], object]]:
    """Request a hover text, and return the list of waiting callbacks, the oldest first."""
    waiting: list[Callable[[Html], object]] = []
    marked.help.hover.provider = lambda _offset, take: waiting.append(take)
    marked.go_to(Span(IMAGE.start, IMAGE.start))
    marked.help.hover.show_at_caret()
    return waiting


def test_hover_appears_when_its_content_arrives(marked: EditorPane, answers: list[Callable[[Html], object]]) -> None:
    popup = marked.help.hover.popup
    assert not popup.isVisible()
    answers.pop()(Html("A word"))
    assert popup.isVisible()
    assert "A word" in popup.label.text()
    marked.help.hover.show_at_caret()
    assert popup.isVisible()  # the old text stays until the new one arrives
    answers.pop()(Html("Another word"))
    assert "Another word" in popup.label.text()


@pytest.mark.parametrize("leave", ["type", "escape", "move", "scroll", "hide", "clearFocus", "mouse", "delete"])
def test_outdated_hover_is_not_shown(
    marked: EditorPane, hands: EditorDriver, answers: list[Callable[[Html], object]], leave: str
) -> None:
    popup, editor = marked.help.hover.popup, marked.editor
    marked.resize(marked.width(), 40)
    marked.help.hover.show_at_caret()
    match leave:
        case "type":
            hands.type("x")
        case "escape":
            hands.press(Key.Key_Escape)
        case "move":
            hands.press(Key.Key_Right)
        case "scroll":
            editor.verticalScrollBar().setValue(editor.verticalScrollBar().value() + 1)
        case "mouse":
            QTest.mouseMove(editor.viewport(), QPoint(2, 2))
        case "delete":
            shiboken6.delete(editor)
        case _:
            getattr(editor, leave)()
    for answer in answers:
        answer(Html("A word"))
    assert leave == "delete" or not popup.isVisible()


def test_only_the_last_answer_is_shown(marked: EditorPane, answers: list[Callable[[Html], object]]) -> None:
    marked.help.hover.show_at_caret()
    first, second = answers
    first(Html("One word"))
    assert not marked.help.hover.popup.isVisible()
    second(Html("Another word"))
    assert "Another word" in marked.help.hover.popup.label.text()


def test_hover_is_hidden_with_the_editor(marked: EditorPane, hands: EditorDriver) -> None:
    marked.go_to(Span(IMAGE.start, IMAGE.start))
    hands.press(Key.Key_I, Modifier.ControlModifier)
    popup = marked.help.hover.popup
    assert popup.isVisible()
    marked.hide()
    assert not popup.isVisible()
    marked.show()
    assert not popup.isVisible()


def test_ctrl_click_goes_to_the_definition_of_a_word(marked: EditorPane, qtbot: QtBot) -> None:
    cursor = marked.editor.textCursor()
    cursor.setPosition(TEXT.index("image") + 1 + 2)
    point = marked.editor.cursorRect(cursor).center()
    with qtbot.waitSignal(marked.editor.definition_requested, check_params_cb=lambda offset: offset == IMAGE.start + 2):
        QTest.mouseClick(marked.editor.viewport(), Qt.MouseButton.LeftButton, Modifier.ControlModifier, point)


def test_breadcrumbs_link_to_their_positions(marked: EditorPane, qtbot: QtBot) -> None:
    crumbs = [("resources", Span(10, 19)), ("server", Span(23, 29)), ("flavour", FLAVOUR)]
    marked.breadcrumbs.set_crumbs(crumbs)
    assert crumbs_of(marked) == ["resources", "server", "flavour"]
    marked.breadcrumbs._buttons[1].click()
    assert marked.selection() == Span(23, 29)
    marked.resize(180, 300)
    assert crumbs_of(marked)[-1] == "flavour"
    assert len(crumbs_of(marked)) < 3


def test_every_control_has_an_accessible_name(pane: EditorPane) -> None:
    pane.search_bar.open_bar(replacing=True)
    pane.line_bar.open_bar(0, 1)
    pane.breadcrumbs.set_crumbs([("a", Span(0, 0))])
    nameless = []
    for widget in pane.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.objectName().startswith("qt_"):
            continue
        if isinstance(widget, QAbstractButton | QLineEdit | QScrollBar) or widget is pane.editor:
            interface = QAccessible.queryAccessibleInterface(widget)
            if not interface.text(QAccessible.Text.Name):
                nameless.append(type(widget).__name__)
    assert nameless == []


def test_brackets_at_the_cursor_are_highlighted_but_not_in_strings(pane: EditorPane) -> None:
    show(pane, "a: ¦{b: [c, '}']}")
    assert pane.decorations.brackets == [(3, 4), (15, 16)]
    show(pane, "a: {b: ¦'}'}")
    assert not pane.decorations.brackets


def test_changed_font_applies_to_line_numbers(pane: EditorPane) -> None:
    assert QFont(pane.editor.gutter.font()).pixelSize() == pane.editor.font().pixelSize()


def test_whitespace_is_shown_on_demand(pane: EditorPane) -> None:
    pane.set_text("a:  b\n\tc\n")
    before = pane.editor.viewport().grab().toImage()
    pane.switch("blanks", True)
    assert pane.editor.viewport().grab().toImage() != before
    assert pane.text() == "a:  b\n\tc\n"


def test_loaded_text_is_shown_from_its_start(pane: EditorPane) -> None:
    pane.set_text(TEXT)
    assert pane.caret_offset() == 0


def test_reloaded_text_keeps_the_cursor_and_can_be_undone(marked: EditorPane) -> None:
    marked.go_to(Span(IMAGE.start, IMAGE.start))
    marked.replace_text("# new\n" + TEXT)
    assert marked.caret_offset() == IMAGE.start + 6
    marked.editor.undo()
    assert marked.text() == TEXT


def test_cursor_and_marks_stay_at_their_lines_after_a_reload(marked: EditorPane) -> None:
    marked.go_to(Span(IMAGE.start, IMAGE.start))
    changed = TEXT.replace("résumé", "# new 🚀\nresume") + "outputs:\n"
    marked.replace_text(changed)
    assert marked.text() == changed
    by = changed.index("image") - IMAGE.start
    assert marked.caret_offset() == IMAGE.start + by
    assert [(one.start, one.end, one.mark) for one in marked.decorations.marks.all()] == [
        (mark.span.start + by + 2, mark.span.end + by + 2, mark)
        for mark in MARKS  # two characters take two more units
    ]
    marked.editor.undo()
    assert marked.text() == TEXT


def test_folds_are_kept_after_a_reload(pane: EditorPane) -> None:
    pane.set_text("a: 1\nb:\n  c: 2\nd: 3\n")
    pane.editor.folding.fold(pane.editor.document().findBlockByNumber(1))
    pane.replace_text("a: 4\nx: 1\nb:\n  c: 2\nd: 5\n")
    document = pane.editor.document()
    seen = [document.findBlockByNumber(line).isVisible() for line in range(5)]
    assert seen == [True, True, True, False, True]


def test_outcomes_move_with_their_resource(marked: EditorPane, hands: EditorDriver) -> None:
    marked.decorations.set_changes({0: MAYBE, 2: REPLACED})
    show_at = TEXT.index("  server")
    marked.apply_edits([TextEdit(Span(show_at, show_at), "  port:\n    type: x\n")])
    assert marked.decorations.changes == {0: MAYBE, 4: REPLACED}
    marked.editor.undo()
    assert marked.decorations.changes == {0: MAYBE, 2: REPLACED}


def test_outcomes_move_with_their_resources_after_several_edits(pane: EditorPane) -> None:
    pane.set_text("a:\nb:\nc:\nd:\n")
    pane.decorations.set_changes({1: MAYBE, 3: REPLACED})
    pane.replace_text("x:\na:\nb:\nc:\n  y: 1\nd:\ne:\n")
    assert pane.decorations.changes == {2: MAYBE, 5: REPLACED}


def test_position_near_the_line_start_scrolls_to_the_left_edge(pane: EditorPane) -> None:
    pane.set_text("a: " + "x" * 500 + "\nresources:\n")
    pane.go_to(Span(450, 460))
    assert pane.editor.horizontalScrollBar().value() > 0
    pane.go_to(Span(1, 2))
    assert pane.editor.horizontalScrollBar().value() == 0


def test_text_can_be_dropped_on_the_text(pane: EditorPane) -> None:
    assert pane.editor.viewport().acceptDrops()


def test_text_stays_usable_after_another_view_of_it_is_deleted(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver
) -> None:
    show(pane, "a: ¦")
    other = EditorPane(pane.editor.appearance, shared=pane)
    qtbot.addWidget(other)
    other.show()
    QTest.keyClicks(other.editor, "b")
    with qtbot.waitSignal(other.destroyed):
        other.deleteLater()
    pane.setFocus()
    hands.type("c")
    assert pane.text() in {"a: bc", "ba: c"}

"""Very long files: the cost of a key press does not depend on the length of the file."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity, Span, TextEdit
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.marks import Mark
from heatstudio.ui.widgets import Scheme
from tests.ui.editor.conftest import EditorDriver
from tests.work import count_calls

ENTRY = """\
  server_{0}:
    type: OS::Nova::Server
    properties:
      name: server {0}
      image: {{get_param: image}}
      networks:
        - port: {{get_resource: port_{0}}}
      user_data:
        str_replace:
          template: |
            #!/bin/sh
            echo $value
"""
ENTRIES = 1_000


def text_of(entries: int) -> str:
    return "heat_template_version: 2021-04-16\nresources:\n" + "".join(map(ENTRY.format, range(entries)))


def test_only_visible_lines_are_highlighted_before_the_first_paint(pane: EditorPane) -> None:
    pane.set_text(text_of(ENTRIES))
    pane.editor.viewport().repaint()
    assert not pane.editor.highlighter.is_complete


def test_hidden_lines_are_not_highlighted_before_they_are_visible(pane: EditorPane, qtbot: QtBot) -> None:
    pane.hide()
    pane.set_text(text_of(40))
    qtbot.wait(500)
    assert not pane.editor.highlighter.is_complete
    pane.show()
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete)
    pane.hide()
    pane.editor.appearance.choose(Scheme.DARK)
    assert not pane.editor.theme.dark
    pane.show()
    assert pane.editor.theme.dark


def test_key_press_takes_the_same_work_in_a_long_file(pane: EditorPane, hands: EditorDriver, qtbot: QtBot) -> None:
    def work(entries: int) -> int:
        text = text_of(entries)
        pane.set_text(text)
        qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete)
        step = len(text) // entries
        spans = [Span(at, at + 3) for at in range(0, len(text) - 3, step)]
        pane.decorations.set_marks([Mark(span, Severity.WARNING, "Old") for span in spans])
        pane.go_to_line(entries * 6)

        def type_words() -> None:
            for character in "some words in the middle":
                hands.type(character)
                QApplication.processEvents()

        type_words()
        return count_calls(type_words)

    assert work(ENTRIES) < 2 * work(ENTRIES // 10)


def test_lines_between_distant_edits_are_not_read_again(pane: EditorPane, qtbot: QtBot) -> None:
    text = text_of(ENTRIES // 4)
    pane.set_text(text)
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete)
    first, last = text.index("server 0"), text.index(f"server {ENTRIES // 4 - 1}")
    pane.editor.text_document.apply([TextEdit(Span(at, at + 6), "host") for at in (first, last)])
    assert count_calls(pane.editor.undo) < 30 * pane.editor.blockCount()
    assert pane.text() == text

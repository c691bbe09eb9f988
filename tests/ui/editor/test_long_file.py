"""A file as long as the longest that people write: 12,000 lines open and are typed in without a pause."""

from __future__ import annotations

from statistics import median
from time import perf_counter

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity, Span
from heatstudio.ui.editor import EditorPane, Mark
from heatstudio.ui.theme import load_theme
from tests.ui.editor.conftest import Hands

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


@pytest.fixture(scope="module")
def long_text() -> str:
    return "heat_template_version: 2021-04-16\nresources:\n" + "".join(map(ENTRY.format, range(ENTRIES)))


def test_it_opens_within_a_second(pane: EditorPane, long_text: str) -> None:
    begun = perf_counter()
    pane.set_text(long_text)
    pane.editor.viewport().repaint()
    assert perf_counter() - begun < 1.0


def test_what_nobody_sees_is_not_colored_before_it_is_seen(pane: EditorPane, qtbot: QtBot) -> None:
    pane.hide()
    pane.set_text("resources:\n" + "".join(map(ENTRY.format, range(40))))
    qtbot.wait(500)
    assert not pane.editor.highlighter.is_complete
    pane.show()
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete)
    pane.hide()
    pane.editor.set_theme(load_theme("dark"))
    qtbot.wait(500)
    assert not pane.editor.highlighter.is_complete


def test_a_key_in_the_middle_is_seen_within_two_frames(
    pane: EditorPane, hands: Hands, qtbot: QtBot, long_text: str
) -> None:
    pane.set_text(long_text)
    qtbot.waitUntil(lambda: pane.editor.highlighter.is_complete, timeout=30_000)
    pane.text_changed.connect(pane.text)
    step = len(long_text) // 500
    pane.set_marks([Mark(Span(at, at + 3), Severity.WARNING, "Old") for at in range(0, len(long_text) - 3, step)])
    pane.go_to_line(ENTRIES * 6)
    times = []
    for character in "some words that are typed in the middle of a long file":
        begun = perf_counter()
        hands.type(character)
        QApplication.processEvents()
        times.append(perf_counter() - begun)
    assert median(times) < 0.033

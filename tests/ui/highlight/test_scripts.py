"""Scripts in templates and in files are highlighted in their language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout
from pytestqt.qtbot import QtBot

from heatstudio.text.yaml_lexer import Run, TokenRole
from heatstudio.ui.highlight.highlighter import Highlighter
from heatstudio.ui.highlight.scripts import is_loading, language_of, language_of_file, lexer_of, script_runs
from heatstudio.ui.widgets.theme import Color, load_theme
from tests.ui.highlight.test_highlighter import colors, make, pieces

BASH = '#!/bin/bash\n# c\nfor i in 1 2; do\n  echo "a\nb" $i\ndone\n'
TEMPLATE = "resources:\n  a:\n    properties:\n      user_data: |\n" + "".join(
    f"        {line}\n" for line in BASH.splitlines()
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("#!/bin/sh\n", "bash"),
        ("#!/usr/bin/env python3\n", "python"),
        ("#! /usr/bin/env -S bash -x", "bash"),
        ("#!/usr/bin/python3.11 -u", "python"),
        ("\n\n#cloud-config\nruncmd: []", "yaml"),
        ("#ps1_sysnative\nGet-Date", "powershell"),
        ("<powershell>\n", "powershell"),
        ('{"a": 1}', "json"),
        ("[1, 2]", "json"),
        ("import os\n", "python"),
        ("from os import path", "python"),
        ("from here to there", ""),
        ("Hello $name", ""),
        ("", ""),
        ("#!", ""),
    ],
)
def test_first_line_determines_the_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [("a.sh", "", "bash"), ("a.py", "", "python"), ("a", BASH, "bash"), ("a.yaml", "#c\n", ""), ("a.json", "{}", "")],
)
def test_language_of_files(name: str, text: str, language: str) -> None:
    assert language_of_file(name, text) == language


def lexer_runs(text: str, language: str) -> list[list[Run]]:
    while is_loading(language):
        pass
    lexer = lexer_of(language)
    assert lexer is not None
    return list(script_runs(text, lexer))


def test_multiline_string_is_highlighted_in_each_line() -> None:
    lines = lexer_runs(BASH, "bash")
    assert [run.role for run in lines[1]] == [TokenRole.COMMENT]
    assert lines[2][0] == Run(0, 3, TokenRole.FUNCTION)
    assert TokenRole.STRING in {run.role for run in lines[3]}
    assert lines[4][0].role is TokenRole.STRING


@given(st.text(st.sampled_from("ab\n'\"$#{}() \\\té🚀"), max_size=60), st.sampled_from(["bash", "python", "json"]))
def test_runs_stay_inside_their_lines(text: str, language: str) -> None:
    lines = lexer_runs(text, language)
    for line, runs in zip(text.split("\n"), lines, strict=False):
        assert all(run.start >= 0 and run.start + run.length <= len(line) for run in runs)


def waited(qtbot: QtBot, document: QTextDocument, line: int, piece: tuple[int, int, str]) -> None:
    qtbot.waitUntil(lambda: piece in pieces(document.findBlockByNumber(line)))


def test_script_in_a_block_scalar(qtbot: QtBot) -> None:
    document, _highlighter = make(TEMPLATE)
    theme = load_theme("light")
    waited(qtbot, document, 6, (8, 3, theme.value(Color.FUNCTION).lower()))
    assert pieces(document.findBlockByNumber(5)) == [(8, 3, theme.value(Color.COMMENT).lower())]


def test_only_visible_scripts_are_repainted(qtbot: QtBot) -> None:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    highlighter = Highlighter(document, load_theme("light"), is_reached=True)
    highlighter.expect_load(TEMPLATE.count("\n") + 1)
    document.setPlainText(TEMPLATE)
    painted: list[int] = []
    document.documentLayout().update.connect(lambda _area: painted.append(0))
    known = 8, 3, load_theme("light").value(Color.FUNCTION).lower()
    waited(qtbot, document, 6, known)
    assert painted == []
    highlighter.reach(document.blockCount() - 1)
    QTextCursor(document.findBlockByNumber(5)).insertText(" ")
    painted.clear()
    waited(qtbot, document, 6, known)
    qtbot.waitUntil(lambda: bool(painted))


def test_colors_after_typing_equal_those_of_a_new_text(qtbot: QtBot) -> None:
    document, _highlighter = make(TEMPLATE)
    theme = load_theme("light")
    waited(qtbot, document, 6, (8, 3, theme.value(Color.FUNCTION).lower()))
    cursor = QTextCursor(document.findBlockByNumber(5))
    cursor.insertText('        echo "open\n')
    waited(qtbot, document, 7, (8, 16, theme.value(Color.STRING).lower()))
    other, _other_highlighter = make(document.toPlainText())
    qtbot.waitUntil(lambda: colors(other) == colors(document))


def test_a_document_that_is_a_script(qtbot: QtBot) -> None:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    highlighter = Highlighter(document, load_theme("light"))
    highlighter.set_language("bash")
    highlighter.expect_load(BASH.count("\n") + 1)
    document.setPlainText(BASH)
    highlighter.resume()
    waited(qtbot, document, 2, (0, 3, load_theme("light").value(Color.FUNCTION).lower()))

"""Names and messages of a template are shown literally, even if they look like HTML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6 import QtGui
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from heatstudio.text.markup import Html
from heatstudio.ui.problems.table import ProblemRow
from heatstudio.ui.widgets.code_text import CodeText
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.ui.widgets.plain_text import PlainLabel, plain
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench

IMAGE = '<img src="http://host.invalid/x.png">'


might_be_rich_text: Callable[[str], bool] = QtGui.Qt.mightBeRichText


@pytest.mark.parametrize("text", [IMAGE, "a < b & c\n  d", "plain", "", "<b>a</b>\n<br>", "&lt;", "a &lt; b\n&amp;"])
def test_text_is_shown_literally(text: str) -> None:
    shown = plain(text)
    if might_be_rich_text(shown):
        document = QTextDocument()
        document.setHtml(shown)
        shown = document.toPlainText()
    assert shown.replace("\N{LINE SEPARATOR}", "\n") == text


def test_label_shows_tags(qtbot: QtBot) -> None:
    label = PlainLabel(IMAGE)
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText


def test_labels_and_tool_tips_do_not_interpret_names_as_html(qtbot: QtBot, real: Window) -> None:
    text = f"heat_template_version: 2021-04-16\nresources:\n  '{IMAGE}': {{type: '{IMAGE}', depends_on: '{IMAGE}'}}\n"
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(text, IMAGE)
    qtbot.waitUntil(lambda: bench(real).problems.model.rowCount() > 0)
    tips = [
        bench(real).problems.model.data(index, Qt.ItemDataRole.ToolTipRole)
        for index in bench(real).problems.model.indexes()
    ]
    rows = [
        index
        for index in bench(real).problems.model.indexes()
        if isinstance(bench(real).problems.model.value(index), ProblemRow)
    ]
    assert rows
    assert [tip for tip in tips if "<img" in str(tip)] == []
    labels = [one for one in real.findChildren(QLabel) if one.textFormat() is Qt.TextFormat.AutoText]
    assert [one.text() for one in labels if "<" in one.text()] == []


def test_tool_tip_of_a_tab_shows_its_file_name(window: Window, tmp_path: Path) -> None:
    (tmp_path / "<b>a.yaml").write_text("a: 1\n", encoding="utf-8")
    window.files.open([str(tmp_path / "<b>a.yaml")])
    assert "&lt;b&gt;a.yaml" in window.area.tabs.tabToolTip(0)


def test_text_that_begins_in_another_script_is_shown_from_left_to_right(qtbot: QtBot) -> None:
    hebrew = "\u05e9\u05dc\u05d5\u05dd"
    label = HtmlLabel()
    qtbot.addWidget(label)
    label.set_html(Html("{} <b>{}</b> 1").fill(hebrew, "OS::Nova::Server"))
    label.resize(600, 40)
    plain_label = CodeText(f"{hebrew} a", QFont(), QFont(), 600)
    picture = QImage(600, 40, QImage.Format.Format_RGB32)
    for paint in (label.render, lambda image: draw(plain_label, image)):
        picture.fill(Qt.GlobalColor.white)
        paint(picture)
        used = [x for x in range(600) for y in range(40) if picture.pixelColor(x, y).lightness() < 100]
        assert max(used) < 300


def draw(text: CodeText, picture: QImage) -> None:
    painter = QPainter(picture)
    text.draw(painter, QRectF(0, 0, 600, 40))
    painter.end()

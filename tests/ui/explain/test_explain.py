"""The explanation pane shows the page of each code."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from heatstudio.analysis.pages import pages
from heatstudio.assets import resource_path
from heatstudio.text.markup import Markdown
from heatstudio.ui.explain.page_browser import ExplainPane, PageBrowser, write_page
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.theme import Color
from tests.ui.fresh_paint import find_difference


@pytest.fixture
def pane(qtbot: QtBot, appearance: Appearance) -> ExplainPane:
    pane = ExplainPane(appearance)
    qtbot.addWidget(pane)
    return pane


def test_no_page_is_shown_before_a_code_is_selected(pane: ExplainPane) -> None:
    pane.show()
    assert pane.empty.isVisible()
    pane.show_code("no-such-code")
    assert pane.empty.isVisible()


def test_selecting_a_code_shows_its_page(pane: ExplainPane) -> None:
    pane.show()
    pane.show_code("circular-dependency")
    assert pane.browser.isVisible()
    assert "cycle" in pane.browser.toPlainText()
    assert pane.choice.currentText() == "circular-dependency"


def test_page_starts_with_the_problem_and_heats_message(pane: ExplainPane) -> None:
    pane.show_code("unknown-property", "Unknown property `nam`.", "Unknown *Property*\n  nam <b>")
    lines = pane.browser.toPlainText().splitlines()
    assert lines[1:3] == ["Unknown property nam.", "Heat says: Unknown *Property* nam <b>"]
    pane.choice.setCurrentText("yaml-syntax")
    assert "Heat says: " not in pane.browser.toPlainText()
    pane.show_code("unknown-property")
    assert "Heat says: " not in pane.browser.toPlainText()


def test_all_pages_can_be_selected(pane: ExplainPane) -> None:
    pane.show_code("yaml-syntax")
    assert [pane.choice.itemText(row) for row in range(pane.choice.count())] == sorted(pages())
    pane.choice.setCurrentText("unknown-property")
    assert pane.code == "unknown-property"


@pytest.mark.parametrize("code", sorted(pages()))
def test_page_has_at_most_three_font_sizes_and_no_raw_markup(appearance: Appearance, code: str) -> None:
    document = QTextDocument()
    write_page(document, pages()[code], appearance.theme, appearance.fixed_font())
    assert not any(line.startswith(("#", "- ")) and "heatstudio" not in line for line in _prose(document))
    assert "ignore[" in document.toPlainText()


def _prose(document: QTextDocument) -> list[str]:
    found = []
    block = document.begin()
    while block.isValid():
        if block.blockFormat().background().style() is Qt.BrushStyle.NoBrush:
            found.append(block.text())
        block = block.next()
    return found


def test_a_page_follows_the_theme(pane: ExplainPane, appearance: Appearance) -> None:
    pane.show_code("yaml-syntax")
    appearance.choose(Scheme.DARK)
    heading = pane.browser.document().begin()
    part = heading.begin()
    color = part.fragment().charFormat().foreground().color()
    assert color == QColor(appearance.theme.value(Color.TEXT))


def test_examples_have_the_colors_of_the_editor(pane: ExplainPane, appearance: Appearance) -> None:
    pane.show_code("unknown-property")

    def colored() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        block = pane.browser.document().begin()
        while block.isValid():
            for one in block.layout().formats():
                piece = block.text()[one.start : one.start + one.length]
                found.setdefault(piece, set()).add(one.format.foreground().color().name().upper())
            block = block.next()
        return found

    for scheme in (Scheme.LIGHT, Scheme.DARK):
        appearance.choose(scheme)
        found, theme = colored(), appearance.theme
        assert found["OS::Nova::Server"] == {theme.value(Color.RESOURCE_TYPE)}
        assert found["properties"] == {theme.value(Color.KEY)}
        assert found["# unknown"] == {theme.value(Color.COMMENT)}
        assert not any(piece in "Heat refuses a resource with a property that it does not know." for piece in found)


HOSTILE = "![x]({picture}) **bold** [link](https://example.invalid) <b>tag</b>\n# heading `{picture}`"
"""A message that would show a picture, a link, bold text and a heading if it was read as Markdown."""


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    picture = QImage(40, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("red"))
    assert picture.save(str(tmp_path / "red.png"))
    return tmp_path / "red.png"


def test_message_of_a_problem_is_shown_literally(pane: ExplainPane, picture: Path) -> None:
    message = HOSTILE.format(picture=picture)
    pane.show_code("unknown-property", message, message)
    lines = pane.browser.toPlainText().splitlines()
    literal = message.replace("\n", " ")
    assert lines[1:3] == [literal.replace("`", ""), f"Heat says: {literal}"]
    written = pane.browser.toHtml().partition("Heat says")[0].partition("![x]")[2]
    assert not any(tag in written for tag in ("<img", "<a ", "<b>", "<h", "font-weight"))


def test_page_loads_no_file_that_it_names(
    qtbot: QtBot, pane: ExplainPane, appearance: Appearance, picture: Path
) -> None:
    pane.browser.show_page(Markdown(f"![x]({picture})\n\n![x]({picture.as_uri()})"))
    guide = PageBrowser(appearance, "Page")
    qtbot.addWidget(guide)
    guide.find_pictures_in(resource_path("guide"))
    for name in (str(picture), picture.as_uri(), f"{resource_path('guide')}/../{picture}", "qrc:/x.png"):
        guide.show_page(Markdown(f"![x]({name})"))
        for browser in (guide, pane.browser):
            image = browser.grab().toImage()
            colors = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
            assert "#ff0000" not in colors
            assert "<img" in browser.toHtml()


def test_selection_leaves_no_pixel_behind(qtbot: QtBot, appearance: Appearance) -> None:
    page = PageBrowser(appearance, "Page")
    qtbot.addWidget(page)
    page.resize(520, 300)
    page.show_page(
        Markdown("The Parameters pane has a field for each parameter, with its type and default. The values\n" * 9)
    )
    with qtbot.waitExposed(page):
        page.show()
    for word in ("values", "field", "pane", "type", "default"):
        page.moveCursor(QTextCursor.MoveOperation.Start)
        assert find_difference() is None
        assert page.find(word)
        assert find_difference() is None, word

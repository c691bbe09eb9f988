"""The explanation pane shows the page of each code."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextDocument
from pytestqt.qtbot import QtBot

from heatstudio.analysis.pages import pages
from heatstudio.ui.explain import ExplainPane
from heatstudio.ui.explain.page_browser import write_page
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.theme import Color


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

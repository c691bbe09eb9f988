"""The user guide: navigation and search, and existing commands, shortcuts, links and pictures."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QListWidget
from pytestqt.qtbot import QtBot

from heatstudio.assets import resource_path
from heatstudio.ui.commands.actions import MENUS
from heatstudio.ui.explain.page_browser import UserGuide, guide_pages
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.shown_keys import show_keys
from tests.test_words import NEVER

WIDEST = 620
"""The maximum width of a picture in pixels."""


@pytest.fixture
def guide(qtbot: QtBot, appearance: Appearance) -> UserGuide:
    guide = UserGuide(appearance)
    qtbot.addWidget(guide)
    return guide


def shown(pages: QListWidget) -> list[str]:
    return [pages.item(row).text() for row in range(pages.count()) if not pages.item(row).isHidden()]


def test_at_least_a_dozen_pages_start_with_a_title(guide: UserGuide) -> None:
    assert guide.list.count() == len(guide_pages()) >= 12
    assert guide.browser.toPlainText().startswith("Getting started")


@pytest.mark.parametrize("page", guide_pages())
def test_no_line_starts_a_quotation(page: str) -> None:
    """A menu path such as `File > Open` that is wrapped before its `>` would."""
    assert not re.search(r"^\s*>", guide_pages()[page], re.MULTILINE)


def test_link_opens_its_page(guide: UserGuide) -> None:
    guide.browser.anchorClicked.emit(QUrl("06-preview.md"))
    assert guide.browser.toPlainText().startswith("Update preview")


def test_search_shows_pages_with_all_words(qtbot: QtBot, guide: UserGuide) -> None:
    guide.search.setText("clouds.yaml Trust")
    qtbot.waitUntil(lambda: shown(guide.list) == ["Clouds and stacks"])
    guide.search.clear()
    qtbot.waitUntil(lambda: len(shown(guide.list)) == guide.list.count())


@pytest.mark.parametrize("name", guide_pages())
def test_names_on_a_page_exist(name: str) -> None:
    page = " ".join(guide_pages()[name].split())
    entries = {f"{menu.title} > {one.title}".replace("&", ""): one for menu in MENUS for one in menu.commands if one}
    for entry, keys in re.findall(r"\*\*([A-Z]\w+ > [^*]+)\*\*(?: \(([^)]+)\))?", page):
        assert entry in entries
        assert not keys or keys in entries[entry].shortcuts
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", page)) <= set(guide_pages())
    for picture in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page):
        assert 0 < QImage(str(resource_path("guide", picture))).width() <= WIDEST
    assert not NEVER.findall(page)


@pytest.mark.parametrize("width", [500, 900])
def test_pictures_fit_the_page(guide: UserGuide, width: int) -> None:
    for row in range(guide.list.count()):
        guide.list.setCurrentRow(row)
        guide.resize(width, 700)
        guide.show()
        QApplication.processEvents()
        assert guide.browser.horizontalScrollBar().maximum() == 0


def test_pages_name_the_keys_of_the_user(guide: UserGuide) -> None:
    guide.browser.verticalScrollBar().setValue(20)
    show_keys({"Ctrl+O": "Ctrl+Alt+9"})
    assert "(Ctrl+Alt+9)" in guide.browser.toPlainText()
    show_keys({})
    assert "(Ctrl+O)" in guide.browser.toPlainText()

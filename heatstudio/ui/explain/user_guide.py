"""The user guide: a list of pages, and the selected page; it needs no network."""

from functools import cache

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QDialog, QListWidget, QSplitter, QWidget

from heatstudio.assets import resource_path
from heatstudio.text.markup import Markdown
from heatstudio.ui.explain.page_browser import PageBrowser
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.dialogs import close_button, resize_within_screen
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.row_delegate import style_rows
from heatstudio.ui.widgets.search_field import SearchField

_SIZE = (940, 620)
_LIST_WIDTH = 240


@cache
def guide_pages() -> dict[str, Markdown]:
    """Return the pages by file name, in reading order."""
    return {
        file.name: Markdown(file.read_text(encoding="utf-8")) for file in sorted(resource_path("guide").glob("*.md"))
    }


class UserGuide(QDialog):
    """A non-modal dialog of the guide, whose search finds the pages with all words of a query."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("User Guide")
        self.setAccessibleName("User Guide")
        resize_within_screen(self, *_SIZE)
        self.search = SearchField(appearance, "Search the guide")
        self.list = QListWidget()
        style_rows(self.list, "Pages")
        self.list.addItems([page.partition("\n")[0].removeprefix("# ") for page in guide_pages().values()])
        self.browser = PageBrowser(appearance, "Page")
        self.browser.find_pictures_in(resource_path("guide"))
        left, both = QWidget(), QSplitter(childrenCollapsible=False)
        in_column(self.search, (self.list, 1), of=left, gap=GAP)
        both.addWidget(left)
        both.addWidget(self.browser)
        left.setMinimumWidth(_LIST_WIDTH)
        both.setStretchFactor(1, 1)
        in_column((both, 1), close_button(self), of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)
        self.search.searched.connect(self._filter)
        self.search.left_downwards.connect(self.list.setFocus)
        self.list.currentRowChanged.connect(lambda row: self.browser.show_page([*guide_pages().values()][row]))
        self.browser.anchorClicked.connect(self._follow)
        self.list.setCurrentRow(0)

    def _filter(self, query: str) -> None:
        words = query.casefold().split()
        for row, page in enumerate(guide_pages().values()):
            self.list.item(row).setHidden(not all(word in page.casefold() for word in words))

    def _follow(self, link: QUrl) -> None:
        self.search.clear()
        self.list.setCurrentRow([*guide_pages()].index(link.fileName()))


def show_user_guide(appearance: Appearance, window: QWidget) -> None:
    """Show the guide of a window, at the last page if it is open already."""
    guide = window.findChild(UserGuide) or UserGuide(appearance, window)
    guide.show()
    guide.raise_()
    guide.activateWindow()

"""The page of a code beside the editor; it needs no network."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCursor, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTextBrowser

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.choice_box import choice_box
from heatstudio.ui.explain.page import is_code, write_page
from heatstudio.ui.highlight.highlighter import Code, Highlighter
from heatstudio.ui.panel import EDGE, GAP, EmptyState, Panel

_EMPTY = (
    "The page of a problem appears here",
    "Ctrl+F1 brings that of the problem at the caret: why it matters, an example, the way out.",
)


class ExplainPane(Panel):
    """Shows one page at a time; the box at the top has all of them."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Explanation", EmptyState(appearance, "severity-information", *_EMPTY))
        self._appearance = appearance
        self._pages: dict[str, str] = {}
        self.code = ""
        self.choice = choice_box("Code")
        self.browser = QTextBrowser()
        self.browser.setAccessibleName("Explanation")
        self.browser.document().setDocumentMargin(EDGE)
        self.browser.setOpenLinks(False)
        self.browser.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.browser.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.choice.currentTextChanged.connect(self._turn)
        bar = QHBoxLayout()
        bar.setContentsMargins(EDGE, 4, EDGE, 4)
        bar.setSpacing(GAP)
        label = QLabel("Code")
        label.setBuddy(self.choice)
        bar.addWidget(label)
        bar.addWidget(self.choice, 1)
        self.set_content(bar, self.browser)
        self.lead_to(self.browser)
        theme, document = appearance.theme, self.browser.document()
        self._highlighter = Highlighter(document, theme, is_part=True, find_code=_code_at)
        appearance.theme_changed.connect(self._write)

    def show_code(self, code: str) -> None:
        """Turns to the page of a code; of one without a page nothing is shown."""
        self._load()
        if code in self._pages:
            self.code = code
            self.choice.blockSignals(True)
            self.choice.setCurrentText(code)
            self.choice.blockSignals(False)
            self._write()
            self.set_filled(True)

    def _load(self) -> None:
        """The pages are read when the first one is asked for: they come with the checks."""
        if not self._pages:
            from heatstudio.analysis.checks import pages

            self._pages = pages()
            self.choice.blockSignals(True)
            self.choice.addItems(sorted(self._pages))
            self.choice.blockSignals(False)

    def _turn(self, code: str) -> None:
        self.show_code(code)

    def _write(self) -> None:
        if self.code:
            page = self._pages[self.code]
            write_page(self.browser.document(), page, self._appearance.theme, self._appearance.fixed_font())
            self._highlighter.set_theme(self._appearance.theme)
            self.browser.moveCursor(QTextCursor.MoveOperation.Start)
            self.browser.verticalScrollBar().setValue(0)


def _code_at(block: QTextBlock) -> Code | None:
    return Code() if is_code(block) else None

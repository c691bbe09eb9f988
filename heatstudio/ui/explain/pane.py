"""The page of a code beside the editor, with the problem that it explains; it needs no network."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextOption
from PySide6.QtWidgets import QTextBrowser

from heatstudio.analysis.pages import pages
from heatstudio.ui.highlight.highlighter import Code, Highlighter
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, EmptyState, Panel
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.theme import Color, Theme

_SIZES = {1: 16, 2: 13}
_LINE_HEIGHT = 125.0
_INDENT = 8
_PROPORTIONAL = int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
_EMPTY = (
    "The explanation of a problem appears here",
    "Ctrl+F1 explains the problem at the cursor: why it matters, an example, the fix.",
)


def write_page(document: QTextDocument, markdown: str, theme: Theme, code_font: QFont) -> None:
    """Writes the page: three sizes at most, code on a ground of its own."""
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownNoHTML)
    cursor = QTextCursor(document)
    block = document.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        _dress(cursor, block, theme, code_font)
        block = block.next()


def _dress(cursor: QTextCursor, block: QTextBlock, theme: Theme, code_font: QFont) -> None:
    shape, face = QTextBlockFormat(), QTextCharFormat()
    level = block.blockFormat().headingLevel()
    if level:
        font = QFont(block.document().defaultFont())
        font.setPixelSize(_SIZES.get(level, 13))
        font.setBold(True)
        face.setFont(font)
        face.setProperty(QTextCharFormat.Property.FontSizeAdjustment, 0)
        face.setForeground(theme.color(Color.TEXT))
        shape.setTopMargin(0 if level == 1 else 16)
        shape.setBottomMargin(8 if level == 1 else 4)
    elif is_code(block):
        face.setFont(code_font)
        face.setForeground(theme.color(Color.TEXT))
        shape.setBackground(theme.color(Color.HOVER_GROUND))
        shape.setTextIndent(_INDENT)
        shape.setTopMargin(0)
        shape.setBottomMargin(0 if is_code(block.next()) else 8)
        shape.setNonBreakableLines(False)
    else:
        shape.setBottomMargin(8)
        shape.setLineHeight(_LINE_HEIGHT, _PROPORTIONAL)
        _dress_words(block, theme, code_font)
    cursor.mergeBlockFormat(shape)
    cursor.mergeCharFormat(face)


def is_code(block: QTextBlock) -> bool:
    """Whether a line of a page is one of an example."""
    return (
        block.blockFormat().hasProperty(QTextBlockFormat.Property.BlockCodeFence)
        or block.blockFormat().hasProperty(QTextBlockFormat.Property.BlockCodeLanguage)
        or (block.text() != "" and block.charFormat().fontFixedPitch() and block.blockFormat().nonBreakableLines())
    )


def _dress_words(block: QTextBlock, theme: Theme, code_font: QFont) -> None:
    """Names within a sentence, in the face of code."""
    face = QTextCharFormat()
    face.setFont(code_font)
    face.setForeground(theme.color(Color.FUNCTION))
    spans = []
    part = block.begin()
    while not part.atEnd():
        fragment = part.fragment()
        if fragment.charFormat().fontFixedPitch():
            spans.append((fragment.position(), fragment.length()))
        part += 1
    cursor = QTextCursor(block)
    for start, length in spans:
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(face)


class ExplainPane(Panel):
    """Shows one page at a time; the box at the top has all of them."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Explanation", EmptyState(appearance, "severity-information", *_EMPTY))
        self._appearance = appearance
        self.code = ""
        self._own = ""
        self.choice = choice_box("Code")
        self.choice.addItems(sorted(pages()))
        self.browser = QTextBrowser()
        self.browser.setAccessibleName("Explanation")
        self.browser.document().setDocumentMargin(EDGE)
        self.browser.setOpenLinks(False)
        self.browser.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.browser.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.choice.currentTextChanged.connect(self._turn)
        label = PlainLabel("Code")
        label.setBuddy(self.choice)
        bar = in_row(label, (self.choice, 1), edges=(EDGE, 4, EDGE, 4), gap=GAP)
        self.set_content(bar, self.browser)
        self.lead_to(self.browser)
        theme, document = appearance.theme, self.browser.document()
        self._highlighter = Highlighter(document, theme, is_part=True, find_code=_code_at)
        appearance.theme_changed.connect(self._write)

    def show_code(self, code: str, message: str = "", heat: str = "") -> None:
        """Show the page of a code, if there is one, with the message of a problem and what Heat says of it."""
        if code in pages():
            self.code = code
            self._own = (f"\n{message}\n" if message else "") + (f"\nHeat says: {_plain(heat)}\n" if heat else "")
            self.choice.blockSignals(True)
            self.choice.setCurrentText(code)
            self.choice.blockSignals(False)
            self._write()
            self.set_filled(True)

    def _turn(self, code: str) -> None:
        self.show_code(code)

    def _write(self) -> None:
        if self.code:
            title, line_end, rest = pages()[self.code].partition("\n")
            page = f"{title}{line_end}{self._own}{rest}"
            write_page(self.browser.document(), page, self._appearance.theme, self._appearance.fixed_font())
            self._highlighter.set_theme(self._appearance.theme)
            self.browser.moveCursor(QTextCursor.MoveOperation.Start)
            self.browser.verticalScrollBar().setValue(0)


def _plain(text: str) -> str:
    """Return a text in one paragraph of Markdown, without any marks."""
    return re.sub(r"([\\`*_\[\]<>#|~&-])", r"\\\1", " ".join(text.split()))


def _code_at(block: QTextBlock) -> Code | None:
    return Code() if is_code(block) else None

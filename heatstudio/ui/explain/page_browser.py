"""Markdown pages: the page of a diagnostic code, and the user guide; at most three font sizes, highlighted code."""

from functools import cache
from pathlib import Path

from PySide6 import QtGui
from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtWidgets import QListWidget, QSplitter, QTextBrowser, QWidget

from heatstudio.analysis.pages import pages
from heatstudio.assets import resource_path
from heatstudio.text.markup import Markdown
from heatstudio.ui.highlight.highlighter import Code, Highlighter
from heatstudio.ui.widgets import EDGE, GAP, Color, EmptyState, Panel, PlainLabel, Theme, in_column, in_row
from heatstudio.ui.widgets.appearance import TEXT_PIXELS, Appearance, scaled
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.row_delegate import style_rows
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.shown_keys import with_keys

_SIZES = {1: 16, 2: 13}
_LINE_HEIGHT = 125.0
_INDENT = 8
_PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"
_PROPORTIONAL = int(QtGui.QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
_EMPTY = (
    "The explanation of a problem appears here",
    "F1 explains the problem at the cursor: why it matters, an example, the fix.",
)
_LIST_WIDTH = 240


def write_page(document: QtGui.QTextDocument, markdown: Markdown, theme: Theme, code_font: QtGui.QFont) -> None:
    """Write a Markdown page into a document."""
    document.setMarkdown(markdown, QtGui.QTextDocument.MarkdownFeature.MarkdownNoHTML)
    cursor = QtGui.QTextCursor(document)
    block = document.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        cursor.movePosition(QtGui.QTextCursor.MoveOperation.EndOfBlock, QtGui.QTextCursor.MoveMode.KeepAnchor)
        _restyle(cursor, block, theme, code_font)
        block = block.next()


def _restyle(cursor: QtGui.QTextCursor, block: QtGui.QTextBlock, theme: Theme, code_font: QtGui.QFont) -> None:
    shape, face = QtGui.QTextBlockFormat(), QtGui.QTextCharFormat()
    level = block.blockFormat().headingLevel()
    if level:
        font = QtGui.QFont(block.document().defaultFont())
        font.setPixelSize(scaled(_SIZES.get(level, TEXT_PIXELS)))
        font.setBold(True)
        face.setFont(font)
        face.setProperty(QtGui.QTextCharFormat.Property.FontSizeAdjustment, 0)
        face.setForeground(theme.color(Color.TEXT))
        shape.setTopMargin(0 if level == 1 else 16)
        shape.setBottomMargin(8 if level == 1 else 4)
    elif is_code(block):
        face.setFont(code_font)
        face.setForeground(theme.color(Color.TEXT))
        shape.setBackground(theme.color(Color.HOVER_GROUND))
        indentation = len(block.text()) - len(block.text().lstrip())
        hanging = (indentation + 2) * QtGui.QFontMetricsF(code_font).horizontalAdvance(
            " "
        )  # where a long line continues
        shape.setLeftMargin(_INDENT + hanging)
        shape.setTextIndent(-hanging)
        shape.setTopMargin(0)
        shape.setBottomMargin(0 if is_code(block.next()) else 8)
        shape.setNonBreakableLines(False)
    else:
        shape.setBottomMargin(8)
        if _PICTURE not in block.text():
            shape.setLineHeight(_LINE_HEIGHT, _PROPORTIONAL)
        _restyle_words(block, theme, code_font)
    cursor.mergeBlockFormat(shape)
    cursor.mergeCharFormat(face)


def is_code(block: QtGui.QTextBlock) -> bool:
    """Return whether a line of a page belongs to a code block."""
    return (
        block.blockFormat().hasProperty(QtGui.QTextBlockFormat.Property.BlockCodeFence)
        or block.blockFormat().hasProperty(QtGui.QTextBlockFormat.Property.BlockCodeLanguage)
        or (block.text() != "" and block.charFormat().fontFixedPitch() and block.blockFormat().nonBreakableLines())
    )


def _restyle_words(block: QtGui.QTextBlock, theme: Theme, code_font: QtGui.QFont) -> None:
    """Format inline code with the code font."""
    face = QtGui.QTextCharFormat()
    face.setFont(code_font)
    face.setForeground(theme.color(Color.FUNCTION))
    spans = []
    part = block.begin()
    while not part.atEnd():
        fragment = part.fragment()
        if fragment.charFormat().fontFixedPitch():
            spans.append((fragment.position(), fragment.length()))
        part += 1
    cursor = QtGui.QTextCursor(block)
    for start, length in spans:
        cursor.setPosition(start)
        cursor.setPosition(start + length, QtGui.QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(face)


class PageBrowser(QTextBrowser):
    """A browser of one page at a time, in the current theme; its owner handles links."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._page = Markdown("")
        self._pictures: Path | None = None
        self._width = 0
        """The width for which the pictures were made."""
        self.setAccessibleName(name)
        self.document().setDocumentMargin(EDGE)
        self.setOpenLinks(False)
        self.setWordWrapMode(QtGui.QTextOption.WrapMode.WordWrap)
        self._highlighter = Highlighter(self.document(), appearance.theme, is_part=True, find_code=_code_at)
        appearance.theme_changed.connect(self._write)
        # Qt paints the letters of a line otherwise if a part of it is selected, and updates only that part.
        self.selectionChanged.connect(self.viewport().update)

    def find_pictures_in(self, folder: Path) -> None:
        """Set the folder of the pictures in pages; others are not loaded."""
        self._pictures = folder
        self.document().setBaseUrl(QUrl.fromLocalFile(f"{folder}/"))

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture of the pages in the width of the page; Qt would load any file that a text names."""
        file = Path(QUrl(name).toLocalFile())
        if file.parent == self._pictures and file.suffix == ".png":
            picture, bar = QtGui.QImage(str(file)), self.verticalScrollBar().sizeHint().width()
            room = self.maximumViewportSize().width() - bar - 2 * EDGE
            is_wide = picture.width() > room > 0
            return picture.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation) if is_wide else picture
        return QtGui.QImage(1, 1, QtGui.QImage.Format.Format_Mono)  # without a picture, Qt opens the file itself

    def show_page(self, markdown: Markdown) -> None:
        """Show a page, scrolled to its start."""
        self._page = markdown
        self._write()
        self.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._pictures is not None and self.width() != self._width:  # the scroll bar resizes only the viewport
            self._width = self.width()
            self._write()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self._write()

    def _write(self) -> None:
        """Write the page, that of the guide with the user's keys; it stays scrolled to the same part."""
        if self._page:
            bar = self.verticalScrollBar()
            part = bar.value() / max(bar.maximum(), 1)
            self.document().clear()  # also the pictures, whose width may change
            page = Markdown(with_keys(self._page)) if self._pictures is not None else self._page
            write_page(self.document(), page, self._appearance.theme, self._appearance.fixed_font())
            self._highlighter.set_theme(self._appearance.theme)
            self.moveCursor(QtGui.QTextCursor.MoveOperation.Start)
            bar.setValue(round(part * bar.maximum()))


def _code_at(block: QtGui.QTextBlock) -> Code | None:
    return Code() if is_code(block) else None


class ExplainPane(Panel):
    """The pane with the page of a code; the box at the top lists all codes."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Explanation", EmptyState(appearance, "severity-information", *_EMPTY))
        self.code = ""
        self.choice = choice_box("Code")
        self.choice.addItems(sorted(pages()))
        self.browser = PageBrowser(appearance, "Explanation")
        self.browser.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.choice.currentTextChanged.connect(self.show_code)
        label = PlainLabel("Code")
        label.setBuddy(self.choice)
        bar = in_row(label, (self.choice, 1), edges=(EDGE, 4, EDGE, 4), gap=GAP)
        self.set_content(bar, self.browser)
        self.lead_to(self.browser)

    def show_code(self, code: str, message: str = "", heat: str = "") -> None:
        """Show the page of a code, if there is one, with the message of a problem and Heat's message."""
        if code in pages():
            self.code = code
            own = [Markdown("\n{}\n").fill(Markdown.sentence(message))] if message else []
            own += [Markdown("\nHeat says: {}\n").fill(" ".join(heat.split()))] if heat else []
            self.choice.blockSignals(True)
            self.choice.setCurrentText(code)
            self.choice.blockSignals(False)
            self.browser.show_page(pages()[code].below_title(Markdown("").join(own)))
            self.set_filled(True)


@cache
def guide_pages() -> dict[str, Markdown]:
    """Return the pages by file name, in reading order."""
    return {
        file.name: Markdown(file.read_text(encoding="utf-8")) for file in sorted(resource_path("guide").glob("*.md"))
    }


class UserGuide(Panel):
    """The guide, whose search finds the pages with all words of a query."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("User Guide", EmptyState(appearance, "severity-information", "User Guide", ""))
        self.search = SearchField(appearance, "Search the guide")
        self.list = QListWidget()
        style_rows(self.list, "Pages")
        self.list.addItems([page.partition("\n")[0].removeprefix("# ") for page in guide_pages().values()])
        self.browser = PageBrowser(appearance, "Page")
        self.browser.find_pictures_in(resource_path("guide"))
        left, both = QWidget(), QSplitter(childrenCollapsible=False)
        in_column(self.search, (self.list, 1), of=left, edges=(EDGE, EDGE, GAP, EDGE), gap=GAP)
        both.addWidget(left)
        both.addWidget(self.browser)
        left.setMinimumWidth(_LIST_WIDTH)
        both.setStretchFactor(1, 1)
        self.set_content(both)
        self.set_filled(True)
        self.lead_to(self.search)
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

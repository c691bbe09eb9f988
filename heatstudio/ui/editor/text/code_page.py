"""A text widget with a gutter: font, colors and visible lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QMimeData, QRect, Qt, Signal
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QPalette, QResizeEvent, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from heatstudio.ui.documents.qt_text import from_qt
from heatstudio.ui.editor.text.indentation import STEP
from heatstudio.ui.editor.text.text_document import TextDocument
from heatstudio.ui.editor.text.visible_lines import VisibleLine, place_line
from heatstudio.ui.highlight.highlighter import Highlighter
from heatstudio.ui.widgets.appearance import code_font, scaled
from heatstudio.ui.widgets.theme import Color, Theme

TEXT_SIZE: Final = 13
MARGIN: Final = 4
"""The margin around the text in pixels."""
DEFAULT_FAMILY: Final = "Default"
"""The name of the default font."""
SIZES: Final = range(6, 49)
"""The possible text sizes in pixels."""


class CodePage(QPlainTextEdit):
    """The base class of the editor and of compared texts; it needs a gutter (`take_edge`)."""

    _edge: QWidget
    _edge_width: Callable[[], int]

    zoom_requested = Signal(int)
    """The text size in pixels that is wanted."""
    theme_changed = Signal(object)

    def __init__(
        self, theme: Theme, name: str, parent: QWidget | None = None, *, shared: CodePage | None = None
    ) -> None:
        """Create a page with a text of its own, or with that of a page that lives longer."""
        super().__init__(parent)
        self._use_own_viewport()
        self._owner = shared
        self.theme = theme
        if shared is None:
            self.text_document = TextDocument(self.document())
            self.highlighter = Highlighter(self.document(), theme, is_reached=True)
        else:
            self.setDocument(shared.document())
            self.text_document, self.highlighter = shared.text_document, shared.highlighter
        self.text_size, self.text_family = TEXT_SIZE, ""
        """The text size in pixels, and the font family; empty for the default font."""
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.document().setDocumentMargin(MARGIN)

    def document(self) -> QTextDocument:
        """Return the document from the page that owns it: in Python it ends with the page that was asked last."""
        return super().document() if self._owner is None else self._owner.document()

    def createMimeDataFromSelection(self) -> QMimeData:
        data = super().createMimeDataFromSelection()
        text = data.text()
        if from_qt(text) != text:
            data.clear()
            data.setText(from_qt(text))
        return data

    def take_edge(self, edge: QWidget, width: Callable[[], int]) -> None:
        """Set the widget at the left of the text, once; `width` returns its width."""
        self._edge, self._edge_width = edge, width
        self.updateRequest.connect(self._follow_scroll)
        self.use_font(TEXT_SIZE, "")

    def use_font(self, size: int, family: str) -> None:
        """Set the text size in pixels, clamped to `SIZES`, and the font family."""
        self.text_size, self.text_family = max(SIZES.start, min(SIZES.stop - 1, size)), family
        font = code_font(family)
        font.setPixelSize(scaled(self.text_size))
        self.setFont(font)
        self._edge.setFont(font)
        self.setTabStopDistance(QFontMetricsF(font).horizontalAdvance(" ") * STEP)
        self.make_room()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colors of a theme."""
        self.theme = theme
        self.setPalette(reading_palette(self.palette(), theme))
        self.highlighter.set_theme(theme)
        self.repaint_all()
        self.theme_changed.emit(theme)

    def repaint_all(self) -> None:
        """Repaint text and gutter."""
        self.viewport().update()
        self._edge.update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Repaint all after a horizontal scroll: what is elided at the right edge changes."""
        super().scrollContentsBy(dx, dy)
        if dx:
            self.viewport().update()

    def caret_line(self) -> int:
        """Return the line of the cursor, from 0."""
        return self.textCursor().blockNumber()

    def visible_lines(self) -> list[VisibleLine]:
        """Return the visible lines, from top to bottom."""
        lines: list[VisibleLine] = []
        offset, height, width = self.contentOffset(), self.viewport().height(), self.viewport().width()
        block, top = self.firstVisibleBlock(), offset.y()
        while block.isValid() and top <= height:
            if block.isVisible():
                below = top + self.blockBoundingRect(block).height()  # lays out the block
                lines.append(place_line(block, offset.x(), top, width))
                top = below
            block = block.next()
        return lines

    def highlighted_lines(self) -> list[VisibleLine]:
        """Return the visible lines, highlighted, for a paint."""
        lines = self.visible_lines()
        if lines and self.highlighter.reach(lines[-1].block.blockNumber()):
            return self.visible_lines()
        return lines

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_requested.emit(self.text_size + (1 if event.angleDelta().y() > 0 else -1))
            event.accept()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.make_room()

    def _use_own_viewport(self) -> None:
        """Replace Qt's viewport, whose access takes a tenth of the start, as PySide searches all types of widgets."""
        viewport = QWidget(self, autoFillBackground=True)
        viewport.setBackgroundRole(QPalette.ColorRole.Base)
        viewport.setCursor(Qt.CursorShape.IBeamCursor)
        viewport.setAcceptDrops(True)
        self.setViewport(viewport)
        super().document().documentLayout().setPaintDevice(viewport)

    def make_room(self) -> None:
        """Fit the gutter to its required width."""
        width = self._edge_width()
        if self.viewportMargins().left() != width:
            self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self._edge.setGeometry(QRect(inside.left(), inside.top(), width, self.viewport().height()))

    def _follow_scroll(self, rect: QRect, dy: int) -> None:
        if dy:
            self._edge.update()
            self.viewport().update()
        else:
            self._edge.update(0, rect.y(), self._edge.width(), rect.height())


def reading_palette(palette: QPalette, theme: Theme) -> QPalette:
    """Return a palette with a theme's colors for the text of a template."""
    palette = QPalette(palette)
    for role, color in (
        (QPalette.ColorRole.Window, Color.EDITOR_GROUND),
        (QPalette.ColorRole.Base, Color.EDITOR_GROUND),
        (QPalette.ColorRole.Text, Color.TEXT),
        (QPalette.ColorRole.Highlight, Color.SELECTION),
    ):
        palette.setColor(role, theme.color(color))
    # Selected text keeps the colors of its words.
    palette.setBrush(QPalette.ColorRole.HighlightedText, Qt.BrushStyle.NoBrush)
    return palette


def text_families() -> list[str]:
    """Return the available font families, fixed-pitch ones first."""
    names = [name for name in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(name)]
    return sorted(names, key=lambda name: (not QFontDatabase.isFixedPitch(name), name.casefold()))

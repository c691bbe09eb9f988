"""A text widget with a gutter: font, colors, visible lines, and the frames that float over the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QMargins, QMimeData, QObject, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolTip, QWidget

from heatstudio.ui.documents.qt_text import from_qt
from heatstudio.ui.editor.text.indentation import STEP
from heatstudio.ui.editor.text.text_document import TextDocument
from heatstudio.ui.highlight.highlighter import Highlighter
from heatstudio.ui.widgets import Appearance, plain, scaled
from heatstudio.ui.widgets.appearance import code_font
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.popup import Popup

TEXT_SIZE: Final = 13
MARGIN: Final = 4
"""The margin around the text in pixels."""
DEFAULT_FAMILY: Final = "Default"
"""The name of the default font."""
SIZES: Final = range(6, 49)
"""The possible text sizes in pixels."""
_PLACE_WIDTH = 2.5
_LEAVING = (QEvent.Type.FocusOut, QEvent.Type.Hide)


class VisibleLine(NamedTuple):
    """A line of the document and its position, in pixels of the viewport.

    A wrapped line has several rows.
    """

    block: QtGui.QTextBlock
    rect: QRectF

    @property
    def text_end(self) -> float:
        """The right edge of the last character."""
        layout = self.block.layout()
        if not layout.lineCount():
            return self.rect.left()
        return self.rect.left() + layout.lineAt(layout.lineCount() - 1).naturalTextRect().right()

    @property
    def is_wrapped(self) -> bool:
        """Whether the line has several rows."""
        return self.block.layout().lineCount() > 1

    def row(self, at: int) -> QRectF:
        """Return the rectangle of a row of the line, over the whole width; -1 is the last one."""
        if not self.is_wrapped:
            return self.rect
        layout = self.block.layout()
        row = layout.lineAt(at % layout.lineCount())
        top = self.rect.top() - _first_y(self.block) + row.y()
        return QRectF(self.rect.left(), top, self.rect.width(), row.height())

    def has_text_at(self, point: QPointF) -> bool:
        """Return whether a point of the viewport is in a row of the line, and not behind its text."""
        layout = self.block.layout()
        place = point - self.rect.topLeft() + QPointF(0, _first_y(self.block))
        rows = (layout.lineAt(at) for at in range(layout.lineCount()))
        return any(
            row.y() <= place.y() < row.y() + row.height() and place.x() <= row.naturalTextRect().right() for row in rows
        )

    def rects(self, start: int, end: int) -> Iterator[QRectF]:
        """Yield the rectangles of the line between two document positions; a thin one for an empty range."""
        is_place = start == end
        layout, first = self.block.layout(), self.block.position()
        origin = QPointF(self.rect.left(), self.rect.top() - _first_y(self.block))
        start, end = max(start - first, 0), min(end - first, self.block.length() - 1)
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            left, right = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
            if left < right or (is_place and left == right and index == layout.lineForTextPosition(left).lineNumber()):
                x = _x(line, left)
                width = _x(line, right) - x if left < right else _PLACE_WIDTH
                yield QRectF(x, line.y(), width, line.height()).translated(origin)


def place_line(block: QtGui.QTextBlock, left: float, top: float, width: float) -> VisibleLine:
    """Return the line of a block whose layout starts at a point; the margins of the document are not part of it.

    The block must be laid out, which `QPlainTextEdit.blockBoundingRect` does.
    """
    layout = block.layout()
    last = layout.lineAt(layout.lineCount() - 1)
    first_y = _first_y(block)
    return VisibleLine(block, QRectF(left, top + first_y, width, last.y() + last.height() - first_y))


def lines_within(lines: Sequence[VisibleLine], rect: QRect) -> list[VisibleLine]:
    """Return the lines that a rectangle touches."""
    return [line for line in lines if line.rect.bottom() >= rect.top() and line.rect.top() <= rect.bottom()]


def _first_y(block: QtGui.QTextBlock) -> float:
    layout = block.layout()
    return layout.lineAt(0).y() if layout.lineCount() else 0.0


def _x(line: QtGui.QTextLine, column: int) -> float:
    # PySide may return a tuple of the x and the actual column.
    answer = line.cursorToX(column)
    x = answer[0] if isinstance(answer, tuple) else answer
    return float(x) if isinstance(x, int | float) else 0.0


class CodePage(QPlainTextEdit):
    """The base class of the editor and of compared texts; it needs a gutter (`take_edge`)."""

    _edge: QWidget
    _edge_width: Callable[[], int]

    zoom_requested = Signal(int)
    """The text size in pixels that is wanted."""

    def __init__(
        self, appearance: Appearance, name: str, parent: QWidget | None = None, *, shared: CodePage | None = None
    ) -> None:
        """Create a page with a text of its own, or with that of a page that lives longer."""
        super().__init__(parent)
        self._use_own_viewport()
        self._owner = shared
        self.appearance, self.theme = appearance, appearance.theme
        if shared is None:
            self.text_document = TextDocument(self.document())
            self.highlighter = Highlighter(self.document(), self.theme, is_reached=True)
        else:
            self.setDocument(shared.document())
            self.text_document, self.highlighter = shared.text_document, shared.highlighter
        self.unused = 0
        """The width at the right, in pixels, that the text must not use."""
        self.text_size, self.text_family = TEXT_SIZE, ""
        """The text size in pixels, and the font family; empty for the default font."""
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.document().setDocumentMargin(MARGIN)
        appearance.theme_changed.connect(self._follow_theme)

    def document(self) -> QtGui.QTextDocument:
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
        self._apply_theme()

    def use_font(self, size: int, family: str) -> None:
        """Set the text size in pixels, clamped to `SIZES`, and the font family."""
        self.text_size, self.text_family = max(SIZES.start, min(SIZES.stop - 1, size)), family
        font = code_font(family)
        font.setPixelSize(scaled(self.text_size))
        self.setFont(font)
        self._edge.setFont(font)
        self.setTabStopDistance(QtGui.QFontMetricsF(font).horizontalAdvance(" ") * STEP)
        self.make_room()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self._follow_theme()

    def _follow_theme(self) -> None:
        """Apply another theme, as soon as the page is visible: many texts may be open."""
        if self.isVisible() and self.theme != self.appearance.theme:
            self.theme = self.appearance.theme
            self._apply_theme()

    def _apply_theme(self) -> None:
        palette = self.palette()
        palette.setBrush(palette.ColorRole.HighlightedText, Qt.BrushStyle.NoBrush)  # selected words keep their colors
        self.setPalette(palette)
        self.highlighter.set_theme(self.theme)
        self.repaint_all()

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

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_requested.emit(self.text_size + (1 if event.angleDelta().y() > 0 else -1))
            event.accept()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Fit the gutter; a caret at the lower edge stays visible when a banner or a pane takes its place."""
        super().resizeEvent(event)
        self.make_room()
        if self.isVisible() and event.size().height() < self.cursorRect().bottom() <= event.oldSize().height():
            self.ensureCursorVisible()

    def _use_own_viewport(self) -> None:
        """Replace Qt's viewport, whose access takes a tenth of the start, as PySide searches all types of widgets."""
        viewport = QWidget(self, autoFillBackground=True)
        viewport.setBackgroundRole(QtGui.QPalette.ColorRole.Base)
        viewport.setCursor(Qt.CursorShape.IBeamCursor)
        viewport.setAcceptDrops(True)
        self.setViewport(viewport)
        super().document().documentLayout().setPaintDevice(viewport)

    def make_room(self) -> None:
        """Fit the gutter to its required width, and the text to what is left of the width that it may use."""
        width = self._edge_width()
        margins = QMargins(width, 0, self.unused, 0)
        if self.viewportMargins() != margins:
            self.setViewportMargins(margins)
        inside = self.contentsRect()
        self._edge.setGeometry(QRect(inside.left(), inside.top(), width, self.viewport().height()))

    def _follow_scroll(self, rect: QRect, dy: int) -> None:
        if dy:
            self._edge.update()
            self.viewport().update()
        else:
            self._edge.update(0, rect.y(), self._edge.width(), rect.height())


def text_families() -> list[str]:
    """Return the available font families, fixed-pitch ones first."""
    names = [name for name in QtGui.QFontDatabase.families() if not QtGui.QFontDatabase.isPrivateFamily(name)]
    return sorted(names, key=lambda name: (not QtGui.QFontDatabase.isFixedPitch(name), name.casefold()))


class Edge(QWidget):
    """A widget with line numbers and other information next to the text."""

    def __init__(self, page: CodePage, name: str) -> None:
        super().__init__(page)
        self._page = page
        self._digits = 3
        self.setAccessibleName(name)

    def set_lines(self, lines: int) -> None:
        """Reserve the width for the numbers of a number of lines."""
        self._digits = max(3, len(str(lines)))

    def explain(self, _line: VisibleLine) -> str:
        """Return the meaning of the signs of a line, one sentence per line."""
        return ""

    def numbers_width(self) -> float:
        """Return the width of the line numbers in pixels."""
        return QtGui.QFontMetricsF(self.font()).horizontalAdvance("9") * self._digits

    def line_at(self, y: float) -> VisibleLine | None:
        """Return the line at a vertical position, if any."""
        lines = self._page.visible_lines()
        return next((line for line in lines if line.rect.top() <= y < line.rect.bottom()), None)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Show a tool tip that explains the signs of a line."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QtGui.QHelpEvent):
            line = self.line_at(event.pos().y())
            words = self.explain(line) if line and not shown_frames(self._page) else ""
            QToolTip.showText(event.globalPos(), plain(without_marks(words)), self)
            return True
        return super().event(event)


def is_leaving(event: QEvent) -> bool:
    """Return whether an event means that a widget loses the focus or is hidden."""
    return event.type() in _LEAVING


class FloatingFrame(Popup):
    """A popup with a raised background and a one-pixel border; a text shows one of them at a time."""

    def __init__(self, page: CodePage) -> None:
        super().__init__(page, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self._owner = page
        page.installEventFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setObjectName("floating")

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Hide the frame when the text loses the focus or is hidden, as a separate window would stay."""
        if is_leaving(event):
            self.hide()
        return False

    def show_beside(self, anchor: QRect) -> None:
        """Show the frame instead of another one or of a tool tip."""
        for other in shown_frames(self._owner):
            if other is not self:
                other.hide()
        QToolTip.hideText()
        super().show_beside(anchor)


def shown_frames(page: CodePage) -> list[FloatingFrame]:
    """Return the visible frames of a text: one, or none."""
    return [one for one in page.findChildren(FloatingFrame) if one.isVisible()]

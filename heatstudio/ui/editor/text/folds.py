"""Folds: the hidden lines, and when they are shown again automatically."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

from heatstudio.ui.editor.text.indentation import lines_below


class Folding(QObject):
    """The folds of a text in all its editors, each stored as a cursor at its header line."""

    changed = Signal()

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self.views: list[QPlainTextEdit] = []
        self._headers: list[QTextCursor] = []
        document.contentsChange.connect(self._follow_change)

    def add_view(self, editor: QPlainTextEdit) -> None:
        """Add an editor of the text, whose cursor is never in a fold."""
        self.views.append(editor)
        editor.cursorPositionChanged.connect(self._show_carets)

    def remove_view(self, editor: QPlainTextEdit) -> None:
        """Remove an editor of the text."""
        self.views.remove(editor)
        editor.cursorPositionChanged.disconnect(self._show_carets)

    def clear(self) -> None:
        """Remove all folds without touching the text, before a document is loaded."""
        self._headers = []

    def can_fold(self, block: QTextBlock) -> bool:
        """Return whether deeper lines follow a line."""
        return next(lines_below(_texts_from(block)), None) is not None

    def is_folded(self, block: QTextBlock) -> bool:
        """Return whether the lines below a line are folded."""
        return block.isVisible() and block.next().isValid() and not block.next().isVisible()

    def hidden_lines(self, block: QTextBlock) -> int:
        """Return the number of lines in the fold of a line."""
        last = self._end_line(block)
        return 0 if last is None else last - block.blockNumber()

    def toggle(self, block: QTextBlock) -> None:
        """Fold or unfold the lines below a line."""
        if self.is_folded(block):
            self.unfold(block)
        else:
            self.fold(block)

    def fold(self, block: QTextBlock) -> None:
        """Fold the deeper lines below a line or, if there are none, below its parent."""
        header = self._header_of(block)
        if header is None or self.is_folded(header):
            return
        last = self._end_line(header)
        for view in self.views:
            cursor = view.textCursor()
            if last is not None and header.blockNumber() < cursor.blockNumber() <= last:
                cursor.setPosition(header.position() + header.length() - 1)
                view.setTextCursor(cursor)
        self._headers.append(QTextCursor(header))
        self._hide_below(header)
        self._refresh()

    def unfold(self, block: QTextBlock) -> None:
        """Unfold the lines below a line; inner folds stay."""
        self._headers = [header for header in self._headers if header.block() != block]
        self._restore()

    def fold_all(self) -> None:
        """Fold everything below the second level, which leaves one line for each resource, parameter and output."""
        block = self._document.firstBlock()
        self._headers = []
        while block.isValid():
            text = block.text()
            if text.startswith("  ") and text[2:3].strip() and self.can_fold(block):
                self._headers.append(QTextCursor(block))
            block = block.next()
        self._restore()
        self._show_carets()

    def unfold_all(self) -> None:
        """Remove all folds and show their lines."""
        self._headers = []
        self._restore()

    def _end_line(self, block: QTextBlock) -> int | None:
        """Return the last line of the fold below a line; None if no deeper line follows."""
        distance = max(lines_below(_texts_from(block)), default=None)
        return None if distance is None else block.blockNumber() + distance

    def _header_of(self, block: QTextBlock) -> QTextBlock | None:
        line, header = block.blockNumber(), block
        while header.isValid():
            last = self._end_line(header)
            if last is not None and last >= line:
                return header
            header = header.previous()
        return None

    def _hide_below(self, header: QTextBlock) -> None:
        last = self._end_line(header)
        block = header.next()
        while last is not None and block.isValid() and block.blockNumber() <= last:
            set_visible(block, visible=False)
            block = block.next()

    def _restore(self) -> None:
        """Show the lines outside of folds, and hide those inside."""
        block = self._document.firstBlock()
        while block.isValid():
            if not block.isVisible():
                set_visible(block, visible=True)
            block = block.next()
        self._headers = [header for header in self._headers if self._end_line(header.block()) is not None]
        for header in self._headers:
            self._hide_below(header.block())
        self._refresh()

    def _refresh(self) -> None:
        refresh_layout(self._document)
        for view in self.views:
            view.viewport().update()
        self.changed.emit()

    def _show_carets(self) -> None:
        for view in self.views if self._headers else ():
            block = view.textCursor().block()
            if not block.isVisible():
                line = block.blockNumber()
                self._headers = [header for header in self._headers if not self._holds(header, line)]
                self._restore()

    def _holds(self, header: QTextCursor, line: int) -> bool:
        last = self._end_line(header.block())
        return last is None or header.blockNumber() < line <= last

    def _follow_change(self, position: int, removed: int, added: int) -> None:
        """Rebuild folds whose lines changed their depth or lost their header."""
        if not self._headers:
            return
        if removed:  # the cursor of a removed header moves to the text after it
            kept = [one for one in self._headers if one.position() != position or self.is_folded(one.block())]
            if len(kept) < len(self._headers):
                self._headers = kept
                self._restore()
                return
        first, last = self._document.findBlock(position), self._document.findBlock(position + added)
        for header in self._headers:
            touched = first.blockNumber() - 1 <= header.blockNumber() <= last.blockNumber() + 1
            if touched or not first.isVisible() or not last.isVisible():
                self._restore()
                return
        if self._reaches(first):
            self._restore()

    def _reaches(self, block: QTextBlock) -> bool:
        """Return whether the fold that ends above a line now includes that line."""
        header = block.previous()
        while header.isValid() and not header.isVisible():
            header = header.previous()
        last = self._end_line(header) if self.is_folded(header) else None
        return last is not None and last >= block.blockNumber()


def _texts_from(block: QTextBlock) -> Iterator[str]:
    while block.isValid():
        yield block.text()
        block = block.next()


def refresh_layout(document: QTextDocument) -> None:
    """Let the views of a document follow lines that were hidden or shown."""
    layout = document.documentLayout()
    if isinstance(layout, QPlainTextDocumentLayout):
        layout.requestUpdate()
        layout.documentSizeChanged.emit(layout.documentSize())


def set_visible(block: QTextBlock, *, visible: bool) -> None:
    """Hide or show a line; `refresh_layout` must follow."""
    block.setVisible(visible)
    block.setLineCount(max(1, block.layout().lineCount()) if visible else 0)

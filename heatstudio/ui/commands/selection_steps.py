"""Expand Selection and Shrink Selection: word, value, key and value, up to the whole text."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor

from heatstudio.template import parse_template
from heatstudio.template.enclosing_spans import enclosing_spans
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.query_controller import NOT_READ_YET
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.workspace.session import Session


class SelectionSteps(QObject):
    """The history of expanded selections, which shrinking reverses until the cursor is moved."""

    def __init__(self, session: Session, area: EditorArea) -> None:
        super().__init__(area)
        self._session = session
        self._area = area
        self._way: list[QTextCursor] = []
        """The previous selections, and the current one as the last."""
        area.follow(lambda pane: pane.editor.cursorPositionChanged, self._forget)

    def expand(self) -> None:
        """Select the smallest element that encloses the selection."""
        document, pane = self._session.current, self._area.editor
        if document is None or pane is None:
            return
        if document.analysis is None:
            self._session.show_message(NOT_READ_YET)
            return
        template = parse_template(document.text, document.analysis.template)
        selected = pane.selection()
        for span in reversed(enclosing_spans(template, selected.start)):
            if span != selected and span.start <= selected.start and selected.end <= span.end:
                cursor = pane.editor.text_document.cursor(span.end, span.start)
                before = [*self._way_to(pane.editor), pane.editor.textCursor()]
                self._select(pane.editor, [*before, cursor])
                return

    def shrink(self) -> None:
        """Restore the selection before the last expansion."""
        if self._area.editor is not None and (before := self._way_to(self._area.editor.editor)):
            self._select(self._area.editor.editor, before)

    def _forget(self) -> None:
        self._way = []

    def _way_to(self, editor: TextEditor) -> list[QTextCursor]:
        """Return the previous selections in this text; none if the selection was changed since."""
        now = editor.textCursor()
        is_same = self._way and self._way[-1].document() is now.document() and self._way[-1].anchor() == now.anchor()
        return self._way[:-1] if is_same and self._way[-1] == now else []

    def _select(self, editor: TextEditor, way: list[QTextCursor]) -> None:
        """Set the last selection of a history without scrolling."""
        bars = [(bar, bar.value()) for bar in (editor.verticalScrollBar(), editor.horizontalScrollBar())]
        editor.setTextCursor(way[-1])
        for bar, value in bars:
            bar.setValue(value)
        self._way = way

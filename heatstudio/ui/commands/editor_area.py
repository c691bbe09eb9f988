"""The center of the window: a tab for each open document, the breadcrumbs and the text."""

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QContextMenuEvent, QIcon, QMouseEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from heatstudio.text import CheckFamily, Fix, Severity, Span, TextEdit
from heatstudio.ui.documents.document import Document, shown_names
from heatstudio.ui.documents.view_state import ViewState
from heatstudio.ui.editor import EditorPane, Mark
from heatstudio.ui.editor.search.search import SearchMemory
from heatstudio.ui.editor.text.code_page import SIZES, TEXT_SIZE
from heatstudio.ui.highlight.script_lexer import language_of_file
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import tool_button
from heatstudio.ui.widgets.plain_text import plain
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.session import Session

_LEAST, _MOST = 220, 280
"""The minimum width of a tab, below which tabs scroll, and its maximum width."""
_SUBJECT = re.compile(
    r"(?:Attribute|Condition|Function|Output|Parameter|Property|Resource|Section) `([^`]+)` (?:is |was |has been )?(.+)"
)


class DocumentTabs(QTabBar):
    """A tab bar that scrolls if there is not enough space."""

    close_requested = Signal(object)
    """The document of a tab to close."""
    menu_requested = Signal(object, QPoint)
    """The document of a tab, and the screen position where its menu was requested."""

    def __init__(self) -> None:
        super().__init__()
        self._widths: dict[str, int] = {}
        self.setAccessibleName("Open documents")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setMovable(True)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(min(self._width(index), _MOST), _CLOSE + 8)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(min(self._width(index), _LEAST), _CLOSE + 8)

    def changeEvent(self, event: QEvent) -> None:
        self._widths.clear()
        super().changeEvent(event)

    def _width(self, index: int) -> int:
        """Return the preferred width of a tab: Qt asks for those of all tabs several times when one is added."""
        text = self.tabText(index)
        width = self._widths.get(text)
        if width is None:
            width = super().tabSizeHint(index).width()
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is not None:
                self._widths[text] = width
        return width

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and row >= 0:
            self.close_requested.emit(self.tabData(row))
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the tab under the mouse or, by key, of the current tab."""
        is_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        row = self.tabAt(event.pos()) if is_mouse else self.currentIndex()
        if row >= 0:
            below = self.mapToGlobal(self.tabRect(row).bottomLeft())
            self.menu_requested.emit(self.tabData(row), event.globalPos() if is_mouse else below)


_CLOSE = 24


WAY_ON = "Tab indents; F6 moves to the next part of the window."
"""The accessible description of an editor without a problem at the cursor."""


_KEEP_FOCUS = ("find-next", "find-previous")
"""Editor commands that leave the focus in the search bar."""


class EditorArea(QWidget):
    """The editors of all open documents, with their tabs."""

    font_changed = Signal(int, str)
    """The text size in pixels, and the font family."""
    emptied = Signal()
    """Emitted when no document is current, as after the last one is closed."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._editors: dict[Document, EditorPane] = {}
        self._switches: dict[str, bool] = {}
        self._are_tabs_held = False
        self._followed: list[tuple[Callable[[EditorPane], SignalInstance], Callable[..., object]]] = []
        self.text_size, self.text_family = TEXT_SIZE, ""
        """The text size in pixels, and the font family; empty for the default font."""
        self._searched = SearchMemory()
        self.tabs = DocumentTabs()
        self.banner = Banner(appearance)
        self._stack = QStackedWidget()
        self._empty = QWidget()
        self._stack.addWidget(self._empty)
        self._set_up()
        appearance.theme_changed.connect(self._restyle)
        for document in session.documents:
            self._add(document)
        session.document_opened.connect(self._add)
        session.document_closed.connect(self._remove)
        session.current_changed.connect(self._show)
        session.analysis_changed.connect(self._mark_problems)
        session.rested.connect(self._mark_withheld)

    @property
    def editor(self) -> EditorPane | None:
        """The editor of the current document."""
        return self._editors.get(self._session.current) if self._session.current else None

    def follow(self, signal_of: Callable[[EditorPane], SignalInstance], slot: Callable[..., object]) -> None:
        """Connect a slot to a signal of every editor, including future ones; user actions come from the current one."""
        self._followed.append((signal_of, slot))
        for editor in self._editors.values():
            signal_of(editor).connect(slot)

    def use_font(self, size: int, family: str) -> None:
        """Set the text size of all editors in pixels, clamped to `SIZES`, and the font family."""
        self.text_size, self.text_family = max(SIZES.start, min(SIZES.stop - 1, size)), family
        for editor in self._editors.values():
            editor.editor.use_font(self.text_size, family)
        self.font_changed.emit(self.text_size, family)

    def use_size(self, size: int) -> None:
        """Set the text size of all editors in pixels."""
        self.use_font(size, self.text_family)

    def use_family(self, family: str) -> None:
        """Set the font family of all editors; an empty name is the default."""
        self.use_font(self.text_size, family)

    def set_welcome(self, welcome: QWidget) -> None:
        """Set the widget that is shown while no document is open."""
        self._stack.addWidget(welcome)
        self._stack.removeWidget(self._empty)
        self._empty.deleteLater()
        self._empty = welcome
        if self._session.current is None:
            self._show(None)

    def hold_tabs(self, are_held: bool) -> None:
        """Hide the tabs while many files are opened: Qt lays out and paints all visible tabs for each new one."""
        self._are_tabs_held = are_held
        policy = self.tabs.sizePolicy()
        policy.setRetainSizeWhenHidden(are_held)
        self.tabs.setSizePolicy(policy)
        self._show_tabs()

    def add_strip(self, strip: QWidget) -> None:
        """Add a widget below the text."""
        self._column.addWidget(strip)

    def editor_of(self, document: Document) -> EditorPane:
        """Return the editor of an open document."""
        return self._editors[document]

    def go_to(self, span: Span) -> None:
        """Scroll to a span of the current document."""
        if self.editor is not None:
            self.editor.go_to(span)

    def show_span(self, span: Span) -> None:
        """Scroll to a span of the current document without moving the focus."""
        if self.editor is not None:
            self.editor.show_span(span)

    def end_last_line(self, document: Document) -> None:
        """End the last line of a text, unless that of its file has no end either."""
        editor, before = self._editors[document], document.saved_text
        text = editor.text()
        if not text or text.endswith("\n") or not (before or "\n").endswith("\n"):
            return
        cursor = editor.editor.textCursor()
        cursor.setKeepPositionOnInsert(True)
        editor.apply_edits((TextEdit(Span(len(text), len(text)), "\n"),))
        cursor.setKeepPositionOnInsert(False)
        editor.editor.setTextCursor(cursor)

    def apply_fix(self, fix: Fix) -> None:
        """Apply a fix to the current document in one undo step; the focus does not move."""
        if self.editor is not None:
            self.editor.apply_edits(fix.edits)

    def caret_rect(self) -> QRect:
        """Return the rectangle of the cursor on the screen."""
        if self.editor is None:
            return QRect(self.mapToGlobal(QPoint(0, 0)), QSize())
        text = self.editor.editor
        place = text.cursorRect()
        return QRect(text.viewport().mapToGlobal(place.topLeft()), place.size())

    def reload(self, document: Document) -> None:
        """Show the current text of a document, which was changed outside the editor."""
        self._editors[document].replace_text(document.text)

    def places(self) -> list[tuple[Document, ViewState]]:
        """Return the open documents in tab order with their view states."""
        documents = [found for row in range(self.tabs.count()) if (found := self._document_at(row)) is not None]
        return [(document, self._editors[document].place()) for document in documents]

    def go_back(self, document: Document, place: ViewState) -> None:
        """Restore the view state of a document."""
        self._editors[document].go_back(place)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) tab, wrapping around."""
        if self.tabs.count():
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + by) % self.tabs.count())

    def move_tab(self, by: int) -> None:
        """Move the current tab by one position to the left (-1) or right (1)."""
        here, count = self.tabs.currentIndex(), self.tabs.count()
        if here < 0 or not 0 <= here + by < count:
            self._session.show_message("No tab on that side." if count else "No document is open.")
            return
        self.tabs.moveTab(here, here + by)
        self._session.show_message(f"{self.tabs.accessibleTabName(here + by)} is tab {here + by + 1} of {count}.")

    def command(self, name: str) -> None:
        """Run a command in the current editor."""
        if self.editor is not None:
            if name not in _KEEP_FOCUS:
                self.editor.setFocus()
            self.editor.run(name)

    def switch(self, name: str, on: bool) -> None:
        """Switch an option on or off in every editor, including future ones."""
        self._switches[name] = on
        for editor in self._editors.values():
            editor.switch(name, on)

    def _mark_problems(self, document: Document) -> None:
        """Mark the problems that are shown; markers of an older text stay, and follow its changes."""
        decorations = self._editors[document].decorations
        decorations.withholds = document.withholds
        if document.problem_lines is document.lines:
            decorations.set_marks(marks_of(document))

    def _mark_withheld(self, document: Document) -> None:
        """Mark the problems that waited while the text was typed, unless another analysis follows."""
        if document in self._editors and document.current_analysis is not None:
            self._mark_problems(document)

    def _set_up(self) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName("Text")
        self.tabs.currentChanged.connect(self._choose)
        self.banner.left.connect(self.setFocus)
        self._stack.setAccessibleName("Text")
        self._column = in_column(self.tabs, self.banner, (self._stack, 1), of=self, gap=0)
        self.tabs.hide()

    def _add(self, document: Document) -> None:
        editor = EditorPane(self._appearance.theme, searched=self._searched)
        editor.editor.setAccessibleDescription(WAY_ON)
        editor.editor.highlighter.set_language(language_of_file(document.title, document.text))
        editor.set_text(document.text)
        editor.go_to_line(0)
        for name, on in self._switches.items():
            editor.switch(name, on)
        editor.editor.typed.connect(lambda _text: document.note_typing(editor.editor.caret_line()))
        editor.decorations.line_left.connect(document.rest)
        editor.editor.text_document.changed.connect(lambda *_: document.change(editor.text()))
        editor.editor.use_font(self.text_size, self.text_family)
        editor.editor.zoom_requested.connect(self.use_size)
        for signal_of, slot in self._followed:
            signal_of(editor).connect(slot)
        self._editors[document] = editor
        self._stack.addWidget(editor)
        row = self.tabs.addTab(self._icon_of(document), document.title.replace("&", "&&"))
        self.tabs.setTabData(row, document)
        close = tool_button(self._appearance, "close", "Close")
        close.setFixedSize(_CLOSE, _CLOSE)
        close.clicked.connect(lambda: self.tabs.close_requested.emit(document))
        self.tabs.setTabButton(row, QTabBar.ButtonPosition.RightSide, close)
        close.raise_()  # last in the order of the Tab key: Qt puts it before the other buttons
        document.state_changed.connect(self._label)
        self._describe(row, document)
        self._name_all(document)

    def _remove(self, document: Document) -> None:
        self.banner.forget(document)
        editor = self._editors.pop(document)
        self._stack.removeWidget(editor)
        editor.deleteLater()
        row = self._row_of(document)
        if row >= 0:
            self.tabs.removeTab(row)
        self._name_all()
        self._show(self._session.current)

    def _show(self, document: Document | None) -> None:
        self._show_tabs()
        self.banner.turn_to(document)
        if document is None:
            self._stack.setCurrentWidget(self._empty)
            self.setFocusProxy(self._empty)
            self.emptied.emit()
            return
        self.tabs.setCurrentIndex(self._row_of(document))
        pane = self._editors[document]
        if pane.editor.theme != self._appearance.theme:
            pane.set_theme(self._appearance.theme)
        self._stack.setCurrentWidget(pane)
        self.setFocusProxy(pane)
        if not self.tabs.hasFocus():  # in the tab bar, arrow keys switch tabs
            self._editors[document].setFocus()

    def _show_tabs(self) -> None:
        self.tabs.setVisible(self._session.current is not None and not self._are_tabs_held)

    def _choose(self, row: int) -> None:
        document = self._document_at(row)
        if document is not None:
            self._session.make_current(document)

    def _document_at(self, row: int) -> Document | None:
        document = self.tabs.tabData(row) if row >= 0 else None
        return document if isinstance(document, Document) else None

    def _row_of(self, document: Document) -> int:
        rows = range(self.tabs.count())
        return next((row for row in rows if self.tabs.tabData(row) is document), -1)

    def _label(self, document: Document) -> None:
        row = self._row_of(document)
        if row >= 0:
            self._describe(row, document)
            self.tabs.setTabIcon(row, self._icon_of(document))
            self._name_all()

    def _describe(self, row: int, document: Document) -> None:
        if not document.modified:
            self._editors[document].editor.undo_steps.begin()
        self._editors[document].set_read_only(read_only=document.is_read_only)
        tip = str(document.path or ("read-only" if document.is_read_only else "not saved yet"))
        self.tabs.setTabToolTip(row, plain(tip))

    def _icon_of(self, document: Document) -> QIcon:
        name = "cloud" if document.stack is not None else "file"
        return self._appearance.icon(*(("modified", Color.ACCENT) if document.modified else (name, Color.MUTED)))

    def _name_all(self, opened: Document | None = None) -> None:
        """Update the titles of all tabs, or of those like an opened one: others may make a title ambiguous."""
        alike = [one for one in self._editors if opened is None or one.title == opened.title]
        names = shown_names(alike)
        for row in range(self.tabs.count()) if len(alike) > 1 else [self.tabs.count() - 1]:
            document = self._document_at(row)
            if document is not None and document in names:
                self._name(row, document, names[document])

    def _name(self, row: int, document: Document, name: str) -> None:
        accessible = f"{name}, modified" if document.modified else name
        if self.tabs.accessibleTabName(row) == accessible:
            return
        self._editors[document].editor.setAccessibleName(f"Text of {name}")
        if self.tabs.tabText(row) != (text := name.replace("&", "&&")):
            self.tabs.setTabText(row, text)
        self.tabs.setAccessibleTabName(row, accessible)
        close = self.tabs.tabButton(row, QTabBar.ButtonPosition.RightSide)
        if close is not None:
            close.setAccessibleName(f"Close {name}")
            close.setToolTip(plain(f"Close {name}"))

    def _restyle(self) -> None:
        """Apply the theme to the visible editor; the others get it when they are shown."""
        pane = self._stack.currentWidget()
        if isinstance(pane, EditorPane):
            pane.set_theme(self._appearance.theme)


def marks_of(document: Document) -> list[Mark]:
    """Return the problems of a document as markers, and related positions as lighter ones."""
    inactive = document.analysis.inactive if document.analysis is not None else ()
    marks = [Mark(span, Severity.HINT, reason, is_inactive=True) for span, reason in inactive]
    for found in document.problems or ():
        if found.elsewhere is not None:
            continue
        own = (found.span, *found.also)
        for span in own:
            short = in_short(found.message, document.text[span.start : span.end])
            mark = Mark(span, found.severity, found.message, found.code, found.has_fixes, short=short)
            marks.append(mark._replace(is_advice=found.family is CheckFamily.ADVICE))
        marks += [
            Mark(span, Severity.HINT, f"{words}: {found.message}", found.code, found.has_fixes, related=True)
            for words, span in found.related
            if span not in own
        ]
    return marks


def in_short(message: str, marked: str) -> str:
    """Return a message without the subject if that is marked: "Property `a` is not known." becomes "Not known"."""
    found = _SUBJECT.fullmatch(message)
    if found is None or found[1] != marked.strip("'\""):
        return message
    return found[2][:1].upper() + found[2][1:].removesuffix(".")

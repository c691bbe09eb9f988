"""The center of the window: a tab for each open document, the breadcrumbs and the text."""

import re
from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from heatstudio.text import CheckFamily, Severity, Span, TextEdit
from heatstudio.ui.commands.editor_group import DocumentTabs, Tab
from heatstudio.ui.commands.editor_groups import EditorGroups
from heatstudio.ui.documents.document import Document, shown_names
from heatstudio.ui.documents.settings import ViewState
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.search.search import SearchMemory
from heatstudio.ui.editor.text.code_page import SIZES, TEXT_SIZE
from heatstudio.ui.editor.text.marks import Mark
from heatstudio.ui.highlight.scripts import language_of_file
from heatstudio.ui.widgets import Appearance, Panel, in_column
from heatstudio.ui.widgets.banner import Banner
from heatstudio.ui.workspace.session import Session

_SUBJECT = re.compile(
    r"(?:Attribute|Condition|Function|Output|Parameter|Property|Resource|Section) `([^`]+)` (?:is |was |has been )?(.+)"
)


WAY_ON = "Tab indents; F6 moves to the next part of the window."
"""The accessible description of an editor without a problem at the cursor."""


_KEEP_FOCUS = ("find-next", "find-previous")
"""Editor commands that leave the focus in the search bar."""


class EditorArea(QWidget):
    """The center of the window: the banner, the groups of tabs with the editors, and what runs in all editors."""

    font_changed = Signal(int, str)
    """The text size in pixels, and the font family."""
    emptied = Signal()
    """Emitted when there is no tab, as after the last one is closed."""
    turned = Signal()
    """Emitted when another tab or group may be in front."""
    joined = Signal(object, object)
    """A document and a new editor of it."""
    close_requested = Signal(object)
    """A document to close."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._switches: dict[str, bool] = {}
        self._is_turning = False
        self._followed: list[tuple[Callable[[EditorPane], SignalInstance], Callable[..., object]]] = []
        self.text_size, self.text_family = TEXT_SIZE, ""
        """The text size in pixels, and the font family; empty for the default font."""
        self._searched = SearchMemory()
        self.groups = EditorGroups(appearance, self._make_editor)
        self.banner = Banner(appearance)
        self._stack = QStackedWidget()
        self._empty = QWidget()
        self._set_up()
        for document in session.documents:
            self._add(document)
        session.document_opened.connect(self._add)
        session.document_closed.connect(self._remove)
        session.current_changed.connect(self._show)
        appearance.scale_changed.connect(self.use_font)
        session.analysis_changed.connect(self._mark_problems)
        session.rested.connect(self._mark_withheld)

    @property
    def tabs(self) -> DocumentTabs:
        """The tabs of the active group."""
        return self.groups.active.tabs

    @property
    def editor(self) -> EditorPane | None:
        """The editor of the current document, in the active group if it is there."""
        return self.editor_of(self._session.current) if self._session.current else None

    def editor_of(self, document: Document) -> EditorPane:
        """Return the editor of an open document, in the active group if it is there."""
        return self.groups.group_of(document).editors[document]

    def follow(self, signal_of: Callable[[EditorPane], SignalInstance], slot: Callable[..., object]) -> None:
        """Connect a slot to a signal of every editor, including future ones; user actions come from the current one."""
        self._followed.append((signal_of, slot))
        for editor in self.groups.editors():
            signal_of(editor).connect(slot)

    def use_font(self, size: int | None = None, family: str | None = None) -> None:
        """Set the text size of all editors in pixels, clamped to `SIZES`, or the font family; empty for the default."""
        wanted = self.text_size if size is None else size
        self.text_size = max(SIZES.start, min(SIZES.stop - 1, wanted))
        self.text_family = self.text_family if family is None else family
        for editor in self.groups.editors():
            editor.editor.use_font(self.text_size, self.text_family)
        self.font_changed.emit(self.text_size, self.text_family)

    def set_welcome(self, welcome: QWidget) -> None:
        """Set the widget that is shown while there is no tab; it takes over the focus of the area."""
        focused = self.window().focusWidget()
        self._stack.addWidget(welcome)
        self._stack.removeWidget(self._empty)
        self._empty.deleteLater()
        self._empty = welcome
        self._follow_turn()
        if focused is None or self.isAncestorOf(focused):
            self.setFocus()

    def hold_tabs(self, are_held: bool) -> None:
        """Hide the tabs while many files are opened: Qt lays out and paints all visible tabs for each new one."""
        for group in self.groups:
            policy = group.tabs.sizePolicy()
            policy.setRetainSizeWhenHidden(are_held)
            group.tabs.setSizePolicy(policy)
            group.tabs.setVisible(not are_held)

    def add_strip(self, strip: QWidget) -> None:
        """Add a widget below the text."""
        self._column.addWidget(strip)

    def go_to(self, span: Span) -> None:
        """Scroll to a span of the current document, and focus it."""
        if self.editor is not None:
            self.show_text()
            self.editor.go_to(span)

    def show_span(self, span: Span) -> None:
        """Scroll to a span of the current document without moving the focus, nor hiding a panel that has it."""
        focus, page = QApplication.focusWidget(), self.groups.active.page
        if self.editor is not None:
            if not isinstance(self.groups.active.front, Panel) or focus is None or not page.isAncestorOf(focus):
                self.show_text()
            self.editor.show_span(span)

    def show_text(self) -> None:
        """Show the text of the current document in front, if it is behind another tab."""
        document = self._session.current
        if document is not None and self.groups.group_of(document).front is not document:
            self.groups.group_of(document).show_tab(document)
            self.groups.turned.emit()

    def focus_text(self) -> None:
        """Show and focus the text of the current document, or what is shown without one."""
        self.show_text()
        (self.editor or self).setFocus()

    def end_last_line(self, document: Document) -> None:
        """End the last line of a text, unless that of its file has no end either."""
        editor, before = self.editor_of(document), document.saved_text
        text = editor.text()
        if not text or text.endswith("\n") or not (before or "\n").endswith("\n"):
            return
        cursor = editor.editor.textCursor()
        cursor.setKeepPositionOnInsert(True)
        editor.apply_edits((TextEdit(Span(len(text), len(text)), "\n"),))
        cursor.setKeepPositionOnInsert(False)
        editor.editor.setTextCursor(cursor)

    def caret_rect(self) -> QRect:
        """Return the rectangle of the cursor on the screen."""
        if self.editor is None:
            return QRect(self.mapToGlobal(QPoint(0, 0)), QSize())
        text = self.editor.editor
        place = text.cursorRect()
        return QRect(text.viewport().mapToGlobal(place.topLeft()), place.size())

    def reload(self, document: Document) -> None:
        """Show the current text of a document, which was changed outside the editor."""
        self.editor_of(document).replace_text(document.text)

    def places(self) -> list[tuple[Document, ViewState]]:
        """Return the open documents in tab order with their view states."""
        return [(document, self.editor_of(document).place()) for document in self.groups.documents()]

    def go_back(self, document: Document, place: ViewState) -> None:
        """Restore the view state of a document."""
        for editor in self.groups.editors_of(document):
            editor.go_back(place)

    def command(self, name: str) -> None:
        """Run a command in the panel in front if it has the command, else in the current editor."""
        front = self.groups.active.front
        if self.editor is not None and not (isinstance(front, Panel) and front.run(name)):
            self.show_text()
            if name not in _KEEP_FOCUS:
                self.editor.setFocus()
            self.editor.run(name)

    def switch(self, name: str, on: bool) -> None:
        """Switch an option on or off in every editor, including future ones."""
        self._switches[name] = on
        for editor in self.groups.editors():
            editor.switch(name, on)

    # Tabs

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

    def split(self, tab: Tab | None = None, *, is_down: bool) -> None:
        """Show a tab, by default the one in front, in a group on the right or below; a text also stays where it is."""
        groups, tab = self.groups, tab or self.groups.active.front
        if tab is None:
            self._session.show_message("No tab is open.")
        elif isinstance(tab, Panel) and self.has_only_tab:
            self._session.show_message(f"{tab.title} can be in one group only, and is the only tab.")
        else:
            groups.set_orientation(is_down=is_down)
            groups.put(tab, stays=True)

    def move_to_other(self, tab: Tab | None = None) -> None:
        """Move a tab, by default the one in front, to the other group, or to a new one."""
        tab = tab or self.groups.active.front
        if tab is None or self.has_only_tab:
            self._session.show_message("No tab is open." if tab is None else "The only tab cannot be moved.")
        else:
            self.groups.put(tab, stays=False)

    def focus_other(self) -> None:
        """Focus the other group."""
        if self.groups.is_split:
            self.groups.activate(self.groups.other)
        else:
            self._session.show_message("There is one group of tabs. Split Right shows the text in a second one.")

    def close_tab(self, tab: Tab | None = None) -> None:
        """Close a tab of the active group, by default the one in front; a text in both groups stays in the other."""
        tab = tab or self.groups.active.front
        if isinstance(tab, Document) and tab not in self.groups.other.editors:
            self.close_requested.emit(tab)
        elif tab is not None:
            self.groups.take_out(tab)

    @property
    def has_only_tab(self) -> bool:
        """Whether there is one tab at most."""
        return not self.groups.is_split and self.tabs.count() <= 1

    # Documents

    def _mark_problems(self, document: Document) -> None:
        """Mark the problems that are shown; markers of an older text stay, and follow its changes."""
        is_current = document.problem_lines is document.lines
        marks = marks_of(document) if is_current else []
        for editor in self.groups.editors_of(document):
            editor.decorations.withholds = document.withholds
            if document.current_analysis is not None:
                sections = document.current_analysis.template.sections.values()
                editor.decorations.set_sections([section.start for section in sections])
            if is_current:
                editor.decorations.set_marks(marks)

    def _mark_withheld(self, document: Document) -> None:
        """Mark the problems that waited while the text was typed, unless another analysis follows."""
        if document.current_analysis is not None:
            self._mark_problems(document)

    def _set_up(self) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName("Text")
        self.banner.left.connect(self.focus_text)
        self.groups.turned.connect(self._follow_turn)
        self.groups.close_requested.connect(self.close_tab)
        self._stack.setAccessibleName("Text")
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.groups)
        self._column = in_column(self.banner, (self._stack, 1), of=self, gap=0)

    def _add(self, document: Document) -> None:
        document.state_changed.connect(self._label)
        self.groups.open_document(document)
        self._name_all(document)
        self._show_pages()

    def _make_editor(self, document: Document, shared: EditorPane | None) -> EditorPane:
        """Return a new editor of a document, or another view of its text."""
        editor = EditorPane(self._appearance, searched=self._searched, shared=shared)
        editor.editor.setAccessibleDescription(WAY_ON)
        if shared is None:
            editor.editor.highlighter.set_language(language_of_file(document.title, document.text))
            editor.set_text(document.text)
            editor.go_to_line(0)
            editor.editor.text_document.changed.connect(lambda *_: document.change(editor.text()))
        for name, on in self._switches.items():
            editor.switch(name, on)
        editor.editor.typed.connect(lambda _text: document.note_typing(editor.editor.caret_line()))
        editor.decorations.line_left.connect(document.rest)
        editor.editor.use_font(self.text_size, self.text_family)
        editor.editor.zoom_requested.connect(self.use_font)
        for signal_of, slot in self._followed:
            signal_of(editor).connect(slot)
        self.joined.emit(document, editor)
        return editor

    def _remove(self, document: Document) -> None:
        self.banner.forget(document)
        self.groups.forget(document)
        self._name_all()

    def _show(self, document: Document | None) -> None:
        """Show the current document, unless it is only that until the tab beside a closed one is shown."""
        self.banner.turn_to(document)
        front = self.groups.active.front
        is_closing = isinstance(front, Document) and front not in self._session.documents and self.tabs.count() > 1
        if document is not None and not self._is_turning and not is_closing:
            group = self.groups.group_of(document)
            group.show_tab(document)
            self.groups.activate(group)
        elif document is None:
            self._show_pages()

    def _follow_turn(self) -> None:
        """Make the document in front the current one."""
        self._show_pages()
        front = self.groups.active.front
        if isinstance(front, Document) and front in self._session.documents:
            self._is_turning = True
            self._session.make_current(front)
            self._is_turning = False
        self.turned.emit()

    def _show_pages(self) -> None:
        """Show the groups, or the welcome page if no document and no panel is open."""
        is_empty = self._session.current is None and not self.groups.has_panels
        self._stack.setCurrentWidget(self._empty if is_empty else self.groups)
        self.setFocusProxy(self._empty if is_empty else self.groups.active.page)
        if is_empty:
            self.emptied.emit()

    def _label(self, document: Document) -> None:
        editors = self.groups.editors_of(document)
        if editors and not document.modified:
            editors[0].editor.undo_steps.begin()
        for group in self.groups:
            group.describe(document)
        self._name_all()

    def _name_all(self, opened: Document | None = None) -> None:
        """Update the titles of all documents, or of those like an opened one: others may make a title ambiguous."""
        documents = self.groups.documents()
        names = shown_names([one for one in documents if opened is None or one.title == opened.title])
        for document, name in names.items():
            for group in self.groups:
                group.name(document, name)


def marks_of(document: Document) -> list[Mark]:
    """Return the problems of a document as markers, and related positions as lighter ones."""
    inactive = document.state.analysis.inactive if document.state is not None else ()
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

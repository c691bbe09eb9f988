"""Find and replace, in a bar above the text."""

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QPaintEvent, QShowEvent, QTextCursor
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from heatstudio.text import Span
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.search.search import Search, SearchMemory, SearchPatternError, find_all, replace_edits
from heatstudio.ui.widgets import Color, in_row, plain, tool_button
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.plain_text import paint_elided
from heatstudio.ui.widgets.text_keys import LineEdit

_LEAST = 96
"""Pixels reserved for the number of matches, so that nothing moves while the user types."""


class SearchWords(AnnouncingLabel):
    """A label of one elided line; the tool tip has the full text."""

    def __init__(self) -> None:
        super().__init__("Match count")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(_LEAST)

    def say(self, words: str, color: QColor) -> None:
        """Show a text in a color."""
        self.set_color(color)
        self.setText(words)
        self.setToolTip(plain(words))

    def sizeHint(self) -> QSize:
        whole = super().sizeHint()
        return QSize(max(whole.width(), _LEAST), whole.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_elided(self)


_PAUSE = 80


class SearchBar(QWidget):
    """The search bar; Enter goes to the next match, Shift+Enter to the previous one, Esc back to the text."""

    def __init__(self, editor: TextEditor, memory: SearchMemory) -> None:
        super().__init__()
        self._editor = editor
        self._memory = memory
        self._was_typed = False
        self._matches: list[Span] = []
        self._search = Search("")
        self.pattern = named_field("Find")
        self.replacement = named_field("Replace with")
        self.replacement.setToolTip("With regular expressions, $1 inserts the first group")
        self.case = option_button("Aa", "Match case (Alt+C)")
        self.words = option_button("W", "Whole words (Alt+W)")
        self.regex = option_button(".*", "Regular expression (Alt+R)")
        self._keys: dict[int, QToolButton] = {
            Qt.Key.Key_C: self.case,
            Qt.Key.Key_W: self.words,
            Qt.Key.Key_R: self.regex,
        }
        self.count = SearchWords()
        self.replace_one = QPushButton("Replace")
        self.replace_all = QPushButton("Replace All")
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._restart)
        self._lay_out()
        self._connect()
        self.hide()

    def _lay_out(self) -> None:
        self.setAutoFillBackground(True)
        appearance = self._editor.appearance
        previous = tool_button(appearance, "chevron-up", "Previous match (Shift+Enter)", lambda: self.go_to_match(-1))
        following = tool_button(appearance, "chevron-down", "Next match (Enter)", lambda: self.go_to_match(1))
        close = tool_button(appearance, "close", "Close (Esc)", self.close_bar)
        find = in_row(self.case, self.words, self.regex, self.count, previous, following, 1, close, gap=4)
        self._replace_row = QWidget()
        in_row(self.replace_one, self.replace_all, 1, of=self._replace_row, gap=4)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 6, 8, 6)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.addWidget(self.pattern, 0, 0)
        grid.addWidget(self.replacement, 1, 0)
        grid.addLayout(find, 0, 1)
        grid.addWidget(self._replace_row, 1, 1)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)

    def _connect(self) -> None:
        self.pattern.textEdited.connect(self._note_typing)
        self.pattern.textChanged.connect(lambda _text: self._pause.start())
        self.replacement.textChanged.connect(self._remember_replacement)
        for option in (self.case, self.words, self.regex):
            option.toggled.connect(lambda _on: self.search_again())
        self._editor.text_document.changed.connect(self._search_later)
        self._editor.cursorPositionChanged.connect(self._show_count)
        self.replace_one.clicked.connect(self.replace_current)
        self.replace_all.clicked.connect(self.replace_every)
        for part in self.findChildren(QWidget):
            part.installEventFilter(self)

    def open_bar(self, *, replacing: bool) -> None:
        """Show the bar; a selection in one line becomes the pattern."""
        self._recall()
        selected = self._editor.textCursor().selectedText()
        if selected and "\u2029" not in selected:
            self.pattern.setText(selected)
            self.search_again()
        self.replacement.setVisible(replacing)
        self._replace_row.setVisible(replacing)
        self.show()
        self.search_again()
        self.pattern.setFocus()
        self.pattern.selectAll()

    def close_bar(self) -> None:
        """Close the bar, and focus the text; the last match stays selected."""
        if self._pause.isActive():
            self.search_again()
        self._was_typed = False
        self._matches = []
        self._editor.decorations.set_matches(())
        self._editor.setFocus()  # before hiding, which would pass the focus to an arbitrary widget
        self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Restore the last search, which may be from another editor."""
        super().showEvent(event)
        self._recall()
        self.search_again()

    def search_again(self) -> None:
        """Restart the search."""
        self._pause.stop()
        pattern, is_regex = self.pattern.text(), self.regex.isChecked()
        self._search = Search(pattern, is_regex, self.case.isChecked(), self.words.isChecked())
        self._memory.search = self._search
        document = self._editor.text_document
        try:
            self._take_matches(find_all(document.text(), self._search))
        except SearchPatternError as error:
            self._take_matches([])
            self._say(str(error), is_wrong=True)
            self._editor.decorations.set_matches(())
            return
        if self.isVisible():
            position = document.positions().position
            spans = [(position(match.start), position(match.end)) for match in self._matches]
            self._editor.decorations.set_matches(spans)
            self._show_count()

    def _take_matches(self, matches: list[Span]) -> None:
        self._matches = matches
        for button in (self.replace_one, self.replace_all):
            if not matches and button.hasFocus():
                self.pattern.setFocus()  # rather than the text, where Qt may move it
            button.setEnabled(bool(matches))

    def go_to_match(self, step: int) -> None:
        """Select the match behind the cursor (1) or the one before it (-1), wrapping around."""
        if self._is_ready():
            at, selection = self._selected_match(), self._selection()
            if at is not None:
                self._go(at + step)
            elif step > 0:
                self._go(bisect_left([match.start for match in self._matches], selection.end))
            else:
                self._go(bisect_right([match.end for match in self._matches], selection.start) - 1)

    def _is_ready(self) -> bool:
        """Update the matches, and return whether there are any; if not, show the bar."""
        if not self.isVisible():
            self._recall()
            self.search_again()
        elif self._pause.isActive():
            self._restart()
        if not self._search.pattern:
            self.open_bar(replacing=False)
        elif not self._matches and not self.isVisible():
            self.replacement.hide()
            self._replace_row.hide()
            self.show()
        return bool(self._matches)

    def _recall(self) -> None:
        """Restore the last search of any editor."""
        last = self._memory.search
        fields = (self.pattern, last.pattern), (self.replacement, self._memory.replacement)
        options = (self.case, last.matches_case), (self.words, last.whole_words), (self.regex, last.is_regex)
        for field, text in fields:
            if field.text() != text:
                with QSignalBlocker(field):
                    field.setText(text)
        for option, is_on in options:
            with QSignalBlocker(option):
                option.setChecked(is_on)

    def _remember_replacement(self, text: str) -> None:
        self._memory.replacement = text

    def _note_typing(self, _text: str) -> None:
        self._was_typed = True

    def _restart(self) -> None:
        """Restart the search; after typing in the pattern, select the first match from the cursor on."""
        self.search_again()
        if self._was_typed:
            self._was_typed = False
            self._go(bisect_left([match.start for match in self._matches], self._selection().start))

    def _search_later(self) -> None:
        if self.isVisible():
            self._pause.start()

    def replace_current(self) -> None:
        """Replace the selected match, if any, and go to the next one."""
        if self._pause.isActive():
            self._restart()
        self._replace([match for match in self._matches if match == self._selection()])
        self.go_to_match(1)

    def replace_every(self) -> None:
        """Replace all matches in one undo step."""
        count = len(self._matches)
        if self._replace(self._matches):
            self._say(f"{count} replaced", is_wrong=False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the bar before those of the menus."""
        if isinstance(event, QKeyEvent):
            is_alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
            option = self._keys.get(event.key()) if is_alt else None
            if event.type() is QEvent.Type.ShortcutOverride and option is not None:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress and option is not None:
                option.toggle()
                return True
            if event.type() is QEvent.Type.KeyPress and self._press(watched, event):
                return True
        return super().eventFilter(watched, event)

    def _press(self, field: QObject, event: QKeyEvent) -> bool:
        """Handle Escape and Enter; return whether the key was handled."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or field not in (self.pattern, self.replacement):
            return False
        elif field is self.replacement:
            self.replace_current()
        else:
            self.go_to_match(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        return True

    def _replace(self, places: list[Span]) -> bool:
        document = self._editor.text_document
        try:
            edits = replace_edits(document.text(), self._search, self.replacement.text(), places)
        except SearchPatternError as error:
            self._say(str(error), is_wrong=True)
            return False
        document.apply(edits)
        self.search_again()
        return bool(edits)

    def _go(self, index: int) -> None:
        if self._matches:
            match = self._matches[index % len(self._matches)]
            position = self._editor.text_document.positions().position
            self._editor.select(position(match.start), position(match.end))
            self._show_count()

    def _selected_match(self) -> int | None:
        """Return the index of the selected match, which may be an empty one at the cursor; None if there is none."""
        selection = self._selection()
        at = bisect_left(self._matches, selection)
        return at if at < len(self._matches) and self._matches[at] == selection else None

    def _selection(self) -> Span:
        cursor: QTextCursor = self._editor.textCursor()
        offset = self._editor.text_document.positions().offset
        return Span(offset(cursor.selectionStart()), offset(cursor.selectionEnd()))

    def _show_count(self) -> None:
        if not self.isVisible():
            return
        if not self._search.pattern:
            self._say("", is_wrong=False)
            return
        total, at = len(self._matches), self._selected_match()
        found = f"{at + 1} of {total}" if at is not None else f"{total} found" if total else "No results"
        self._say(found, is_wrong=not total)

    def _say(self, text: str, *, is_wrong: bool) -> None:
        self.count.say(text, self._editor.theme.color(Color.ERROR if is_wrong else Color.MUTED))


def named_field(name: str) -> LineEdit:
    """Return a field with its name as placeholder text."""
    field = LineEdit(name)
    field.setPlaceholderText(name)
    return field


def option_button(text: str, name: str) -> QToolButton:
    """Return a checkable button for a search option."""
    button = QToolButton()
    button.setText(text)
    button.setCheckable(True)
    button.setAccessibleName(name)
    button.setToolTip(plain(name))
    return button

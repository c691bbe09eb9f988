"""What threads find in the text: changed lines, hints at the ends of lines, and the uses of the name at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QMenu, QWidgetAction

from heatstudio.analysis.assist.inline_hints import consequences, value_hints
from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.text import Hunk, Severity, Span, counted
from heatstudio.text.line_diff import hunks_between, with_lines
from heatstudio.ui.commands.actions import Actions
from heatstudio.ui.commands.editor_area import WAY_ON, EditorArea
from heatstudio.ui.commands.text_controller import TextController
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.marks import Mark
from heatstudio.ui.widgets.appearance import code_font
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:
    from heatstudio.ui.editor.compare.pane import ComparePane

REST: Final = 400
"""Milliseconds without a key, after which the occurrences are found in a thread."""
_MOST_SHOWN = 20
"""The maximum number of old lines in the menu of a change."""
_LONGEST_SHOWN = 100
"""The maximum length of an old line there."""
_OF_MENU = ("revert-change", "next-change", "previous-change", "compare-text")


def _values(model: SemanticModel) -> Iterator[tuple[int, str]]:
    whole = Span(0, len(model.template.text))
    return ((hint.offset, f"{hint.name} = {hint.value}") for hint in value_hints(model, whole))


_FINDERS = {"value-hints": _values, "consequences": consequences}
"""The hints of each checkable command, as offsets and texts at the end of their lines."""


class LineHints(TextController):
    """The hints of all editors, updated by every analysis while their commands are checked."""

    def __init__(self, session: Session, area: EditorArea, actions: Actions) -> None:
        super().__init__(session, area)
        self._actions = {name: actions[name] for name in _FINDERS}
        session.analysis_changed.connect(self._refresh)
        for action in self._actions.values():
            action.toggled.connect(self._refresh_all)
        self._refresh_all()

    def _set_hints(self, document: Document, hints: Sequence[Mark]) -> None:
        for editor in self._area.groups.editors_of(document):
            editor.decorations.set_hints(hints)

    def _wanted(self) -> list[str]:
        return [name for name, action in self._actions.items() if action.isChecked()]

    def _refresh_all(self) -> None:
        for document in self._session.documents:
            self._refresh(document)

    def _refresh(self, document: Document) -> None:
        wanted = self._wanted()

        def show(found: Sequence[Mark]) -> None:
            if self._wanted() == wanted:
                self._set_hints(document, found)

        if not wanted:
            self._set_hints(document, ())
        else:
            take = self._while_same(document, show)
            self._ask(document, "Finding hints", lambda language: _marks(language, wanted), take)


def _marks(language: LanguageService, wanted: Iterable[str]) -> list[Mark]:
    found = sorted(hint for name in wanted for hint in _FINDERS[name](language.model))
    return [Mark(Span(offset, offset), Severity.HINT, words) for offset, words in found]


class Occurrences(TextController):
    """The controller that follows the resting cursor of the current editor."""

    def __init__(self, session: Session, area: EditorArea) -> None:
        super().__init__(session, area)
        self._words = ""
        self._timer = QTimer(self, singleShot=True, interval=REST)
        self._timer.timeout.connect(self._find)
        session.analysis_changed.connect(self._wait)
        area.follow(lambda pane: pane.editor.cursorPositionChanged, self._wait)

    def _wait(self) -> None:
        """Remove the highlights as soon as the cursor leaves them, and find others when it rests."""
        editor = self._area.editor
        if editor is not None:
            at = editor.editor.textCursor().position()
            if not any(start <= at <= end for start, end in editor.decorations.occurrences):
                editor.decorations.set_occurrences(())
                self._describe("")
            self._timer.start()

    def _find(self) -> None:
        document, editor = self._session.current, self._area.editor
        if document is None or editor is None or document.current_analysis is None or editor.editor.carets.are_many:
            return
        offset = editor.caret_offset()

        def find(language: LanguageService) -> Sequence[Location]:
            return [one for one in language.references(offset) if one.file is None]

        def show(found: Sequence[Location]) -> None:
            if editor is self._area.editor and editor.caret_offset() == offset:
                position = editor.editor.text_document.positions().position
                spans = [(position(one.span.start), position(one.span.end)) for one in found]
                editor.decorations.set_occurrences(spans if len(spans) > 1 else ())
                self._describe(counted(len(spans), "occurrence") if len(spans) > 1 else "")

        self._ask(document, "Finding occurrences", find, self._while_same(document, show))

    def _describe(self, words: str) -> None:
        """Describe the occurrences for screen readers, unless the line has a problem or an outcome."""
        text = self._area.editor.editor if self._area.editor is not None else None
        if text is not None and text.accessibleDescription() in (WAY_ON, self._words):
            text.setAccessibleDescription(words or WAY_ON)
            self._words = words


class LineChanges(TextController):
    """The changed lines of the current text, compared with the baseline after each analysis."""

    def __init__(
        self, session: Session, area: EditorArea, actions: Actions, comparison: Callable[[], ComparePane | None]
    ) -> None:
        super().__init__(session, area)
        self._actions, self._comparison = actions, comparison
        self._asked: tuple[str, str] | None = None
        for changed in (session.current_changed, session.analysis_changed, session.plan_changed):
            changed.connect(self._refresh)
        area.follow(lambda pane: pane.editor.gutter.change_requested, self.show_menu)
        self._refresh()

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the commands for changes."""
        return {"next-change": lambda: self.go(1), "previous-change": lambda: self.go(-1), "revert-change": self.revert}

    def go(self, step: int) -> None:
        """Go to the next change (1) or the previous one (-1), in the comparison if it is visible, else in the text."""
        comparison, document, pane = self._comparison(), self._session.current, self._area.editor
        if comparison is not None:
            comparison.go_to_change(step)
        elif document is not None and pane is not None:
            hunks, line = pane.decorations.hunks, pane.editor.caret_line()
            before = [at for at, hunk in enumerate(hunks) if hunk.new.start < line]
            behind = [at for at, hunk in enumerate(hunks) if hunk.new.start > line]
            found = (behind or [0])[0] if step > 0 else (before or [len(hunks) - 1])[-1]
            if hunks:
                pane.go_to_line(hunks[found].new.start)
                self._session.show_message(f"Change {found + 1} of {len(hunks)}: {_words(hunks[found])}")
            else:
                self._session.show_message(f"No changes since the baseline ({document.baseline.label}).")

    def revert(self) -> None:
        """Restore the old lines of the change at the cursor, of the comparison if it has the focus."""
        comparison, pane, focus = self._comparison(), self._area.editor, QApplication.focusWidget()
        if comparison is not None and focus is not None and comparison.isAncestorOf(focus):
            self.revert_at(comparison.line_of_change())
        elif pane is not None:
            self.revert_at(pane.editor.caret_line())

    def revert_at(self, line: int) -> None:
        """Restore the old lines of the change at a line of the current text, in one undo step."""
        document, pane = self._session.current, self._area.editor
        if document is not None and pane is not None:
            self._compare(document, partial(self._revert, document, pane, line))

    def show_menu(self) -> None:
        """Show the old lines of the change at the cursor, with the commands for it."""
        document, pane = self._session.current, self._area.editor
        hunk = _hunk_at(pane.decorations.hunks, pane.editor.caret_line()) if pane is not None else None
        if document is None or hunk is None:
            return
        menu = QMenu(self._area)
        menu.setAccessibleName(_words(hunk))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if hunk.old:
            old = QWidgetAction(menu)
            old.setDefaultWidget(_old_lines(document.old_text.split("\n")[hunk.old.start : hunk.old.stop]))
            menu.addAction(old)
        menu.addSection(_words(hunk))
        menu.addActions([self._actions[name] for name in _OF_MENU])
        menu.popup(QCursor.pos())
        menu.setActiveAction(self._actions[_OF_MENU[0]])

    def _refresh(self) -> None:
        """Compare the current text, unless it was compared last."""
        document = self._session.current
        asked = (document.old_text, document.text) if document is not None else None
        if document is not None and asked != self._asked:
            self._compare(document, partial(self._show, document))
        self._asked = asked

    def _compare(self, document: Document, take: Callable[[Sequence[Hunk]], object]) -> None:
        """Find the hunks of a document in another thread, and pass them on if they still hold."""
        old, new = document.old_text, document.text

        def use(hunks: Sequence[Hunk]) -> None:
            if document.old_text == old:
                take(hunks)

        self._session.run("Comparing lines", lambda *_: hunks_between(old, new), self._while_same(document, use))

    def _show(self, document: Document, hunks: Sequence[Hunk]) -> None:
        for editor in self._area.groups.editors_of(document):
            editor.decorations.set_hunks(hunks)

    def _revert(self, document: Document, pane: EditorPane, line: int, hunks: Sequence[Hunk]) -> None:
        hunk = _hunk_at(hunks, line)
        if hunk is None:
            self._session.show_message(f"No change since the baseline ({document.baseline.label}) at the cursor.")
            return
        edit = with_lines(document.text, hunk.new, document.old_text.split("\n")[hunk.old.start : hunk.old.stop])
        if edit is not None and not document.is_read_only:
            pane.apply_edits([edit])


def _hunk_at(hunks: Sequence[Hunk], line: int) -> Hunk | None:
    return next((hunk for hunk in hunks if hunk.touches(line)), None)


def _words(hunk: Hunk) -> str:
    """Return the change of a hunk in words."""
    old, new = len(hunk.old), len(hunk.new)
    if old and new:
        return f"{counted(old, 'line')} changed" if old == new else f"{counted(old, 'line')} changed to {new}"
    return f"{counted(new, 'line')} added" if new else f"{counted(old, 'line')} deleted"


def _old_lines(lines: Sequence[str]) -> PlainLabel:
    """Return a label with old lines, in the font of code."""
    shown = [line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…" for line in lines[:_MOST_SHOWN]]
    if len(lines) > len(shown):
        shown.append(f"… {counted(len(lines) - len(shown), 'more line', 'more lines')}")
    label = PlainLabel("\n".join(shown))
    label.setFont(code_font(""))
    label.setContentsMargins(12, 8, 12, 8)
    label.setAccessibleDescription("Old text")
    return label

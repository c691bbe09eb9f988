"""Highlight a document: visible lines immediately, the rest of a large file in idle time."""

from collections.abc import Callable
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextBlock, QTextCharFormat, QTextDocument

from heatstudio.text.invisible import invisible
from heatstudio.text.yaml_lexer import LineState, Run, TokenRole, lex_line
from heatstudio.ui.documents.qt_text import QtPositions, from_qt
from heatstudio.ui.highlight.scripts import ScriptColors, is_script_line
from heatstudio.ui.widgets.theme import Color, Theme

_COLORS = {
    TokenRole.SECTION: Color.KEY,
    TokenRole.KEY: Color.KEY,
    TokenRole.TYPE: Color.RESOURCE_TYPE,
    TokenRole.FUNCTION: Color.FUNCTION,
    TokenRole.REFERENCE: Color.REFERENCE,
    TokenRole.STRING: Color.STRING,
    TokenRole.NUMBER: Color.NUMBER,
    TokenRole.COMMENT: Color.COMMENT,
    TokenRole.ANCHOR: Color.REFERENCE,
    TokenRole.JINJA: Color.FUNCTION,
    TokenRole.PUNCTUATION: Color.MUTED,
}
_BOLD = (TokenRole.SECTION,)
_ITALIC = (TokenRole.COMMENT, TokenRole.JINJA)

EAGER_LINES = 40
"""The number of lines highlighted at once; later lines are highlighted when they are painted, or in slices."""
SLICE_SECONDS = 0.004
_FIRST_SLICE = 200
"""Milliseconds before the first slice, as visible lines have priority."""
REACH_SECONDS = 0.01
_AT_ONCE = 8
"""The number of lines between two looks at the clock."""
_PENDING = -2
_ANEW = -1
"""The state before the first line."""
_EVERYTHING = 1 << 30


class Code(NamedTuple):
    """The code in a line."""

    column: int = 0
    """The start column in characters."""
    state: int | None = None
    """The end state of the line above in the template; None if that is the line above in the document."""


_SHORT = 200
"""The length of lines whose roles are kept: Qt highlights everything between the places of an edit again."""
_lex_short_line = lru_cache(maxsize=8192)(lex_line)

FindCode = Callable[[QTextBlock], Code | None]
"""A function that returns the code of a line; None for a line without code, after which the state is initial."""
_WHOLE_LINE = Code()
SIGN_WIDTH = 30.0
"""The space in pixels for the box of a character that is not seen."""


class Highlighter(QSyntaxHighlighter):
    """A highlighter of templates; lines above its frontier are highlighted, those below are pending."""

    def __init__(
        self,
        document: QTextDocument,
        theme: Theme,
        *,
        is_part: bool = False,
        find_code: FindCode | None = None,
        is_reached: bool = False,
    ) -> None:
        """Create a highlighter; `is_part` is for parts of templates, whose outermost keys are not sections.

        `find_code` locates templates among other text. Paints call `reach` if `is_reached`; otherwise each line
        that is highlighted may be visible.
        """
        self._find_code = find_code
        self._frontier = _EVERYTHING
        self._is_reached = is_reached
        self._seen = 0 if is_reached else _EVERYTHING
        self._lines = 0
        self._is_paused = False
        self._is_part = is_part
        self._formats = _formats(theme, is_part=is_part)
        super().__init__(document)
        self._scripts = ScriptColors(self, self._show)
        self._idle = QTimer(self, interval=0)
        self._idle.timeout.connect(lambda: self._advance(_EVERYTHING, SLICE_SECONDS))
        document.blockCountChanged.connect(self._follow_lines)

    @property
    def is_complete(self) -> bool:
        """Whether every line is highlighted."""
        return self._frontier == _EVERYTHING

    def set_theme(self, theme: Theme) -> None:
        """Highlight everything again."""
        self._formats = _formats(theme, is_part=self._is_part)
        self.start()

    def set_language(self, language: str) -> None:
        """Treat the whole text as a script in a language of pygments; empty for a template."""
        if language != self._scripts.language:
            self._scripts.language = language
            self.start()

    def expect_load(self, lines: int) -> None:
        """Prepare for a new text with a number of lines, so that a long one is not highlighted at once."""
        self._idle.stop()
        self._frontier = EAGER_LINES if lines > EAGER_LINES else _EVERYTHING
        self._seen, self._lines = 0 if self._is_reached else _EVERYTHING, lines

    def expect_growth(self) -> None:
        """Prepare for lines that are added one by one, so that many are not highlighted at once."""
        self.expect_load(EAGER_LINES + 1)
        self._lines = self.document().blockCount()
        self.resume()

    def start(self) -> None:
        """Highlight from the start: all of a short document; of a long one, the first lines and the rest in slices."""
        self.expect_load(self.document().blockCount())
        self.rehighlight()
        if not self._is_paused:
            self.resume()

    def resume(self) -> None:
        """Continue with pending lines in slices, after the visible ones are painted."""
        self._is_paused = False
        if not self.is_complete:
            self._idle.start(_FIRST_SLICE)

    def pause(self) -> None:
        """Suspend the slices until `resume`, as those of many open texts would slow down the window."""
        self._is_paused = True
        self._idle.stop()

    def reach(self, line: int) -> bool:
        """Highlight down to a line that is about to be painted, within `REACH_SECONDS`.

        Return whether lines were highlighted, which drops their layout.
        """
        self._seen = max(line, self._seen)
        is_behind = line >= self._frontier
        if is_behind:
            self._advance(line + 1, REACH_SECONDS)
        return is_behind

    def highlightBlock(self, text: str) -> None:
        before = self.previousBlockState()
        if before == _PENDING or (not self.is_complete and self.currentBlock().blockNumber() >= self._frontier):
            self.setCurrentBlockState(_PENDING)
            return
        code = self._find_code(self.currentBlock()) if self._find_code is not None else _WHOLE_LINE
        if code is None:
            self.setCurrentBlockState(_ANEW)
            return
        begin = code.column
        runs, state = self._runs(text, begin, before if code.state is None else code.state)
        if begin:
            runs = [one._replace(start=one.start + begin) for one in runs]
        formats, set_format = self._formats, self.setFormat
        if text.isascii():
            for start, length, role in runs:
                set_format(start, length, formats[role])
        else:
            position = QtPositions(text).position
            for start, length, role in runs:
                first = position(start)
                set_format(first, position(start + length) - first, formats[role])
            for at in invisible(from_qt(text)):
                first = position(at)
                widened = self.format(first)
                widened.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
                widened.setFontLetterSpacing(SIGN_WIDTH)
                set_format(first, position(at + 1) - first, widened)
        self.setCurrentBlockState(state)

    def _runs(self, text: str, begin: int, before: int) -> tuple[list[Run], int]:
        """Return the roles of a line and its end state; lines of a script have the roles of its language."""
        block = self.currentBlock()
        if self._scripts.language:
            return self._scripts.runs(block, text) or [], 0
        lex = _lex_short_line if len(text) < _SHORT else lex_line
        runs, state = lex(text[begin:], before)
        if self._find_code is None and before > 0 and is_script_line(block):
            known = self._scripts.runs(block, text)
            return runs if known is None else known, state
        return runs, state

    def _advance(self, until: int, seconds: float) -> None:
        self._idle.setInterval(0)
        deadline = perf_counter() + seconds
        block = self.document().findBlockByNumber(self._frontier)
        while block.isValid() and self._frontier < until:
            self._frontier += _AT_ONCE
            self._show(block)  # and the lines below, whose states change, down to the frontier
            block = self.document().findBlockByNumber(self._frontier)
            if perf_counter() > deadline:
                return
        if not block.isValid():
            self._frontier = _EVERYTHING
            self._idle.stop()

    def _show(self, block: QTextBlock) -> None:
        """Highlight a line; one that was never seen does not repaint the viewport."""
        with QSignalBlocker(self.document().documentLayout()) as blocker:
            if block.blockNumber() <= self._seen:
                blocker.unblock()
            self.rehighlightBlock(block)

    def _follow_lines(self, lines: int) -> None:
        """Move the frontier up with the pending lines when lines are removed."""
        if not self.is_complete and lines < self._lines:
            self._frontier = max(0, self._frontier - (self._lines - lines))
        self._lines = lines


def state_above(block: QTextBlock) -> LineState:
    """Return the state at the start of a line, as far as the text above is highlighted."""
    return LineState.decode(block.previous().userState())


def _formats(theme: Theme, *, is_part: bool) -> dict[TokenRole, QTextCharFormat]:
    formats = {role: _format(theme.color(color), role in _BOLD, role in _ITALIC) for role, color in _COLORS.items()}
    return formats | {TokenRole.SECTION: formats[TokenRole.KEY]} if is_part else formats


def _format(color: QColor, is_bold: bool, is_italic: bool) -> QTextCharFormat:
    character_format = QTextCharFormat()
    character_format.setForeground(color)
    if is_bold:
        character_format.setFontWeight(QFont.Weight.Bold)
    character_format.setFontItalic(is_italic)
    return character_format

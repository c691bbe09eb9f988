"""Find scripts in block scalars and highlight them in slices, so that typing stays responsive."""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextBlock, QTextBlockUserData, QTextCursor
from shiboken6 import isValid

from heatstudio.text.yaml_lexer import LONGEST_LINE, LineState, Run
from heatstudio.ui.highlight.script_lexer import is_loading, language_of, lexer_of, script_runs

_SLICE_SECONDS: Final = 0.004
_REST: Final = 60
"""Milliseconds after the last change before a script is read again."""
_LONGEST: Final = 5_000
"""The maximum number of highlighted lines of a script."""


class ScriptLine(QTextBlockUserData):
    """The colors of one line of a script while its text is unchanged."""

    def __init__(self, text: str, runs: list[Run]) -> None:
        super().__init__()
        self.text, self.runs = text, runs


class ScriptColors(QObject):
    """The colors of scripts, stored in their lines; `show_line` is called for each line with new ones."""

    def __init__(self, parent: QObject, show_line: Callable[[QTextBlock], object]) -> None:
        super().__init__(parent)
        self._show_line = show_line
        self._stale: list[QTextCursor] = []  # a cursor stays at its line while the text changes
        self._reading: Iterator[None] = iter(())
        self._is_showing = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._work)
        self.language = ""
        """The language of the whole document if it is a script."""

    def runs(self, block: QTextBlock, text: str) -> list[Run] | None:
        """Return the colors of a line in a script, None if they are unknown, and schedule the reading of the script."""
        if not self._is_showing:
            if self._stale and self._stale[-1].block().next() == block:
                self._stale.pop()
            self._stale.append(QTextCursor(block))
            self._timer.start(_REST)
        known = block.userData()
        return known.runs if isinstance(known, ScriptLine) and known.text == text else None

    def _work(self) -> None:
        """Read for a few milliseconds."""
        self._timer.setInterval(0)
        deadline = perf_counter() + _SLICE_SECONDS
        while perf_counter() < deadline:
            if next(self._reading, self) is not self:
                continue
            if not isValid(self._timer):  # a garbage collection while reading may have deleted the closed document
                return
            if not self._stale:
                self._timer.stop()
                return
            self._reading = self._read(self._stale.pop())

    def _read(self, place: QTextCursor) -> Iterator[None]:
        """Highlight the script around a position; restart if the text changes in the meantime."""
        if not self._is_inside(place.block()):
            return
        document = place.document()
        revision = document.revision()
        blocks = [place.block()]
        while len(blocks) < _LONGEST and self._is_inside(blocks[0].previous()):
            blocks.insert(0, blocks[0].previous())
        while len(blocks) < _LONGEST and self._is_inside(blocks[-1].next()):
            blocks.append(blocks[-1].next())
        indents = (len(text) - len(text.lstrip(" ")) for block in blocks if (text := block.text()).strip())
        indent = 0 if self.language else min(indents, default=0)
        texts = [block.text() for block in blocks]
        script = "\n".join(text[indent:LONGEST_LINE] for text in texts)
        language = self.language or language_of(script)
        while language and is_loading(language):
            self._timer.setInterval(_REST)
            yield
            if document.revision() != revision:
                self._stale.append(place)
                return
        lexer = lexer_of(language) if language else None
        lines = script_runs(script, lexer) if lexer is not None else iter(())
        for block, text, runs in zip(blocks, texts, lines, strict=False):
            self._show(block, text, [one._replace(start=one.start + indent) for one in runs])
            yield
            if document.revision() != revision:
                self._stale.append(place)
                return

    def _is_inside(self, block: QTextBlock) -> bool:
        return block.isValid() and (bool(self.language) or is_script_line(block))

    def _show(self, block: QTextBlock, text: str, runs: list[Run]) -> None:
        known = block.userData()
        is_known = isinstance(known, ScriptLine) and (known.text, known.runs) == (text, runs)
        if is_known:
            return
        block.setUserData(ScriptLine(text, runs))
        self._is_showing = True
        try:
            self._show_line(block)
        finally:
            self._is_showing = False


def is_script_line(block: QTextBlock) -> bool:
    """Return whether a line is inside a block scalar."""
    return LineState.decode(block.previous().userState()).is_script(block.text())

"""Scripts in block scalars: their languages, and their colors, found in slices so that typing stays responsive."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import PurePath
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextBlock, QTextBlockUserData, QTextCursor
from shiboken6 import isValid

from heatstudio.assets import resource_path
from heatstudio.text.yaml_lexer import LONGEST_LINE, LineState, Run, TokenRole

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_SLICE_SECONDS: Final = 0.004
_REST: Final = 60
"""Milliseconds after the last change before a script is read again."""
_LONGEST: Final = 5_000
"""The maximum number of highlighted lines of a script."""
_SHEBANG: Final = re.compile(r"#!\s*\S*?(?:/|\s|^)(?:env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*(?=\s|$)")
_INTERPRETERS: Final = {"sh": "bash", "ash": "bash", "dash": "bash", "ksh": "bash", "zsh": "bash", "pwsh": "powershell"}
_FIRST_LINES: Final = (
    (re.compile(r"#cloud-(?:config|config-archive)\b|---(?:\s|$)"), "yaml"),
    (re.compile(r"#cloud-boothook\b"), "bash"),
    (re.compile(r"#ps1|<powershell>|param\s*\(|\$ErrorActionPreference", re.IGNORECASE), "powershell"),
    (re.compile(r"(?:import|from)\s+[a-z_][\w.]*(?:\s+import\s.+)?$"), "python"),
    (re.compile(r"[{\[]\s*(?:$|[\"{\[}\]\d-])"), "json"),
)
"""The first lines that identify a language: user data of cloud-init and cloudbase-init, or starts of programs."""
_ENDINGS: Final = {
    ".sh": "bash", ".bash": "bash", ".py": "python", ".ps1": "powershell", ".pl": "perl", ".rb": "ruby",
}  # fmt: skip
_ROLES: Final[dict[str, str]] = json.loads(resource_path("token_roles.json").read_text(encoding="utf-8"))
"""The roles of pygments' token types; a type without a role has that of its parent type."""


def language_of(text: str) -> str:
    """Return pygments' name of the language of a script, by its first line; empty if it is unknown."""
    first = next((line.strip() for line in text.split("\n", 5) if line.strip()), "")
    if match := _SHEBANG.match(first):
        return _INTERPRETERS.get(match[1], match[1])
    return next((language for pattern, language in _FIRST_LINES if pattern.match(first)), "")


def language_of_file(name: str, text: str) -> str:
    """Return the language of a file that is a script as a whole; empty for templates and everything else."""
    return _ENDINGS.get(PurePath(name).suffix.lower()) or (language_of(text) if text.startswith("#!") else "")


def lexer_of(language: str) -> Lexer | None:
    """Return the lexer of a language; None if there is none, or while a thread imports it."""
    loading = _loading(language)
    return loading.lexer if not loading.is_alive() else None


def is_loading(language: str) -> bool:
    """Return whether the lexer of a language is being imported."""
    return _loading(language).is_alive()


def script_runs(text: str, lexer: Lexer) -> Iterator[list[Run]]:
    """Yield the roles of one line after the other; a caller may stop at any time."""
    runs: list[Run] = []
    column = 0
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        role = _role(str(kind))
        for number, piece in enumerate(value.split("\n")):
            if number:
                yield runs
                runs, column = [], 0
            if piece and role is not None:
                runs.append(Run(column, len(piece), role))
            column += len(piece)
    yield runs


@cache
def _role(kind: str) -> TokenRole | None:
    steps = kind.removeprefix("Token").lstrip(".").split(".")
    names = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
    return next((TokenRole[_ROLES[name]] for name in names if name in _ROLES), None)


class _Loading(Thread):
    """The import of a lexer in a thread, as compiling its patterns takes too long for the GUI thread."""

    def __init__(self, language: str) -> None:
        super().__init__(daemon=True)
        self._language = language
        self.lexer: Lexer | None = None

    def run(self) -> None:
        """Import the lexer."""
        from pygments.lexers import get_lexer_by_name
        from pygments.util import ClassNotFound

        with suppress(ClassNotFound):
            self.lexer = get_lexer_by_name(self._language)


@cache
def _loading(language: str) -> _Loading:
    loading = _Loading(language)
    loading.start()
    return loading


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
        """Read for a few milliseconds, or until a lexer has to be waited for."""
        self._timer.setInterval(0)
        deadline = perf_counter() + _SLICE_SECONDS
        while perf_counter() < deadline and self._timer.interval() == 0:
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

"""Highlighting of scripts by pygments: language detection and the roles of lines. Without Qt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import PurePath
from threading import Thread
from typing import TYPE_CHECKING, Final

from heatstudio.assets import resource_path
from heatstudio.text.yaml_lexer import Run, TokenRole

if TYPE_CHECKING:
    from pygments.lexer import Lexer

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

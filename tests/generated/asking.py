"""Batches of questions to the real Heat, which starts once for each batch."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

Answer = dict[str, object]
LEVELS = ("client", "parse", "validate", "full")
"""The stages at which the client and Heat check a template, in order."""
OWN_OF_VALIDATE = "Error"
"""The exception of template-validate for errors that a stack create may accept; a stack create has all others too."""
DOUBTFUL = ("noise", "dummy_suspect", "offline")
PATIENCE = 1800.0
"""The timeout for one batch of questions, in seconds."""

_ENVIRONMENT = {**os.environ, "PYTHONHASHSEED": "0"}
"""A fixed hash seed: Heat iterates over sets and stops at its first error."""


class Engine:
    """An interface to the real Heat, with a folder for the files of questions."""

    def __init__(self, python: str, script: Path, folder: Path) -> None:
        self._command = [python, str(Path(__file__).with_name("heat_main.py")), str(script.parent), "batch"]
        self.folder = folder
        self._batches = 0

    def write(self, name: str, content: object) -> str:
        """Write a text, or data as JSON, to a new file and return its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def ask(self, questions: Sequence[Sequence[str]]) -> list[Answer]:
        """Return the answers in the order of the questions."""
        self._batches += 1
        batch = self.write(f"batch-{self._batches}", "\n".join(map(json.dumps, questions)))
        done = subprocess.run(
            [*self._command, batch], capture_output=True, text=True, check=False, timeout=PATIENCE, env=_ENVIRONMENT
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(questions), done.stderr[-3000:]
        return answers


def refusal(answer: Mapping[str, object]) -> str | None:
    """Return the error of the client or of Heat for a template; empty if accepted, None if a stub decides."""
    for level in LEVELS:
        said = answer.get(level)
        if isinstance(said, dict) and said["exception"] != OWN_OF_VALIDATE:
            return None if any(said.get(key) for key in DOUBTFUL) else f"{level}: {said['message']}"
    return ""

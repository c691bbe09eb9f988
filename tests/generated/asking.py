"""Asks the real Heat many questions with one start of it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

Answer = dict[str, object]
LEVELS = ("client", "parse", "validate", "full")
"""What the client and Heat say of a template, the first of them first."""
OWN_OF_VALIDATE = "Error"
"""How template-validate refuses what a stack create may well accept; what it raises otherwise both refuse."""
DOUBTFUL = ("noise", "dummy_suspect", "offline")
PATIENCE = 1800.0
"""Seconds for one batch of questions."""

_ENVIRONMENT = {**os.environ, "PYTHONHASHSEED": "0"}
"""Heat walks through sets, and stops at its first error."""


class Engine:
    """Answers of the real Heat; its files lie in a folder."""

    def __init__(self, python: str, script: Path, folder: Path) -> None:
        self._command = [python, str(Path(__file__).with_name("heat_main.py")), str(script.parent), "batch"]
        self.folder = folder
        self._batches = 0

    def write(self, name: str, content: object) -> str:
        """The path of a new file with a text, or with data as JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def ask(self, questions: Sequence[Sequence[str]]) -> list[Answer]:
        """The answers, in the order of the questions."""
        self._batches += 1
        batch = self.write(f"batch-{self._batches}", "\n".join(map(json.dumps, questions)))
        done = subprocess.run(
            [*self._command, batch], capture_output=True, text=True, check=False, timeout=PATIENCE, env=_ENVIRONMENT
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(questions), done.stderr[-3000:]
        return answers


def refusal(answer: Mapping[str, object]) -> str | None:
    """Why the client or Heat refuses a template; empty if they accept it, None if the engine cannot tell."""
    for level in LEVELS:
        said = answer.get(level)
        if isinstance(said, dict) and said["exception"] != OWN_OF_VALIDATE:
            return None if any(said.get(key) for key in DOUBTFUL) else f"{level}: {said['message']}"
    return ""

"""Comparison of the server's answers after random edits with those of a server that has just opened the texts.

`python -m tests.lsp.random_edits --edits 10000` makes the given number of edits and prints the seed and the
differences. It fails on differences, on errors, and on output of the server to standard error.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import accumulate
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory
from typing import Any

from tests.analysis.incremental_samples import SAMPLES
from tests.analysis.random_edits import RandomEdits
from tests.lsp.client import CAPABILITIES, Client, Message

STEPS = 12
"""The number of edits of one text before the next text is chosen."""
COMPARED = 0.1
"""The share of edits after which all answers are compared."""
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""The codec of each encoding, and the number of bytes in a unit."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_OF_ONE_SERVER = frozenset({"version", "data"})


class Editor:
    """An editor that sends texts to a server, with one change for the part that differs."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._texts: dict[str, str] = {}
        self._codec, self._width = UNITS[client.initialized["capabilities"]["positionEncoding"]]

    def show(self, texts: Mapping[str, str]) -> None:
        """Open the texts, or send their changes if they are open."""
        for name, text in texts.items():
            if name not in self._texts:
                self.client.open(name, text)
            elif text != self._texts[name]:
                self.client.change(name, self._change(self._texts[name], text))
            self._texts[name] = text

    def close(self) -> None:
        for name in self._texts:
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.client.uri(name)}})
        self._texts = {}

    def position(self, text: str, offset: int) -> Message:
        """Return the position of an offset, which must not be inside a line end."""
        starts = [0, *(found.end() for found in _LINE_END.finditer(text, 0, offset))]
        before = text[starts[-1] : offset].encode(self._codec, "surrogatepass")
        return {"line": len(starts) - 1, "character": len(before) // self._width}

    def _change(self, old: str, new: str) -> Message:
        start = _alike(old, new)
        most = min(len(old), len(new)) - start
        end = _alike(old[::-1][:most], new[::-1][:most])
        while start and old[start - 1] == "\r":
            start -= 1
        while end and old[-end] == "\n":
            end -= 1
        places = (self.position(old, offset) for offset in (start, len(old) - end))
        return {"range": dict(zip(("start", "end"), places, strict=True)), "text": new[start : len(new) - end]}


def _alike(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts."""
    return next(
        (at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right),
        min(len(one), len(other)),
    )


def answers(editor: Editor, name: str, text: str, offset: int) -> Iterator[tuple[str, object]]:
    """Yield the answers to all requests of an editor about a text."""
    here = editor.position(text, offset)
    place = {"start": here, "end": here}
    whole = {"start": {"line": 0, "character": 0}, "end": editor.position(text, len(text))}
    at = {"position": here}
    context = {"context": {"diagnostics": [], "includeDeclaration": True, "triggerKind": 1}}
    requests: dict[str, Message] = {
        "diagnostic": {},
        "documentSymbol": {},
        "foldingRange": {},
        "semanticTokens/full": {},
        "inlayHint": {"range": whole},
        "selectionRange": {"positions": [here]},
        "codeAction": {"range": place, **context},
        "completion": {**at, **context},
        **{method: {**at, **context} for method in ("hover", "definition", "references", "documentHighlight")},
    }
    for method, params in requests.items():
        yield method, without(editor.client.ask(method, name, **params))


def without(found: Any) -> Any:
    """Return an answer without the fields that differ between servers."""
    if isinstance(found, dict):
        return {key: without(value) for key, value in found.items() if key not in _OF_ONE_SERVER}
    return [without(value) for value in found] if isinstance(found, list) else found


def run(warm: Client, cold: Client, seed: int, edits: int) -> list[str]:
    """Make random edits, and return the differences from a new server."""
    dice, found = Random(seed), []
    editor, fresh = Editor(warm), Editor(cold)
    made = 0
    while made < edits:
        texts = dict(dice.choice(SAMPLES))
        editor.show(texts)
        editors = {name: RandomEdits(dice, text, [*texts.values()]) for name, text in texts.items()}
        for _ in range(min(STEPS, edits - made)):
            name = dice.choice([*texts])
            texts[name] = editors[name].step()
            editor.show(texts)
            made += 1
            if dice.random() < COMPARED:
                text = texts[name]
                offset = dice.choice([0, *accumulate(map(len, re.split(r"(?<=[^\r])", text)))])
                fresh.show(texts)
                expected = dict(answers(fresh, name, text, offset))
                given = dict(answers(editor, name, text, offset))
                differing = (method for method in given if given[method] != expected[method])
                found += [
                    f"{method} of {text!r} at {offset}: {given[method]} instead of {expected[method]}"
                    for method in differing
                ]
                fresh.close()
        editor.close()
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args(arguments)
    seed = options.seed if options.seed is not None else SystemRandom().getrandbits(48)
    dice = Random(seed)
    found: list[str] = []
    portions = [min(1000, options.edits - done) for done in range(0, options.edits, 1000)]
    for portion in portions:
        encoding = dice.choice([*UNITS])
        capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
        with TemporaryDirectory() as folder, ExitStack() as stack:
            servers = [stack.enter_context(Client(Path(folder).resolve(), capabilities)) for _ in range(2)]
            found += run(servers[0], servers[1], dice.getrandbits(48), portion)
        found += [f"said: {server.errors}" for server in servers if server.errors]
    for line in found:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{options.edits} edits, seed {seed}, {len(found)} differences\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

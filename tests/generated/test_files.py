"""The values of `get_file` for random files of all kinds, compared with the Heat engine."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import yaml

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import define
from heatstudio.stack.functions.function import FunctionError, resolve
from heatstudio.stack.unknown import Unknown
from heatstudio.text import Severity
from tests.generated.asking import Answer, Engine, refusal
from tests.generated.templates import Templates
from tests.generated.values import Data
from tests.load import load_source

NAMES = ("child.yaml", "data.json", "script.sh", "sub/notes.txt")
HEAD = "heat_template_version: 2021-04-16\n"
LINES: tuple[str, ...] = (
    *("#!/bin/sh", "echo $text\t", "  indented: [1, 2]", "key: 'value'", "- item", "é ß 日本 \U0001f600", "\u00a0x"),
    *("heat_template_version: 2021-04-16", "# heat_template_version", "{", "a: &x 1", "b: *x", "\x07", "---", "%TAG"),
    *('"AWSTemplateFormatVersion": "2010-09-09"', "cat <<EOF > t.yaml", "EOF", "d: 2020-01-01", "e: 1_000", "\\N"),
)
FOLDER = "root:/"
"""The words that `ask_heat.py` shows for the URL of the folder, which the client puts before the names of files."""
SCALARS: tuple[object, ...] = (
    1,
    0.1,
    1e30,
    True,
    None,
    "x",
    "2020-01-01",
    "on",
    "ä",
    "a\nb",
    "",
    [],
    {},
    [1, {"a": 2}],
)


class Contents:
    """A generator of the contents of files, deterministic for a seed of `dice`."""

    def __init__(self, knowledge: Knowledge, dice: random.Random) -> None:
        self._dice = dice
        self._templates = Templates(knowledge, dice)

    def files(self) -> Mapping[str, bytes]:
        """Return the content of each file; a file names only files that follow it."""
        return {name: self._content(NAMES[at + 1 :]) for at, name in enumerate(NAMES)}

    def _content(self, others: tuple[str, ...]) -> bytes:
        dice = self._dice
        makers: tuple[Callable[[tuple[str, ...]], str], ...] = (self._template, self._naming, self._json, self._text)
        text = dice.choice(makers)(others)
        match dice.randint(0, 19):
            case 0:
                return bytes(dice.randrange(256) for _ in range(dice.randint(0, 200)))
            case 1:
                return text.encode("latin-1", "replace")
            case 2:
                return text.replace("\n", "\r\n").encode()
            case 3:
                return b"\xef\xbb\xbf" + text.encode()
        return text.encode()

    def _template(self, _others: tuple[str, ...]) -> str:
        return written(self._templates.template(), self._dice)

    def _naming(self, others: tuple[str, ...]) -> str:
        """Return a template that names other files."""
        dice = self._dice
        resources: Data = {"v": {"type": "OS::Heat::Value", "properties": {"value": dice.choice(SCALARS)}}}
        for number, name in enumerate(others):
            if dice.random() < 0.5:
                value: object = {"get_file": name}
                resources[f"r{number}"] = {"type": "OS::Heat::Value", "properties": {"value": value}}
        return written({"heat_template_version": "2021-04-16", "resources": resources}, dice)

    def _json(self, _others: tuple[str, ...]) -> str:
        dice = self._dice
        data: Data = {dice.choice(("a", "b", "heat_template_version", "c")): dice.choice(SCALARS) for _ in range(3)}
        made: object = dice.choice((data, [data], [*data], "heat_template_version", data.get("a", data)))
        return json.dumps(made, indent=dice.choice((None, 2)), ensure_ascii=dice.choice((True, False)))

    def _text(self, _others: tuple[str, ...]) -> str:
        lines = [self._dice.choice(LINES) for _ in range(self._dice.randint(0, 6))]
        return (HEAD if self._dice.random() < 0.3 else "") + "\n".join(lines)


def written(data: Data, dice: random.Random) -> str:
    """Return a template in a random layout, sometimes with comments or a syntax error."""
    if dice.random() < 0.2:
        return json.dumps(data, indent=dice.choice((None, 1, 4)))
    flow = dice.choice((True, False, None))
    text = yaml.safe_dump(data, sort_keys=False, default_flow_style=flow, width=dice.choice((20, 80, 900)))
    if dice.random() < 0.1:
        return text.replace(":", ": {", 1)
    lines = text.split("\n")
    lines.insert(dice.randrange(len(lines)) if flow is False and "'" not in text else 0, "# a comment")
    return "\n".join(lines)


def outputs_of(path: Path, knowledge: Knowledge) -> dict[str, object]:
    """Return the values of the outputs, or their errors."""
    stack, _ = define(load_source(path), knowledge)
    found: dict[str, object] = {}
    for name in stack.output_names:
        try:
            found[name] = resolve(stack.output_definition(name).value, stack)
        except FunctionError as error:
            found[name] = error.message
    return found


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> Iterator[tuple[object, ...]]:
    """Yield each file with another value than in the engine, and each template with another verdict of the client."""
    maker = Contents(knowledge, dice)
    tops = []
    for number in range(count):
        named = {f"o{at}": {"value": {"get_file": name}} for at, name in enumerate(NAMES) if dice.random() < 0.8}
        tops.append(engine.write(f"{number}/top.yaml", HEAD + yaml.safe_dump({"outputs": named})))
        for name, content in maker.files().items():
            path = Path(engine.write(f"{number}/{name}", ""))
            path.write_bytes(content)
    asked = [[question, top] for question in ("resolve", "validate") for top in tops]
    answers = engine.ask(asked)
    for top, values, verdict in zip(tops, answers[:count], answers[count:], strict=True):
        yield from _compared(Path(top), knowledge, values, verdict)


def _compared(top: Path, knowledge: Knowledge, values: Answer, verdict: Answer) -> Iterator[tuple[object, ...]]:
    errors = [one.message for one in analyze(load_source(top), knowledge).diagnostics if one.severity is Severity.ERROR]
    said = refusal(verdict)
    if said is not None and bool(said) is not bool(errors):
        yield top, said, errors
    outputs = values.get("outputs")
    if said or not isinstance(outputs, dict):
        return
    for name, value in outputs_of(top, knowledge).items():
        heat = outputs[name].get("value")
        if not isinstance(value, Unknown) and value != (heat.replace(FOLDER, "") if isinstance(heat, str) else heat):
            yield top, name, heat, value


def test_values_of_files(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert list(differences(engine, knowledge, dice, count * 3)) == []

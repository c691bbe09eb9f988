"""The values of `get_file` for random templates in random layouts, compared with the Heat engine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import yaml

from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import define
from tests.generated.asking import Engine
from tests.generated.templates import Templates
from tests.generated.values import Data
from tests.load import load_source

TOP = "heat_template_version: 2021-04-16\noutputs: {text: {value: {get_file: child.yaml}}}\n"


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


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> Iterator[tuple[object, ...]]:
    """Yield the text of each file whose value differs, with both values."""
    maker = Templates(knowledge, dice)
    texts = [written(maker.template(), dice) for _ in range(count)]
    tops = [engine.write(f"{number}/top.yaml", TOP) for number, _ in enumerate(texts)]
    for number, text in enumerate(texts):
        engine.write(f"{number}/child.yaml", text)
    for text, top, answer in zip(texts, tops, engine.ask([["resolve", top] for top in tops]), strict=True):
        if "outputs" not in answer:
            continue  # the client cannot read a file that the random template names
        stack, _ = define(load_source(Path(top)), knowledge)
        outputs = answer["outputs"]
        assert isinstance(outputs, dict)
        if "file://" not in str(outputs) and outputs["text"] != {"value": stack.file("child.yaml")}:
            yield text, outputs, stack.file("child.yaml")


def test_texts_behind_get_file(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert list(differences(engine, knowledge, dice, count * 3)) == []

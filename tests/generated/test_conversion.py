"""Random conversions: the Heat engine resolves the same values before and after."""

from __future__ import annotations

import json
import random
from pathlib import Path

from heatstudio.stack.conversion.convert import convert
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.template import parse_template
from heatstudio.template.dialect import DIALECTS
from tests.generated.asking import Answer, Engine, refusal
from tests.generated.expressions import FILES, PLAIN, RESOURCE_DATA, Expressions, template
from tests.generated.values import Data

FAILED = "what Heat refuses, or fails to compute"


def question(knowledge: Knowledge, dice: random.Random) -> Data:
    """Return a template of either language with many function calls."""
    language = knowledge.language(dice.choice(DIALECTS))
    words, made = language.dialect, Expressions(language, dice, 0.0)
    made.attributes = ("show", "value")
    extras: Data = {
        words.metadata: made.map(),
        words.depends_on: dice.choice(("made", ["made", "other"])),
        words.deletion_policy: dice.choice(("Delete", "Retain", {"get_param": "text"})),
        words.description: "text",
    }
    if words.has_conditions:
        extras[words.condition] = made.condition()
    chosen = {key: value for key, value in extras.items() if dice.random() < 0.2}
    asked = {words.type: "OS::Heat::Value", words.properties: {"value": made.value()}, **chosen}
    data = template(language, {"asked": asked}, PLAIN)
    output = {words.value: made.value()} | ({words.condition: made.condition()} if words.has_conditions else {})
    return data | ({words.outputs: {"o": output}} if dice.random() < 0.5 else {})


def read(verdict: Answer, values: Answer) -> str:
    """Return the values that the engine resolves in a template as JSON; FAILED if it cannot resolve all."""
    resources, outputs = values.get("resources"), values.get("outputs")
    if refusal(verdict) or not isinstance(resources, dict) or "exception" in resources or not isinstance(outputs, dict):
        return FAILED
    parts = {name: {"metadata": one.get("metadata")} | one.get("properties", {}) for name, one in resources.items()}
    found = {name: {key: _value(one) for key, one in entry.items()} for name, entry in {**parts, "": outputs}.items()}
    return json.dumps(found, sort_keys=True)


def _value(item: dict[str, object] | None) -> object:
    if item is None:
        return None
    return FAILED if "exception" in item or "validate" in item else item["value"]


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> list[tuple[object, ...]]:
    """Return the conversions without a remark that the engine resolves differently: both texts and both results."""
    for name, text in FILES.items():
        engine.write(name, text)
    data = engine.write("data.json", {name: one._asdict() for name, one in RESOURCE_DATA.items()})
    pairs: list[tuple[str, str]] = []
    while len(pairs) < count:
        text = json.dumps(question(knowledge, dice))
        conversion = convert(parse_template(text), knowledge)
        if conversion is not None and not conversion.remarks:
            number = len(pairs)
            pairs.append((engine.write(f"{number}-a.json", text), engine.write(f"{number}-b.yaml", conversion.text)))
    paths = [path for pair in pairs for path in pair]
    asked = [
        question for path in paths for question in (["validate", path], ["resolve", path, "--resource-data", data])
    ]
    answers = iter(engine.ask(asked))
    read_both = [(read(next(answers), next(answers)), read(next(answers), next(answers))) for _ in pairs]
    both = zip(pairs, read_both, strict=True)
    wrong = [(pair, one) for pair, one in both if FAILED not in one[0] and one[0] != one[1]]
    return [(*(Path(path).read_text("utf-8") for path in pair), *one) for pair, one in wrong]


def test_conversions(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert differences(engine, knowledge, dice, count * 2) == []

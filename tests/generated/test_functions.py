"""Values of random function calls, compared with the Heat engine."""

from __future__ import annotations

import json
import random
from pathlib import Path

from heatstudio.stack.definition.client_files import named_files
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import define
from heatstudio.stack.functions.examine import validate
from heatstudio.stack.functions.function import OMITTED, FunctionError, resolve
from heatstudio.stack.inputs.parameters import STACK_NAMES
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.unknown import has_unknown
from heatstudio.template.dialect import DIALECTS
from tests.generated.asking import Answer, Engine
from tests.generated.expressions import FILES, RESOURCE_DATA, Expressions, template
from tests.load import load_source
from tests.stack.function_cases import is_equal

OMITTED_VALUE = {"__omitted__": True}
ERROR = "an error"
UNKNOWN = "unknown"
"""A value that is unknown, or that depends on the name of the stack, which the engine chooses."""


def question(knowledge: Knowledge, dice: random.Random) -> dict[str, object]:
    """Return a template with a random function call in the resource `asked`."""
    language = knowledge.language(dice.choice(DIALECTS))
    words, made = language.dialect, Expressions(language, dice, dice.choice((0.0, 0.01, 0.05, 0.2)))
    asked = {words.type: "OS::Heat::Value", words.properties: {"value": made.call()}}
    return template(language, {"asked": asked})


def theirs(answer: Answer) -> object:
    """Return the value that the engine computes."""
    resources = answer.get("resources")
    if not isinstance(resources, dict) or "asked" not in resources:
        return ERROR
    value = resources["asked"]["properties"]
    found = value.get("value", {"value": OMITTED_VALUE})
    if "exception" in found or "validate" in found:
        return ERROR
    return json.loads(json.dumps(found["value"]).replace("root:/", ""))


def ours(path: Path, knowledge: Knowledge) -> object:
    """Return the value that the program computes."""
    source = load_source(path)
    nodes = {name: NodeData(one.reference_id, one.attributes) for name, one in RESOURCE_DATA.items()}
    stack, _ = define(source, knowledge, resource_data=nodes.get)
    properties = stack.resource_definition("asked").properties
    assert isinstance(properties, dict)
    parsed = properties["value"]
    if any(stack.file_fault(name) for name, _ in named_files(source.template.data)) or any(validate(parsed, stack)):
        return ERROR
    try:
        value = resolve(parsed, stack, nullable=True)
    except FunctionError:
        return ERROR
    if has_unknown(value) or any(name in source.template.text for name in STACK_NAMES):
        return UNKNOWN
    return OMITTED_VALUE if value is OMITTED else json.loads(json.dumps(value, default=str))


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> list[tuple[object, ...]]:
    """Return the templates with different values, each with the program's value and the engine's answer."""
    for name, text in FILES.items():
        engine.write(name, text)
    data = engine.write("data.json", {name: one._asdict() for name, one in RESOURCE_DATA.items()})
    paths = [engine.write(f"{number}.json", question(knowledge, dice)) for number in range(count)]
    answers = engine.ask([("resolve", path, "--resource-data", data) for path in paths])
    found: list[tuple[object, ...]] = []
    for path, answer in zip(paths, answers, strict=True):
        value = ours(Path(path), knowledge)
        if value != UNKNOWN and not is_equal(theirs(answer), value):
            found.append((Path(path).read_text("utf-8"), value, answer))
    return found


def test_values_of_functions(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert differences(engine, knowledge, dice, count * 10) == []

"""Random old properties: the Heat engine reads the same properties after the fix."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from heatstudio.catalog.schema import PropertySchema, ResourceType
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.template import parse_template
from tests.analysis.migrations.migrating import migrate
from tests.analysis.migrations.test_engine import Question, changed_resources, differing
from tests.analysis.migrations.test_odd_styles import Writer, comments
from tests.generated.asking import Engine
from tests.generated.values import Data, Values, is_plain

ODD: tuple[object, ...] = (None, "", [], {"get_param": "p"}, {"list_join": ["", ["a", {"get_param": "p"}]]})
UNCHECKED = "is not an allowed value"
"""A part of an error that only new properties can have: Heat does not check constraints of old properties."""
DROPPING = "OS::Mistral::Workflow"
"""A type whose fix may lose comments: it drops unknown keys of `policies`, as Heat does."""
PARAMETERS = {"p": {"type": "string", "default": "v"}}


def old_types(knowledge: Knowledge) -> list[ResourceType]:
    """Return the types with old properties, except DROPPING."""
    found = (knowledge.catalog.get(name) for name in knowledge.catalog.names() if name != DROPPING)
    return [kind for kind in found if kind is not None and not all(map(is_plain, _all(kind.properties)))]


def _all(properties: Mapping[str, PropertySchema]) -> Iterator[PropertySchema]:
    for schema in properties.values():
        yield schema
        yield from _all(schema.children)


def mixed(value: object, dice: random.Random) -> object:
    """Return the value with some parts replaced by unusual values."""
    if dice.random() < 0.1:
        return dice.choice(ODD)
    if isinstance(value, dict):
        return {key: mixed(one, dice) for key, one in value.items()}
    return [mixed(one, dice) for one in value] if isinstance(value, list) else value


def template(kinds: list[ResourceType], dice: random.Random) -> str:
    """Return a template with old properties and comments, in a random style."""
    values = Values(dice, old=0.7)
    resources: Data = {}
    for number in range(dice.randint(1, 3)):
        kind = dice.choice(kinds)
        resources[f"r{number}"] = {"type": kind.name, "properties": mixed(values.properties(kind), dice)}
    lines = Writer(dice).block({"parameters": PARAMETERS, "resources": resources}, 0)
    return "\n".join(["heat_template_version: 2021-04-16", *lines]) + "\n"


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> list[tuple[object, ...]]:
    """Return resources that Heat reads differently after the fix, and texts that lost a comment or need a new fix."""
    kinds, found = old_types(knowledge), list[tuple[object, ...]]()
    questions: list[Question] = []
    for _ in range(count):
        text = template(kinds, dice)
        before, migration = parse_template(text), migrate(text)
        after = migration.template.text
        assert before.complete, text
        if sorted(comments(after)) != sorted(comments(text)) or migrate(after).steps:
            found.append((text, after))
        questions += changed_resources(before, migration.template)
    wrong = differing(engine, questions)
    return [*found, *(one for one in wrong if one[1]["validate"] is None and UNCHECKED not in str(one[2]["validate"]))]


def test_heat_reads_fixed_properties(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert differences(engine, knowledge, dice, count * 2) == []

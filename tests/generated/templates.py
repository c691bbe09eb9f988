"""Random templates with resources of all types, valid or with a fault."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from heatstudio.catalog.schema import PropertyType, ResourceType
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.functions.language import Language
from heatstudio.template.dialect import DIALECTS, VERSION_KEYS
from tests.generated.expressions import CONDITIONS, ODD, PLAIN, Expressions, template
from tests.generated.values import WORDS, Data, Values

KINDS = {
    PropertyType.STRING: "text",
    PropertyType.INTEGER: "number",
    PropertyType.NUMBER: "number",
    PropertyType.LIST: "items",
    PropertyType.MAP: "map",
    PropertyType.ANY: "value",
}
POLICIES: tuple[object, ...] = (
    "Delete",
    "Retain",
    "Snapshot",
    "delete",
    "Keep",
    {"get_param": "text"},
    {"Ref": "text"},
    None,
    [],
)
UPDATE_POLICIES: tuple[object, ...] = ({}, {"AutoScalingRollingUpdate": {}}, {"a": 1}, None)
Step = str | int


class Templates:
    """A generator of random templates of all versions, deterministic for a seed of `dice`."""

    def __init__(self, knowledge: Knowledge, dice: random.Random) -> None:
        self._knowledge = knowledge
        self._dice = dice
        self._values = Values(dice)
        found = (knowledge.catalog.get(name) for name in knowledge.catalog.names())
        self._types: Sequence[ResourceType] = [one for one in found if one is not None]

    def template(self) -> Data:
        """Return a template, often with up to two faults."""
        language = self._knowledge.language(self._dice.choice(DIALECTS))
        made = Expressions(language, self._dice, 0.0)
        made.attributes = ("show", "value")
        words = language.dialect
        resources = {f"r{number}": self.resource(language, made) for number in range(self._dice.randint(1, 2))}
        data = template(language, resources, PLAIN)
        if made.chance(0.4):
            odd = Expressions(language, self._dice, 0.2) if made.chance(0.2) else made
            output = {words.value: odd.call()} | ({words.condition: "no"} if words.has_conditions else {})
            data[words.outputs] = {"o": output, "p": {words.value: made.call()}}
        for _ in range(self._dice.choice((0, 0, 1, 1, 1, 2))):
            data = mutated(data, self._dice)
        return data

    def resource(self, language: Language, made: Expressions) -> Data:
        """Return a resource of any type, in rare cases with further keys than its type and properties."""
        words, kind = language.dialect, self.any_type()
        entry: Data = {words.type: kind.name, words.properties: self.properties(kind, made)}
        extras: dict[str, Callable[[], object]] = {
            words.metadata: made.map,
            words.depends_on: lambda: made.one(("made", ["made"], ["other", "made"], "absent", {}, None)),
            words.deletion_policy: lambda: made.one(POLICIES),
            words.update_policy: lambda: made.one((*UPDATE_POLICIES, {"a": made.attribute()}, made.map())),
            words.condition: lambda: made.one((*CONDITIONS, made.condition(), "absent", 5)),
            words.external_id: lambda: made.one(("e", made.text(), made.attribute())),
            words.description: lambda: made.one(("text", {}, 5)),
        }
        return entry | {key: make() for key, make in extras.items() if key and made.chance(0.05)}

    def properties(self, kind: ResourceType, made: Expressions) -> Data:
        """Return valid properties of a type, some of them as calls of functions."""
        properties = self._values.properties(kind)
        for name in properties:
            if made.chance(0.15):
                maker = KINDS.get(kind.properties[name].type)
                properties[name] = getattr(made, maker)() if maker else properties[name]
        return properties

    def any_type(self) -> ResourceType:
        return self._dice.choice(self._types)


def paths(data: object, above: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Yield the path of every key and item in the data."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in pairs:
        yield (*above, key)
        yield from paths(value, (*above, key))


def mutated(data: Data, dice: random.Random) -> Data:
    """Return a copy of the data with one random change; Heat rejects most of them."""
    data = copy.deepcopy(data)
    everywhere = [path for path in paths(data) if path[0] not in VERSION_KEYS]
    if not everywhere:
        return data
    deep = [
        path
        for path in everywhere
        if len(path) > 2 and path[0] in ("resources", "Resources") and path[1] not in ("made", "other")
    ]
    *above, last = dice.choice(deep if deep and dice.random() < 0.8 else everywhere)
    container: Any = data
    for step in above:
        container = container[step]
    assert type(container) in (dict, list)
    value = container[last]
    match dice.randint(0, 6):
        case 0:
            del container[last]
        case 1 if isinstance(container, dict):
            container[str(last)[:-1] + dice.choice(("", "s", "_"))] = container.pop(last)
        case 2:
            container[last] = [value]
        case 3:
            container[last] = {dice.choice(("a", "get_param", "get_attr", "if", "Ref", "list_join")): value}
        case 4:
            container[last] = dice.choice(WORDS)
        case _:
            container[last] = copy.deepcopy(dice.choice(ODD))
    return data

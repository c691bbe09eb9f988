"""Makes up pairs of templates, before and after an edit, of all types that Heat knows."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from dataclasses import dataclass

from heatstudio.catalog import PropertySchema, PropertyType, ResourceType
from heatstudio.catalog.schema import AllowedPattern, AllowedValues, CustomConstraint, Length, Modulo, Range
from heatstudio.catalog.support_status import SUPPORTED

Data = dict[str, object]
WORDS = ("a", "b", "c", "d")
LOCAL = {
    "ip_addr": ("10.0.0.5", "10.0.0.6"),
    "net_cidr": ("10.0.0.0/24", "10.1.0.0/24"),
    "ip_or_cidr": ("10.0.0.0/24", "10.0.0.7"),
    "mac_addr": ("02:00:00:00:00:01", "02:00:00:00:00:02"),
    "dns_name": ("a.example", "b.example"),
    "dns_domain": ("a.example.", "b.example."),
    "cron_expression": ("* * * * *", "1 * * * *"),
    "timezone": ("UTC", "Europe/Berlin"),
    "iso_8601": ("2030-01-01T00:00:00", "2031-01-01T00:00:00"),
    "expiration": ("2030-01-01T00:00:00", "2031-01-01T00:00:00"),
    "json_string": ('{"a": 1}', '{"a": 2}'),
}
"""Words that pass the constraints that Heat looks at without a cloud."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A template before and after an edit, each with its environment."""

    before: Data
    after: Data
    environment_before: Data
    environment_after: Data


class PairMaker:
    """Makes pairs of a few resources; the same dice make the same pairs."""

    def __init__(self, types: Sequence[ResourceType], dice: random.Random) -> None:
        self._types = types
        self._dice = dice

    def pair(self) -> Pair:
        """Resources with parameters, references and functions, of which some are changed in some way."""
        dice = self._dice
        before: dict[str, Data] = {}
        after: dict[str, Data] = {}
        registries: tuple[Data, Data] = ({}, {})
        for number in range(dice.randint(1, 4)):
            name, kind = f"r{number}", dice.choice(self._types)
            properties = self._wired(kind, self._properties(kind), list(before))
            old: Data = {"type": kind.name, "properties": properties}
            new: Data = copy.deepcopy(old)
            if dice.random() < 0.6:
                new["properties"] = self._edited(kind, copy.deepcopy(properties))
            self._disturb(name, old, new, registries)
            before[name] = old
            after[name if dice.random() > 0.03 else f"{name}_renamed"] = new
        if len(after) > 1 and dice.random() < 0.1:
            after.popitem()
        value = dice.choice(WORDS)
        return Pair(
            _template(value, before),
            _template(value if dice.random() < 0.6 else dice.choice(WORDS), after),
            {"resource_registry": registries[0]},
            {"resource_registry": registries[1]},
        )

    def _disturb(self, name: str, old: Data, new: Data, registries: tuple[Data, Data]) -> None:
        """Now and then something besides the properties changes."""
        dice = self._dice
        match dice.randint(0, 24):
            case 0:
                new["metadata"] = {"m": 1}
            case 1:
                new["deletion_policy"] = dice.choice(("Retain", "Delete"))
            case 2 if name != "r0":
                new["depends_on"] = "r0"
            case 3:
                old["external_id"], new["external_id"] = "e", dice.choice(("e", "f"))
            case 4:
                new["external_id"] = "e"
            case 5:
                new["type"] = dice.choice(self._types).name
            case 6:
                registries[1][str(old["type"])] = "OS::Heat::None"
            case 7:
                new["update_policy"] = {}
            case _:
                return

    def _properties(self, kind: ResourceType) -> Data:
        wanted = (
            schema
            for schema in kind.properties.values()
            if schema.implemented and (schema.required or (self._dice.random() < 0.3 and _is_plain(schema)))
        )
        found = ((schema.name, self._value(schema)) for schema in wanted)
        return {name: value for name, value in found if value is not None}

    def _edited(self, kind: ResourceType, properties: Data) -> Data:
        schema = self._dice.choice([one for one in kind.properties.values() if one.implemented] or [None])
        if schema is None:
            return properties
        if schema.name in properties and not schema.required and self._dice.random() < 0.3:
            del properties[schema.name]
        elif schema.default is not None and self._dice.random() < 0.3:
            properties[schema.name] = schema.default
        elif (value := self._value(schema)) is not None:
            properties[schema.name] = value
        return properties

    def _wired(self, kind: ResourceType, properties: Data, others: list[str]) -> Data:
        """Some texts refer to the parameter, or to a resource that stands before."""
        for name, value in properties.items():
            if isinstance(value, str) and not kind.properties[name].constraints and self._dice.random() < 0.5:
                refers = others and self._dice.random() < 0.6
                to: Data = {"get_resource": self._dice.choice(others)} if refers else {"get_param": "p"}
                properties[name] = self._dice.choice(
                    (
                        to,
                        {"list_join": ["-", [value, to]]},
                        {"str_replace": {"template": "aXb", "params": {"X": to}}},
                        {"if": [{"equals": [{"get_param": "p"}, "a"]}, value, to]},
                    )
                )
        return properties

    def _value(self, schema: PropertySchema, depth: int = 0) -> object:
        """A value that the constraints allow, as far as they are not too special."""
        dice = self._dice
        allowed = next((one.values for one in schema.constraints if isinstance(one, AllowedValues)), ())
        if allowed:
            return dice.choice(allowed)
        if any(isinstance(one, AllowedPattern) for one in schema.constraints):
            return None
        if schema.type in (PropertyType.INTEGER, PropertyType.NUMBER):
            return self._number(schema)
        if schema.type is PropertyType.BOOLEAN:
            return dice.choice((True, False))
        if schema.type is PropertyType.LIST:
            least = max((one.minimum or 0 for one in schema.constraints if isinstance(one, Length)), default=0)
            element = schema.element
            size = max(least, dice.randint(1, 2))
            return [self._value(element, depth + 1) if element else dice.choice(WORDS) for _ in range(size)]
        if schema.type is PropertyType.MAP:
            return self._map(schema, depth)
        names = (one.name for one in schema.constraints if isinstance(one, CustomConstraint))
        words = next((LOCAL[name] for name in names if name in LOCAL), WORDS)
        least = max((one.minimum or 0 for one in schema.constraints if isinstance(one, Length)), default=0)
        return dice.choice(words).ljust(least, "x")

    def _number(self, schema: PropertySchema) -> int:
        least = max((int(one.minimum or 0) for one in schema.constraints if isinstance(one, Range)), default=0)
        most = min((int(one.maximum or 9) for one in schema.constraints if isinstance(one, Range)), default=least + 9)
        step = next((int(one.step) for one in schema.constraints if isinstance(one, Modulo)), 1)
        return self._dice.randint(least, max(least, most)) // step * step

    def _map(self, schema: PropertySchema, depth: int) -> Data:
        if not schema.children or schema.element is not None:
            return {"k": self._dice.choice(WORDS) if schema.element is None else self._value(schema.element, depth + 1)}
        chosen = (
            child
            for child in schema.children.values()
            if child.implemented and (child.required or (depth < 2 and self._dice.random() < 0.3 and _is_plain(child)))
        )
        return {child.name: self._value(child, depth + 1) for child in chosen}


def _is_plain(schema: PropertySchema) -> bool:
    return schema.support_status.status is SUPPORTED.status


def _template(value: str, resources: dict[str, Data]) -> Data:
    parameters = {"p": {"type": "string", "default": value}}
    return {"heat_template_version": "2021-04-16", "parameters": parameters, "resources": resources}

"""Makes up pairs of templates, before and after an edit, of all types that Heat knows."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heatstudio.catalog import ResourceType
from tests.generated.values import WORDS, Data, Values


@dataclass(frozen=True, slots=True)
class Pair:
    """A template before and after an edit, each with its environment."""

    before: Data
    after: Data
    environment_before: Data
    environment_after: Data


class PairMaker:
    """Makes pairs of a few resources; the same dice make the same pairs.

    `attributes` are those that resources may read, by type.
    """

    def __init__(
        self, types: Sequence[ResourceType], dice: random.Random, attributes: Mapping[str, Sequence[str]]
    ) -> None:
        self._types = types
        self._attributes = attributes
        self._dice = dice
        self._values = Values(dice)

    def pair(self) -> Pair:
        """Resources with parameters, references and functions, of which some are changed in some way."""
        dice = self._dice
        before: dict[str, Data] = {}
        after: dict[str, Data] = {}
        registries: tuple[Data, Data] = ({}, {})
        for number in range(dice.randint(1, 4)):
            name, kind = f"r{number}", dice.choice(self._types)
            properties = self._wired(kind, self._values.properties(kind), before)
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

    def _edited(self, kind: ResourceType, properties: Data) -> Data:
        schema = self._dice.choice([one for one in kind.properties.values() if one.implemented] or [None])
        if schema is None:
            return properties
        if schema.name in properties and not schema.required and self._dice.random() < 0.3:
            del properties[schema.name]
        elif schema.default is not None and self._dice.random() < 0.3:
            properties[schema.name] = schema.default
        elif (value := self._values.value(schema)) is not None:
            properties[schema.name] = value
        return properties

    def _wired(self, kind: ResourceType, properties: Data, others: Mapping[str, Data]) -> Data:
        """Some texts refer to the parameter, or to a resource that stands before."""
        for name, value in properties.items():
            if isinstance(value, str) and not kind.properties[name].constraints and self._dice.random() < 0.5:
                refers = others and self._dice.random() < 0.6
                to: Data = self._read(others) if refers else {"get_param": "p"}
                properties[name] = self._dice.choice(
                    (
                        to,
                        {"list_join": ["-", [value, to]]},
                        {"str_replace": {"template": "aXb", "params": {"X": to}}},
                        {"if": [{"equals": [{"get_param": "p"}, "a"]}, value, to]},
                    )
                )
        return properties

    def _read(self, others: Mapping[str, Data]) -> Data:
        """What another resource gives."""
        name = self._dice.choice(list(others))
        attributes = self._attributes.get(str(others[name]["type"]))
        if attributes and self._dice.random() < 0.6:
            return {"get_attr": [name, self._dice.choice(attributes)]}
        return {"get_resource": name}


def _template(value: str, resources: dict[str, Data]) -> Data:
    parameters = {"p": {"type": "string", "default": value}}
    return {"heat_template_version": "2021-04-16", "parameters": parameters, "resources": resources}

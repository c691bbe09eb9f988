"""Random pairs of templates before and after an edit, with resources of all types."""

from __future__ import annotations

import copy
import random
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from heatstudio.catalog.schema import ResourceType
from tests.generated.values import WORDS, Data, Values

TYPED: Mapping[str, tuple[str, Sequence[object]]] = {
    "n": ("number", (3, "3", 3.0, "03", 4)),
    "l": ("comma_delimited_list", ("a,b", ["a", "b"], "a, b", ["a", 1], "c", "")),
    "j": ("json", ({"a": 1}, '{"a": 1}', '{"a":1}', {"a": 2}, [1], "")),
    "f": ("boolean", (True, "true", "on", "1", 1, False)),
    "t": ("string", ("x", "y", "", 5, "5")),
}
"""Parameters by name: the type, and values, some of which are equal in another notation."""
CFN_KEYS = {
    "type": "Type",
    "properties": "Properties",
    "metadata": "Metadata",
    "deletion_policy": "DeletionPolicy",
    "depends_on": "DependsOn",
    "update_policy": "UpdatePolicy",
}
"""The CFN names of the resource keys that CFN has."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A template before and after an edit, each with its environment."""

    before: Data
    after: Data
    environment_before: Data
    environment_after: Data


class PairMaker:
    """A generator of random pairs with a few resources, deterministic for a seed of `dice`.

    `attributes` are the readable attributes by type; `named` are types that `get_resource` must not read.
    """

    def __init__(
        self,
        types: Sequence[ResourceType],
        dice: random.Random,
        attributes: Mapping[str, Sequence[str]],
        named: Container[str],
    ) -> None:
        self._types = types
        self._attributes = attributes
        self._named = named
        self._dice = dice
        self._values = Values(dice)

    def pair(self) -> Pair:
        """Return a pair of templates with parameters, references and functions, some of which change."""
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
        typed = self._typed() if dice.random() < 0.3 else ({}, {})
        made = (
            _template(value, typed[0], before),
            _template(value if dice.random() < 0.6 else dice.choice(WORDS), typed[1], after),
        )
        if dice.random() < 0.2 and not typed[0]:
            made = as_cfn(made[0]), as_cfn(made[1])
        environments: list[Data] = []
        for side, registry in zip(typed, registries, strict=True):
            given = {name: one["value"] for name, one in side.items() if "value" in one}
            environments.append({"resource_registry": registry, "parameters": given})
        return Pair(*made, *environments)

    def _typed(self) -> tuple[dict[str, Data], dict[str, Data]]:
        """Return parameters before and after; the key `value` is the value in an environment."""
        dice = self._dice
        sides: tuple[dict[str, Data], dict[str, Data]] = ({}, {})
        for name in dice.sample(list(TYPED), dice.randint(1, 2)):
            kind, values = TYPED[name]
            old, immutable = dice.choice(values), dice.random() < 0.6
            for side, one in zip(sides, (old, old if dice.random() < 0.4 else dice.choice(values)), strict=True):
                declared: Data = {"type": kind, "immutable": immutable}
                declared |= {"default": one} if dice.random() < 0.5 else {"default": values[0], "value": one}
                side[name] = declared
        return sides

    def _disturb(self, name: str, old: Data, new: Data, registries: tuple[Data, Data]) -> None:
        """Occasionally change a resource key other than `properties`, or the registry."""
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
        """Return the properties with references to the parameter or to earlier resources in some strings."""
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
        """Return an expression that reads another resource."""
        name = self._dice.choice(list(others))
        attributes = self._attributes.get(str(others[name]["type"]))
        if attributes and self._dice.random() < 0.6:
            return {"get_attr": [name, self._dice.choice(attributes)]}
        return {"get_param": "p"} if others[name]["type"] in self._named else {"get_resource": name}


def _template(value: str, typed: Mapping[str, Data], resources: dict[str, Data]) -> Data:
    declared = {name: {key: one for key, one in data.items() if key != "value"} for name, data in typed.items()}
    parameters = {"p": {"type": "string", "default": value}, **declared}
    return {"heat_template_version": "2021-04-16", "parameters": parameters, "resources": resources}


def as_cfn(template: Data) -> Data:
    """Return the template in CFN, without the keys that CFN does not have."""
    resources, parameters = template["resources"], template["parameters"]
    assert isinstance(resources, dict)
    assert isinstance(parameters, dict)
    return {
        "HeatTemplateFormatVersion": "2012-12-12",
        "Parameters": {name: {"Type": "String", "Default": one["default"]} for name, one in parameters.items()},
        "Resources": {
            name: {CFN_KEYS[key]: _in_cfn(value) for key, value in entry.items() if key in CFN_KEYS}
            for name, entry in resources.items()
        },
    }


def _in_cfn(value: object) -> object:
    match value:
        case {"get_param": name, **more} | {"get_resource": name, **more} if not more:
            return {"Ref": name}
        case {"get_attr": arguments, **more} if not more:
            return {"Fn::GetAtt": arguments}
        case {"list_join": arguments, **more} if not more:
            return {"Fn::Join": _in_cfn(arguments)}
        case {"str_replace": {"template": text, "params": parameters}, **more} if not more:
            return {"Fn::Replace": [_in_cfn(parameters), text]}
        case {"if": [_, _, otherwise], **more} if not more:
            return _in_cfn(otherwise)
        case dict():
            return {key: _in_cfn(item) for key, item in value.items()}
        case list():
            return [_in_cfn(item) for item in value]
    return value

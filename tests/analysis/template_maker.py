"""Random templates with conditions, `if`, references and attribute paths, mostly valid."""

from __future__ import annotations

import random
from collections.abc import Callable

Data = dict[str, object]
VERSIONS = ("2013-05-23", "2014-10-16", "2015-10-15", "2016-10-14", "2017-09-01", "2018-08-31", "2021-04-16")
WITH_CONDITIONS = VERSIONS[3:]
ENVIRONMENTS = ("dev", "prod", "test")
ATTRIBUTES = {
    "OS::Heat::Value": ("value",),
    "OS::Heat::RandomString": ("value",),
    "OS::Heat::TestResource": ("output",),
    "OS::Neutron::Net": ("name", "subnets", "show", "mtu"),
    "OS::Neutron::Port": ("fixed_ips", "mac_address", "network"),
    "OS::Neutron::Subnet": ("allocation_pools", "cidr"),
    "OS::Cinder::Volume": ("size", "metadata_values"),
    "OS::Heat::ResourceGroup": ("refs", "value", "attributes", "resource.0.value", "refs_map"),
    "OS::Heat::AutoScalingGroup": ("outputs", "outputs_list", "refs", "current_size"),
    "OS::Heat::None": ("anything",),
}


class TemplateMaker:
    """A generator of random templates, deterministic for a seed of `dice`."""

    def __init__(self, dice: random.Random, slip: float = 0.02) -> None:
        self._dice = dice
        self._slip = slip
        """The probability of a mistake at each place."""
        self._types: dict[str, str] = {}
        self._conditions: list[str] = []
        self._version = VERSIONS[-1]

    def template(self) -> Data:
        """Return a template with the parameters `env`, `size`, `list` and `map`."""
        dice = self._dice
        self._version = dice.choice((*VERSIONS, *WITH_CONDITIONS * 4))
        self._types = {f"r{number}": dice.choice(tuple(ATTRIBUTES)) for number in range(dice.randint(1, 6))}
        conditions: Data = {}
        self._conditions = []
        for number in range(dice.randint(0, 4)) if self._has_conditions else ():
            conditions[f"c{number}"] = self._condition(2)
            self._conditions.append(f"c{number}")
        resources = {name: self._resource(name, kind) for name, kind in self._types.items()}
        outputs = {f"o{number}": self._output() for number in range(dice.randint(0, 3))}
        template: Data = {"heat_template_version": self._version, "parameters": _parameters(), "resources": resources}
        template |= ({"conditions": conditions} if conditions else {}) | ({"outputs": outputs} if outputs else {})
        return as_cfn(template) if self._has_conditions and self._chance(0.2) else template

    @property
    def _has_conditions(self) -> bool:
        return self._version in WITH_CONDITIONS

    def _slips(self) -> bool:
        return self._dice.random() < self._slip

    def _chance(self, share: float) -> bool:
        return self._dice.random() < share

    def _condition(self, depth: int) -> object:
        """Return the definition or the name of a condition."""
        dice = self._dice
        if self._slips():
            return dice.choice(
                ("nope", {"get_attr": ["r0", "show"]}, {"Ref": "env"}, {"not": None}, {"and": ["c0"]}, 1)
            )
        if self._conditions and self._chance(0.3) and depth < 2:
            return dice.choice(self._conditions)
        match dice.randint(0, 5) if depth else 0:
            case 3:
                return {"not": self._condition(depth - 1)}
            case 4:
                return {dice.choice(("and", "or")): [self._condition(depth - 1) for _ in range(dice.randint(2, 3))]}
            case 5 if depth == 2:
                return dice.choice((True, False))
            case _:
                left: object = {"get_param": dice.choice(("env", ["map", "k"], ["list", 0]))}
                sides = [left, dice.choice((*ENVIRONMENTS, "v", "x"))]
                return {"equals": sides if self._chance(0.8) else sides[::-1]}

    def _asked(self) -> object:
        """Return a condition for `if` or `condition`: mostly a name."""
        if self._conditions and self._chance(0.75):
            return self._dice.choice(self._conditions)
        return "nope" if self._slips() else self._condition(1)

    def _resource(self, name: str, kind: str) -> Data:
        dice = self._dice
        entry: Data = {"type": "OS::Heat::Nothing" if self._slips() else kind}
        properties = self._properties(name, kind)
        if properties or self._chance(0.2):
            entry["properties"] = properties
        others = [other for other in self._types if other < name]
        if others and self._chance(0.15):
            entry["depends_on"] = "gone" if self._slips() else dice.choice((dice.choice(others), others[:2]))
        if self._chance(0.15):
            entry["metadata"] = {"m": self._value(name, 2)}
        if self._has_conditions and self._chance(0.35):
            entry["condition"] = self._asked()
        if self._has_conditions and self._chance(0.04):
            entry["external_id"] = dice.choice(("an-id", {"get_param": "env"}, self._read(name)))
        if self._chance(0.05):
            entry["update_policy"] = {} if self._chance(0.5) else {"rolling_update": {"pause_time": self._read(name)}}
        if self._chance(0.05):
            entry["deletion_policy"] = dice.choice(("Delete", "Retain", "retain", self._value(name, 1)))
        return entry

    def _properties(self, name: str, kind: str) -> Data:
        made: dict[str, Callable[[], Data]] = {
            "OS::Heat::Value": lambda: {"value": self._value(name, 3)},
            "OS::Heat::RandomString": lambda: {"length": self._branching(self._number(name))},
            "OS::Heat::TestResource": lambda: {"value": self._value(name, 2), "fail": self._branching(False)},
            "OS::Neutron::Net": lambda: {"name": self._text(name, 2), "shared": self._branching(self._flag())},
            "OS::Neutron::Port": lambda: self._port(name),
            "OS::Neutron::Subnet": lambda: {"network": self._link(name), "cidr": self._branching("10.0.0.0/24")},
            "OS::Cinder::Volume": lambda: {"size": self._branching(self._number(name)), "name": self._text(name, 2)},
            "OS::Heat::ResourceGroup": lambda: self._group(name),
            "OS::Heat::AutoScalingGroup": lambda: self._scaled(name),
            "OS::Heat::None": lambda: {"anything": self._value(name, 2)},
        }
        properties = made[kind]()
        if self._slips():
            properties["nmae"] = "x"
        return properties

    def _port(self, name: str) -> Data:
        address = self._branching({"ip_address": "10.0.0.5"} if not self._slips() else {"ip_adress": "10.0.0.5"})
        return {"network": self._link(name), "fixed_ips": self._branching([address])}

    def _group(self, name: str) -> Data:
        definition: Data = {"type": "OS::Heat::RandomString", "properties": {"length": self._number(name)}}
        if self._slips():
            definition = {"type": "OS::Heat::RandomString", "properties": {"lenght": 3}}
        count = self._branching(self._dice.choice((1, 2, 0, {"get_param": "size"}, self._read(name))))
        return {"count": count, "resource_def": definition}

    def _scaled(self, name: str) -> Data:
        inner: Data = {"type": "OS::Heat::Value", "properties": {"value": self._value(name, 1)}}
        return {"min_size": self._branching(1), "max_size": 3, "resource": inner}

    def _flag(self) -> object:
        return "maybe" if self._slips() else self._dice.choice((True, False, "true"))

    def _number(self, name: str) -> object:
        if self._slips():
            return self._dice.choice(("many", 0, -1, {"a": 1}))
        return self._dice.choice((8, "9", {"get_param": "size"}, self._read(name)))

    def _text(self, name: str, depth: int) -> object:
        if self._slips():
            return [1]
        text: Data = {"list_join": ["-", ["a", self._read(name) if depth > 1 else "b"]]}
        return self._dice.choice(("plain", {"get_param": "env"}, self._reference(name), text))

    def _link(self, name: str) -> object:
        return self._branching(self._dice.choice(("a-network", self._reference(name))))

    def _other(self, name: str) -> str | None:
        """Return another resource, mostly an earlier one, so that cycles are rare; None if there is none."""
        if self._slips():
            return self._dice.choice(("gone", name, *self._types))
        before = [other for other in self._types if other < name]
        return self._dice.choice(before) if before else None

    def _reference(self, name: str) -> object:
        other = self._other(name)
        return {"get_resource": other} if other is not None else {"get_param": "env"}

    def _branching(self, value: object) -> object:
        """Return the value, or an `if` with the value as a branch."""
        if not self._has_conditions or self._chance(0.7):
            return value
        other = self._dice.choice((value, None, "other" if self._slips() else value))
        sides = [value, other] if self._chance(0.5) else [other, value]
        if self._version == VERSIONS[-1] and self._chance(0.2):
            sides = [value]
        return {"if": [self._asked(), *sides]}

    def _read(self, name: str) -> object:
        """Return an expression that reads an attribute of another resource, with or without a path."""
        dice, other = self._dice, self._other(name)
        if other is None:
            return {"get_param": "size"}
        known = ATTRIBUTES.get(self._types.get(other, ""), ("show",))
        attribute = dice.choice(("nope", "", 1, None)) if self._slips() else dice.choice((*known, "show"))
        path = dice.choice(([], [], [], [0], ["a"], ["a", 0], [{"get_param": "env"}], [0, "ip_address"], [None]))
        return {"get_attr": [other, attribute, *path]}

    def _value(self, name: str, depth: int) -> object:
        """Return any value."""
        dice = self._dice
        if self._slips():
            return dice.choice(
                ({"get_param": "nope"}, {"get_attr": "r0"}, {"get_resource": {}}, {"Ref": "env"}, {"get_resource": [1]})
            )
        leaves = ("text", 5, True, None, {"get_param": "env"}, {"get_param": ["map", "k", "nope"]})
        if depth <= 0 or self._chance(0.2):
            return dice.choice(leaves)
        match dice.randint(0, 8):
            case 0:
                return self._reference(name)
            case 1 | 2:
                return self._read(name)
            case 3:
                return {"list_join": [",", [self._value(name, depth - 1), "x"]]}
            case 4:
                template = {"template": "a $b", "params": {"$b": self._value(name, depth - 1)}}
                return {"str_replace": template}
            case 5:
                return {"k": self._value(name, depth - 1), "l": [self._value(name, depth - 1)]}
            case 6:
                return [self._value(name, depth - 1)]
            case _:
                return self._branching(self._value(name, depth - 1))

    def _output(self) -> Data:
        output: Data = {"value": self._value("s", 3)}
        if self._has_conditions and self._chance(0.3):
            output["condition"] = self._asked()
        return output


def _parameters() -> Data:
    return {
        "env": {"type": "string", "default": ENVIRONMENTS[0]},
        "size": {"type": "number", "default": 2},
        "list": {"type": "comma_delimited_list", "default": "x,y"},
        "map": {"type": "json", "default": {"k": "v"}},
    }


_CFN_CALLS = {
    "get_param": "Ref",
    "get_resource": "Ref",
    "if": "Fn::If",
    "equals": "Fn::Equals",
    "and": "Fn::And",
    "or": "Fn::Or",
    "list_join": "Fn::Join",
}


def as_cfn(template: Data) -> Data:
    """Return the template in CFN, without the keys and attribute paths that CFN does not have."""
    made: Data = {"AWSTemplateFormatVersion": "2010-09-09"}
    for section in ("parameters", "conditions", "resources", "outputs"):
        entries = template.get(section)
        if isinstance(entries, dict):
            made[section.title()] = {name: _cfn_entry(section, entry) for name, entry in entries.items()}
    return made


def _cfn_entry(section: str, entry: object) -> object:
    if section == "conditions" or not isinstance(entry, dict):
        return _cfn_value(entry)
    types = {"string": "String", "number": "Number", "comma_delimited_list": "CommaDelimitedList", "json": "Json"}
    if section == "parameters":
        return {"Type": types[str(entry["type"])], "Default": entry["default"]}
    return {
        key.title().replace("_", ""): value if key == "depends_on" else _cfn_value(value)
        for key, value in entry.items()
        if key != "external_id"
    }


def _cfn_value(value: object) -> object:
    if isinstance(value, list):
        return [_cfn_value(item) for item in value]
    if not isinstance(value, dict) or len(value) != 1:
        return {key: _cfn_value(item) for key, item in value.items()} if isinstance(value, dict) else value
    ((name, arguments),) = value.items()
    match name:
        case "get_param":
            return {"Ref": arguments[0] if isinstance(arguments, list) else arguments}
        case "get_attr":
            return {"Fn::GetAtt": _cfn_value(arguments[:2] if isinstance(arguments, list) else arguments)}
        case "not":
            return {"Fn::Not": [_cfn_value(arguments)]}
        case "str_replace" if isinstance(arguments, dict):
            return {"Fn::Replace": [_cfn_value(arguments["params"]), arguments["template"]]}
        case _:
            return {_CFN_CALLS.get(name, name): _cfn_value(arguments)}

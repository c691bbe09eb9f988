"""Random templates with nested templates and environments, valid or with a fault."""

from __future__ import annotations

import random
from collections.abc import Mapping

from heatstudio.stack.definition.knowledge import Knowledge
from tests.generated.templates import mutated
from tests.generated.values import Data

NAMES = ("p", "q", "r", "s")
"""Names of parameters, which the templates share."""
FILES = ("a.yaml", "b.yaml", "sub/c.yaml")
TYPES = ("My::A", "My::B", "My::Other", "OS::Heat::RandomString")
"""Types that environments may map to others."""
VALUES: Mapping[str, tuple[object, ...]] = {
    "string": ("x", "", "long text", 5, "a,b"),
    "number": (3, "4", 0, 12, 2.5, "x"),
    "boolean": (True, "false", "on", "x"),
    "comma_delimited_list": ("a,b", ["a"], "", [], 5),
    "json": ({"a": 1}, '{"b": [2]}', {}, [1], "{"),
}
CONSTRAINTS: Mapping[str, tuple[object, ...]] = {
    "string": ({"length": {"max": 5}}, {"allowed_values": ["x", "long text"]}, {"allowed_pattern": "[a-z]*"}),
    "number": ({"range": {"min": 1, "max": 9}}, {"allowed_values": [3, 4]}),
    "boolean": (),
    "comma_delimited_list": ({"length": {"min": 1}}, {"allowed_values": ["a", "b"]}),
    "json": ({"length": {"max": 1}},),
}
ATTRIBUTES = ("show", "out", "value", "refs", "resource.0")
ODD_VALUES: tuple[object, ...] = ({"get_resource": {}}, {"get_resource": []}, {"get_attr": []}, {"get_param": {}}, None)
ODD: tuple[object, ...] = (None, {}, [], "x", 5, ["x"])
STRATEGIES = ("overwrite", "merge", "deep_merge", "nonsense")
WITH_CONDITIONS = "2016-10-14"
"""The first template version with conditions."""
ODD_NAMES: tuple[object, ...] = (5, "5", 1.5, True, "on", "2016-01-01")
"""Names of resources, some of which YAML does not load as strings."""
TEXT_FILES = ("text.txt", "text.txt", "gone.txt", "binary.txt")
VERSIONS = ("2021-04-16", "2021-04-16", "2018-08-31", "2015-10-15", "2013-05-23")
Project = dict[str, Data | str]
"""Templates, environments and texts by file name."""


class Projects:
    """A generator of random projects, deterministic for a seed of `dice`."""

    def __init__(self, _knowledge: Knowledge, dice: random.Random) -> None:
        self._dice = dice
        self._kinds: dict[str, str] = {}
        self._declared: dict[str, tuple[str, ...]] = {}

    def project(self) -> Project:
        """Return the template `main.yaml`, its nested templates, and environments with names `env*`."""
        self._kinds = {name: self._dice.choice(tuple(VALUES)) for name in NAMES}
        self._declared = {}
        made: Project = {}
        for at, name in reversed(list(enumerate(("main.yaml", *FILES)))):
            made[name] = self._template(name, FILES[at:])
        made |= {f"env{at}.yaml": self._environment() for at in range(self._dice.randint(0, 3))}
        made["text.txt"] = "some text"
        if self._chance(0.4):
            name = self._dice.choice(tuple(made))
            one = made[name]
            made[name] = mutated(one, self._dice) if isinstance(one, dict) else one
        return made

    def _chance(self, share: float) -> bool:
        return self._dice.random() < share

    def _some(self, names: tuple[str, ...], share: float = 0.5) -> list[str]:
        return [name for name in names if self._chance(share)]

    def _value(self, name: str) -> object:
        """Return a value for a parameter, mostly one of the first three of its type, which tend to be valid."""
        if self._chance(0.05):
            return self._dice.choice(ODD)
        values = VALUES[self._kinds[name]]
        return self._dice.choice(values[:3] if self._chance(0.85) else values)

    def _template(self, file: str, nested: tuple[str, ...]) -> Data:
        parameters = {name: self._parameter(name, 0.95 if file == "main.yaml" else 0.5) for name in self._some(NAMES)}
        self._declared[file] = tuple(parameters)
        version = self._dice.choice(VERSIONS)
        names = [self._dice.choice(ODD_NAMES) if self._chance(0.03) else f"r{at}" for at in range(2)]
        resources: dict[object, Data] = {}
        for name in names[: self._dice.randint(0, 2)]:
            resources[name] = self._resource(tuple(parameters), nested, tuple(resources))
        entries = list(resources.values())
        taken: list[object] = [{"get_attr": [name, self._dice.choice(ATTRIBUTES)]} for name in resources]
        taken += [{"get_resource": name} for name in resources]
        odd = self._chance(0.1)
        output: Data = {"value": self._dice.choice(ODD_VALUES if odd else ["a", *taken])}
        if odd or self._chance(0.05):
            output["value"] = {"get_file": self._dice.choice((*FILES, *TEXT_FILES))}
        if version >= WITH_CONDITIONS:
            for entry in (*entries, output):
                if self._chance(0.15):
                    entry["condition"] = self._dice.choice(("never", "never", "always", "is", "absent"))
        made: Data = {
            "heat_template_version": version,
            "parameters": parameters,
            "resources": resources,
            "outputs": {"out": output} if self._chance(0.7) else {},
        }
        if version >= WITH_CONDITIONS and self._chance(0.9):
            first = {"get_param": self._dice.choice([*parameters] or ["absent"])}
            made["conditions"] = {"never": False, "always": True, "is": {"equals": [first, "x"]}}
        return made

    def _parameter(self, name: str, share: float) -> Data:
        kind = self._kinds[name] if self._chance(0.95) else "string"
        declared: Data = {"type": kind}
        if self._chance(share):
            declared["default"] = self._value(name)
        if CONSTRAINTS[kind] and self._chance(0.3):
            declared["constraints"] = [self._dice.choice(CONSTRAINTS[kind])]
        return declared | ({"hidden": True} if self._chance(0.1) else {})

    def _resource(self, parameters: tuple[str, ...], nested: tuple[str, ...], before: tuple[object, ...]) -> Data:
        near = [name.removeprefix("sub/") if "sub/c.yaml" not in nested else name for name in nested]
        kind = self._dice.choice((*near, *near, *TYPES))
        declared = self._declared.get(kind, NAMES) if self._chance(0.95) else NAMES
        given = {name: self._given(name, parameters) for name in self._some(declared, 0.7)}
        member: Data = {"type": kind, "properties": {} if kind.startswith("OS::") else given}
        if self._chance(0.7):
            return member
        kinds: tuple[Data, ...] = (
            {
                "type": "OS::Heat::ResourceGroup",
                "properties": {"count": self._count(parameters, before), "resource_def": member},
            },
            {"type": "OS::Heat::AutoScalingGroup", "properties": {"min_size": 1, "max_size": 2, "resource": member}},
            {
                "type": "OS::Heat::ResourceChain",
                "properties": {"resources": [kind], "resource_properties": member["properties"]},
            },
            {"type": "OS::Heat::Value", "properties": {"value": self._given(NAMES[0], parameters)}},
            {
                "type": "OS::Heat::Value",
                "properties": {"value": {"get_file": self._dice.choice((*FILES, *TEXT_FILES))}},
            },
        )
        return self._dice.choice(kinds)

    def _count(self, parameters: tuple[str, ...], before: tuple[object, ...]) -> object:
        """Return a number of members for a group, or a value that Heat treats as unknown or zero in validation."""
        counts: list[object] = [2, 2, 2, 1, 0, "2", "0", "x", -1, None]
        counts += [{"get_param": name} for name in parameters]
        counts += [{"get_attr": [name, self._dice.choice(ATTRIBUTES)]} for name in before]
        counts += [{"get_resource": name} for name in before]
        return self._dice.choice(counts[:3] if self._chance(0.5) else counts)

    def _given(self, name: str, parameters: tuple[str, ...]) -> object:
        if parameters and self._chance(0.3):
            return {"get_param": self._dice.choice(parameters)}
        return self._value(name)

    def _environment(self) -> Data:
        known = self._declared["main.yaml"] if self._chance(0.9) else NAMES
        targets = (*FILES, *FILES, *TYPES, "My::C")
        registry: Data = {name: self._dice.choice(targets) for name in self._some(TYPES[:3], 0.8)}
        registry |= {name: self._dice.choice(targets) for name in self._some((TYPES[3], "My::*", "My::C"), 0.1)}
        if self._chance(0.2):
            rules: Data = {"hooks": "pre-create", "restricted_actions": ["update"], "My::A": self._dice.choice(targets)}
            registry["resources"] = {"r0": {key: value for key, value in rules.items() if self._chance(0.5)}}
        sections: Data = {
            "parameters": {name: self._value(name) for name in self._some(known, 0.4)},
            "parameter_defaults": {name: self._value(name) for name in self._some(NAMES, 0.4)},
            "resource_registry": registry,
            "parameter_merge_strategies": {
                name: self._dice.choice(STRATEGIES) for name in self._some((*NAMES, "default"), 0.3)
            },
            "event_sinks": [{"type": "zaqar-queue", "target": "q", "ttl": 5}],
            "encrypted_param_names": [],
        }
        shares = {
            "event_sinks": 0.05,
            "encrypted_param_names": 0.05,
            "parameter_merge_strategies": 0.2,
            "resource_registry": 0.9,
        }
        return {name: section for name, section in sections.items() if self._chance(shares.get(name, 0.6))}

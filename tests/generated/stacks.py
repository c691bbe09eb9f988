"""Random stacks whose members, nested templates and attributes may be accepted by Heat and then fail."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping

from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_template
from tests.cloud.update_maker import HEAD
from tests.flat_files import FlatFiles
from tests.generated.values import Data

TEXTS = ("text", "list", "any")
"""The kinds of values that may be a text with an unknown part; whether another kind accepts one depends on the part."""
WIDGET, CHILD_TYPE = "Studio::Test::Widget", "My::Child"
VALUES: Mapping[str, tuple[tuple[object, ...], tuple[object, ...]]] = {
    "text": (("a", "b", 5, True), ({"a": 1}, [1], 2.5)),
    "number": ((8, 9, "10", 12), ("x", {"a": 1}, [8], True)),
    "size": ((1, 2, 100), (0, 101, "x", "")),
    "boolean": ((True, False, "true"), ("x", 2, [])),
    "list": ((["a"], [], ["a", "b"]), ("x", {"a": 1}, 5, [{"a": 1}])),
    "map": (({"a": "b"}, {}, {"a": {"b": ["c"]}}), ("x", [1], 5)),
}
"""Values of each kind: valid ones, and invalid ones."""
PROPERTIES: Mapping[str, Mapping[str, str]] = {
    "OS::Heat::RandomString": {"length": "number", "salt": "text"},
    "OS::Heat::TestResource": {"value": "text", "action_wait_secs": "waits", "update_replace": "boolean"},
    WIDGET: {"label": "text", "size": "size", "neighbor": "text", "friends": "list", "tags": "map"},
    "OS::Heat::Value": {"value": "any"},
    "child.yaml": {"text": "text", "number": "number", "list": "list", "map": "map", "boolean": "boolean"},
}
PARAMETER_TYPES = {
    "text": "string",
    "number": "number",
    "list": "comma_delimited_list",
    "map": "json",
    "boolean": "boolean",
}
ATTRIBUTES = {
    "OS::Heat::ResourceGroup": ("refs", "refs_map"),
    "OS::Heat::AutoScalingGroup": ("refs", "current_size"),
    "OS::Heat::ResourceChain": ("refs",),
    "child.yaml": ("out", "each", "one"),
    CHILD_TYPE: ("out", "each", "one"),
    "OS::Heat::RandomString": ("value",),
    WIDGET: ("value",),
}
"""Attributes of each type."""
MEMBERS = {
    "OS::Heat::ResourceGroup": ("resource_def", ("resource.0", "resource.0", "resource.1", "attributes")),
    "OS::Heat::AutoScalingGroup": ("resource", ("resource.0", "outputs_list", "outputs")),
    "child.yaml": ("", ("resource.strings",)),
}
"""The property with the definition of the members, and the steps to them; without one, the members are strings."""
STRINGS: Data = {"type": "OS::Heat::RandomString", "properties": {"length": 8}}
CHILD_USES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "text": (("OS::Heat::RandomString", "salt"), ("OS::Heat::TestResource", "value"), (WIDGET, "neighbor")),
    "number": (("OS::Heat::RandomString", "length"), (WIDGET, "size")),
    "list": ((WIDGET, "friends"),),
    "map": ((WIDGET, "tags"), ("OS::Heat::TestResource", "action_wait_secs")),
    "boolean": (("OS::Heat::TestResource", "update_replace"),),
}
"""The properties that take each parameter in the nested template."""


class Stacks:
    """A generator of stacks, deterministic for a seed of `dice`."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._read: list[Data] = []
        self._child: dict[str, Data] = {}

    def source(self) -> Source:
        """Return a template with its nested template and environment."""
        dice = self._dice
        self._read, self._child = [], self._parameters()
        resources: dict[str, Data] = {
            "string": {"type": "OS::Heat::RandomString"},
            "map": {"type": "OS::Heat::Value", "properties": {"value": {"a": "x", "b": [1, "y"], "c": {"d": 7}}}},
            "list": {"type": "OS::Heat::Value", "properties": {"value": ["a", "b", 3]}},
        }
        for name, *more in (("string", "value"), ("map", "value"), ("list", "value")):
            self._read += [{"get_attr": [name, *more]}, {"get_resource": name}]
        for path in (("a",), ("b",), ("b", 1), ("c", "d")):
            self._read.append({"get_attr": ["map", "value", *path]})
        self._read.append({"get_attr": ["list", "value", 0]})
        for number in range(dice.randint(1, 2)):
            name = f"r{number}"
            resources[name] = self._owner()
            self._read += [{"get_attr": [name, *path]} for path in self._paths(resources[name])]
        data = {**HEAD, "resources": {**resources}}
        defaults = {name: self._value(name, 0.15) for name in PARAMETER_TYPES if dice.random() < 0.15}
        environment = {"parameter_defaults": defaults, "resource_registry": {CHILD_TYPE: "child.yaml"}}
        files = {"child.yaml": json.dumps(self._child), "between.yaml": json.dumps(self._between())}
        template = parse_template(json.dumps(data))
        return Source(template, (EnvironmentFile("env.yaml", environment),), FlatFiles(files))

    def _paths(self, resource: Data) -> list[tuple[object, ...]]:
        """Return paths to attributes of a resource, and of the resources of its nested stack."""
        kind = str(resource["type"])
        paths: list[tuple[object, ...]] = [(one,) for one in ATTRIBUTES.get(kind, ())]
        if kind in MEMBERS:
            definition, steps = MEMBERS[kind]
            group = _of("OS::Heat::ResourceGroup", count=2, resource_def=STRINGS)
            given = resource["properties"]
            member = given[definition] if isinstance(given, dict) and definition else group
            for path in self._paths(member):
                step = self._dice.choice(steps)
                joins = step.startswith("resource.") and isinstance(path[0], str) and self._dice.random() < 0.3
                paths.append((f"{step}.{path[0]}", *path[1:]) if joins else (step, *path))
                paths += [path] if kind == "OS::Heat::ResourceGroup" else []
        return [(*path[:-1], f"{path[-1]}x") if self._dice.random() < 0.03 else path for path in paths]

    def _owner(self) -> Data:
        """Return a group, a resource with a nested template, or a single resource."""
        dice, member = self._dice, self._member()
        count = dice.choice((0, 1, 1, 2, 2, {"get_attr": ["list", "value", 2]}))
        member_type = CHILD_TYPE if member["type"] == "child.yaml" else member["type"]
        makers: tuple[Callable[[], Data], ...] = (
            lambda: _of("OS::Heat::ResourceGroup", count=count, resource_def=member),
            lambda: _of("OS::Heat::AutoScalingGroup", min_size=1, max_size=2, resource=member),
            lambda: _of("OS::Heat::ResourceChain", resources=[member_type], resource_properties=member["properties"]),
            lambda: _of("OS::Heat::Stack", template={"get_file": "child.yaml"}, parameters=self._given("child.yaml")),
            lambda: _of("between.yaml", **{name: self._value(name, 0.1) for name in ("text", "number")}),
            lambda: member,
        )
        return dice.choice((*makers[:3], *makers))()

    def _member(self) -> Data:
        dice = self._dice
        kind = dice.choice((*PROPERTIES, "child.yaml", "child.yaml"))
        if dice.random() < 0.1:
            group = "OS::Heat::ResourceGroup"
            return _of(group, count=1, resource_def={"type": kind, "properties": self._given(kind)})
        return {"type": kind, "properties": self._given(kind)}

    def _given(self, kind: str) -> Data:
        takes = PROPERTIES[kind]
        if kind == "OS::Heat::Value":
            return self._typed_value()
        is_child = kind == "child.yaml"
        declared = self._child["parameters"] if is_child else takes
        assert isinstance(declared, Mapping)
        share = 0.9 if is_child else 0.5
        return {name: self._value(takes[name], 0.1) for name in declared if self._dice.random() < share}

    def _typed_value(self) -> Data:
        kind = self._dice.choice([*PARAMETER_TYPES])
        return {"type": PARAMETER_TYPES[kind], "value": self._value(kind, 0.15)}

    def _value(self, kind: str, oddity: float) -> object:
        """Return a value that mostly is valid, or an expression."""
        dice = self._dice
        if kind == "waits":
            return dice.choice(({"create": 0}, {"create": 0}, {"created": 0}, {}, {"create": "x"}))
        reads = [one for one in self._read if kind in TEXTS or "get_attr" in one]
        if reads and dice.random() < 0.3:
            read = dice.choice(reads)
            return self._expression(read, is_text=kind in TEXTS)
        if dice.random() < 0.05:
            return None
        valid, invalid = VALUES[kind]
        return dice.choice(invalid if dice.random() < oddity else valid)

    def _expression(self, read: Data, *, is_text: bool) -> object:
        makers: tuple[object, ...] = (
            read,
            read,
            {"str_split": [",", read]},
            [read],
            {"k": read},
            {"yaql": {"expression": "$.data.len()", "data": read}},
            {"map_merge": [{"a": 1}, read]},
            {"list_concat": [["a"], read]},
        )
        texts: tuple[object, ...] = (
            {"list_join": [",", read]},
            {"list_join": [",", ["a", read]]},
            {"str_replace": {"template": "aXb", "params": {"X": read}}},
        )
        return self._dice.choice((*makers, *texts) if is_text else makers)

    def _parameters(self) -> dict[str, Data]:
        """Return the nested template."""
        dice = self._dice
        declared: dict[str, Data] = {}
        resources: dict[str, Data] = {}
        for name in dice.sample([*PARAMETER_TYPES], dice.randint(1, 3)):
            declared[name] = {"type": PARAMETER_TYPES[name]}
            if dice.random() < 0.5:
                declared[name]["default"] = dice.choice(VALUES[name][0])
            if name == "number" and dice.random() < 0.3:
                declared[name]["constraints"] = [{"range": {"min": 9}}]
            if name == "number" and declared[name].get("default") == 8:
                declared[name].pop("constraints", None)
            taker, taken = dice.choice(CHILD_USES[name])
            resources[f"takes_{name}"] = {"type": taker, "properties": {taken: {"get_param": name}}}
        resources["strings"] = _of("OS::Heat::ResourceGroup", count=2, resource_def=STRINGS)
        each, one = {"get_attr": ["strings", "value"]}, {"get_attr": ["strings", "resource.1", "value"]}
        outputs = {"out": {"value": "o"}, "each": {"value": each}, "one": {"value": one}}
        return {**HEAD, "parameters": declared, "resources": resources, "outputs": outputs}

    def _between(self) -> Data:
        """Return a nested template that contains the other one."""
        declared = {name: {"type": PARAMETER_TYPES[name]} for name in ("text", "number")}
        wanted = self._child["parameters"]
        given = {name: {"get_param": name} for name in declared if name in wanted}
        return {**HEAD, "parameters": declared, "resources": {"inner": {"type": "child.yaml", "properties": given}}}


def _of(kind: str, **properties: object) -> Data:
    return {"type": kind, "properties": properties}

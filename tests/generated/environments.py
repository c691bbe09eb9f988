"""Random environments that are merged: null values, merge strategies, empty sections, sections of the wrong type."""

from __future__ import annotations

import random
from collections.abc import Mapping

from heatstudio.stack.definition.knowledge import Knowledge
from tests.generated.projects import ODD, STRATEGIES, Project
from tests.generated.templates import mutated
from tests.generated.values import Data

PARAMETERS: Mapping[str, tuple[str, tuple[object, ...]]] = {
    "text": ("string", ("a", "b", "", 5, True)),
    "number": ("number", (1, 2.5, "3", "", "x")),
    "flag": ("boolean", (True, "false", "on", "x")),
    "items": ("comma_delimited_list", ("a,b", ["c"], "", [], 5)),
    "map": ("json", ({"a": 1}, {"b": {"c": [1]}, "a": "x"}, '{"d": 2}', {}, [1], "", "{")),
}
"""The type and values of each parameter; the last values are invalid, or invalid for some merge strategies."""
SINK = {"type": "zaqar-queue", "target": "q", "ttl": 5}
SECTIONS: Mapping[str, tuple[object, ...]] = {
    "event_sinks": ([SINK], [], [SINK, {"type": "other"}], [{}], "x", {}, None, [{"type": "zaqar-queue"}], [5]),
    "encrypted_param_names": ([], ["text"], "text", None, {}),
    "resource_registry": (
        {"My::Type": "OS::Heat::RandomString"},
        {"My::Type": "child.yaml"},
        {"My::Type": None},
        {"My::Type": ""},
        {"resources": {"r": {"hooks": "pre-create"}}},
        {"resources": {"r": {"My::Type": "OS::Heat::None"}}},
        {"resources": {"r": {"restricted_actions": ["update", "replace"]}}},
        {"resources": {"r": {"restricted_actions": "other"}}},
        {"resources": {"r": {"hooks": ["pre-update", "post"]}}},
        {"resources": None},
        {"resources": {"r": None}},
        {"base_url": "sub/"},
        {"base_url": None},
        {},
        None,
        [],
        "x",
    ),
    "parameter_merge_strategies": ({}, None, [], "x", {"default": "merge"}, {"default": None}, {"text": 5}),
    "encrypted_parameters": ({}, None),
}
"""Sections besides those with parameters, with valid and invalid content."""


class Environments:
    """A generator of projects with several environments, deterministic for a seed of `dice`."""

    def __init__(self, _knowledge: Knowledge, dice: random.Random) -> None:
        self._dice = dice
        self._names: tuple[str, ...] = ()

    def project(self) -> Project:
        """Return the template `main.yaml`, a nested template, and environments with names `env*`."""
        declared = {name: self._declared(name) for name in PARAMETERS if self._chance(0.8)}
        self._names = tuple(declared)
        child = {name: {"type": kind} for name, (kind, _) in PARAMETERS.items() if self._chance(0.3)}
        main: Data = {"heat_template_version": "2021-04-16", "parameters": declared}
        main["resources"] = {
            "r": {"type": self._dice.choice(("My::Type", "child.yaml", *["OS::Heat::RandomString"] * 3))}
        }
        if self._chance(0.2):
            main["outputs"] = {"o": {"value": {"get_param": self._dice.choice([*declared] or ["text"])}}}
        files: Project = {"main.yaml": main, "child.yaml": {**main, "parameters": child, "resources": {}}}
        for number in range(self._dice.randint(1, 3)):
            made = self._environment()
            files[f"env{number}.yaml"] = mutated(made, self._dice) if self._chance(0.05) else made
        return files

    def _chance(self, share: float) -> bool:
        return self._dice.random() < share

    def _declared(self, name: str) -> Data:
        kind, values = PARAMETERS[name]
        declared: Data = {"type": kind}
        return declared | ({"default": values[0]} if self._chance(0.9) else {})

    def _values(self) -> object:
        if self._chance(0.06):
            return self._dice.choice(ODD)
        names = (*PARAMETERS, "absent") if self._chance(0.05) else self._names
        return {name: self._value(name) for name in names if self._chance(0.4)}

    def _value(self, name: str) -> object:
        values = PARAMETERS.get(name, ("", (None,)))[1]
        likely = values if self._chance(0.15) else values[:2]
        return None if self._chance(0.15) else self._dice.choice(likely)

    def _environment(self) -> Data:
        made: Data = {}
        if self._chance(0.7):
            made["parameters"] = self._values()
        if self._chance(0.4):
            made["parameter_defaults"] = self._values()
        if self._chance(0.5):
            made["parameter_merge_strategies"] = {
                name: self._dice.choice(STRATEGIES) for name in (*PARAMETERS, "default") if self._chance(0.3)
            }
        for name, contents in SECTIONS.items():
            if self._chance(0.01 if name == "encrypted_parameters" else 0.07):
                made[name] = self._dice.choice(contents)
        return made

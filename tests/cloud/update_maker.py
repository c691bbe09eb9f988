"""Random updates of stacks whose resources read attributes of each other: groups, nested stacks, conditions."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass, field
from typing import Any

from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from tests.flat_files import FlatFiles

Data = dict[str, Any]
HEAD: Data = {"heat_template_version": "2021-04-16"}
WIDGET, NESTED = "Studio::Test::Widget", "child.yaml"
ATTRIBUTES = {
    "OS::Heat::Value": ("value",),
    "OS::Heat::TestResource": ("output",),
    "OS::Heat::RandomString": ("value",),
    WIDGET: ("value",),
    NESTED: ("word", "made", "value", "fixed"),
}
"""The text attributes of each type."""
WORDS = ("a", "b", "c")
KEPT = ("min_size", "max_size", "rolling_updates", "update_replace")
"""Properties that edits do not change."""


@dataclass
class Side:
    """A template with the nested templates that it uses."""

    parameters: Data
    resources: Data = field(default_factory=dict)
    files: dict[str, Data] = field(default_factory=dict)

    def source(self) -> Source:
        """Return the source to send to Heat and to preview."""
        conditions = {"is_a": {"equals": [{"get_param": "p"}, "a"]}}
        template = {**HEAD, "parameters": self.parameters, "conditions": conditions, "resources": self.resources}
        files = {name: json.dumps(data) for name, data in self.files.items()}
        return Source(parse_template(json.dumps(template)), files=FlatFiles(files))


class UpdateMaker:
    """A generator of random updates, deterministic for a seed of `dice`."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._texts: list[list[Data]] = []
        """Expressions that return text, for each resource so far."""

    def update(self) -> tuple[Side, Side]:
        """Return a stack before and after some edits."""
        before = self._stack()
        after = copy.deepcopy(before)
        self._texts = []  # edits add no references to resources, which could be circular
        for _ in range(self._dice.choice((1, 1, 1, 2, 3))):
            self._edit(after)
        return before, after

    def failing_updates(self) -> tuple[Side, Side, Side]:
        """Return a stack, the same after an update that fails at `refused`, and after an update that repairs it."""
        sides = self.update()
        last = copy.deepcopy(self._dice.choice(sides))
        if self._dice.random() < 0.7:
            self._edit(last)
        late = [name for name in sides[0].resources if self._dice.random() < 0.5]
        for side, zone in zip((*sides, last), ("z1", "z2", "z1"), strict=True):
            for name in late:
                if name in side.resources:
                    side.resources[name]["depends_on"] = "refused"
            side.resources["refused"] = {"type": WIDGET, "properties": {"zone": zone}}
        return *sides, last

    def _stack(self) -> Side:
        dice = self._dice
        side = Side({name: {"type": "string", "default": dice.choice(WORDS)} for name in "po"})
        side.files = {"deep.yaml": self._child(), NESTED: self._child("deep.yaml")}
        groups = ("group", "group", "scaled", "chain", "nested", "elsewhere", "leaf", "leaf")
        kinds = [*dice.choices(groups, k=dice.randint(2, 4)), *["leaf"] * dice.randint(2, 5)]
        for number, kind in enumerate(kinds):
            name = f"r{number}"
            made, texts = getattr(self, f"_{kind}")(name)
            side.resources[name] = made
            if number > 2 and dice.random() < 0.15:
                made["condition"] = "is_a"
            else:
                self._texts.append([*texts, {"get_resource": name}])
        return side

    def _text(self) -> object:
        """Return a text: a word, a parameter, or an expression that reads a resource."""
        dice = self._dice
        if not self._texts or dice.random() < 0.3:
            return {"get_param": dice.choice("po")} if dice.random() < 0.4 else dice.choice(WORDS)
        found = dice.choice(dice.choice(self._texts[-4:]))
        match dice.randint(0, 5):
            case 0:
                return {"list_join": ["-", ["x", found]]}
            case 1:
                return as_text(found)
            case 2:
                return {"if": ["is_a", found, dice.choice(WORDS)]}
        return found

    def _leaf(self, name: str) -> tuple[Data, list[Data]]:
        kind = self._dice.choice(list(ATTRIBUTES)[:-1])
        made = self._member(kind)
        if self._dice.random() < 0.1:
            made["metadata"] = {"m": self._text()}
        return made, [attribute(name, one) for one in ATTRIBUTES[kind]]

    def _member(self, kind: str) -> Data:
        dice, properties = self._dice, {}
        match kind:
            case "OS::Heat::Value":
                properties = {"value": self._text()}
            case "OS::Heat::TestResource":
                properties = {"value": self._text(), "update_replace": dice.random() < 0.4}
            case "OS::Heat::RandomString":
                properties = {"length": dice.choice((8, 9)), "salt": self._text()}
            case "child.yaml":
                properties = {"word": self._text()}
            case _:
                properties = {"label": self._text(), "size": dice.choice((1, 2)), "neighbor": self._text()}
        return {"type": kind, "properties": properties}

    def _group(self, name: str) -> tuple[Data, list[Data]]:
        dice = self._dice
        kind = dice.choice(list(ATTRIBUTES))
        properties: Data = {"count": dice.randint(2, 3), "resource_def": self._member(kind)}
        if dice.random() < 0.4:
            properties["removal_policies"] = [{"resource_list": [dice.choice(("0", "7"))]}]
        texts = [joined(name, "refs"), attribute(name, "refs", 0), attribute(name, "resource.1")]
        texts += [as_text(attribute(name, one)) for one in ("refs_map", "removed_rsrc_list")]
        for one in ATTRIBUTES[kind]:
            texts += [
                joined(name, one),
                as_text(attribute(name, "attributes", one)),
                attribute(name, "resource.1", one),
            ]
        return {"type": "OS::Heat::ResourceGroup", "properties": properties}, texts

    def _scaled(self, name: str) -> tuple[Data, list[Data]]:
        dice = self._dice
        kind = dice.choice(list(ATTRIBUTES))
        size = dice.randint(1, 3)
        properties = {"min_size": 0, "max_size": 4, "desired_capacity": size, "resource": self._member(kind)}
        properties["rolling_updates"] = {"min_in_service": dice.randint(0, 2), "max_batch_size": dice.randint(1, 2)}
        texts = [joined(name, "refs"), attribute(name, "resource.0")]
        texts += [as_text(attribute(name, one)) for one in ("current_size", "refs_map")]
        for one in ATTRIBUTES[kind]:
            texts += [joined(name, "outputs_list", one), attribute(name, f"resource.0.{one}")]
        return {"type": "OS::Heat::AutoScalingGroup", "properties": properties}, texts

    def _chain(self, name: str) -> tuple[Data, list[Data]]:
        dice = self._dice
        kinds = dice.choices(("OS::Heat::Value", "OS::Heat::TestResource"), k=dice.randint(1, 3))
        properties = {"resources": kinds, "resource_properties": {"value": self._text()}}
        texts = [joined(name, "refs"), attribute(name, "resource.0"), attribute(name, "refs", 0)]
        return {"type": "OS::Heat::ResourceChain", "properties": properties}, texts

    def _nested(self, name: str) -> tuple[Data, list[Data]]:
        texts = [attribute(name, one) for one in (*ATTRIBUTES[NESTED], "resource.made", "resource.value.value")]
        return self._member(NESTED), texts

    def _elsewhere(self, name: str) -> tuple[Data, list[Data]]:
        properties = {"template": json.dumps(self._child()), "parameters": {"word": self._text()}}
        texts = [attribute(name, "outputs", one) for one in ATTRIBUTES[NESTED]]
        return {"type": "OS::Heat::Stack", "properties": properties}, texts

    def _child(self, deeper: str = "") -> Data:
        """Return a nested template, which contains another one if `deeper` is its name."""
        dice, word = self._dice, {"get_param": "word"}
        salt = dice.choice((word, attribute("value", "value"), "s"))
        resources: Data = {
            "value": {"type": "OS::Heat::Value", "properties": {"value": dice.choice((word, "w"))}},
            "made": {"type": "OS::Heat::RandomString", "properties": {"length": 8, "salt": salt}},
        }
        reported = {"word": word, "made": {"get_resource": "made"}, "value": attribute("value", "value"), "fixed": "f"}
        if deeper:
            inner = dice.choice((word, {"get_resource": "made"}, "d"))
            resources["deeper"] = {"type": deeper, "properties": {"word": inner}}
            reported["value"] = attribute("deeper", dice.choice(ATTRIBUTES[NESTED]))
        if dice.random() < 0.2:
            reported["OS::stack_id"] = {"get_resource": "made"}
        outputs = {name: {"value": value} for name, value in reported.items()}
        return {**HEAD, "parameters": {"word": {"type": "string"}}, "resources": resources, "outputs": outputs}

    def _edit(self, side: Side) -> None:
        """Make one random change."""
        dice = self._dice
        resource = dice.choice(list(side.resources.values()))
        match dice.randint(0, 9):
            case 0:
                side.parameters[dice.choice("po")]["default"] = dice.choice(WORDS)
            case 1:
                side.files[NESTED] = self._child("deep.yaml")
            case 2:
                side.files["deep.yaml"] = self._child()
            case 3:
                resource["metadata"] = {"m": dice.choice(WORDS)}
            case _:
                self._edit_properties(resource["properties"])

    def _edit_properties(self, properties: Data) -> None:
        """Change one property of a resource or of the members of a group."""
        dice = self._dice
        for name in ("resource_def", "resource", "resource_properties", "parameters"):
            if name in properties and dice.random() < 0.4:
                self._edit_properties(properties[name].get("properties", properties[name]))
                return
        name = dice.choice([name for name in properties if name not in KEPT])
        properties[name] = self._another(name, properties[name])

    def _another(self, name: str, old: Any) -> object:
        """Return another value for a property."""
        dice = self._dice
        if isinstance(old, int):
            return {1: 2, 2: dice.choice((1, 3)), 3: 2, 8: 9, 9: 8}[old]
        match name:
            case "removal_policies":
                return [{"resource_list": [dice.choice(("0", "1", "7"))]}]
            case "resources":
                return [*old, "OS::Heat::Value"] if dice.random() < 0.5 else old[: max(len(old) - 1, 1)]
            case "template":
                return json.dumps(self._child())
            case "resource_def" | "resource":
                return self._member(old["type"])
            case "resource_properties" | "parameters":
                return {key: dice.choice(WORDS) for key in old}
        return dice.choice(WORDS)


def attribute(resource: str, *path: object) -> Data:
    """Return an expression for an attribute of a resource."""
    return {"get_attr": [resource, *path]}


def joined(resource: str, *path: object) -> Data:
    """Return an expression that joins a list attribute of a resource."""
    return {"list_join": [",", attribute(resource, *path)]}


def as_text(expression: object) -> Data:
    """Return an expression that converts any value to text."""
    return {"str_replace": {"template": "<X>", "params": {"X": expression}}}

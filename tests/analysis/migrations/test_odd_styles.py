"""Old properties written in any style: the fixes keep all other characters."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.analysis.migrations.fix_all import disturbances
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from tests.analysis.migrations.migrating import knowledge, migrate

KINDS: tuple[tuple[str, dict[str, object]], ...] = (
    ("OS::Neutron::Port", {"network_id": "net", "fixed_ips": [{"subnet_id": "s", "ip_address": "10.0.0.3"}]}),
    ("OS::Neutron::Port", {"network_id": {"get_param": "p"}, "name": "n # no comment", "admin_state_up": True}),
    ("OS::Neutron::RouterInterface", {"router_id": {"get_param": "p"}, "subnet_id": "s: t"}),
    ("OS::Neutron::Router", {"l3_agent_id": "agent", "name": "r"}),
    ("OS::Neutron::Router", {"name": "r", "l3_agent_id": {"get_param": "p"}}),
    ("OS::Heat::RandomString", {"sequence": "digits", "length": 12}),
    ("OS::Heat::RandomString", {"sequence": {"str_replace": {"template": "digits", "params": {"x": "y"}}}}),
    ("OS::Cinder::Volume", {"imageRef": "i'm", "size": 1}),
    ("OS::Nova::Server", {"flavor": "f", "image": "i", "networks": [{"uuid": "a"}, {"uuid": {"get_param": "p"}}]}),
    ("OS::Nova::Server", {"flavor": "f", "block_device_mapping_v2": [{"image_id": "x", "volume_size": 1}]}),
    ("OS::Mistral::Workflow", {"type": "direct", "tasks": [{"name": "t", "policies": {"timeout": 6}, "action": "a"}]}),
    ("OS::Designate::Zone", {"name": "a.example.", "email": "a@b.c", "masters": ["10.0.0.1"]}),
    ("OS::Neutron::VPNService", {"router_id": "r", "subnet_id": ""}),
)


class Writer:
    """A YAML writer that uses random styles."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._step = dice.choice((2, 2, 3, 4))
        self._number = 0

    def chance(self, share: float) -> bool:
        return self._dice.random() < share

    def comment(self) -> str:
        self._number += 1
        return f"# c{self._number}"

    def scalar(self, value: object) -> str:
        if not isinstance(value, str):
            return json.dumps(value)
        plain = bool(re.fullmatch(r"\w[\w.@:-]*\w|\w", value)) and not value.endswith(":")
        if plain and self.chance(0.6):
            return value
        return "'" + value.replace("'", "''") + "'" if self.chance(0.5) else json.dumps(value)

    def key(self, name: str) -> str:
        quoted = self._dice.choice((f'"{name}"', f"'{name}'")) if self.chance(0.2) else name
        return quoted + (" " if self.chance(0.1) else "")

    def flow(self, value: object) -> str:
        blank, end = self._dice.choice(("", " ")), self._dice.choice((", ", ",  "))
        if isinstance(value, dict):
            pairs = (f"{self.key(key)}: {self.flow(one)}" for key, one in value.items())
            return "{" + blank + end.join(pairs) + blank + "}"
        if isinstance(value, list):
            return "[" + blank + end.join(map(self.flow, value)) + blank + "]"
        return self.scalar(value)

    def block(self, value: dict[str, object], indent: int) -> Iterator[str]:
        """Yield the lines of a map."""
        pad = " " * indent
        for key, one in value.items():
            if self.chance(0.2):
                yield pad + self.comment()
            tail = f"  {self.comment()}" if self.chance(0.3) else ""
            is_map, is_list = isinstance(one, dict) and bool(one), isinstance(one, list) and bool(one)
            if (is_map or is_list) and self.chance(0.7):
                yield f"{pad}{self.key(key)}:{tail}"
                if isinstance(one, dict):
                    yield from self.block(one, indent + self._step)
                elif isinstance(one, list):
                    yield from self.items(one, indent + self._dice.choice((0, self._step)))
            else:
                yield f"{pad}{self.key(key)}: {self.flow(one)}{tail}"
            if self.chance(0.1):
                yield ""

    def items(self, value: list[object], indent: int) -> Iterator[str]:
        pad = " " * indent
        for one in value:
            if isinstance(one, dict) and one and self.chance(0.7):
                first, *rest = self.block(one, indent + 2)
                while not first.strip() or first.strip().startswith("#"):
                    yield first[2:]
                    first, *rest = rest
                yield f"{pad}- {first.strip()}"
                yield from rest
            else:
                yield f"{pad}- {self.flow(one)}"


def hot(dice: random.Random) -> str:
    """Return a HOT template."""
    resources = {f"r{at}": _resource(*dice.choice(KINDS)) for at in range(dice.randint(1, 3))}
    writer = Writer(dice)
    parameters = {"p": {"type": "string", "default": "v"}}
    lines = ["heat_template_version: 2021-04-16", *writer.block({"parameters": parameters, "resources": resources}, 0)]
    mark, end = dice.choice(("", "", "\ufeff")), dice.choice(("\n", "\n", "\r\n"))
    return mark + end.join(lines) + dice.choice(("", end, end * 2))


def as_json(dice: random.Random) -> str:
    """Return a template as JSON, on one or several lines."""
    resources = {"r": _resource(*dice.choice(KINDS))}
    data = {"heat_template_version": "2021-04-16", "parameters": {"p": {"type": "string"}}, "resources": resources}
    return json.dumps(data, indent=dice.choice((None, 1, 2, 4)))


def cfn(dice: random.Random) -> str:
    """Return a CFN template."""
    kind, properties = dice.choice(KINDS)
    text = json.dumps({"Type": kind, "Properties": properties}).replace("get_param", "Ref")
    resources = {"r": json.loads(text)}
    head = {"HeatTemplateFormatVersion": "2012-12-12", "Parameters": {"p": {"Type": "String", "Default": "v"}}}
    return "\n".join(Writer(dice).block({**head, "Resources": resources}, 0)) + "\n"


def anchored(dice: random.Random) -> str:
    """Return a template with two resources that share properties through an anchor."""
    kind, properties = dice.choice(KINDS)
    writer = Writer(dice)
    lines = [
        "heat_template_version: 2021-04-16",
        "parameters: {p: {type: string, default: v}}",
        "resources:",
        "  one:",
        f"    type: {kind}",
        f"    properties: &shared {writer.flow(properties)}",
        "  two:",
        f"    type: {kind}",
        dice.choice(("    properties: *shared", "    properties:\n      <<: *shared", "    properties: {<<: *shared}")),
    ]
    return "\n".join(lines) + "\n"


def _resource(kind: str, properties: dict[str, object]) -> dict[str, object]:
    return {"type": kind, "properties": properties}


STYLES: tuple[Callable[[random.Random], str], ...] = (hot, as_json, cfn, anchored)


def comments(text: str) -> list[str]:
    return re.findall(r"# c\d+", text)


@given(st.sampled_from(STYLES), st.randoms(use_true_random=False))
def test_fix_keeps_all_other_text(style: Callable[[random.Random], str], dice: random.Random) -> None:
    text = style(dice)
    before = parse_template(text)
    assert before.complete, text
    migration = migrate(text)
    after = migration.template.text
    assert migration.template.complete
    assert sorted(comments(after)) == sorted(comments(text)), (text, after)
    line_ends = {"\r\n"} if "\r" in text else {"\n"}
    assert set(re.findall(r"\r?\n", after)) <= line_ends, (text, after)
    assert after.startswith("\ufeff") is text.startswith("\ufeff")
    changes = disturbances(Source(before), Source(migration.template), knowledge())
    assert changes == (), (text, after)
    assert migrate(after).steps == (), (text, after)
    if style is not anchored:
        assert migration.refusals == (), text
        assert after != text

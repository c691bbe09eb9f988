"""Reverting of a single change, without any other change of the text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from heatstudio.analysis.changes.revert import revert_change
from heatstudio.assets import resource_path
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import CannotEditError, Template, parse_template
from heatstudio.text import DocumentError, apply_edits, read_document
from heatstudio.update.plan.property_lines import property_lines
from heatstudio.update.plan.update_plan import Cause, ResourceChange
from heatstudio.update.plan_update import plan_update
from tests.analysis.revert_edits import edits, places

KNOWLEDGE = load_knowledge()
HEAD = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net}
  it:
    type: %s
    properties:
"""


def text(kind: str, *lines: str) -> str:
    return HEAD % kind + "".join(f"      {line}\n" for line in lines)


def reverted(old: str, new: str, property_name: str) -> str:
    """Return the new text after reverting one cause of the change of resource `it`."""
    before, after = parse_template(old), parse_template(new)
    change = plan_update(Source(before), Source(after), KNOWLEDGE).get("it")
    assert change is not None
    cause = next(cause for cause in change.causes if cause.property == property_name)
    return apply_edits(new, revert_change(before, after, change, cause).edits)


SUBNET, PORT = "OS::Neutron::Subnet", "OS::Neutron::Port"


@pytest.mark.parametrize(
    ("kind", "old", "new", "name", "expected"),
    [
        (SUBNET, ["cidr: a", "network: n"], ["cidr: b", "network: m"], "cidr", ["cidr: a", "network: m"]),
        (
            SUBNET,
            ["network: n", "dns_nameservers: [a,  b]  # kept"],
            ["network: m", "dns_nameservers: [a,  b]  # kept", "ip_version: 6"],
            "ip_version",
            ["network: m", "dns_nameservers: [a,  b]  # kept"],
        ),
        (
            SUBNET,
            ["network: n", "ip_version: 6"],
            ["network: m", "gateway_ip: g"],
            "ip_version",
            ["network: m", "ip_version: 6", "gateway_ip: g"],
        ),
        (PORT, ["network_id: n", "name: a"], ["network: m", "name: b"], "network", ["network_id: n", "name: b"]),
        (PORT, ["network: n", "name: a"], ["network_id: m", "name: b"], "network", ["network: n", "name: b"]),
        (
            PORT,
            ["network_id: n", "name: a"],
            ["network: {get_resource: net}", "name: a"],
            "network",
            ["network_id: n", "name: a"],
        ),
        (PORT, ["network_id: n", "name: a"], ["network_id: m", "name: b"], "network", ["network_id: n", "name: b"]),
    ],
)
def test_only_the_given_property_is_reverted(
    kind: str, old: list[str], new: list[str], name: str, expected: list[str]
) -> None:
    assert reverted(text(kind, *old), text(kind, *new), name) == text(kind, *expected)


def restored(old: str, new: str, name: str, property_name: str = "") -> str:
    """Return the new text after reverting a row of the preview."""
    before, after = parse_template(old), parse_template(new)
    change = plan_update(Source(before), Source(after), KNOWLEDGE).get(name)
    assert change is not None
    cause = next((one for one in change.causes if one.property == property_name), None)
    return apply_edits(new, revert_change(before, after, change, cause).edits)


COMMENTED = """\
heat_template_version: 2021-04-16

# Everything
resources:  # of the stack

  # The first one,
  # in two lines
  net:
    type: OS::Neutron::Net   # a net
    properties:
      # Its name
      name:   'a'  # short
      tags: [x,   y]

  # The second one
  value:
    type: OS::Heat::Value
    properties: {value:  1}

  last: {type: OS::Heat::RandomString}
  # The end

outputs:
  # None yet
"""
WITHOUT_NET = COMMENTED[: COMMENTED.index("\n  # The first")] + COMMENTED[COMMENTED.index("\n  # The second") :]


@pytest.mark.parametrize(
    ("new", "name", "property_name"),
    [
        (COMMENTED.replace("name:   'a'  # short", "name: b"), "net", ""),
        (COMMENTED.replace("name:   'a'  # short", "name: b"), "net", "name"),
        (COMMENTED.replace("      # Its name\n      name:   'a'  # short\n", ""), "net", "name"),
        (COMMENTED.replace("      name:   'a'  # short\n", ""), "net", "name"),
        (COMMENTED.replace("      name:   'a'  # short\n", "      port_security_enabled: no\n"), "net", ""),
        (COMMENTED.replace("{value:  1}", "{value: {a: 2}}"), "value", "value"),
        (COMMENTED.replace("  last: {", "  more: {type: OS::Heat::None}\n  last: {"), "more", ""),
        (COMMENTED.replace("  # The end", "  # More\n  more:\n    type: OS::Heat::None\n  # The end"), "more", ""),
        (COMMENTED.replace("  last: {type: OS::Heat::RandomString}\n", ""), "last", ""),
        (COMMENTED.replace("  last: {type: OS::Heat::RandomString}\n  # The end\n", ""), "last", ""),
        (WITHOUT_NET, "net", ""),
    ],
)
def test_revert_restores_comments_layout_and_order(new: str, name: str, property_name: str) -> None:
    assert new != COMMENTED
    assert restored(COMMENTED, new, name, property_name) == COMMENTED


def test_revert_keeps_other_changes() -> None:
    other = ("{value:  1}", "{value: 2}  # mine")
    more = ("  # The second one\n", "  # The second one, and mine\n  extra: {type: OS::Heat::None}\n")
    changed = WITHOUT_NET.replace(*other).replace(*more)
    assert restored(COMMENTED, changed, "net") == COMMENTED.replace(*other).replace(*more)
    assert restored(COMMENTED, changed, "value") == WITHOUT_NET.replace(*more)


BLOCK = """\
heat_template_version: 2021-04-16
resources:
  config:
    type: OS::Heat::SoftwareConfig
    properties:
      config: |
        true
"""
"""python-heatclient strips a template: only text behind the block gives it its last line break."""


@pytest.mark.parametrize("more", ["  last: {type: OS::Heat::None}\n", "  # A word\n  last: {type: OS::Heat::None}\n"])
def test_pair_behind_a_block_at_the_end_is_deleted_and_restored(more: str) -> None:
    assert restored(BLOCK, BLOCK + more, "last") == BLOCK
    assert restored(BLOCK + more, BLOCK, "last") == BLOCK + more


def test_block_text_is_reformatted_in_a_flow_mapping() -> None:
    flow = COMMENTED[: COMMENTED.index("resources:")] + "resources: {value: {type: OS::Heat::Value}}\n"
    assert parse_template(restored(COMMENTED, flow, "value")).data["resources"] == {
        "value": {"type": "OS::Heat::Value", "properties": {"value": 1}}
    }
    assert "tags" in str(parse_template(restored(COMMENTED, flow, "net")).data["resources"])


def reverted_rows(old: Template, made: str, path: tuple[str, ...], name: str) -> list[str]:
    """Return the texts after reverting the row of the edited resource, and after reverting that of the property."""
    new = parse_template(made, old)
    if made == old.text or not new.complete:
        return []
    change = plan_update(Source(old), Source(new), KNOWLEDGE).get(path[1] if len(path) > 2 else name)
    if change is None or str(change.action) == "unchanged":
        return []
    wanted = ("properties", name)
    causes = [one for one in change.causes if one.path == wanted] if len(path) > 2 else []
    return [row(old, new, change, cause) for cause in (None, *causes)]


def row(old: Template, new: Template, change: ResourceChange, cause: Cause | None) -> str:
    try:
        return apply_edits(new.text, revert_change(old, new, change, cause).edits)
    except CannotEditError:
        return ""


def held(text: str, rounds: int, chosen: random.Random, where: str) -> int:
    """Revert rows of random edits and return their number; fail unless each restores the exact old text."""
    old = parse_template(text)
    found = list(places(old)) if old.complete and old.version_message is None else []
    count = 0
    for _ in range(rounds if found else 0):
        path, edit = chosen.choice(found), chosen.choice(edits())
        name = "zz_added" if edit.__name__.startswith("add") else path[-1]
        for back in reverted_rows(old, edit(old, path, chosen), path, name):
            assert back == text, f"{where}: {edit.__name__} of {path}"
            count += 1
    return count


def test_random_edits_of_the_sample_are_reverted_exactly() -> None:
    seed = random.randrange(2**32)
    text = resource_path("samples", "web-server.yaml").read_text(encoding="utf-8")
    assert held(text, 60, random.Random(seed), f"seed {seed}") > 30


def test_random_edits_of_real_templates_are_reverted_exactly(shared: Path) -> None:
    seed = random.randrange(2**32)
    chosen = random.Random(seed)
    files = [path for path in sorted((shared / "corpus" / "files").rglob("*")) if path.suffix in {".yaml", ".template"}]
    count = 0
    while count < 200:
        path = chosen.choice(files)
        try:
            text = read_document(path).text.replace("\r\n", "\n")
        except DocumentError:
            continue
        if len(text) < 60_000:
            count += held(text, 3, chosen, f"seed {seed}, {path}")


SERVER = """\
heat_template_version: 2021-04-16
parameters: {stage: {type: string, default: %s}}
resources:
  it:
    type: OS::Nova::Server
    properties:
      flavor: f
      image: i
      tags: [%s]
      metadata:
        owner: %s  # kept
        stage: {get_param: stage}
%s      networks: [{network: n, fixed_ip: %s}, {network: m}]
"""


@pytest.mark.parametrize(
    ("line", "title", "expected"),
    [
        ("metadata.owner", "metadata.owner", ("b", "a, c", "x", "        more: 1\n", "2")),
        ("metadata.more", "metadata.more", ("b", "a, c", "y", "", "2")),
        ("metadata.stage", "metadata.stage", ("a", "a, c", "y", "        more: 1\n", "2")),
        ("networks[0].fixed_ip", "networks[0].fixed_ip", ("b", "a, c", "y", "        more: 1\n", "1")),
        ("tags[1]", "tags", ("b", "a, b", "y", "        more: 1\n", "2")),
    ],
)
def test_one_difference_inside_a_property_is_reverted(line: str, title: str, expected: tuple[str, ...]) -> None:
    old, new = SERVER % ("a", "a, b", "x", "", "1"), SERVER % ("b", "a, c", "y", "        more: 1\n", "2")
    before, after = parse_template(old), parse_template(new)
    change = plan_update(Source(before), Source(after), KNOWLEDGE).get("it")
    assert change is not None
    lines = {one.name: one.cause for _, found in property_lines(change) for one in found}
    fix = revert_change(before, after, change, lines[line])
    assert fix.title == f"Revert `{title}` of `it`"
    assert apply_edits(new, fix.edits) == SERVER % expected

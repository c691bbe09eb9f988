"""Positions of a plan's changes in the template: in both languages, in chains and in groups of groups."""

from __future__ import annotations

from heatstudio.analysis import analyze
from heatstudio.analysis.changes.change_place import place_of_change
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import TreePath, parse_template
from heatstudio.update.plan.update_plan import ResourceChange
from heatstudio.update.plan_update import plan_update

KNOWLEDGE = load_knowledge()
HOT = "heat_template_version: 2021-04-16\nresources:\n"
CFN = 'AWSTemplateFormatVersion: "2010-09-09"\nResources:\n'
CHAIN = (
    HOT
    + """\
  chain:
    type: OS::Heat::ResourceChain
    properties:
      resources: [OS::Heat::RandomString, %s]
"""
)
GROUPS = (
    HOT
    + """\
  outer:
    type: OS::Heat::ResourceGroup
    properties:
      count: 1
      resource_def:
        type: OS::Heat::ResourceGroup
        properties:
          count: 1
          resource_def: {type: OS::Heat::RandomString, properties: {length: %s}}
"""
)


def places(text: str, before: object, after: object) -> list[TreePath]:
    """Return the path of each cause of every change, in the order of the plan."""
    old, new = (Source(parse_template(text % value)) for value in (before, after))
    analysis = analyze(new, KNOWLEDGE)
    found: list[TreePath] = []

    def visit(trail: tuple[ResourceChange, ...]) -> None:
        found.extend(place_of_change(analysis, trail, cause).path for cause in trail[-1].causes)
        for member in trail[-1].members:
            visit((*trail, member))

    for change in plan_update(old, new, KNOWLEDGE).changes:
        visit((change,))
    return found


def test_path_has_the_keys_of_the_language() -> None:
    text = CFN + "  s: {Type: 'OS::Heat::RandomString', Properties: {length: %s}}\n"
    assert places(text, 8, 9) == [("Resources", "s", "Properties", "length")]


def test_member_of_a_chain_is_an_item_of_its_list() -> None:
    item = ("resources", "chain", "properties", "resources", 1)
    assert places(CHAIN, "OS::Heat::RandomString", "OS::Heat::Value") == [item, (*item, "type")]


def test_nested_group_is_located_in_the_outer_group() -> None:
    inner = ("resources", "outer", "properties", "resource_def", "properties", "resource_def", "properties", "length")
    assert places(GROUPS, 8, 9) == [inner] * 3


def test_removed_definition_is_located_at_its_resource() -> None:
    old = Source(parse_template(GROUPS % 8))
    analysis = analyze(Source(parse_template(HOT + "  a: {type: OS::Heat::Value}\n")), KNOWLEDGE)
    [outer] = plan_update(old, Source(parse_template(GROUPS % 9)), KNOWLEDGE).changes
    assert place_of_change(analysis, (outer, outer.members[0])).path == ("resources", "outer")

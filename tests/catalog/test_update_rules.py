"""The data about updates name attributes and properties that types have."""

from __future__ import annotations

import pytest

from heatstudio.catalog import load_catalog
from heatstudio.catalog.rules.update_rule import load_update_behaviors

BEHAVIORS = load_update_behaviors()
CATALOG = load_catalog()


@pytest.mark.parametrize("name", [name for name, behavior in BEHAVIORS.items() if behavior.attributes])
def test_attributes_follow_properties_that_can_be_updated(name: str) -> None:
    kind = CATALOG.get(name)
    assert kind is not None
    for attribute, rule in BEHAVIORS[name].attributes.items():
        assert attribute == "*" or attribute.split("/")[0] in kind.attributes
        for followed in rule.follows:
            assert followed == "*" or kind.properties[followed].update_allowed


@pytest.mark.parametrize("name", [name for name, behavior in BEHAVIORS.items() if behavior.members])
def test_attributes_of_owners_are_those_of_the_type(name: str) -> None:
    kind, rule = CATALOG.get(name), BEHAVIORS[name].members
    assert kind is not None
    assert rule is not None
    assert {one for one in rule.attributes if not one.endswith(".")} <= kind.attributes.keys()
    assert set(rule.spread) <= rule.attributes.keys()

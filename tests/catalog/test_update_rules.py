"""The bundled update rules refer to existing attributes and properties of types."""

from __future__ import annotations

import pytest

from heatstudio.catalog.load import load_catalog
from heatstudio.catalog.rules.update_rule import load_update_behaviors

BEHAVIORS = load_update_behaviors()
CATALOG = load_catalog()


@pytest.mark.parametrize("name", [name for name, behavior in BEHAVIORS.items() if behavior.attributes])
def test_attribute_rules_refer_to_updatable_properties(name: str) -> None:
    kind = CATALOG.get(name)
    assert kind is not None
    for attribute, rule in BEHAVIORS[name].attributes.items():
        assert attribute == "*" or attribute.split("/")[0] in kind.attributes
        for followed in rule.follows:
            assert followed == "*" or kind.properties[followed].update_allowed


@pytest.mark.parametrize("name", [name for name, behavior in BEHAVIORS.items() if behavior.members])
def test_member_rules_refer_to_attributes_of_the_type(name: str) -> None:
    kind, rule = CATALOG.get(name), BEHAVIORS[name].members
    assert kind is not None
    assert rule is not None
    assert {one for one in rule.attributes if not one.endswith(".")} <= kind.attributes.keys()
    assert set(rule.spread) <= rule.attributes.keys()

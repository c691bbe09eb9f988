"""The facts behind advice name types and properties that exist, and words that are found in names."""

from __future__ import annotations

import pytest

from heatstudio.catalog.load import Catalog
from heatstudio.catalog.rules.advice import advice_facts
from heatstudio.catalog.schema import PropertySchema

FACTS = advice_facts()


def test_types_and_properties_exist(catalog: Catalog) -> None:
    def properties(name: str) -> frozenset[str]:
        found = catalog.get(name)
        assert found is not None, name
        return frozenset(found.properties)

    for table in (FACTS.data, FACTS.useless_alone):
        for name, given in table.items():
            assert properties(name) >= frozenset(given), name
    for name, rules in FACTS.inbound_rules.items():
        found = catalog.get(name)
        assert found is not None
        inside = found.properties
        if rules.rules:
            element: PropertySchema | None = inside[rules.rules].element
            assert element is not None
            inside = element.children
        named = {rules.protocol, rules.first, rules.last, rules.source, *rules.limits, *rules.unless}
        assert frozenset(inside) >= named, name


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        ("password", True),
        ("AdminPassword", True),
        ("DBRootPassword2", True),
        ("ssh_private_key", True),
        ("APIKey", True),
        ("api-key", True),
        ("password_length", False),
        ("tokenizer", False),
        ("key_name", False),
        ("bypass", False),
        ("1", False),
        ("", False),
    ],
)
def test_names_of_secrets(name: str, is_secret: bool) -> None:
    assert FACTS.is_secret(name) is is_secret

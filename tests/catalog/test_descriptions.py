"""The program's own descriptions: one for each visible part of a type, none empty, too long, repeated or unused."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.load import (
    Catalog,
    TypeDescriptions,
    base_descriptions,
    custom_constraint_words,
    type_descriptions,
)
from heatstudio.catalog.schema import ResourceType, nested_properties

LONGEST = 140
SENTENCE = re.compile(r"[A-Z`].*[A-Za-z0-9`)]\.", re.DOTALL)


@pytest.fixture(scope="module")
def types(catalog: Catalog) -> list[ResourceType]:
    return [made for name in catalog.visible_names if (made := catalog.get(name)) is not None]


@pytest.fixture(scope="module")
def written() -> dict[str, TypeDescriptions]:
    files = (path for path in resource_path("descriptions").iterdir() if path.name != "base.json")
    return dict(chain.from_iterable(read_data(path, dict[str, TypeDescriptions]).items() for path in files))


def descriptions(made: ResourceType) -> list[str]:
    """Return the descriptions of a type and all of its parts, as the catalog has them."""
    schemas = chain(nested_properties(made.properties), nested_properties(made.update_policy))
    attributes = (schema.description for schema in made.attributes.values())
    return [made.description, *(schema.description for _path, schema in schemas), *attributes]


def test_everything_visible_is_described(types: list[ResourceType], catalog: Catalog) -> None:
    every = chain.from_iterable(map(descriptions, types))
    own = sum(map(bool, every)) - len(types) * len(catalog.base_attributes)
    of_properties = sum(len(list(nested_properties(made.properties))) for made in types)
    of_policies = sum(len(list(nested_properties(made.update_policy))) for made in types)
    assert (len(types), of_properties, of_policies) == (163, 1_434, 27)
    assert own == 163 + 1_434 + 27 + 361


def test_descriptions_of_a_type_are_unique_short_sentences(types: list[ResourceType]) -> None:
    for made in types:
        said = descriptions(made)
        assert [text for text in said if said.count(text) > 1] == [], made.name
        wrong = [text for text in said if len(text) > LONGEST or not SENTENCE.fullmatch(text) or text.count("`") % 2]
        assert wrong == [], made.name


def test_no_unknown_part_is_described(types: list[ResourceType], written: dict[str, TypeDescriptions]) -> None:
    assert set(written) == {made.name for made in types}
    for made in types:
        ours = written[made.name]
        assert ours == type_descriptions(made.name)  # from the file of the type's service
        assert set(ours.properties) == {path for path, _schema in nested_properties(made.properties)}
        assert set(ours.update_policy) == {path for path, _schema in nested_properties(made.update_policy)}
        assert {*ours.attributes, *base_descriptions().attributes} == set(made.attributes)


def test_nested_properties_have_their_own_descriptions(catalog: Catalog) -> None:
    port = catalog.get("OS::Neutron::Port")
    assert port is not None
    element = port.properties["fixed_ips"].element
    assert element is not None
    assert element.description == ""
    assert element.children["subnet"].description == type_descriptions(port.name).properties["fixed_ips.subnet"]


def test_only_known_custom_constraints_have_words(catalog: Catalog) -> None:
    assert set(custom_constraint_words()) <= set(catalog.custom_constraints)


def test_unknown_types_have_no_descriptions() -> None:
    assert type_descriptions("OS::Nova::Nothing") == TypeDescriptions()
    assert type_descriptions("Nothing") == TypeDescriptions()

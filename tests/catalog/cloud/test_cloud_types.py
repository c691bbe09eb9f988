"""Types that only a cloud has are built from any data that the cloud reports."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.catalog.cloud.known_cloud import CloudCatalog, overlaid
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.release import Status
from heatstudio.catalog.schema import AllowedValues, CustomConstraint, Length, Modulo, PropertyType, Range, ResourceType

OWN = "Acme::Own::Thing"
REPORTED = {
    "description": "A thing.",
    "support_status": {
        "status": "DEPRECATED",
        "version": "9.0.0",
        "message": "Use another.",
        "previous_status": {"status": "SUPPORTED", "version": "7.0.0", "message": None, "previous_status": None},
    },
    "attributes": {"size": {"type": "integer", "description": "How large."}},
    "properties": {
        "size": {
            "type": "integer",
            "required": True,
            "update_allowed": False,
            "default": 3,
            "description": "How large.",
            "constraints": [{"range": {"min": 1}}, {"modulo": {"step": 2, "offset": 1}}, {"custom_constraint": "a.b"}],
        },
        "list": {
            "type": "list",
            "immutable": True,
            "schema": {"*": {"type": "string", "constraints": [{"allowed_values": ["a"]}, {"length": {"max": 4}}]}},
        },
    },
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=12,
)
PARTS = ["support_status", "properties", "attributes", "description"]


def made(catalog: Catalog, reported: object) -> ResourceType:
    found = overlaid(catalog, CloudCatalog("mine", types={OWN: reported})).get(OWN)
    assert found is not None
    return found


def test_type_is_built_from_all_data_of_a_cloud(catalog: Catalog) -> None:
    found = made(catalog, REPORTED)
    assert (found.name, found.description) == (OWN, "A thing.")
    status = found.support_status
    assert [(one.status, one.version, one.message) for one in status.chain()] == [
        (Status.DEPRECATED, "9.0.0", "Use another."),
        (Status.SUPPORTED, "7.0.0", ""),
    ]
    size, items = found.properties["size"], found.properties["list"]
    assert (size.name, size.type, size.required, size.default) == ("size", PropertyType.INTEGER, True, 3)
    assert size.constraints == (Range(1), Modulo(2, 1), CustomConstraint("a.b"))
    assert items.immutable
    assert items.element is not None
    assert items.element.constraints == (AllowedValues(("a",)), Length(maximum=4))
    assert found.attributes["size"].description == "How large."
    assert "show" in found.attributes


@given(st.dictionaries(st.sampled_from(PARTS), JSON | st.dictionaries(st.just("p"), JSON)))
def test_type_data_of_any_shape_is_accepted(catalog: Catalog, reported: dict[str, object]) -> None:
    assert made(catalog, reported).name == OWN


@given(st.dictionaries(st.sampled_from(["type", "constraints", "default", "schema"]), JSON | st.lists(JSON)))
def test_property_data_of_any_shape_is_accepted(catalog: Catalog, reported: dict[str, object]) -> None:
    assert "p" in made(catalog, {"properties": {"p": reported}}).properties

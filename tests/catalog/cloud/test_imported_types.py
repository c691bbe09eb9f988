"""Import of a cloud's types from the JSON of the client."""

from __future__ import annotations

import pytest

from heatstudio.catalog.cloud.known_cloud import catalog_of, imported_types, only_there
from heatstudio.catalog.load import Catalog, load_catalog

SERVER, OWN = "OS::Nova::Server", "Acme::Own::Thing"
SHOWN = {"resource_type": OWN, "properties": {"size": {"type": "integer", "required": True}}, "attributes": {}}


@pytest.fixture(scope="module")
def bundled() -> Catalog:
    return load_catalog()


@pytest.mark.parametrize(
    "data",
    [
        [{"Resource Type": SERVER}, {"Resource Type": OWN}],
        [{"resource_type": SERVER}, {"resource_type": OWN}],
        {"resource_types": [SERVER, OWN]},
        {"resource_types": [{"resource_type": SERVER, "description": "x"}, {"resource_type": OWN}]},
    ],
)
def test_list_contains_all_types(data: object, bundled: Catalog) -> None:
    reported = imported_types(data)
    assert reported is not None
    assert list(reported.types) == [SERVER, OWN]
    cloud = catalog_of("mine", [reported], bundled)
    assert only_there(cloud, bundled) == (OWN,)
    volume, server = bundled.get("OS::Cinder::Volume"), bundled.get(SERVER)
    assert volume
    assert server
    assert not cloud.has_type(volume)
    assert cloud.has_type(server)


def test_schema_of_one_type_keeps_all_other_types(bundled: Catalog) -> None:
    reported = imported_types(SHOWN)
    assert reported is not None
    cloud = catalog_of("mine", [reported], bundled)
    assert only_there(cloud, bundled) == (OWN,)
    assert all(cloud.has_type(found) for name in bundled.names() if (found := bundled.get(name)))


def test_list_and_schema_of_a_type_combine_in_any_order(bundled: Catalog) -> None:
    listed, shown = imported_types([{"Resource Type": OWN}]), imported_types(SHOWN)
    assert listed
    assert shown
    assert catalog_of("mine", [shown, listed], bundled).types[OWN] == SHOWN


@pytest.mark.parametrize("data", [None, 3, "OS::Nova::Server", [], {}, [1], {"a": 1}, {"resource_type": "x"}])
def test_other_data_is_rejected(data: object) -> None:
    assert imported_types(data) is None

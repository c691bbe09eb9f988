"""A cloud's types from files: the JSON of `openstack orchestration resource type list` and `... show`."""

from collections.abc import Iterable

from msgspec import Struct

from heatstudio.catalog.cloud.cloud_catalog import CloudCatalog
from heatstudio.catalog.facts import Facts, items, mapping, text
from heatstudio.catalog.load import Catalog

_NAMES = ("resource_type", "Resource Type")
"""The keys of a type's name in the REST API and in the client."""
_LIST = "resource_types"


class ReportedTypes(Struct, frozen=True):
    """The resource types in one file."""

    types: Facts
    is_list: bool
    """Whether these are all types of the cloud."""


def imported_types(data: object) -> ReportedTypes | None:
    """Return the types in the JSON data of a list or of one type; None for any other data."""
    if isinstance(data, dict) and _LIST not in data:
        name = _name(data)
        is_type = name and ("properties" in data or "attributes" in data)
        return ReportedTypes({name: data}, is_list=False) if is_type else None
    listed = data if isinstance(data, list) else items(mapping(data), _LIST)
    names = dict.fromkeys(name for one in listed if (name := _name(one)))
    return ReportedTypes({name: {} for name in names}, is_list=True) if names else None


def catalog_of(name: str, reported: Iterable[ReportedTypes], bundled: Catalog) -> CloudCatalog:
    """Return the catalog of the types of all files; without a list, no bundled type counts as missing in the cloud."""
    found = list(reported)
    lists = [one for one in found if one.is_list]
    types: dict[str, object] = {} if lists else {key: {} for key in bundled.names()}
    for one in (*lists, *(one for one in found if not one.is_list)):
        types.update(one.types)
    return CloudCatalog(name, types=types)


def _name(one: object) -> str:
    return one if isinstance(one, str) else next(filter(None, (text(mapping(one), key) for key in _NAMES)), "")

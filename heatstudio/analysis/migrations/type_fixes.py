"""Fixes of old resource types and attributes: the in-place substitute, or the recommended successor."""

from collections.abc import Iterator, Mapping

from heatstudio.catalog import Catalog, PropertySchema, ResourceType, Status
from heatstudio.template import DataFix, Dialect, SetValue, TreePath
from heatstudio.text import Applicability

_OLD = (Status.DEPRECATED, Status.HIDDEN)


def type_fixes(
    resource_type: ResourceType, catalog: Catalog, resource_data: Mapping[str, object], path: TreePath, words: Dialect
) -> tuple[DataFix, ...]:
    """Return the fixes of a resource whose type is DEPRECATED or HIDDEN; `path` is the path of the resource."""
    status = resource_type.support_status
    name = status.substitute or status.successor
    successor = catalog.get(name) if name is not None else None
    if status.status not in _OLD or successor is None or successor.support_status.status in _OLD:
        return ()
    properties = resource_data.get(words.properties)
    given = properties if isinstance(properties, Mapping) else {}
    title = f"Replace the type with `{successor.name}`"
    changes = (SetValue((*path, words.type), successor.name),)
    reasons = list(_misfits(resource_type, successor, given))
    if status.substitute != successor.name:
        applicability = Applicability.DECISION if reasons else Applicability.UNSAFE
        reasons.insert(0, "Heat creates a new resource and deletes the old one")
    elif reasons:
        applicability = Applicability.DECISION
    else:
        return (DataFix(title, changes, Applicability.SAFE, preferred=True),)
    return (DataFix(f"{title} ({'; '.join(reasons)})", changes, applicability),)


def _misfits(old: ResourceType, new: ResourceType, given: Mapping[str, object]) -> Iterator[str]:
    """Yield the reasons why the written properties may have another meaning for the new type."""
    unknown = [str(name) for name in given if name not in new.properties]
    if unknown:
        yield f"the new type has no {'property' if len(unknown) == 1 else 'properties'} {_listed(unknown)}"
    missing = [schema.name for schema in new.properties.values() if schema.required and schema.name not in given]
    if missing:
        yield f"the new type requires {_listed(missing)}"
    shared = [name for name in old.properties if name in given and name in new.properties]
    other = [name for name in shared if not _alike(old.properties[name], new.properties[name])]
    if other:
        yield f"{_listed(other)} may mean something else"


def _alike(old: PropertySchema, new: PropertySchema) -> bool:
    """Return whether two schemas are equal, so that the same value has the same meaning."""
    if (old.type, old.default, old.constraints, old.children.keys()) != (
        new.type,
        new.default,
        new.constraints,
        new.children.keys(),
    ):
        return False
    return all(_alike(schema, new.children[name]) for name, schema in old.children.items())


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def attribute_fixes(resource_type: ResourceType, attribute: str, path: TreePath) -> tuple[DataFix, ...]:
    """Return the fixes of a DEPRECATED or HIDDEN attribute; `path` is the path of its name in the call's arguments."""
    old = resource_type.attributes.get(attribute)
    if old is None or old.support_status.status not in _OLD:
        return ()
    new = resource_type.attributes.get(old.support_status.successor or "")
    if new is None or old.type is None or old.type is not new.type:
        return ()
    title = f"Read `{new.name}` instead of `{attribute}` (the same according to Heat's documentation)"
    return (DataFix(title, (SetValue(path, new.name),), Applicability.DECISION),)

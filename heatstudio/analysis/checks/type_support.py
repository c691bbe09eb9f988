"""A deprecated resource type."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.release import Status, status_at
from heatstudio.catalog.schema import PropertySchema, ResourceType
from heatstudio.template import DataFix, Dialect, SetValue, TreePath
from heatstudio.text import Applicability

_OLD = (Status.DEPRECATED, Status.HIDDEN)


@resource_check(refuses=False)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the type of a resource if the type is deprecated, hidden or unsupported."""
    if scope.type is None:
        return
    status = status_at(scope.type.support_status, scope.settings.release)
    severity = SEVERITIES.get(status.status) if status is not None else None
    if status is not None and severity is not None:
        too_new = _is_too_new(scope, status.successor)
        status = replace(status, successor=None) if too_new else status
        message = support_message(scope.type_words, status, scope.type.name)
        finding = scope.finding(message, scope.type_path, severity=severity)
        data = scope.data_at(scope.path)
        written = data if isinstance(data, Mapping) else {}
        fixes = type_fixes(scope.type, scope.knowledge.catalog, written, scope.path, scope.words)
        yield replace(finding, property=None, fixes=() if too_new else fixes)


def _is_too_new(scope: ResourceScope, successor: str | None) -> bool:
    """Return whether the successor type is newer than the target release."""
    found = scope.knowledge.catalog.get(successor) if successor is not None else None
    return found is not None and status_at(found.support_status, scope.settings.release) is None


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

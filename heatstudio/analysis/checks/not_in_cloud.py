"""Not available in your cloud."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, ResourceScope, TemplateScope, resource_check, template_check
from heatstudio.analysis.scope.calls import calls
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.referred import attributes_of_types
from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.catalog.schema import CustomConstraint
from heatstudio.stack.values.written_properties import GivenProperty
from heatstudio.template import DataFix, Part, SetValue
from heatstudio.text import Applicability, Severity


@template_check(refuses=False, with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield an unsupported template version, and missing cloud objects that parameters name."""
    cloud = scope.knowledge.cloud
    if cloud is not None:
        yield from _version(scope, cloud)
        yield from _parameters(scope, cloud)


def _version(scope: TemplateScope, cloud: KnownCloud) -> Iterator[Finding]:
    words = scope.words
    if cloud.catalog is None or not cloud.catalog.versions:
        return
    known = scope.knowledge.catalog.template_version(words.version_key, words.version)
    if known is None or words.version_key not in scope.template.data:
        return
    if cloud.catalog.functions(words.version_key, words.version) is None:
        newest = cloud.catalog.newest_hot
        path = (words.version_key,)
        fixes = (DataFix(f"Use version {newest}", (SetValue(path, newest),), Applicability.UNSAFE),) if newest else ()
        rest = f"; the newest that it supports is {newest}" if newest and words.is_hot else ""
        message = f"The cloud `{cloud.name}` does not support template version {words.version}{rest}."
        yield Finding(message, Place(path), Severity.WARNING, fixes=fixes if words.is_hot else ())


def _parameters(scope: TemplateScope, cloud: KnownCloud) -> Iterator[Finding]:
    """Yield missing cloud objects that parameters name, at the declaration of the parameter."""
    parameters, words = scope.stack.parameters, scope.words
    for name in parameters.names:
        schema = parameters.schema(name)
        value = parameters.value(name) if schema is not None else None
        kinds = [one.name for one in schema.constraints if isinstance(one, CustomConstraint)] if schema else []
        for wanted in _texts(value):
            for kind in kinds:
                if cloud.names.lacks(kind, wanted):
                    default, given = (words.parameters, name, words.default), parameters.given(name)
                    is_default = given is not None and given.file is None and given.path == default
                    place = Place(default) if is_default else Place((words.parameters, name), Part.KEY)
                    yield _missing(cloud, kind, wanted, place, can_be_set=is_default and value == wanted)


def _texts(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str) and item]


@resource_check(refuses=False)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the type, properties, attributes, functions and named objects of a resource that the cloud lacks."""
    cloud = scope.knowledge.cloud
    if cloud is None:
        return
    if cloud.catalog is not None and scope.type is not None and scope.knowledge.is_bundled(scope.type.name):
        if not cloud.catalog.has_type(scope.type):
            message = f"{scope.type_words} is not available in the cloud `{cloud.name}`."
            yield scope.finding(message, scope.type_path, severity=Severity.WARNING)
            return
        yield from _properties(scope, cloud)
    yield from _used(scope, cloud)
    for written in scope.written:
        yield from _names(scope, cloud, written)


def _properties(scope: ResourceScope, cloud: KnownCloud) -> Iterator[Finding]:
    for written in scope.written:
        name = written.schema.name
        if scope.type is None or cloud.catalog is None or len(written.path) > 1:
            continue
        if cloud.catalog.lacks_property(scope.type, name):
            message = f"Property `{name}` of {scope.type_words} is not available in the cloud `{cloud.name}`."
            path = (*scope.properties_path, *written.path)
            yield scope.finding(message, path, Part.KEY, Severity.WARNING)


def _used(scope: ResourceScope, cloud: KnownCloud) -> Iterator[Finding]:
    """Yield missing attributes and functions that a resource uses."""
    if cloud.catalog is None:
        return
    words, data = scope.words, scope.definition.data
    for owner, attribute, path in attributes_of_types(scope, calls(data, scope.path)):
        if scope.knowledge.is_bundled(owner.name) and cloud.catalog.lacks_attribute(owner, attribute):
            message = f"Attribute `{attribute}` of {owner.name} is not available in the cloud `{cloud.name}`."
            yield scope.finding(message, path, severity=Severity.WARNING)
    there = cloud.catalog.functions(words.version_key, words.version)
    here = scope.view.language.functions
    for name, _, path in calls(data, scope.path):
        if there and name in here and name not in there:
            message = f"Function `{name}` of version {words.version} is not available in the cloud `{cloud.name}`."
            yield scope.finding(message, path, Part.KEY, Severity.WARNING)


def _names(scope: ResourceScope, cloud: KnownCloud, written: GivenProperty) -> Iterator[Finding]:
    """Yield missing cloud objects that a value, or the items of a list, name."""
    schemas = [(written.path, written.schema, written.value)]
    if isinstance(written.value, list) and written.schema.element is not None:
        element = written.schema.element
        schemas += [((*written.path, index), element, item) for index, item in enumerate(written.value)]
    for path, schema, value in schemas:
        if not isinstance(value, str) or not value:
            continue
        for kind in (one.name for one in schema.constraints if isinstance(one, CustomConstraint)):
            if cloud.names.lacks(kind, value):
                yield _missing(cloud, kind, value, Place((*scope.properties_path, *path)))


def _missing(cloud: KnownCloud, kind: str, value: str, place: Place, *, can_be_set: bool = True) -> Finding:
    """Return the finding for a missing cloud object, with similar names as fixes."""
    names = nearest(value, cloud.names.names(kind))
    message = f"The cloud `{cloud.name}` has no {cloud.names.noun(kind)} `{value}`."
    fixes = (DataFix(f"Use {name}", (SetValue(place.path, name),), Applicability.UNSAFE) for name in names)
    meant, ways = names[0] if names else "", tuple(fixes) if can_be_set else ()
    return Finding(message, place, Severity.WARNING, meant=meant, fixes=ways)

"""Not available in the target release."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.calls import calls
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.referred import attributes_of_types
from heatstudio.catalog.load import REMOVED, TemplateVersion
from heatstudio.catalog.release import Release, SupportStatus, release_of, since, status_at
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, Part, SetValue, TreePath
from heatstudio.text import Applicability, Severity


@template_check(refuses=False, with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the template version, and the attributes and functions of other sections, if newer than the release."""
    release = scope.settings.release
    if release is None:
        return
    yield from _version(scope, release)
    words = scope.words
    for section in (words.conditions, words.outputs):
        content = scope.stack.data.get(section) if section is not None else None
        for name, entry in content.items() if section and isinstance(content, Mapping) else ():
            yield from _used(scope, release, entry, (section, str(name)))


@resource_check(refuses=False)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the type, properties, attributes and functions of a resource that are newer than the release."""
    release = scope.settings.release
    if release is None:
        return
    later, place = scope.later_type, scope.type_path
    if later is not None:
        yield scope.finding(f"{later.name} {_available(scope, later.support_status, release)}", place)
    if scope.type is not None:
        message = _not_yet(scope, scope.type.support_status, release)
        if message is not None:
            yield scope.finding(f"{scope.type_words} {message}", place, severity=Severity.WARNING)
        else:
            yield from _properties(scope, release)
            yield from _later_properties(scope, release)
    yield from _used(scope, release, scope.definition.data, scope.path)


def _properties(scope: ResourceScope, release: Release) -> Iterator[Finding]:
    reported: list[TreePath] = []
    for written in scope.written:
        message = _not_yet(scope, written.schema.support_status, release)
        if message is not None and not any(written.path[: len(outer)] == outer for outer in reported):
            reported.append(written.path)
            path = (*scope.properties_path, *written.path)
            text = f"Property `{written.schema.name}` {message}"
            yield scope.finding(text, path, Part.KEY, Severity.WARNING)


def _later_properties(scope: ResourceScope, release: Release) -> Iterator[Finding]:
    for problem in scope.problems_of(PropertyFault.UNKNOWN):
        later = scope.later_property(problem.path)
        if later is not None:
            text = f"Property `{later.name}` {_available(scope, later.support_status, release)}"
            yield scope.finding_of(problem, Part.KEY, message=text)


def _not_yet(scope: Scope, status: SupportStatus, release: Release) -> str | None:
    return _available(scope, status, release) if status_at(status, release) is None else None


def _available(scope: Scope, status: SupportStatus, release: Release) -> str:
    first = since(status)
    available = f"was added in {_release(scope, first)}" if first is not None else "is newer"
    return f"{available}; your target is {release}."


def _release(scope: Scope, heat: str) -> str:
    found = release_of(scope.knowledge.releases, heat)
    return f"{heat} ({found.name})" if found is not None else heat


def _version(scope: TemplateScope, release: Release) -> Iterator[Finding]:
    used = _template_version(scope)
    if used is None or not _is_newer(scope, used, release):
        return
    first = next((one for one in scope.knowledge.releases if one.template_version >= _date(scope, used)), None)
    available = f" was added in {first}" if first is not None else " is newer"
    path = (used.key,)
    fix = DataFix(
        f"Use version {release.template_version}", (SetValue(path, release.template_version),), Applicability.UNSAFE
    )
    message = f"Template version {used.name}{available}; your target is {release}."
    yield Finding(message, Place(path), Severity.WARNING, fixes=(fix,))


def _used(scope: Scope, release: Release, data: object, above: TreePath) -> Iterator[Finding]:
    """Yield the attributes and functions in some data that are newer than the release."""
    for owner, attribute, path in attributes_of_types(scope, calls(data, above)):
        schema = owner.attributes.get(attribute)
        message = _not_yet(scope, schema.support_status, release) if schema is not None else None
        if message is not None:
            yield Finding(f"Attribute `{attribute}` {message}", Place(path), Severity.WARNING)
    used = _template_version(scope)
    if used is None or not _is_newer(scope, used, release):
        return
    then = scope.knowledge.catalog.template_version(used.key, release.template_version)
    for name, _, path in calls(data, above):
        if then is not None and _has(used, name) and not _has(then, name):
            message = f"Function `{name}` is not in template version {then.name}, the newest of {release}."
            yield Finding(message, Place(path, Part.KEY), Severity.WARNING)


def _has(version: TemplateVersion, function: str) -> bool:
    return any(known.get(function, REMOVED) != REMOVED for known in (version.functions, version.condition_functions))


def _template_version(scope: Scope) -> TemplateVersion | None:
    return scope.knowledge.catalog.template_version(scope.words.version_key, scope.words.version)


def _is_newer(scope: Scope, used: TemplateVersion, release: Release) -> bool:
    """Return whether a version is newer than the release; CFN versions never are, as the first Heat has them."""
    dates = {one.template_version for one in scope.knowledge.releases}
    return _date(scope, used) in dates and _date(scope, used) > release.template_version


def _date(scope: Scope, used: TemplateVersion) -> str:
    """Return the date of a version, even if the version is given as a release name."""
    same = (one.name for one in scope.knowledge.catalog.template_versions if one.class_name == used.class_name)
    return min(same)

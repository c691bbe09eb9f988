"""Properties that conflict with, or require, other properties."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.example_values import placeholder, set_example
from heatstudio.analysis.scope import Finding, Place, ResourceScope, resource_check
from heatstudio.analysis.scope.referred import fitting_reference
from heatstudio.analysis.scope.scope import resolved
from heatstudio.analysis.scope.template_scope import Stage, Validation
from heatstudio.catalog.rules.translation_rule import TranslationKind
from heatstudio.catalog.schema import property_at
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.group_fix import GroupFix, after, item_removal
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.groups.property_groups import GroupViolation, check_groups
from heatstudio.stack.resource_definition import resolved_external_id
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import AddEntry, Change, DataFix, DeleteEntry, Part, SetValue, TreePath
from heatstudio.text import Applicability


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every violated property group of the type; plug-ins check no others when they create the resource."""
    if scope.type is None or scope.properties is None:
        return
    groups = scope.knowledge.groups(scope.type)
    groups = tuple(one for one in groups if one.states_types or not scope.is_created)
    if not groups:
        return
    values = scope.properties.values()
    values |= {str(path[0]): Unknown(("misspelled", *path)) for path in scope.misspelled if len(path) == 1}
    context = group_context(scope)
    refused = {(one.path,) for one in scope.problems_of(PropertyFault.CONSTRAINT) if not one.is_late}
    violations = tuple(one for one in check_groups(groups, values, context) if one.paths not in refused)
    broken = Counter(violation.group.name for violation in violations)

    def is_right(fix: GroupFix) -> bool:
        remaining = Counter(one.group.name for one in check_groups(groups, after(values, fix), context))
        return remaining <= broken and not _empties(scope, fix)

    for violation in violations:
        offered = (fix if is_right(fix) else item_removal(fix) for fix in violation.fixes)
        fixes = tuple(dict.fromkeys(fix for fix in offered if fix is not None and is_right(fix)))
        yield _finding(scope, replace(violation, fixes=fixes))


def _empties(scope: ResourceScope, fix: GroupFix) -> bool:
    """Return whether a fix removes a required property, or everything in an item of a list."""
    schemas = scope.type.properties if scope.type is not None else {}
    for path in fix.remove:
        schema = property_at(schemas, path)
        beside = at(scope.raw_properties, path[:-1])
        left = set(beside) - {one[-1] for one in fix.remove} if isinstance(beside, Mapping) else {path}
        is_required = schema is not None and schema.required and isinstance(path[-1], str)
        if is_required or (len(path) > 1 and not left):
            return True
    return False


def _finding(scope: ResourceScope, violation: GroupViolation) -> Finding:
    places = [Place((*scope.properties_path, *_written(scope, path)), Part.KEY) for path in violation.paths]
    first = places[0] if places else Place(scope.properties_path, Part.KEY)
    summary = violation.summary + _defaults(scope, violation)
    message = f"{summary[0].upper()}{summary[1:]}." if summary else violation.message
    heat = violation.message if violation.message not in {message, violation.summary} else ""
    fixes, also = tuple(_fixes(scope, violation)), tuple(places[1:])
    finding = scope.finding(message, first.path, first.part, fixes=fixes, heat=heat, also=also)
    is_late = violation.group.states_types and not scope.strict
    is_late |= scope.stage is Stage.CREATION or scope.validation is Validation.TEMPLATE
    return finding.late() if is_late else finding


def _written(scope: ResourceScope, path: TreePath) -> TreePath:
    """Return the path at which a value is written, possibly under an older property name."""
    if scope.type is None or at(scope.raw_properties, path) is not None:
        return path
    for rule in scope.type.translation_rules:
        old = rule.source
        is_whole = rule.kind is TranslationKind.REPLACE and rule.path == path and old is not None
        if is_whole and old is not None and at(scope.raw_properties, old) is not None:
            return old
    return path


def _defaults(scope: ResourceScope, violation: GroupViolation) -> str:
    """Return the part of the message that states the defaults among the values."""
    names = [str(path[0]) for path in violation.paths if _is_default(scope, path)] if violation.summary else []
    schemas = [(name, scope.type.properties[name]) for name in names] if scope.type is not None else []
    return "".join(
        f"; `{name}` is {json.dumps(schema.default)} by default" for name, schema in schemas if schema.default
    )


def _is_default(scope: ResourceScope, path: TreePath) -> bool:
    """Return whether the value at a path is the default of the type."""
    schema = scope.type.properties.get(str(path[0])) if scope.type is not None and len(path) == 1 else None
    is_written = at(scope.raw_properties, _written(scope, path)) is not None
    return schema is not None and schema.default is not None and not is_written


def _fixes(scope: ResourceScope, violation: GroupViolation) -> Iterator[DataFix]:
    for fix in violation.fixes:
        removed = [_written(scope, path) for path in fix.remove if not _is_default(scope, path)]
        changes: list[Change] = [DeleteEntry((*scope.properties_path, *path)) for path in removed]
        changes += [_addition(scope, path) for path in fix.add]
        changes += [_setting(scope, path, value) for path, value in fix.set]
        yield DataFix(_title(scope, fix), tuple(changes), Applicability.DECISION)


def _setting(scope: ResourceScope, path: TreePath, value: object) -> Change:
    """Return the change that replaces a value or overrides a default."""
    if _is_default(scope, path) or at(scope.raw_properties, _written(scope, path)) is None:
        return AddEntry((*scope.properties_path, *path[:-1]), str(path[-1]), value)
    return SetValue((*scope.properties_path, *_written(scope, path)), value)


def _addition(scope: ResourceScope, path: TreePath) -> Change:
    """Return the change that gives a property an example value, in a new list if the list is missing."""
    schema = property_at(scope.type.properties, path) if scope.type is not None else None
    value = placeholder(str(path[-1])) if schema is None else fitting_reference(scope, schema) or set_example(schema)
    if 0 in path and at(scope.raw_properties, path[:-1]) is None:
        value, path = [{str(path[-1]): value}], path[:1]
    beside = at(scope.raw_properties, path[:-1])
    if isinstance(beside, Mapping) and path[-1] in beside:
        return SetValue((*scope.properties_path, *path), value)
    return AddEntry((*scope.properties_path, *path[:-1]), str(path[-1]), value)


def _title(scope: ResourceScope, fix: GroupFix) -> str:
    """Return the title with the property names of the template."""
    title = fix.title
    for path in (*fix.remove, *(path for path, _ in fix.set)):
        title = title.replace(f"`{path[-1]}`", f"`{_written(scope, path)[-1]}`")
    return title


def group_context(scope: ResourceScope) -> GroupContext:
    """Return the data outside of the properties of a resource that property groups use."""
    definition = scope.definition
    return GroupContext(
        resource=scope.name,
        resources_word=scope.words.resources,
        properties_word=scope.words.properties,
        metadata=resolved(definition.metadata, scope.view),
        update_policy=resolved(definition.update_policy, scope.view),
        neighbors=_Neighbors(scope),
        client_versions=scope.client_versions,
    )


class _Neighbors:
    """The other resources of a stack (see GroupContext)."""

    def __init__(self, asking: ResourceScope) -> None:
        self._asking = asking

    def names(self) -> Collection[str]:
        """Return the names of all resources of the stack."""
        return self._asking.view.names(self._asking.words.resources)

    def requires(self, name: str) -> bool:
        """Return whether the resource refers to or depends on the resource `name`."""
        asking = self._asking
        if resolved_external_id(asking.definition, asking.view) or not asking.view.names_resource(name):
            return False
        referred = (reference.resource for reference in asking.references if reference.message is None)
        return name in asking.definition.depends_on or name in referred

    def property_value(self, reference: str, name: str) -> object:
        """Return a property of the resource with a reference ID, which is its name before its creation, or None."""
        if not self._asking.view.names_resource(reference) or reference == self._asking.name:
            return None
        properties = self._asking.neighbor(reference).properties
        return properties.value(name) if properties is not None and name in properties.names else None

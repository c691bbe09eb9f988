"""The stacks that resources own, as Heat looks at them before anything exists.

heat/engine/resources/stack_resource.py, validate_nested_stack; template_resource.py, child_params;
openstack/heat/resource_group.py, autoscaling_group.py, resource_chain.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.catalog import PropertyType, Range
from heatstudio.catalog.update_rule import MemberRule
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.functions.function import Function, FunctionError, resolve
from heatstudio.stack.inputs.inherited import comma_delimited, inherited
from heatstudio.stack.path import Path
from heatstudio.stack.resource_definition import as_deletion_policy
from heatstudio.stack.resource_proxy import ParentResourceProxy
from heatstudio.stack.source import NotCreated, Source, define
from heatstudio.stack.types import Origin
from heatstudio.stack.unknown import Unknown, freeze, has_unknown
from heatstudio.stack.update.member_definitions import with_index
from heatstudio.template import Template, parse_template

_RESOURCES = "resources"


class InnerStack(Struct, frozen=True):
    """The stack that a resource owns."""

    whole: TemplateScope
    key: Hashable
    """Equal for stacks of which Heat says the same."""
    file: str = ""
    """The template; empty for a group, whose members are made from properties."""
    origins: Mapping[str, tuple[Path, Path]] | None = None
    """For each member of a group where its definition and its properties are written in the owner."""

    certain: bool = True
    """Whether there will be a stack: a group may be meant to be empty at times."""

    def place(self, path: Path) -> Path | None:
        """Where the owner says what stands at a path of the inner stack."""
        if self.origins is None or len(path) < 2 or path[1] not in self.origins:
            return None
        definition, properties = self.origins[str(path[1])]
        return (*properties, *path[3:]) if path[2:3] == ("properties",) else (*definition, *path[2:])


def inner_stack(owner: ResourceScope) -> InnerStack | None:
    """The stack that a resource owns, as far as it can be told; None for a group that is known to be empty."""
    found = owner.found
    if found is None or owner.type is None or owner.properties is None:
        return None
    if found.origin is Origin.TEMPLATE and found.template is not None:
        return _of_template(owner, found.template)
    rule = owner.whole.knowledge.update_behavior(owner.type).members
    if rule is None:
        return None
    if rule.definition:
        return _of_definition(owner, rule)
    if rule.for_each:
        return _of_each(owner, rule)
    return _of_types(owner, rule) if rule.types else None


def _of_template(owner: ResourceScope, template: Template) -> InnerStack | None:
    whole, found = owner.whole, owner.found
    if found is None:
        return None
    values = dict(_child_parameters(owner))
    source = Source(
        template,
        inherited(whole.source.environments, found.name, found.target),
        found.files or whole.source.files,
        values,
        _facade(owner),
        whole.source.depth + 1,
    )
    stack, types = define(source, whole.knowledge, not_created=True)
    inner = replace(whole, source=source, stack=stack, types=types, strict=False, members={})
    mapped = found.name if found.name != found.target else ""
    return InnerStack(inner, (template.text, freeze(values), source.depth, mapped), found.target)


def _child_parameters(owner: ResourceScope) -> Iterator[tuple[str, object]]:
    """The given properties as parameters of the template; lists as text with commas."""
    properties, given = owner.properties, owner.definition.properties
    if properties is None or owner.type is None or not isinstance(given, dict):
        return
    for name in given:
        if not isinstance(name, str) or name not in owner.type.properties:
            continue
        value = properties.value(name)
        if value is None:
            continue
        if owner.type.properties[name].type is PropertyType.LIST and isinstance(value, list) and not has_unknown(value):
            value = comma_delimited(value)
        yield name, value


def _facade(owner: ResourceScope) -> ParentResourceProxy:
    definition = owner.definition
    return ParentResourceProxy(
        definition.name,
        metadata=_resolved(owner, definition.metadata) or {},
        deletion_policy=as_deletion_policy(_resolved(owner, definition.deletion_policy) or "Delete"),
        update_policy=_resolved(owner, definition.update_policy) or {},
        template=owner.whole.stack.data,
    )


def _resolved(owner: ResourceScope, parsed: object) -> object:
    if not isinstance(parsed, (Function, dict)):
        return parsed
    try:
        return resolve(parsed, owner.view)
    except FunctionError:
        return Unknown(("facade", owner.name), frozenset({"function:resource_facade"}))


def _of_definition(owner: ResourceScope, rule: MemberRule) -> InnerStack | None:
    properties = owner.properties
    definition = properties.value(rule.definition) if properties is not None else None
    if properties is None or not isinstance(definition, Mapping):
        return None
    size = next((value for name in rule.count if (value := properties.value(name))), 0)
    if not size:
        return None
    index = properties.value(rule.index) if rule.index else None
    member = _member(definition.get("type"), definition.get("properties"), definition.get("metadata"))
    if isinstance(index, str) and index:
        member["properties"] = with_index(member["properties"], index, "0")
    place = (*owner.properties_path, rule.definition)
    group = _group(owner, {"0": member}, {"0": (place, (*place, "properties"))})
    return replace(group, certain=not _may_be_zero(owner, size)) if group is not None else None


def _may_be_zero(owner: ResourceScope, size: object) -> bool:
    """Whether a number of members that is not known comes from a parameter that foresees zero."""
    if not isinstance(size, Unknown):
        return False
    for origin in size.origins:
        schema = owner.whole.stack.parameters.schema(origin.removeprefix("parameter:"))
        for constraint in schema.constraints if schema is not None else ():
            if isinstance(constraint, Range) and constraint.minimum is not None and constraint.minimum <= 0:
                return True
    return False


def _of_types(owner: ResourceScope, rule: MemberRule) -> InnerStack | None:
    properties = owner.properties
    kinds = properties.value(rule.types) if properties is not None else None
    if properties is None or not isinstance(kinds, list):
        return None
    shared = properties.value(rule.shared)
    members = {str(index): _member(kind, shared, None) for index, kind in enumerate(kinds)}
    top = owner.properties_path
    places: dict[str, tuple[Path, Path]] = {
        str(index): ((*top, rule.types, index), (*top, rule.shared)) for index in range(len(kinds))
    }
    return _group(owner, members, places)


def _of_each(owner: ResourceScope, rule: MemberRule) -> InnerStack | None:
    properties, top = owner.properties, owner.properties_path
    each = properties.value(rule.for_each) if properties is not None else None
    if properties is None or not isinstance(each, Mapping):
        return None
    given = {name: properties.value(name) for name in properties.given if name in properties.names}
    shared = {name: value for name, value in given.items() if name != rule.for_each and value is not None}
    members = {str(name): _member(rule.type, {**shared, rule.each: value}, None) for name, value in each.items()}
    places: dict[str, tuple[Path, Path]] = {name: ((*top, rule.for_each, name),) * 2 for name in members}
    return _group(owner, members, places)


def _member(kind: object, properties: object, metadata: object) -> dict[str, object]:
    return {"type": kind, "properties": properties or {}} | ({"metadata": metadata} if metadata else {})


def _group(
    owner: ResourceScope, members: dict[str, dict[str, object]], origins: Mapping[str, tuple[Path, Path]]
) -> InnerStack | None:
    if any(not isinstance(member["type"], str) for member in members.values()):
        return None
    whole = owner.whole
    template = _group_template()
    environments = inherited(whole.source.environments, "", "")
    source = Source(template, environments, whole.source.files, {}, _facade(owner), whole.source.depth + 1)
    _, types = define(source, whole.knowledge, not_created=True)
    data = {**{str(key): value for key, value in template.data.items()}, _RESOURCES: members}
    stack = StackDefinition(
        data,
        whole.knowledge.language(template.dialect),
        types.environment,
        resource_data=NotCreated(types, members, template.dialect.type),
        parent=source.parent,
        types=types,
    )
    inner = replace(whole, source=source, stack=stack, types=types, strict=False, members={})
    return InnerStack(inner, (freeze(members), source.depth), "", origins)


@cache
def _group_template() -> Template:
    """The version that Heat gives the templates of groups (heat/scaling/template.py)."""
    return parse_template("heat_template_version: 2015-04-30\n")

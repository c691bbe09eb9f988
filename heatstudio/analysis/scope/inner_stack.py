"""The nested stacks of resources, as Heat validates them before their creation.

heat/engine/resources/stack_resource.py, validate_nested_stack; template_resource.py, child_params;
openstack/heat/resource_group.py, autoscaling_group.py, resource_chain.py.
"""

from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from itertools import islice

from msgspec import Struct
from msgspec.structs import astuple, replace

from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.analysis.scope.template_scope import Stage, TemplateScope, Validation
from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.catalog.schema import Range
from heatstudio.stack.definition.files import file_place
from heatstudio.stack.definition.source import MOST_MEMBERS, Source, define, uncreated_data
from heatstudio.stack.definition.stack_definition import StackDefinition, StackInputs
from heatstudio.stack.definition.types import DEEPEST_NESTING, FoundType, Origin, Types
from heatstudio.stack.functions.function import Function, FunctionError, resolve
from heatstudio.stack.inputs.environment import PARAMETERS, Environment, EnvironmentFile
from heatstudio.stack.inputs.inherited import (
    child_parameters,
    environments_inside,
    facade,
    group_template,
    inherited,
    settings_of_resources,
    with_shared_mappings,
)
from heatstudio.stack.resource_definition import DefinitionPlace
from heatstudio.stack.unknown import Unknown, freeze
from heatstudio.stack.values.properties import Properties
from heatstudio.template import Template
from heatstudio.text import Severity
from heatstudio.update.members.member_definitions import Members, indexed, listed

_RESOURCES = "resources"


class InnerStack(Struct, frozen=True):
    """The nested stack of a resource."""

    whole: TemplateScope
    key: Hashable
    """A key that is equal for stacks with equal validation results."""
    file: str = ""
    """The file name of the template; empty for a group, whose members are computed from properties."""
    validated: str | None = None
    """The only member that Heat validates before the creation (resource_group.py, validate_nested_stack)."""
    certain: bool = True
    """Whether the stack certainly has members: a group with a parameter as its size may be empty."""
    is_empty: bool = False
    """Whether the stack certainly has no members with the current values."""


def members(group: ResourceScope) -> Iterator[tuple[ResourceScope, Severity]]:
    """Yield the members of a group with different definitions, with the highest severity of their findings."""
    is_group = group.found is not None and group.found.origin is not Origin.TEMPLATE
    inner = inner_stack(group) if is_group and not group.is_disabled and group.depth < DEEPEST_NESTING else None
    if inner is None:
        return
    most = Severity.INFORMATION if inner.is_empty else Severity.ERROR if inner.certain else Severity.WARNING
    for name in islice(inner.whole.stack.all_resource_names, MOST_MEMBERS):
        limit = most if inner.validated in (name, None) else max(most, Severity.WARNING)
        yield ResourceScope(inner.whole, name, group=group), limit


def inner_stack(owner: ResourceScope) -> InnerStack | None:
    """Return the nested stack of a resource; None if there is none or it is unknown or certainly empty."""
    found = owner.found
    if found is None or owner.type is None or owner.properties is None:
        return None
    if found.origin is Origin.TEMPLATE and found.template is not None:
        given = child_parameters(owner.type, owner.properties, before_creation=owner.stage is not Stage.CREATION)
        return _of_template(owner, found, found.template, dict(given))
    rule = owner.member_rule
    if rule is None:
        return None
    if rule.definition:
        return _of_definition(owner, rule, owner.properties)
    return _of_list(owner, rule, owner.properties) if rule.types or rule.for_each else None


def _of_template(
    owner: ResourceScope, found: FoundType, template: Template, values: Mapping[str, object]
) -> InnerStack:
    types = owner.types
    parent = facade(owner.definition, partial(_resolved, owner))
    environments = inherited(types.environment.files, found.name, found.target, owner.name)
    known = types.environment.parameter_types
    source = Source(template, environments, found.files or types.files, values, parent, types.depth + 1, known)
    inner = owner.inner(source, *define(source, owner.knowledge, not_created=True))
    mapped = found.name if found.name != found.target else ""
    place = file_place(types.files, found.target)
    settings = freeze([*map(settings_of_resources, environments)])
    key = (template.text, place, freeze(values), source.depth, mapped, settings, freeze(astuple(parent)), inner.stage)
    return InnerStack(inner, key, found.target)


def _resolved(owner: ResourceScope, parsed: object) -> object:
    if not isinstance(parsed, (Function, dict)):
        return parsed
    try:
        return resolve(parsed, owner.view)
    except FunctionError:
        return Unknown(("facade", owner.name), frozenset({"function:resource_facade"}))


def remote_stack(owner: ResourceScope, rule: MemberRule, template: Template) -> InnerStack | None:
    """Return the stack that a resource creates from the text of a template, without the files of the template.

    Values of other resources are unknown: Heat checks no values before it creates the stack, when these resources
    exist (heat/engine/resources/openstack/heat/remote_stack.py).
    """
    given = owner.properties.value(rule.parameters) if owner.properties is not None else None
    if not isinstance(given, Mapping):
        return None
    written = owner.data_at((*owner.properties_path, rule.parameters))
    if isinstance(written, Mapping):
        later = [name for name in written if owner.awaits(written[name])]
        given = {**given, **{name: Unknown(("created", name), frozenset({"another resource"})) for name in later}}
    environment = EnvironmentFile("", {PARAMETERS: given})
    environments = (environment, *inherited(owner.types.environment.files))
    source = Source(template, environments, depth=owner.depth + 1)
    inner = owner.inner(source, *define(source, owner.knowledge, not_created=True), Validation.TEMPLATE)
    return InnerStack(inner, (template.text, freeze(given), source.depth, inner.stage))


def _of_definition(owner: ResourceScope, rule: MemberRule, properties: Properties) -> InnerStack | None:
    if not isinstance(properties.value(rule.definition), Mapping):
        return None
    size = next((value for name in rule.count if (value := properties.value(name))), 0)
    members = indexed(properties, rule, ["0"], with_nulls=owner.stage is not Stage.CREATION)
    place = (*owner.properties_path, rule.definition)
    group = _group(owner, members, {"0": DefinitionPlace(place, (*place, "type"), (*place, "properties"))})
    certain = bool(size) and not _may_be_zero(owner, size)
    return replace(group, certain=certain, is_empty=not size) if group is not None else None


def _may_be_zero(owner: ResourceScope, size: object) -> bool:
    """Return whether an unknown number of members comes from a parameter whose range includes zero."""
    if not isinstance(size, Unknown):
        return False
    for origin in size.origins:
        schema = owner.view.schema(origin.removeprefix("parameter:"))
        for constraint in schema.constraints if schema is not None else ():
            if isinstance(constraint, Range) and constraint.minimum is not None and constraint.minimum <= 0:
                return True
    return False


def _of_list(owner: ResourceScope, rule: MemberRule, properties: Properties) -> InnerStack | None:
    members = listed(properties, rule)
    if members is None:
        return None
    top = owner.properties_path
    if rule.for_each:
        group = _group(owner, members, {name: DefinitionPlace(*[(*top, rule.for_each, name)] * 3) for name in members})
        return replace(group, validated=next(iter(members), None)) if group is not None else None
    paths = {name: (*top, rule.types, int(name)) for name in members}
    places = {name: DefinitionPlace(path, path, (*top, rule.shared)) for name, path in paths.items()}
    return _group(owner, members, places)


def _group(owner: ResourceScope, members: Members, places: Mapping[str, DefinitionPlace]) -> InnerStack | None:
    if any(not isinstance(member["type"], str) for member in members.values()):
        return None
    template, parent = group_template(), facade(owner.definition, partial(_resolved, owner))
    outside = owner.types
    environment, knowledge = outside.environment, owner.knowledge
    files = with_shared_mappings(environments_inside(environment.files, owner.name), members.items(), "type")
    if files is not environment.files:
        environment = Environment(files, known_types=knowledge.type_names, aliases=knowledge.catalog.aliases)
    types = Types(owner.knowledge, environment, outside.files, outside.depth + 1)
    source = Source(template, files, outside.files, {}, parent, types.depth)
    words = template.dialect
    data = {words.version_key: words.version, _RESOURCES: members}
    uncreated = uncreated_data(types, members, words.type)
    inputs = StackInputs(environment, resource_data=uncreated, parent=parent, types=types, places=places)
    stack = StackDefinition(data, owner.knowledge.language(words), inputs)
    settings = freeze([*map(settings_of_resources, files)])
    key = (freeze(members), source.depth, settings, freeze(astuple(parent)))
    return InnerStack(owner.inner(source, stack, types), key)

"""Problems in the member definition of a group, which Heat rejects for any number of members.

heat/engine/resources/openstack/heat/autoscaling_group.py, _get_resource_definition; resource_chain.py,
validate_nested_stack; heat/engine/environment.py, get_class_to_instantiate.
"""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.catalog.rules.update_rule import LaunchRule, MemberRule
from heatstudio.stack.definition.client_files import UNSENT, is_unsent
from heatstudio.stack.inputs.inherited import group_template
from heatstudio.stack.resource_definition import define_resource
from heatstudio.stack.unknown import Unknown
from heatstudio.template import TreePath

MEMBER = "member"
"""The name that Heat gives the resource when it parses the member definition."""


def member_problems(owner: ResourceScope) -> Iterator[tuple[TreePath, str]]:
    """Yield the problems of the member definition, with their paths in the owner."""
    rule = owner.member_rule
    if rule is None or owner.properties is None:
        return
    counts = ((name, owner.properties.value(name)) for name in rule.count if rule.index)
    for name, size in counts:
        if isinstance(size, int) and size < 0:
            yield (*owner.properties_path, name), f"{size} is too small; the minimum is 0."
    if rule.types:
        yield from _type_problems(owner, rule, owner.properties.value(rule.types))
    elif rule.definition:
        yield from _definition_problems(owner, rule, owner.properties.value(rule.definition))
    elif rule.launch is not None:
        yield from _launch_problems(owner, rule.launch, owner.properties.value(rule.launch.config))


def _launch_problems(owner: ResourceScope, rule: LaunchRule, name: object) -> Iterator[tuple[TreePath, str]]:
    kind = owner.neighbor(name).type if isinstance(name, str) and owner.view.names_resource(name) else None
    if kind is not None and kind.name not in rule.config_types:
        yield (*owner.properties_path, rule.config), f"`{name}` is a {kind.name}, not a launch configuration."


def _type_problems(owner: ResourceScope, rule: MemberRule, kinds: object) -> Iterator[tuple[TreePath, str]]:
    for index, kind in enumerate(kinds if isinstance(kinds, list) else ()):
        path = (*owner.properties_path, rule.types, index)
        if isinstance(kind, Unknown):
            continue
        if not isinstance(kind, str):
            yield path, "The type of a member must be a string."
        elif is_unsent(owner.types, kind):
            yield path, UNSENT.format(kind)


def _definition_problems(owner: ResourceScope, rule: MemberRule, data: object) -> Iterator[tuple[TreePath, str]]:
    schema = owner.type.properties[rule.definition] if owner.type is not None else None
    if schema is None or not isinstance(data, Mapping):
        return
    words = group_template().dialect
    path = (*owner.properties_path, rule.definition)
    kind, written = data.get(words.type), owner.raw_properties.get(rule.definition)
    is_computed = not isinstance(written, Mapping) or written.get(words.type) != kind
    if isinstance(kind, str) and is_computed and is_unsent(owner.types, kind):
        yield (*path, words.type), UNSENT.format(kind)
    if schema.children:
        return  # the schema of the property already covers the definition
    if words.type not in data:
        yield path, f'Resource {MEMBER} is missing "{words.type}"'
        return
    read = {key: value for key, value in data.items() if key in words.resource_keys and not isinstance(value, Unknown)}
    read.setdefault(words.type, MEMBER)
    language = owner.knowledge.language(words)
    for problem in define_resource(MEMBER, read, language).problems:
        yield (*path, *problem.path[2:]), problem.message

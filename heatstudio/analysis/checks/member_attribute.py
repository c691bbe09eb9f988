"""# An attribute that a group or a nested template does not have

A resource that a template of yours implements has the outputs of that template for attributes. A group gives the
attributes of its members: by the name of the attribute, by a path below an attribute of the group, or by
`resource.0.name`. The template, or the type of the members, has nothing of this name.

## Why

Heat adds an output to the group's own stack for each attribute that is read, and refuses that stack when a member
does not have it. Outputs of nested templates it looks for only when it reads them: the stack fails half made.

## Example

    group: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Heat::RandomString}}}

    get_attr: [group, vaule]                # RandomString has the attribute `value`

## The way out

Read an attribute that is there, or add the output to the template; a fix offers names that are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from heatstudio.analysis.calls import ATTRIBUTE_FUNCTIONS, Call
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.inner_stack import inner_stack
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.analysis.template_scope import GroupMember
from heatstudio.stack.functions.examine import AttributeKey
from heatstudio.stack.functions.stack_view import StackView
from heatstudio.stack.path import Path
from heatstudio.stack.reading import Read, ReadKind
from heatstudio.stack.types import FoundType, Origin, answers_itself
from heatstudio.template import Remedy, SetValue
from heatstudio.text import Applicability, Severity

CODE = "member-attribute"
ONE_MEMBER = "resource."
FIRST = "0"
"""The member that Heat looks at when it validates a group of equal ones."""


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every such attribute in an output."""
    stack = scope.stack
    live = (used for name in stack.output_names for used in stack.output_dep_attrs(name))
    yield from _findings(scope, scope.output_calls, stack, live)


def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Every such attribute in a resource."""
    stack = scope.whole.stack
    for finding in _findings(scope.whole, scope.calls, scope.view, stack.dep_attrs(scope.name), scope):
        yield replace(finding, resource=scope.name)


def _findings(
    scope: TemplateScope,
    found: Iterable[Call],
    view: StackView,
    live: Iterable[tuple[str, AttributeKey]],
    reader: ResourceScope | None = None,
) -> Iterator[Finding]:
    for function, arguments, place in found:
        if function not in ATTRIBUTE_FUNCTIONS or not isinstance(arguments, list) or len(arguments) < 2:
            continue
        group, name, *path = arguments
        if not isinstance(group, str) or not isinstance(name, str) or not view.names_resource(group):
            continue
        owner = ResourceScope(scope, group)
        if owner.found is not None and owner.found.origin is Origin.TEMPLATE and not owner.is_disabled:
            if reader is not None:
                reader.reads.update(_reads_of_template(scope, group, owner.found))
            lacking = _lacking([_member(group, owner.found)], name, name)
            if lacking is not None:
                yield _finding(name, (*place, 1), lacking, "", certain=False)
            continue
        asked = _asked(owner, name, path)
        if asked is None:
            continue
        members, reads = _members(owner)
        if reader is not None:
            reader.reads.update(reads, [scope.stack.read(ReadKind.DEFINITION, group)])
        attribute, position = asked
        lacking = _lacking(members, name, attribute)
        if lacking is not None:
            certain = any(used == group and _name(key) == name for used, key in live)
            above = name.removesuffix(attribute) if position == 0 else ""
            yield _finding(attribute, (*place, 1 + position), lacking, above, certain=certain)


def _reads_of_template(scope: TemplateScope, owner: str, found: FoundType) -> tuple[Read, Read]:
    stack = scope.stack
    return stack.read(ReadKind.DEFINITION, owner), stack.read(ReadKind.FILE, found.target)


def _name(key: AttributeKey) -> object:
    return key[0] if isinstance(key, tuple) else key


def _asked(owner: ResourceScope, name: str, path: list[object]) -> tuple[str, int] | None:
    """The attribute that each member is asked for, and its position behind the name of the group.

    heat/engine/resources/openstack/heat/resource_group.py, _nested_output_defns, and those of the other groups.
    """
    rule = owner.whole.knowledge.update_behavior(owner.type).members if owner.type is not None else None
    if owner.type is None or rule is None or not (rule.spread or rule.passes_on) or owner.is_disabled:
        return None
    below = path[0] if path and isinstance(path[0], str) else None
    if name.startswith(ONE_MEMBER):
        member, _, attribute = name.removeprefix(ONE_MEMBER).partition(".")
        if rule.passes_on and member != FIRST:
            return None
        return (attribute, 0) if attribute else (below, 1) if below is not None else None
    if name in rule.spread:
        return (below, 1) if below is not None else None
    return (name, 0) if rule.passes_on and name not in owner.type.attributes else None


def _members(owner: ResourceScope) -> tuple[tuple[GroupMember, ...], frozenset[Read]]:
    """The members that there certainly are, and what that rests on; found out once for each group."""
    known = owner.whole.members
    if owner.name not in known:
        inner = inner_stack(owner)
        found = tuple(_inner_members(inner.whole)) if inner is not None and inner.certain else ()
        known[owner.name] = found, frozenset(owner.reads)
    return known[owner.name]


def _inner_members(inner: TemplateScope) -> Iterator[GroupMember]:
    for name in inner.stack.all_resource_names:
        yield _member(name, inner.types.find(inner.stack.resource_definition(name).type, name))


def _member(name: str, found: FoundType) -> GroupMember:
    """A resource with the attributes that it has for certain."""
    if found.origin is Origin.TEMPLATE and found.type is not None:
        return GroupMember(name, found.target, tuple(found.type.attributes), is_template=True)
    attributes = found.type.attributes if found.type is not None and not answers_itself(found.type) else None
    return GroupMember(name, found.name, tuple(attributes) if attributes is not None else None)


def _lacking(members: Iterable[GroupMember], name: str, attribute: str) -> GroupMember | None:
    """The first member that is asked and has no such attribute."""
    for member in members:
        asked = member.name == FIRST or not name.startswith(f"{ONE_MEMBER}{FIRST}")
        if not asked or member.attributes is None or (member.is_template and attribute.startswith(ONE_MEMBER)):
            continue
        if attribute not in member.attributes:
            return member
    return None


def _finding(attribute: str, path: Path, lacking: GroupMember, above: str, *, certain: bool) -> Finding:
    """What a member lacks; `above` is what is written before the attribute, in the same text."""
    kind, names = lacking.type, nearest(attribute, lacking.attributes or ())
    hint = f" Did you mean `{names[0]}`?" if names else ""
    message = f"The members of this group have no attribute `{attribute}`: {kind} has none of this name.{hint}"
    if lacking.is_template:
        message = f"{kind} has no output `{attribute}`: Heat accepts this, and fails when it reads the value.{hint}"
    remedies = tuple(
        Remedy(
            f"Use `{above}{other}`",
            (SetValue(path, above + other),),
            Applicability.UNSAFE,
            preferred=other == names[0],
        )
        for other in names
    )
    severity = Severity.ERROR if certain and not lacking.is_template else Severity.WARNING
    return Finding(CODE, severity, message, Place(path), remedies=remedies)

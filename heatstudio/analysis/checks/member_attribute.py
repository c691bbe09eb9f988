"""An unknown attribute of a group, of a nested template, or of a resource whose attributes another one declares."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from heatstudio.analysis.attribute_path import attributes_of, declared_attributes
from heatstudio.analysis.scope.check import call_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.inner_stack import inner_stack
from heatstudio.analysis.scope.missing_name import name_fixes, with_names
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import ResourceScope, Scope
from heatstudio.stack.definition.types import FoundType, Origin, answers_itself
from heatstudio.stack.functions.examine import AttributeKey
from heatstudio.stack.path import Path
from heatstudio.template import SetValue
from heatstudio.text import Severity
from heatstudio.update.members.numbered_members import ONE_MEMBER, absent_member, created_names

CODE = "member-attribute"
_UNNAMED = "The attribute name must be a string."
FIRST = "0"
"""The name of the member that Heat validates in a group of equal members."""


class _Member(NamedTuple):
    """One member of a group."""

    name: str
    type: str
    attributes: tuple[str, ...] | None
    """None if any name may be valid."""
    is_template: bool = False
    """Whether the attributes are the outputs of a template, which Heat computes only on demand."""


@call_check()
def check(scope: Scope) -> Iterator[Finding]:
    """Yield every unknown attribute that outputs, or a resource, read."""
    for call, group, key in scope.attribute_reads:
        name, *path = key if isinstance(key, tuple) else (key,)
        if not scope.view.names_resource(group):
            continue
        owner = scope.neighbor(group) if isinstance(scope, ResourceScope) else ResourceScope(scope, group)
        place = call.name_path
        if owner.found is not None and owner.found.origin is Origin.TEMPLATE and not owner.is_disabled:
            lacking = _lacking([_member(group, owner.found)], name, name) if isinstance(name, str) else None
            if lacking is not None:
                yield _finding(str(name), (*place, 1), lacking, "")
            continue
        if not (isinstance(scope, ResourceScope) and scope.is_disabled):
            yield from _unreadable(scope, owner, key, (*place, 1))
        asked = _asked(owner, name, path)
        if asked is None:
            continue
        members, (attribute, position) = _members(owner), asked
        path_of_attribute = (*place, 1 + position)
        if isinstance(name, str) and isinstance(attribute, str):
            lacking = _lacking(members, name, attribute)
            if lacking is not None:
                above = name.removesuffix(attribute) if position == 0 else ""
                yield _finding(attribute, path_of_attribute, lacking, above)
        elif members:
            yield Finding(CODE, Severity.ERROR, _UNNAMED, Place(path_of_attribute))


def _unreadable(scope: Scope, owner: ResourceScope, key: AttributeKey, path: Path) -> Iterator[Finding]:
    """Yield an attribute that Heat fails to read: the creation fails, or the output has no value."""
    name = key[0] if isinstance(key, tuple) else key
    is_late = isinstance(scope, ResourceScope)
    message = "{}" if is_late else "{} The output has no value."
    finding = Finding(CODE, Severity.WARNING, message, Place(path), is_late=is_late)
    absent = _absent(owner, key)
    if absent is not None:
        yield replace(finding, message=message.format(f"`{owner.name}` has no member `{absent}`."))
        return
    attributes = attributes_of(scope.types, scope.view, owner.name, owner.definition.data)
    declared = declared_attributes(attributes) if attributes is not None else None
    known = (*(declared or ()), *(owner.type.attributes if owner.type is not None else ()))
    if declared is not None and isinstance(name, str) and name not in known:
        finding = replace(finding, message=message.format(f"`{owner.name}` has no output `{name}`."))
        yield with_names(finding, path, name, declared)


def _absent(owner: ResourceScope, key: AttributeKey) -> str | None:
    """Return the absent member that a new stack reads: Heat accepts the template, but the creation fails."""
    rule = owner.member_rule
    if rule is None or owner.properties is None:
        return None
    return absent_member(key, created_names(owner.properties, rule))


def _asked(owner: ResourceScope, name: object, path: list[object]) -> tuple[object, int] | None:
    """Return the attribute that is read from each member, and its position after the group; None if there is none.

    heat/engine/resources/openstack/heat/resource_group.py, _nested_output_defns, and its counterparts in other groups.
    """
    rule = owner.member_rule
    if owner.type is None or rule is None or not (rule.spread or rule.passes_on) or owner.is_disabled:
        return None
    if not isinstance(name, str):
        return (name, 0) if path else None
    if name.startswith(ONE_MEMBER):
        member, separator, attribute = name.removeprefix(ONE_MEMBER).partition(".")
        if rule.passes_on and member != FIRST:
            return None
        return (attribute, 0) if separator else (path[0], 1) if path else None
    if name in rule.spread:
        return (path[0], 1) if path else None
    return (name, 0) if rule.passes_on and name not in owner.type.attributes else None


def _members(owner: ResourceScope) -> tuple[_Member, ...]:
    """Return the members that certainly exist."""
    inner = inner_stack(owner)
    if inner is None or not inner.certain:
        return ()
    stack, types = inner.whole.stack, inner.whole.types
    return tuple(_member(name, types.find(stack.resource_type(name), name)) for name in stack.all_resource_names)


def _member(name: str, found: FoundType) -> _Member:
    """Return a group member with the attributes that the member certainly has."""
    if found.origin is Origin.TEMPLATE and found.type is not None:
        return _Member(name, found.target, tuple(found.type.attributes), is_template=True)
    attributes = found.type.attributes if found.type is not None and not answers_itself(found.type) else None
    return _Member(name, found.name, tuple(attributes) if attributes is not None else None)


def _lacking(members: Iterable[_Member], name: str, attribute: str) -> _Member | None:
    """Return the first member that the call reads and that lacks the attribute, or None."""
    for member in members:
        asked = member.name == FIRST or not name.startswith(f"{ONE_MEMBER}{FIRST}")
        if not asked or member.attributes is None or (member.is_template and attribute.startswith(ONE_MEMBER)):
            continue
        if attribute not in member.attributes:
            return member
    return None


def _finding(attribute: str, path: Path, lacking: _Member, above: str) -> Finding:
    """Return the finding for a missing attribute; `above` is the prefix of the attribute in the same string."""
    kind, names = lacking.type, nearest(attribute, lacking.attributes or ())
    message = f"The members of this group ({kind}) have no attribute `{attribute}`."
    if lacking.is_template:
        message = f"{kind} has no output `{attribute}`; reading it fails."
    fixes = name_fixes([above + other for other in names], "Use `{}`", partial(SetValue, path))
    severity = Severity.WARNING if lacking.is_template else Severity.ERROR
    return Finding(CODE, severity, message, Place(path), meant=names[0] if names else "", fixes=fixes)

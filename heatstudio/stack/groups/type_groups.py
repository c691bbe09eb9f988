"""The property groups of one resource type, prepared for the check of many resources.

Most resources set few properties, and most groups hold for a resource without properties. These groups are computed
once per type; for each resource, only the groups that read one of its properties are evaluated.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from heatstudio.catalog import ResourceType
from heatstudio.catalog.property_groups.property_group import (
    EACH_KEY,
    Arithmetic,
    ClientVersion,
    Combination,
    Expression,
    Format,
    GroupReference,
    Member,
    PropertyGroup,
    PropertyGroups,
    Root,
    Term,
)
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.group_places import ValueAt, follow
from heatstudio.stack.groups.group_truth import GroupTruth
from heatstudio.stack.values.properties import Properties

_NEIGHBOR_FORMATS = (Format.RESOURCE, Format.REQUIRED_RESOURCE)


class TypeGroups(Struct, frozen=True):
    """The groups of a type, the values of a resource without properties, and the groups that hold for these values."""

    all: PropertyGroups
    blank: Mapping[str, object]
    settled: Mapping[str, frozenset[str]]
    """The properties that each group reads, by the names of the groups that hold for the blank values."""

    def in_question(self, values: Mapping[str, object]) -> PropertyGroups:
        """Return the groups that the non-blank values may break, with referenced groups; empty if there are none."""
        changed = [name for name, value in values.items() if value != self.blank.get(name)]
        found = tuple(group for group in self.all if group.referenced or self._is_open(group, changed))
        return found if any(not group.referenced for group in found) else ()

    def _is_open(self, group: PropertyGroup, changed: Iterable[str]) -> bool:
        settled_by = self.settled.get(group.name)
        return settled_by is None or not settled_by.isdisjoint(changed)


def type_groups(resource_type: ResourceType, groups: PropertyGroups) -> TypeGroups:
    """Return the preprocessed groups of a type."""
    blank = Properties(resource_type.properties, {}).values()
    by_name = {group.name: group for group in groups}
    truth = GroupTruth(blank, GroupContext(), by_name)
    settled: dict[str, frozenset[str]] = {}
    for group in groups:
        guarded = group.scope is None and group.when is not None and truth.holds(group.when) is not True
        names = set(_names(group, by_name, guard_alone=guarded))
        if None not in names and (guarded or _holds(group, truth, blank)):
            settled[group.name] = frozenset(name for name in names if name is not None)
    return TypeGroups(groups, blank, settled)


def _holds(group: PropertyGroup, truth: GroupTruth, blank: Mapping[str, object]) -> bool:
    """Return whether a group holds for the blank values with every version of the client."""
    if group.scope is not None:
        return not any(isinstance(place.value, Mapping) for place in follow(ValueAt((), blank), group.scope.steps))
    outcome = truth.combine(group.expression)
    depends_on_version = group.client_version is not None and any(held.truth for held in outcome.members)
    return outcome.truth is not False and not depends_on_version


def _names(group: PropertyGroup, groups: Mapping[str, PropertyGroup], *, guard_alone: bool) -> Iterator[str | None]:
    """Yield the top-level properties that a group reads; None for other reads, such as of another resource."""
    if group.scope is not None:
        yield group.scope.steps[0]
    pending: list[Expression | Term | None] = [group.when] if guard_alone else [group.when, group.expression]
    while pending:
        match pending.pop():
            case Member() as member:
                yield _name(member, group)
                pending.append(member.where)
            case Combination(members=members) | Arithmetic(terms=members):
                pending.extend(members)
            case GroupReference(name):
                pending += (groups[name].expression, groups[name].when)
            case ClientVersion():
                yield None


def _name(member: Member, group: PropertyGroup) -> str | None:
    path = member.path
    if path.root is Root.FACT or member.follow is not None or member.format in _NEIGHBOR_FORMATS:
        return None
    if path.root is Root.SCOPE and group.scope is not None:
        return group.scope.steps[0]
    return path.steps[0] if path.steps and path.steps[0] != EACH_KEY else None

"""The check of the property values of a resource against the property groups of its type.

Heat's plug-ins check the groups in `validate()`, after translation, conversion and defaults (heat/engine/resources).
"""

from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.property_groups.property_group import PropertyGroup, PropertyGroups, Root
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.group_fix import GroupFix, group_fixes
from heatstudio.stack.groups.group_message import heat_message, own_message
from heatstudio.stack.groups.group_truth import CombinationResult, GroupTruth, ValueAt, follow
from heatstudio.template import TreePath

NOWHERE = GroupContext()


class GroupViolation(Struct, frozen=True):
    """A property group that is broken at one place."""

    group: PropertyGroup
    message: str
    """Heat's message."""
    summary: str
    """Our own message: the requirement and the properties that are set."""
    paths: tuple[TreePath, ...]
    """The paths of the values involved, from the top of the properties; the scope if there are none."""
    fixes: tuple[GroupFix, ...] = ()


def check_groups(
    groups: PropertyGroups, values: Mapping[str, object], context: GroupContext = NOWHERE
) -> Iterator[GroupViolation]:
    """Yield the groups that are certainly broken, in the order of Heat's checks.

    `values` has every property of the schema, as in Heat's Properties: null for a property with neither a value nor a
    default, also in nested maps, and Unknown for an unknown value. An Unknown counts as given, and checks that depend
    on its value report nothing.
    """
    rules = [group for group in groups if not group.referenced]
    top = GroupTruth(values, context, {group.name: group for group in groups})
    for scope, members in groupby(rules, key=lambda group: group.scope):
        together = list(members)
        places = [ValueAt((), values)] if scope is None else follow(ValueAt((), values), scope.steps)
        for place in places:
            if scope is None or isinstance(place.value, Mapping):
                truth = replace(top, here=place.path) if scope is not None else top
                for group in together:
                    yield from _check(group, truth)


def _check(group: PropertyGroup, truth: GroupTruth) -> Iterator[GroupViolation]:
    """Yield the violation at one place; a group whose client is too old is broken as soon as one property is set."""
    if group.when is not None and truth.holds(group.when) is not True:
        return
    is_dated = group.client_version is not None and truth.holds(group.client_version) is False
    if not is_dated and truth.holds(group.expression) is not False:
        return
    outcome = truth.combine(group.expression)
    if is_dated and not any(held.truth for held in outcome.members):
        return
    yield GroupViolation(
        group=group,
        message=heat_message(group, outcome, truth),
        summary=own_message(group, outcome),
        paths=_paths(outcome) or (truth.here,),
        fixes=group_fixes(group, outcome, truth),
    )


def _paths(outcome: CombinationResult) -> tuple[TreePath, ...]:
    places = (place for held in outcome.members for place in held.places)
    found = (place.path for place in places if place.root is not Root.FACT and place.value is not None)
    return tuple(dict.fromkeys(found))

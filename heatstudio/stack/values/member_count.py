"""The number of members of a new group, from its properties."""

from collections.abc import Mapping

from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.stack.values.properties import Properties


def member_count(properties: Properties, rule: MemberRule) -> int | None:
    """Return the number of members of a group; None if it depends on unknown values."""
    if rule.types or rule.for_each:
        given = properties.value(rule.types or rule.for_each)
        if given is None:
            return 0
        return len(given) if isinstance(given, (list, Mapping)) else None
    return first_size(properties, rule)


def first_size(properties: Properties, rule: MemberRule) -> int | None:
    """Return the number of members from the first property with a value; None if it is unknown or invalid.

    A scaling group takes the desired size only if it is not 0, which leaves the minimum size.
    """
    size = None
    for name in rule.count:
        value = properties.value(name)
        if value is not None:
            size = value if isinstance(value, int) and value >= 0 else None
            if size != 0 or rule.limits is None:
                break
    return size

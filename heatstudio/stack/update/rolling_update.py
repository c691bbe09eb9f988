"""How a group updates its members batch by batch (heat/scaling/rolling_update.py)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from heatstudio.catalog.update_rule import RollingRule
from heatstudio.stack.update.update_truth import Side
from heatstudio.stack.values.properties import Properties

STACK_TIMEOUT = 3600
"""Seconds; Heat's default stack_action_timeout (heat/common/config.py)."""
MOST_BATCHES = 10_000
_DURATION = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?")


def batches(target: int, size: int, batch: int, in_service: int) -> int | None:
    """In how many batches a group of a size gets to its target; None if there are too many to count."""
    updated = count = 0
    while updated < size or size != target:
        if count == MOST_BATCHES:
            return None
        fresh = min(batch, max(target - updated, 0))
        grown = fresh + max(min(size, target - fresh), min(in_service, target, size))
        updated += fresh - max(grown - max(size, target), 0)
        if grown == size and not fresh:
            return None
        size = grown
        count += 1
    return count


def rolling_note(rule: RollingRule, after: Side, policies: object, sizes: tuple[int, int] | None) -> str | None:
    """What the update policy makes of an update; `sizes` are those of the group before and after."""
    policy = _policy(rule, after, policies)
    if policy is None:
        return None
    batch, in_service, pause = policy
    words = [f"in batches of {batch}"]
    if in_service:
        words.append(f"with at least {in_service} in service")
    if pause:
        words.append(f"with a pause of {pause:g} s between batches")
    count = batches(sizes[1], sizes[0], batch, in_service) if sizes is not None and batch > 0 else None
    total = f", {count} in all" if count else ""
    note = f"Rolling update: members are updated {', '.join(words)}{total}."
    if count and pause * (count - 1) >= STACK_TIMEOUT:
        note += f" The pauses alone last longer than the default timeout of a stack ({STACK_TIMEOUT} s): it would fail."
    return note


def _policy(rule: RollingRule, after: Side, policies: object) -> tuple[int, int, float] | None:
    """The size of a batch, how many stay in service, and the pause in seconds."""
    if rule.in_properties:
        values = after.properties.value(rule.policy)
    else:
        given = policies if isinstance(policies, Mapping) else {}
        values = Properties(after.type.update_policy, given).value(rule.policy) if given.get(rule.policy) else None
    if not isinstance(values, Mapping):
        return None
    batch, in_service = values.get(rule.batch), values.get(rule.in_service, 0)
    pause = _seconds(values.get(rule.pause))
    if not isinstance(batch, int) or not isinstance(in_service, int) or pause is None:
        return None
    return batch, in_service, pause


def _seconds(value: object) -> float | None:
    if isinstance(value, (int, float)):
        return float(value)
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return float(hours * 3600 + minutes * 60 + seconds)

"""Differences of an older Heat, in the format of `heatstudio.catalog.load`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from tests.catalog.harvest.protocols import Facts

_PARTS = ("base_attributes", "template_versions", "aliases", "custom_constraints")


def older_facts(older: Facts, newer: Facts) -> Facts:
    """Return the facts of an older Heat that differ from those of the next newer Heat."""
    old, new = _types(older), _types(newer)
    types = {name: one for name, one in old.items() if new.get(name) != one}
    later = [name for name in new if name not in old]
    facts: Facts = {"heat": older["heat"]}
    facts |= {part: fact for part, fact in (("types", types), ("later", later)) if fact}
    return facts | {part: older[part] for part in _PARTS if older.get(part) != newer.get(part)}


def whole_facts(delta: Facts, newer: Facts) -> Facts:
    """Return all facts of the older Heat, restored from its differences."""
    later = cast("list[str]", delta.get("later", []))
    types = {name: one for name, one in _types(newer).items() if name not in later} | dict(_types(delta))
    whole = {**newer, **delta, "types": dict(sorted(types.items()))}
    return {part: fact for part, fact in whole.items() if part != "later"}


def _types(facts: Facts) -> Mapping[str, object]:
    return cast("Mapping[str, object]", facts.get("types", {}))

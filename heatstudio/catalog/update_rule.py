"""How particular types decide between update and replacement, beyond the flags of their properties.

The rules are data in resources/update/rules.json; their source is the overriding of needs_replace*, _needs_update
and handle_update by the plug-ins of Heat 27.0.1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heatstudio.assets import resource_path

AllowedValuesOf = tuple[tuple[str, tuple[object, ...]], ...]
"""Properties with the values that a rule asks for; all of them must hold."""


@dataclass(frozen=True, slots=True)
class UpdateRule:
    """One reason to replace a resource, or to refuse its update. All conditions that are given must hold."""

    replaces: bool
    """Replace; otherwise refuse."""
    reason: str
    changed: tuple[str, ...] = ()
    """Any of these properties changed; `*` stands for any property at all."""
    after: AllowedValuesOf = ()
    """The new values, or the old ones where the new side has none."""
    newly_set: tuple[str, ...] = ()
    """Any of these properties changed to something that is not empty."""
    before_set: tuple[str, ...] = ()
    section: str = ""
    """A part of the resource's definition changed, such as `metadata`."""
    decreased: str = ""
    not_superset: str = ""
    one_side_empty: str = ""
    inner_changed: tuple[str, ...] = ()
    """A property, and a path into its value that changed."""


@dataclass(frozen=True, slots=True)
class UpdateBehavior:
    """All that sets a type apart from the flags of its properties."""

    rules: tuple[UpdateRule, ...] = ()
    always_replaced: str = ""
    """The reason for which every stack update replaces the resource; empty if none does."""
    always_replaced_when: AllowedValuesOf = ()
    always_updated: bool = False
    always_updated_when: AllowedValuesOf = ()
    reference_changes: tuple[str, ...] = ()
    """An update in place of any of these properties gives the resource a new reference id."""
    replaced_by_keys: tuple[str, str] | None = None
    """A property with names, and a map property: a change of a named key replaces."""
    replaced_by_inputs_of: str = ""
    """The property that refers to a software config whose inputs may ask for a replacement."""


PLAIN = UpdateBehavior()


def load_update_behaviors(path: Path | None = None) -> Mapping[str, UpdateBehavior]:
    """The behavior of each type that has one of its own, by name."""
    raw = json.loads((path or resource_path("update", "rules.json")).read_text(encoding="utf-8"))
    return {name: _behavior(_Record(record)) for name, record in raw.items()}


@dataclass(frozen=True, slots=True)
class _Record:
    """One JSON object, read key by key."""

    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""

    def names(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, [])
        return tuple(map(str, value)) if isinstance(value, list) else ()

    def wanted(self, key: str) -> AllowedValuesOf:
        value = self.values.get(key, {})
        return tuple((name, tuple(values)) for name, values in value.items()) if isinstance(value, dict) else ()

    def records(self, key: str) -> tuple[_Record, ...]:
        value = self.values.get(key, [])
        return tuple(_Record(item) for item in value) if isinstance(value, list) else ()


def _behavior(record: _Record) -> UpdateBehavior:
    keys = record.values.get("replaced_by_keys")
    return UpdateBehavior(
        rules=tuple(_rule(item) for item in record.records("rules")),
        always_replaced=record.text("always_replaced"),
        always_replaced_when=record.wanted("always_replaced_when"),
        always_updated=record.values.get("always_updated") is True,
        always_updated_when=record.wanted("always_updated_when"),
        reference_changes=record.names("reference_changes"),
        replaced_by_keys=(str(keys["names"]), str(keys["of"])) if isinstance(keys, dict) else None,
        replaced_by_inputs_of=record.text("replaced_by_inputs_of"),
    )


def _rule(record: _Record) -> UpdateRule:
    return UpdateRule(
        replaces=record.text("outcome") == "replaced",
        reason=record.text("reason"),
        changed=record.names("changed"),
        after=record.wanted("after"),
        newly_set=record.names("newly_set"),
        before_set=record.names("before_set"),
        section=record.text("section"),
        decreased=record.text("decreased"),
        not_superset=record.text("not_superset"),
        one_side_empty=record.text("one_side_empty"),
        inner_changed=record.names("inner_changed"),
    )

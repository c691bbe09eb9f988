"""Reads how particular types are updated (resources/update/rules.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from heatstudio.assets import resource_path
from heatstudio.catalog.update_rule import (
    AllowedValuesOf,
    InputRule,
    LaunchRule,
    MemberRule,
    RollingRule,
    UpdateBehavior,
    UpdateRule,
)


def load_update_behaviors(path: Path | None = None) -> Mapping[str, UpdateBehavior]:
    """The behavior of each type that has one of its own, by name."""
    raw = json.loads((path or resource_path("update", "rules.json")).read_text(encoding="utf-8"))
    return {name: _behavior(_Record(record)) for name, record in raw.items()}


class _Record(Struct, frozen=True):
    """One JSON object, read key by key."""

    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""

    def names(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, [])
        return tuple(map(str, value)) if isinstance(value, list) else ()

    def pair(self, key: str) -> tuple[str, str] | None:
        names = self.names(key)
        return (names[0], names[1]) if len(names) == 2 else None

    def is_true(self, key: str) -> bool:
        return self.values.get(key) is True

    def wanted(self, key: str) -> AllowedValuesOf:
        value = self.values.get(key, {})
        return tuple((name, tuple(values)) for name, values in value.items()) if isinstance(value, dict) else ()

    def records(self, key: str) -> tuple[_Record, ...]:
        value = self.values.get(key, [])
        return tuple(_Record(item) for item in value) if isinstance(value, list) else ()


def _inputs(record: object) -> InputRule | None:
    if not isinstance(record, dict):
        return None
    rule = _Record(record)
    return InputRule(*(rule.text(key) for key in ("config", "values", "inputs", "name", "default", "replaces")))


def _rolling(record: object) -> RollingRule | None:
    if not isinstance(record, dict):
        return None
    rule = _Record(record)
    return RollingRule(
        policy=rule.text("policy"),
        in_properties=rule.is_true("in_properties"),
        batch=rule.text("batch"),
        in_service=rule.text("in_service"),
        pause=rule.text("pause"),
        changed=rule.names("changed"),
    )


def _launch(record: object) -> LaunchRule | None:
    if not isinstance(record, dict):
        return None
    rule = _Record(record)
    return LaunchRule(
        config=rule.text("config"),
        type=rule.text("type"),
        stands_for=rule.text("stands_for"),
        server=rule.text("server"),
        of_server=rule.names("of_server"),
        policy=rule.text("policy"),
    )


def _members(record: object) -> MemberRule | None:
    if not isinstance(record, dict):
        return None
    rule = _Record(record)
    return MemberRule(
        count=rule.names("count"),
        limits=rule.pair("limits"),
        definition=rule.text("definition"),
        index=rule.text("index"),
        removed=rule.pair("removed"),
        forgets=rule.pair("forgets"),
        scales=rule.is_true("scales"),
        types=rule.text("types"),
        shared=rule.text("shared"),
        spread=rule.names("spread"),
        passes_on=rule.is_true("passes_on"),
        for_each=rule.text("for_each"),
        each=rule.text("each"),
        type=rule.text("type"),
        template=rule.text("template"),
        is_file=rule.is_true("is_file"),
        parameters=rule.text("parameters"),
        launch=_launch(record.get("launch")),
    )


def _behavior(record: _Record) -> UpdateBehavior:
    keys = record.values.get("replaced_by_keys")
    return UpdateBehavior(
        rules=tuple(_rule(item) for item in record.records("rules")),
        always_replaced=record.text("always_replaced"),
        always_replaced_when=record.wanted("always_replaced_when"),
        always_updated=record.is_true("always_updated"),
        always_updated_when=record.wanted("always_updated_when"),
        reference_changes=record.names("reference_changes"),
        replaced_by_keys=(str(keys["names"]), str(keys["of"])) if isinstance(keys, dict) else None,
        replaced_by_inputs=_inputs(record.values.get("replaced_by_inputs")),
        reference_named_by=record.text("reference_named_by"),
        survives_failed_check=record.is_true("survives_failed_check"),
        rolling=_rolling(record.values.get("rolling")),
        members=_members(record.values.get("members")),
        aws_refuses=record.names("aws_refuses"),
    )


def _rule(record: _Record) -> UpdateRule:
    return UpdateRule(
        replaces=record.text("outcome") == "replaced",
        reason=record.text("reason"),
        explains=record.text("outcome") == "updated",
        only_may=record.is_true("only_may"),
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

"""Translated properties compared with the recorded results of the real engine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from heatstudio.catalog.load import Catalog, load_catalog
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule
from heatstudio.catalog.schema import PropertySchema, PropertyType
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault
from heatstudio.stack.values.translation import Translation, active_rules

Record = Mapping[str, object]


def records(engine_answers: Path) -> Iterator[Record]:
    for line in (engine_answers / "translate_cases.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def without_nulls(value: object) -> object:
    """Return a value without nulls, which the engine's results omit."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def names(errors: object) -> set[str]:
    return set(errors) if isinstance(errors, dict) else set()


def _is_set(given: Mapping[str, object], name: str) -> bool:
    return bool(given.get(name))


def finder(_rule: TranslationRule, _entity: str | None, value: object) -> object:
    text = str(value)
    if text == "missing":
        raise PropertyError.of(PropertyFault.FUNCTION, "not found")
    return text if text.startswith("resolved-") else f"resolved-{text}"


def answer(properties: Properties, names: Mapping[str, PropertySchema]) -> tuple[dict[str, object], set[str]]:
    values, errors = {}, set()
    for name in names:
        try:
            value = properties[name]
        except PropertyError:
            errors.add(name)
        else:
            if value is not None:
                values[name] = value
    return values, errors


def test_translation_of_every_type_matches_the_engine(engine_answers: Path, catalog: Catalog) -> None:
    different = []
    for record in records(engine_answers):
        if record["part"] != "types":
            continue
        kind = catalog.get(str(record["type"]))
        assert kind is not None
        given = record["properties_in"]
        assert isinstance(given, dict)
        rules = active_rules(kind.translation_rules, partial(_is_set, given))
        for key, errors_key, looks_up in (("after", "errors", finder), ("after_noresolve", "errors_noresolve", None)):
            properties = Properties(kind.properties, given, translation=Translation(rules, looks_up))
            expected = record.get(key), names(record.get(errors_key))
            values, errors = answer(properties, kind.properties)
            if (without_nulls(values), errors) != expected:
                different.append((record["key"], record["type"], given, expected, values, errors))
    assert different == []


def synthetic_schema(name: str, facts: Mapping[str, object]) -> PropertySchema:
    below = facts.get("schema")
    children = {}
    if isinstance(below, dict):
        if facts["type"] == "list":
            children = {"*": synthetic_schema("*", below)}
        else:
            children = {key: synthetic_schema(key, value) for key, value in below.items()}
    return PropertySchema(
        name,
        PropertyType(str(facts["type"]).capitalize()),
        required=facts.get("required") is True,
        default=facts.get("default"),
        children=children,
    )


def synthetic_rule(facts: Mapping[str, object]) -> TranslationRule:
    def path(key: str) -> tuple[str, ...] | None:
        value = facts.get(key)
        return tuple(map(str, value)) if isinstance(value, list) else None

    name = facts.get("value_name")
    return TranslationRule(
        TranslationKind(str(facts["kind"])),
        path("path") or (),
        value=facts.get("value"),
        value_name=str(name) if name is not None else None,
        value_path=path("value_path"),
        custom_value_path=path("custom_value_path") or (),
        finder=str(facts.get("finder")) if facts.get("finder") else None,
        entity=str(facts["entity"]) if facts.get("entity") else None,
    )


def test_translation_of_every_synthetic_case_matches_the_engine(engine_answers: Path) -> None:
    different = []
    for record in records(engine_answers):
        if record["part"] == "types" or record.get("rule_error") or record.get("error") or record.get("oracle_failure"):
            continue
        schemas, rules, given = record["schema"], record["rules"], record["properties_in"]
        assert isinstance(schemas, dict)
        assert isinstance(rules, list)
        assert isinstance(given, dict)
        schema = {name: synthetic_schema(name, facts) for name, facts in schemas.items()}
        translation = Translation(tuple(map(synthetic_rule, rules)), finder)
        expected = record.get("after"), names(record.get("errors"))
        got = answer(Properties(schema, given, translation=translation), schema)
        if got != expected:
            different.append((record["name"], given, expected, got))
    assert different == []

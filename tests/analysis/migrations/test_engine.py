"""Comparison with the real Heat, if HEAT_PYTHON has one: it reads the same properties before and after a migration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product

from heatstudio.analysis.migrations.property_fixes import data_after, property_fixes
from heatstudio.analysis.migrations.use import MISSING
from heatstudio.catalog.schema import ANY_ELEMENT, PropertySchema, PropertyType
from heatstudio.stack.values.written_properties import written_properties
from heatstudio.template import Template, parse_template
from heatstudio.text import Applicability
from tests.analysis.migrations.migrating import knowledge, migrate
from tests.analysis.migrations.test_corpus import migrations
from tests.analysis.migrations.test_property_fixes import PAIRS
from tests.generated.asking import Answer, Engine

__all__ = ["migrations"]

Values = tuple[object, ...]
Question = tuple[str, object, object]
"""A resource type, and its properties before and after."""


def translated(engine: Engine, questions: list[tuple[str, object]]) -> list[Answer]:
    """Return the properties of each type after Heat has translated them."""
    written = [(kind, engine.write(f"{number}.json", one)) for number, (kind, one) in enumerate(questions)]
    return engine.ask([("translate", kind, path) for kind, path in written])


def changed_resources(before: Template, after: Template) -> Iterator[Question]:
    words = before.dialect
    for name, entry in before.entries(words.resources).items():
        old, new = entry.data, after.entries(words.resources)[name].data
        if isinstance(old, dict) and isinstance(new, dict) and old is not new and old[words.type] == new[words.type]:
            kind = knowledge().catalog.get(old[words.type])
            if kind is not None and old != new:
                properties = [resolvable(kind.properties, side[words.properties]) for side in (old, new)]
                yield kind.name, properties[0], properties[1]


def resolvable(schemas: Mapping[str, PropertySchema], properties: object) -> object:
    """Return the properties with functions that need no parameters and no other resources."""
    if not isinstance(properties, dict):
        return properties
    return {name: _resolvable(schemas.get(name), value) for name, value in properties.items()}


def _resolvable(schema: PropertySchema | None, value: object) -> object:
    children: Mapping[str, PropertySchema] = schema.children if schema is not None else {}
    if isinstance(value, dict):
        if len(value) == 1 and next(iter(value)) not in children:
            text = json.dumps(value, sort_keys=True)
            if schema is not None and schema.type is PropertyType.LIST:
                return {"str_split": ["|", text]}
            known = {PropertyType.INTEGER: "7", PropertyType.NUMBER: "7", PropertyType.BOOLEAN: "true"}
            return {"str_replace": {"template": known.get(schema.type, text) if schema else text, "params": {}}}
        return resolvable(children, value)
    if isinstance(value, list):
        return [_resolvable(children.get(ANY_ELEMENT), item) for item in value]
    return value


def differing(engine: Engine, questions: list[Question]) -> list[tuple[Question, Answer, Answer]]:
    """Return the questions whose properties Heat reads differently before and after, with both answers."""
    before = translated(engine, [(kind, old) for kind, old, _ in questions])
    after = translated(engine, [(kind, new) for kind, _, new in questions])
    answers = zip(questions, before, after, strict=True)
    return [(question, old, new) for question, old, new in answers if not is_same(old, new)]


def is_same(old: Answer, new: Answer) -> bool:
    """Return whether Heat reads the same properties, without new errors.

    If a plug-in raises an exception for a value, such as a list for a format, both answers must have the same one.
    """
    if "exception" in old:
        return old["message"] == new.get("message")
    reads_same = all(old[key] == new.get(key) for key in ("after", "after_noresolve"))
    is_accepted = ("errors" in old or "errors" not in new) and (old["validate"] is not None or new["validate"] is None)
    return reads_same and is_accepted


FUNCTION: object = {"str_replace": {"template": "made", "params": {}}}
DIGITS: object = {"str_replace": {"template": "digits", "params": {}}}
TEXTS: Values = (MISSING, "some", "", None, FUNCTION)
LISTS: Values = (MISSING, ["some"], [], None, {"str_split": ["|", "a|b"]}, [FUNCTION], "a,b", ["a", FUNCTION])
CLASSES: Values = (MISSING, [{"class": "digits", "min": 1}], [], None)
NUMBERS: Values = (MISSING, 3, 0, None)
AT_THE_TOP = (
    ("OS::Neutron::Port", "network", "network_id"),
    ("OS::Cinder::Volume", "image", "imageRef"),
    ("OS::Neutron::FloatingIP", "floating_network", "floating_network_id"),
    ("OS::Neutron::RouterInterface", "port", "port_id"),
)
IN_ITEMS = (
    ("OS::Nova::Server", "networks", "network", "uuid"),
    ("OS::Nova::Server", "block_device_mapping_v2", "image", "image_id"),
    ("OS::Neutron::Port", "fixed_ips", "subnet", "subnet_id"),
)


def combinations() -> Iterator[tuple[str, dict[str, object]]]:
    """Yield resource types with properties in which old and new names have all kinds of values."""
    for new, old in product(TEXTS, TEXTS):
        for kind, new_name, old_name in AT_THE_TOP:
            yield kind, written({new_name: new, old_name: old})
        for kind, items, new_name, old_name in IN_ITEMS:
            yield kind, {items: [written({new_name: new, old_name: old}), {new_name: "b"}, {old_name: "c"}]}
    for new, old in product(LISTS, LISTS):
        yield "OS::Designate::Zone", written({"name": "a.", "type": "SECONDARY", "primaries": new, "masters": old})
    for new, old in product(LISTS, TEXTS):
        yield "OS::Neutron::Router", written({"l3_agent_ids": new, "l3_agent_id": old})
    for new, old in product(CLASSES, (MISSING, "", None, "digits", "bogus", DIGITS)):
        yield "OS::Heat::RandomString", written({"character_classes": new, "sequence": old})
    for new, old in product(NUMBERS, (*NUMBERS, "5", FUNCTION)):
        task = {
            "name": "t",
            "action": "a",
            "timeout": new,
            "policies": written({"timeout": old, "retry": {"count": 1}}),
        }
        yield "OS::Mistral::Workflow", {"type": "direct", "tasks": [written(task)]}


def written(properties: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in properties.items() if value is not MISSING}


def test_safe_fixes_keep_the_properties_that_heat_reads(engine: Engine) -> None:
    questions: list[Question] = []
    for name, properties in combinations():
        kind = knowledge().catalog.get(name)
        assert kind is not None
        for use in written_properties(kind.properties, properties):
            fixes = property_fixes(kind, use, properties, ())
            safe = [fix for fix in fixes if fix.applicability is Applicability.SAFE]
            questions += [(name, properties, data_after(properties, fix.changes)) for fix in safe]
    assert len(questions) > 200
    assert differing(engine, questions) == []


def test_heat_reads_the_same_properties_in_every_pair(engine: Engine) -> None:
    templates = [parse_template(before) for before, _ in PAIRS.values()]
    questions = [pair for text in templates for pair in changed_resources(text, migrate(text.text).template)]
    assert len(questions) == len(PAIRS)
    assert differing(engine, questions) == []


def test_heat_reads_the_same_properties_in_real_templates(
    engine: Engine, migrations: dict[str, tuple[str, object]]
) -> None:
    found = {}
    for text, _ in migrations.values():
        for question in changed_resources(parse_template(text), migrate(text).template):
            found[json.dumps(question, sort_keys=True)] = question
    assert len(found) > 200
    assert differing(engine, list(found.values())) == []

"""The features of each template version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from tests.catalog.harvest.protocols import Facts, TemplateClass

_CONSTRAINT_SAMPLES: Mapping[str, object] = {
    "length": {"min": 1},
    "range": {"min": 1},
    "modulo": {"step": 2, "offset": 1},
    "allowed_values": [1],
    "allowed_pattern": "1",
    "custom_constraint": "ip_addr",
}


def version_facts(key: str, name: str, template: TemplateClass) -> Facts:
    """Return the keys and functions of a version; a function that was removed has the implementation `Removed`."""
    language = "hot" if hasattr(template, "param_schema_class") else "cfn"
    schema = _parameter_schema(template)
    resource_keys: Iterable[str] = vars_of(template, "_RESOURCE_KEYS")
    recognized: Iterable[str] = vars_of(template, "_RESOURCE_HOT_TO_CFN_ATTRS") or ()
    return {
        "key": key,
        "name": name,
        "class": template.__name__,
        "sections": [section for section in template.SECTIONS if not section.startswith("__")],
        "resource_keys": list(resource_keys),
        "recognized_resource_keys": sorted(set(recognized) | set(resource_keys)),
        "output_keys": list(template.OUTPUT_KEYS),
        "parameter_keys": list(schema.PARAMETER_KEYS),
        "parameter_types": list(schema.TYPES),
        "parameter_constraints": _constraint_words(schema) if language == "hot" else [],
        "pseudo_parameters": _pseudo_parameters(language),
        "deletion_policies": list(template.deletion_policies),
        "functions": _class_names(template.functions),
        "condition_functions": _class_names(template.condition_functions),
    }


def vars_of(template: TemplateClass, member: str) -> Any:
    """Return a private member of a class; None if it does not exist."""
    return getattr(template, member, None)


def _parameter_schema(template: TemplateClass) -> Any:
    generic = import_module("heat.engine.parameters").Schema
    return getattr(template, "param_schema_class", generic)


def _constraint_words(schema: Any) -> list[str]:
    """Return the keys under `constraints` of a parameter that the version supports, determined by trying each."""
    refusal: type[Exception] = import_module("heat.common.exception").InvalidSchemaError
    words = []
    for word, sample in _CONSTRAINT_SAMPLES.items():
        try:
            schema.from_dict("parameter", {"type": "string", "constraints": [{word: sample}]})
        except refusal:
            continue
        words.append(word)
    return words


def _pseudo_parameters(language: str) -> list[str]:
    """Return the pseudo parameters that Heat provides, which are fewer than those it declares."""
    class_name = {"hot": "HOTParameters", "cfn": "CfnParameters"}[language]
    declared = getattr(import_module(f"heat.engine.{language}.parameters"), class_name)
    provide = vars_of(declared, "_pseudo_parameters")
    stack = SimpleNamespace(stack_id="id", stack_name="name", tenant="project", arn=str)
    return [parameter.name for parameter in provide(object.__new__(declared), stack)]


def _class_names(functions: Mapping[str, type]) -> dict[str, str]:
    return {name: functions[name].__name__ for name in sorted(functions)}

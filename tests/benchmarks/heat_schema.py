"""A JSON schema of HOT with the knowledge of the catalog, for a YAML editor.

The schema has the form of the public one (github.com/vojtechhabarta/heat-template-schema, which is on no package
index): a resource is `oneOf` all types, and a property is `oneOf` its type and the functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.load import Catalog, load_catalog
from heatstudio.catalog.schema import (
    ANY_ELEMENT,
    AllowedValues,
    AttributeSchema,
    PropertySchema,
    PropertyType,
    ResourceType,
)

Schema = dict[str, Any]

_TYPES: dict[PropertyType, Schema] = {
    PropertyType.STRING: {"type": ["string", "number", "boolean"]},
    PropertyType.INTEGER: {"type": "integer"},
    PropertyType.NUMBER: {"type": "number"},
    PropertyType.BOOLEAN: {"type": "boolean"},
    PropertyType.MAP: {"type": "object"},
    PropertyType.LIST: {"type": "array"},
    PropertyType.ANY: {},
}
_FUNCTION = {"$ref": "#/definitions/function"}
_RESOURCE = {"$ref": "#/definitions/resource"}


def heat_schema() -> Schema:
    """Return the schema of all visible types in the catalog."""
    catalog = load_catalog()
    functions = read_data(resource_path("functions.json"), dict[str, Any])
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "OpenStack Heat orchestration template",
        "type": "object",
        "properties": {
            "heat_template_version": {"type": "string", "enum": _versions(catalog)},
            "description": {"type": "string"},
            "parameter_groups": {"type": "array", "items": {"type": "object"}},
            "parameters": {"type": "object", "additionalProperties": _PARAMETER},
            "conditions": {"type": "object"},
            "resources": {"type": "object", "additionalProperties": {"oneOf": _resources(catalog)}},
            "outputs": {"type": "object", "additionalProperties": _OUTPUT},
        },
        "required": ["heat_template_version"],
        "additionalProperties": False,
        "definitions": {
            "resource": _COMMON,
            "function": {
                "type": "object",
                "properties": {name: {"description": found["summary"]} for name, found in functions.items()},
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        },
    }


_PARAMETER: Schema = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "enum": ["string", "number", "comma_delimited_list", "json", "boolean"]},
        "default": {},
        "constraints": {"type": "array", "items": {"type": "object"}},
        **{name: {"type": "string"} for name in ("label", "description")},
        **{name: {"type": "boolean"} for name in ("hidden", "immutable")},
        "tags": {"type": "array"},
    },
    "required": ["type"],
    "additionalProperties": False,
}
_OUTPUT: Schema = {
    "type": "object",
    "properties": {"description": {"type": "string"}, "value": {}, "condition": {}},
    "required": ["value"],
    "additionalProperties": False,
}
_COMMON: Schema = {
    "type": "object",
    "properties": {
        "metadata": {"type": "object"},
        "depends_on": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "update_policy": {"type": "object"},
        "deletion_policy": {"enum": ["Delete", "Retain", "Snapshot", "delete", "retain", "snapshot"]},
        "external_id": {},
        "condition": {},
    },
}


def _versions(catalog: Catalog) -> list[str]:
    return [one.name for one in catalog.template_versions if one.key == "heat_template_version"]


def _resources(catalog: Catalog) -> list[Schema]:
    types = filter(None, map(catalog.get, catalog.visible_names))
    return [{"allOf": [_resource(one), _RESOURCE]} for one in types]


def _resource(found: ResourceType) -> Schema:
    lines = (*_lines("Properties", found.properties), *_lines("Attributes", found.attributes))
    return {
        "properties": {
            "type": {"enum": [found.name], "description": "\n".join((found.description, *lines))},
            "properties": _object(found.properties),
        },
        "required": ["type"],
    }


def _lines(title: str, facts: Mapping[str, PropertySchema] | Mapping[str, AttributeSchema]) -> tuple[str, ...]:
    return (f"{title}:", *(f"* {name}: {fact.description}" for name, fact in facts.items()))


def _object(properties: Mapping[str, PropertySchema]) -> Schema:
    return {
        "type": "object",
        "properties": {name: _property(one) for name, one in properties.items()},
        "required": [name for name, one in properties.items() if one.required],
        "additionalProperties": False,
    }


def _property(found: PropertySchema) -> Schema:
    own = dict(_TYPES[found.type])
    if found.type is PropertyType.MAP and found.children:
        own = _object(found.children)
    elif found.type is PropertyType.LIST and (element := found.children.get(ANY_ELEMENT)) is not None:
        own["items"] = _property(element)
    for constraint in found.constraints:
        if isinstance(constraint, AllowedValues):
            own["enum"] = [*constraint.values]
    return {"description": found.description, "anyOf" if found.type is PropertyType.ANY else "oneOf": [own, _FUNCTION]}

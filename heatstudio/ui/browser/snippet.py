"""A resource of a type as text to copy, in HOT or CFN."""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import ANY_ELEMENT, AllowedValues, PropertySchema, PropertyType
from heatstudio.catalog.support_status import Status

_STEP = "  "
_PLACEHOLDERS = {
    PropertyType.STRING: '""',
    PropertyType.INTEGER: "0",
    PropertyType.NUMBER: "0",
    PropertyType.BOOLEAN: "false",
    PropertyType.MAP: "{}",
    PropertyType.LIST: "[]",
    PropertyType.ANY: '""',
}


class SnippetLanguage(StrEnum):
    """The two languages of templates."""

    HOT = "HOT"
    CFN = "CFN"


def snippet(type_: ResourceType, language: SnippetLanguage, full: bool) -> str:
    """Return a resource with its required properties or, if `full`, all supported ones."""
    words = ("type", "properties") if language is SnippetLanguage.HOT else ("Type", "Properties")
    name = type_.name.rpartition("::")[2]
    lines = [f"{_resource_name(name, language)}:", f"{_STEP}{words[0]}: {type_.name}"]
    body = [line for schema in _chosen(type_.properties, full) for line in _lines(schema, full)]
    if body:
        lines.append(f"{_STEP}{words[1]}:")
        lines += [_STEP * 2 + line for line in body]
    return "\n".join(lines) + "\n"


def _resource_name(name: str, language: SnippetLanguage) -> str:
    if language is SnippetLanguage.CFN:
        return name
    humps = [f"_{letter.lower()}" if letter.isupper() else letter for letter in name]
    return "".join(humps).strip("_").replace("__", "_")


def _chosen(schemas: Mapping[str, PropertySchema], full: bool) -> Iterator[PropertySchema]:
    usable = [schema for schema in schemas.values() if schema.support_status.status is Status.SUPPORTED]
    required = [schema for schema in usable if schema.required]
    yield from required
    if full:
        yield from (schema for schema in usable if not schema.required)


def _lines(schema: PropertySchema, full: bool) -> Iterator[str]:
    element = schema.element if schema.type is PropertyType.LIST else schema
    children = element.children if element else {}
    inner = (
        [] if ANY_ELEMENT in children else [line for child in _chosen(children, full) for line in _lines(child, full)]
    )
    if not inner:
        yield f"{schema.name}: {_value(schema)}"
        return
    yield f"{schema.name}:"
    yield from _item(inner) if schema.type is PropertyType.LIST else (_STEP + line for line in inner)


def _item(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{_STEP}{'- ' if number == 0 else _STEP}{line}"


def _value(schema: PropertySchema) -> str:
    if schema.default is not None:
        return json.dumps(schema.default, ensure_ascii=False, default=str)
    for constraint in schema.constraints:
        if isinstance(constraint, AllowedValues) and constraint.values:
            return json.dumps(constraint.values[0], ensure_ascii=False, default=str)
    return _PLACEHOLDERS[schema.type]

"""Example values of properties, for new resources and for fixes that add a property."""

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.release import Status
from heatstudio.catalog.schema import (
    ANY_ELEMENT,
    AllowedValues,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    PropertyType,
    Range,
)
from heatstudio.stack.values.constraints import violation
from heatstudio.text import Fix, Span, ordered_edits

_NO_LETTER = re.compile(r"[^a-z0-9]+")
_PLACEHOLDER = re.compile(r"<[a-z0-9_]+>")
_WORD = re.compile(r"[^\s{}\[\]]+")


class Examples(Struct, frozen=True, forbid_unknown_fields=True):
    """Example values for cases in which the schema does not imply a value."""

    constraints: Mapping[str, str]
    texts: tuple[str, ...]
    properties: Mapping[str, Mapping[str, object]]


@cache
def examples() -> Examples:
    """Return the bundled examples. Raise OSError if they are missing."""
    return read_data(resource_path("examples.json"), Examples)


def example(schema: PropertySchema) -> object:
    """Return a value that a property accepts."""
    if schema.default is not None:
        return schema.default
    for constraint in schema.constraints:
        if isinstance(constraint, AllowedValues) and constraint.values:
            return constraint.values[0]
    match schema.type:
        case PropertyType.STRING | PropertyType.ANY:
            return _text(schema)
        case PropertyType.INTEGER | PropertyType.NUMBER:
            return _number(schema.constraints)
        case PropertyType.BOOLEAN:
            return True
        case PropertyType.LIST:
            element = schema.children.get(ANY_ELEMENT)
            least = max((one.minimum or 0 for one in schema.constraints if isinstance(one, Length)), default=1)
            return [example(element) if element is not None else "value"] * max(int(least), 1)
        case PropertyType.MAP:
            required = [child for child in schema.children.values() if child.required]
            return {child.name: example(child) for child in required}


def set_example(schema: PropertySchema) -> object:
    """Return a value that Heat treats as set: not empty, zero or false."""
    value = example(schema)
    if value:
        return value
    if schema.type is not PropertyType.MAP:
        return example(replace(schema, default=None, constraints=()))
    children = [child for child in schema.children.values() if child.support_status.status is Status.SUPPORTED]
    return {child.name: set_example(child) for child in children[:1]} or {"key": "value"}


def _number(constraints: tuple[Constraint, ...]) -> int | float:
    for constraint in constraints:
        if isinstance(constraint, Range):
            bound = constraint.minimum if constraint.minimum is not None else constraint.maximum
            if bound is not None:
                return int(bound) if bound == int(bound) else bound
        if isinstance(constraint, Modulo):
            return int(constraint.offset)
    return 1


def placeholder(name: str) -> str:
    """Return the placeholder of the value of a property, which a check reports until it is replaced."""
    return f"<{_NO_LETTER.sub('_', name.lower()) if name != ANY_ELEMENT else 'value'}>"


def is_placeholder(text: str) -> bool:
    """Return whether a text is a placeholder."""
    return _PLACEHOLDER.fullmatch(text) is not None


def invented_value(fix: Fix) -> Span | None:
    """Return the place of the first placeholder in the text after a fix, or of the value of the key that it adds."""
    for find in (_PLACEHOLDER.search, _last_value):
        shift = 0
        for edit in ordered_edits(fix.edits):
            found = find(edit.text)
            if found is not None:
                at = edit.span.start + shift
                return Span(at + found.start(), at + found.end())
            shift += len(edit.text) - (edit.span.end - edit.span.start)
    return None


def _last_value(text: str) -> re.Match[str] | None:
    """Return the value at the end of a text if it is one word behind a key."""
    shown = text.rstrip()
    key, colon, _ = shown.rpartition(": ")
    return _WORD.fullmatch(shown, len(f"{key}{colon}")) if colon else None


def _text(schema: PropertySchema) -> str:
    """Return an example that the constraints accept, preferably the placeholder."""
    named = examples().constraints
    known = [named[one.name] for one in schema.constraints if isinstance(one, CustomConstraint) and one.name in named]
    candidates = [*known, placeholder(schema.name), *examples().texts]
    lengths = [one.minimum or 0 for one in schema.constraints if isinstance(one, Length)]
    candidates += ["x" * length for length in lengths]
    for one in candidates:
        if all(violation(constraint, one, schema.type) is None for constraint in schema.constraints):
            return one
    return candidates[0]

"""The schema that Heat requires of its own `PropertiesGroup` (heat/engine/properties_group.py).

Heat has unnamed groups of AND, OR and XOR over paths written as lists of names. The program's groups have more
features, but this schema is validated as in Heat.
"""

from __future__ import annotations

_OPERATORS = ("AND", "OR", "XOR")
_INCORRECT = "Properties group schema incorrectly specified."
_ITEMS = (
    f"{_INCORRECT} List items should be properties list-type names with format "
    '"[prop, prop_child, prop_sub_child, ...]" or nested properties group schemas.'
)


def schema_fault(schema: object) -> str | None:
    """Return Heat's message for an invalid group, None for a valid one; an empty map has an empty message."""
    if not isinstance(schema, dict):
        return f"{_INCORRECT} Schema should be a mapping, found {type(schema)} instead."
    if len(schema) > 1:
        return f"{_INCORRECT} Schema should be one-key dict."
    for operator, items in schema.items():
        if operator not in _OPERATORS:
            names = ", ".join(_OPERATORS)
            return f"{_INCORRECT} Properties group schema key should be one of the operators: {names}."
        if not isinstance(items, list):
            return f"{_INCORRECT} Schemas' values should be lists of properties names or nested schemas."
        return next((fault for fault in map(_item_fault, items) if fault is not None), None)
    return ""


def _item_fault(item: object) -> str | None:
    if isinstance(item, dict):
        return schema_fault(item)
    if isinstance(item, list) and all(isinstance(name, str) for name in item):
        return None
    return _ITEMS

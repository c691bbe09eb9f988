"""The shape that Heat asks of its own `PropertiesGroup` (heat/engine/properties_group.py).

Heat knows unnamed groups of AND, OR and XOR over paths written as lists of names; ours say more, but this shape is
judged as Heat judges it.
"""

from __future__ import annotations

_OPERATORS = ("AND", "OR", "XOR")
_INCORRECT = "Properties group schema incorrectly specified."
_ITEMS = (
    f"{_INCORRECT} List items should be properties list-type names with format "
    '"[prop, prop_child, prop_sub_child, ...]" or nested properties group schemas.'
)


def schema_fault(schema: object) -> str | None:
    """Heat's message for a group of a wrong shape, None for a right one; an empty map has no message of its own."""
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

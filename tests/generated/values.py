"""Random property values that satisfy the schema, except for uncommon constraints."""

from __future__ import annotations

import random

from heatstudio.catalog.release import SUPPORTED
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    PropertyType,
    Range,
    ResourceType,
)

Data = dict[str, object]
WORDS = ("a", "b", "c", "d")
LOCAL = {
    "ip_addr": ("10.0.0.5", "10.0.0.6"),
    "net_cidr": ("10.0.0.0/24", "10.1.0.0/24"),
    "ip_or_cidr": ("10.0.0.0/24", "10.0.0.7"),
    "mac_addr": ("02:00:00:00:00:01", "02:00:00:00:00:02"),
    "dns_name": ("a.example", "b.example"),
    "dns_domain": ("a.example.", "b.example."),
    "cron_expression": ("* * * * *", "1 * * * *"),
    "timezone": ("UTC", "Europe/Berlin"),
    "iso_8601": ("2030-01-01T00:00:00", "2031-01-01T00:00:00"),
    "expiration": ("2030-01-01T00:00:00", "2031-01-01T00:00:00"),
    "json_string": ('{"a": 1}', '{"a": 2}'),
}
"""Valid values for the custom constraints that Heat checks without a cloud."""


class Values:
    """A generator of random property values, deterministic for a seed; `old` is the share of old properties to set."""

    def __init__(self, dice: random.Random, old: float = 0.0) -> None:
        self._dice = dice
        self._old = old

    def properties(self, kind: ResourceType) -> Data:
        """Return values for all required properties of a type, and for some others."""
        wanted = (
            schema
            for schema in kind.properties.values()
            if schema.implemented and (schema.required or self._is_wanted(schema))
        )
        found = ((schema.name, self.value(schema)) for schema in wanted)
        return {name: value for name, value in found if value is not None}

    def _is_wanted(self, schema: PropertySchema) -> bool:
        """Return whether to set an optional property."""
        return self._dice.random() < (0.3 if is_plain(schema) else self._old)

    def value(self, schema: PropertySchema, depth: int = 0) -> object:
        """Return a value that satisfies the common constraints; None for a property with an `allowed_pattern`."""
        dice = self._dice
        allowed = next((one.values for one in schema.constraints if isinstance(one, AllowedValues)), ())
        if allowed:
            return dice.choice(allowed)
        if any(isinstance(one, AllowedPattern) for one in schema.constraints):
            return None
        if schema.type in (PropertyType.INTEGER, PropertyType.NUMBER):
            return self._number(schema)
        if schema.type is PropertyType.BOOLEAN:
            return dice.choice((True, False))
        if schema.type is PropertyType.LIST:
            least = max((one.minimum or 0 for one in schema.constraints if isinstance(one, Length)), default=0)
            element = schema.element
            size = max(least, dice.randint(1, 2))
            return [self.value(element, depth + 1) if element else dice.choice(WORDS) for _ in range(size)]
        if schema.type is PropertyType.MAP:
            return self._map(schema, depth)
        names = (one.name for one in schema.constraints if isinstance(one, CustomConstraint))
        words = next((LOCAL[name] for name in names if name in LOCAL), WORDS)
        least = max((one.minimum or 0 for one in schema.constraints if isinstance(one, Length)), default=0)
        return dice.choice(words).ljust(least, "x")

    def _number(self, schema: PropertySchema) -> int:
        least = max((int(one.minimum or 0) for one in schema.constraints if isinstance(one, Range)), default=0)
        most = min((int(one.maximum or 9) for one in schema.constraints if isinstance(one, Range)), default=least + 9)
        step = next((int(one.step) for one in schema.constraints if isinstance(one, Modulo)), 1)
        return self._dice.randint(least, max(least, most)) // step * step

    def _map(self, schema: PropertySchema, depth: int) -> Data:
        if not schema.children or schema.element is not None:
            return {"k": self._dice.choice(WORDS) if schema.element is None else self.value(schema.element, depth + 1)}
        chosen = (
            child
            for child in schema.children.values()
            if child.implemented and (child.required or (depth < 2 and self._is_wanted(child)))
        )
        return {child.name: self.value(child, depth + 1) for child in chosen}


def is_plain(schema: PropertySchema) -> bool:
    return schema.support_status.status is SUPPORTED.status

"""What plug-ins read of their properties at validation, be it given or not.

In a nested stack Heat holds no value against its schema: only what a plug-in reads has to have a value of its type
(heat/engine/stack.py, strict_validate; properties.py, _get_property_value). The data are in
resources/reads/validation.json; their source are the validate() of Heat's plug-ins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.catalog.facts import Facts, items, mapping, part, text


class ValidationRead(Struct, frozen=True):
    """A property that a plug-in reads."""

    property: str
    when: Mapping[str, object]
    """Only if each of these properties is truthy (True), falsy (False), without value (None), or a certain text."""
    looked_up: bool = False
    """The plug-in looks the value up among the allowed ones, and fails with any other."""

    def happens(self, value_of: Callable[[str], object]) -> bool:
        """Whether the property is read, given the values of the others."""
        return all(_fits(value_of(name), expected) for name, expected in self.when.items())


def _fits(value: object, expected: object) -> bool:
    return bool(value) is expected if isinstance(expected, bool) else value == expected


def load_validation_reads(path: Path | None = None) -> Mapping[str, tuple[ValidationRead, ...]]:
    """The reads of each type by its name. Raises OSError or ValueError if the data are damaged."""
    raw = mapping(json.loads((path or resource_path("reads", "validation.json")).read_text(encoding="utf-8")))
    return {name: tuple(map(_read, items(raw, name))) for name in raw}


def _read(item: object) -> ValidationRead:
    if isinstance(item, str):
        return ValidationRead(item, {})
    facts: Facts = mapping(item)
    return ValidationRead(text(facts, "property"), part(facts, "when"), facts.get("looked_up") is True)

"""The properties that plug-ins read during validation, whether they are set or not.

Heat does not validate the values of a nested stack against schemas: only the properties that a plug-in reads must have
a value of their type (heat/engine/stack.py, strict_validate; properties.py, _get_property_value). The data is in
resources/reads/validation.json, derived from validate() of Heat's plug-ins.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data


class ValidationRead(Struct, frozen=True, forbid_unknown_fields=True):
    """A property that a plug-in reads during validation."""

    property: str
    when: Mapping[str, object] = field(default_factory=dict)
    """Conditions on properties: truthy (True), falsy (False), without value (None), a certain string, or a list with
    more items than a number.
    """
    looked_up: bool = False
    """Whether the plug-in fails with a value that is not allowed."""

    def happens(self, value_of: Callable[[str], object]) -> bool:
        """Return whether the plug-in reads the property, given the values of the other properties."""
        return all(_fits(value_of(name), expected) for name, expected in self.when.items())


def _fits(value: object, expected: object) -> bool:
    if isinstance(expected, int) and not isinstance(expected, bool):
        return isinstance(value, list) and len(value) > expected
    return bool(value) is expected if isinstance(expected, bool) else value == expected


def load_validation_reads(path: Path | None = None) -> Mapping[str, tuple[ValidationRead, ...]]:
    """Load the reads by type. Raise OSError or ValueError if the data is damaged."""
    source = path or resource_path("reads", "validation.json")
    raw = read_data(source, dict[str, tuple[str | ValidationRead, ...]])
    return {
        name: tuple(ValidationRead(read) if isinstance(read, str) else read for read in reads)
        for name, reads in raw.items()
    }


class ExternalRules(Struct, frozen=True, forbid_unknown_fields=True):
    """What plug-ins need of resources with an external ID, whose properties Heat does not validate."""

    reads: Mapping[str, tuple[str, ...]]
    """The properties that they read nevertheless: when Heat loads the resource, or looks it up in the cloud."""
    refused: frozenset[str]
    """The types whose plug-ins cannot look up a resource (heat/engine/resources/openstack/neutron/neutron.py)."""


@cache
def external_rules() -> ExternalRules:
    """Return the rules for external resources. Raise OSError or ValueError if the data is damaged."""
    return read_data(resource_path("reads", "external.json"), ExternalRules)

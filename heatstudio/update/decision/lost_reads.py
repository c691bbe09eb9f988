"""Attributes that only the old metadata of a resource reads, which makes its update fail.

heat/engine/resource.py, update: Heat resolves the old metadata again (frozen_definition), but has loaded only the
attributes that the new resources read (node_data). Confirmed by a running Heat (tests/cloud/test_further_effects.py).
"""

from collections.abc import Collection
from functools import cached_property

from msgspec.structs import replace

from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.functions.examine import attribute_reads, dep_attrs
from heatstudio.stack.functions.function import ALL_ATTRIBUTES, Marker
from heatstudio.stack.path import dotted, step
from heatstudio.update.plan.update_plan import ResourceChange


class LostReads:
    """The reads of attributes that an update makes impossible."""

    def __init__(self, before: StackDefinition, after: StackDefinition) -> None:
        self._before, self._after = before, after

    def with_lost_read(self, change: ResourceChange, needs: Collection[str]) -> ResourceChange:
        """Return the change of a resource that needs other resources, which fails if it has a lost read."""
        metadata = self._before.resource_definition(change.name).metadata
        for _, resource, key in attribute_reads(metadata, self._before):
            is_loaded = not {(resource, repr(key)), (resource, repr(ALL_ATTRIBUTES))}.isdisjoint(self._loaded)
            if resource in needs and not is_loaded and not isinstance(key, Marker):
                name = dotted(tuple(map(step, (resource, *((key,) if isinstance(key, str) else key)))))
                note = f"The old metadata reads `{name}`, which Heat loads only if a new resource reads it too."
                return replace(change, breaks=True, notes=(*change.notes, note))
        return change

    @cached_property
    def _loaded(self) -> frozenset[tuple[str, str]]:
        """The attributes that the new resources read: resource and key, which may be unhashable."""
        enabled = map(self._after.resource_definition, self._after.enabled_resource_names)
        parts = [part for one in enabled for part in (one.properties, one.metadata)]
        return frozenset((resource, repr(key)) for resource, key in dep_attrs(parts, self._after))

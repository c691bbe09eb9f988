"""Event sinks: the plug-ins that an environment can configure below `event_sinks`.

The data is in resources/event_sinks.json, derived from Heat's entry points `heat.event_sinks`.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data


class EventSink(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of an event sink besides its type."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def load_event_sinks(path: Path | None = None) -> Mapping[str, EventSink]:
    """Load the sinks by type. Raise OSError or ValueError if the data is damaged."""
    return read_data(path or resource_path("event_sinks.json"), dict[str, EventSink])

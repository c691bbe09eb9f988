"""Event sinks: the plug-ins that an environment can configure below `event_sinks`.

The data are in resources/event_sinks.json; their source are Heat's entry points `heat.event_sinks`.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data


class EventSink(Struct, frozen=True, forbid_unknown_fields=True):
    """What a sink has besides its type."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def load_event_sinks(path: Path | None = None) -> Mapping[str, EventSink]:
    """The sinks by their type. Raises OSError or ValueError if the data are damaged."""
    return read_data(path or resource_path("event_sinks.json"), dict[str, EventSink])

"""Where Heat can send the events of a stack: the plug-ins that an environment may name below `event_sinks`.

The data are in resources/event_sinks.json; their source are Heat's entry points `heat.event_sinks`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.catalog.facts import mapping, texts


class EventSink(Struct, frozen=True):
    """What a sink is told besides its type."""

    required: tuple[str, ...]
    optional: tuple[str, ...]


def load_event_sinks(path: Path | None = None) -> Mapping[str, EventSink]:
    """The sinks by their type. Raises OSError or ValueError if the data are damaged."""
    raw = mapping(json.loads((path or resource_path("event_sinks.json")).read_text(encoding="utf-8")))
    sinks = {name: mapping(facts) for name, facts in raw.items()}
    return {name: EventSink(texts(facts, "required"), texts(facts, "optional")) for name, facts in sinks.items()}

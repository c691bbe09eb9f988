"""What Heat cannot read below `event_sinks` of an environment (heat/engine/environment.py, _update_event_sinks)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from heatstudio.catalog.event_sink import EventSink
from heatstudio.stack.path import Path, step

TYPE = "type"


def sink_problems(sinks: object, known: Mapping[str, EventSink] | None) -> Iterator[tuple[Path, str]]:
    """The place below the section, and what is wrong there; `known` None means that every sink may exist."""
    if not isinstance(sinks, list):
        yield (), "`event_sinks` has to be a list of maps, each with a `type`."
        return
    for index, sink in enumerate(sinks):
        if not isinstance(sink, Mapping) or TYPE not in sink:
            yield (index,), "An event sink has to be a map with a `type`."
        elif known is not None:
            kind = sink[TYPE]
            if isinstance(kind, str) and kind in known:
                yield from _problems(index, sink, known[kind])
            else:
                yield (index, TYPE), f"Heat has no event sink of the type `{kind}`, only {_listed(known)}."


def _problems(index: int, sink: Mapping[object, object], wanted: EventSink) -> Iterator[tuple[Path, str]]:
    missing = [name for name in wanted.required if name not in sink]
    if missing:
        yield (index,), f"This event sink needs {_listed(missing)}."
    for name in sink:
        if name not in (TYPE, *wanted.required, *wanted.optional):
            known = _listed((*wanted.required, *wanted.optional))
            yield (index, step(name)), f"This event sink takes no `{name}`, only {known}."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)

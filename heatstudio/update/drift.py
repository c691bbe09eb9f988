"""The drift of a running stack: properties in the cloud that differ from the template.

Heat reads the live value of a property from the attribute of the same name, for properties that an update may change
(heat/engine/resource.py, parse_live_resource_data).
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from msgspec import Struct

from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.resource_proxy import no_data
from heatstudio.stack.unknown import has_unknown
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.update.running_stack import RunningStack, resource_data
from heatstudio.update.sides.update_side import StackSide, blueprint

_SHOW = "show"
"""The attribute that has all data that the service reports for a resource."""


_ID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}")
"""An ID; services report IDs for objects that the template refers to by name."""


class Drift(Struct, frozen=True):
    """A property whose live value differs from the template."""

    resource: str
    property: str
    written: object
    live: object


def find_drift(running: RunningStack, knowledge: Knowledge) -> tuple[Drift, ...]:
    """Return the given properties whose reported live values differ from the template."""
    source = blueprint(running.source(), knowledge)
    defined = source.define(no_data, None)
    data = resource_data(running.resources, *defined)
    return tuple(_drifts(running, StackSide(*source.define(data.get, defined), source)))


def _drifts(running: RunningStack, side: StackSide) -> Iterator[Drift]:
    for name in side.definition.enabled_resource_names:
        definition = side.definition.resource_definition(name)
        kind = side.found(name).type
        if name not in running.resources or kind is None:
            continue
        attributes = running.resources[name].attributes
        shown = attributes.get(_SHOW)
        live = {**attributes, **shown} if isinstance(shown, Mapping) else attributes
        properties = side.properties(definition, kind)
        for key in properties.given:
            schema = kind.properties.get(key)
            if key not in live or schema is None or not schema.update_allowed:
                continue
            with suppress(PropertyError):
                written = properties[key]
                if _differs(written, live[key]):
                    yield Drift(name, key, written, live[key])


def _differs(written: object, live: object) -> bool:
    """Return whether two values of the same shape differ, ignoring live-only map keys and the order of lists."""
    match written, live:
        case _ if written is None or live is None or has_unknown(written):
            return False
        case Mapping(), Mapping():
            return any(key in live and _differs(value, live[key]) for key, value in written.items())
        case list(), list() if all(isinstance(item, str | int | float) for item in [*written, *live]):
            pairs = zip(sorted(map(str, written)), sorted(map(str, live)), strict=False)
            return len(written) != len(live) or any(_differs(one, other) for one, other in pairs)
        case ((str() | int() | float()), (str() | int() | float())):
            is_name = _ID.fullmatch(str(live)) and not _ID.fullmatch(str(written))
            return not is_name and str(written).lower() != str(live).lower()
    return False

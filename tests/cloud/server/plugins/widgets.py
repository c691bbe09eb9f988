"""Resource types that need no cloud; Heat's engine loads them as a third-party plug-in.

A widget is only a row in Heat's database. Its attribute `value` has its properties as JSON.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, ClassVar

from heat.engine.attributes import Schema as Attribute
from heat.engine.constraints import Range
from heat.engine.properties import Schema as Property
from heat.engine.resource import Resource
from heat.engine.support import DEPRECATED, HIDDEN, SupportStatus


class Widget(Resource):
    """A widget with one property for each effect that an update can have on a resource."""

    support_status = SupportStatus(version="2015.1")
    properties_schema: ClassVar[dict[str, Property]] = {
        "label": Property(Property.STRING, "A change is made in place.", update_allowed=True),
        "size": Property(Property.INTEGER, "A change replaces the widget.", default=1, constraints=[Range(1, 100)]),
        "zone": Property(Property.STRING, "A change is refused.", immutable=True),
        "neighbor": Property(Property.STRING, "A reference; a change replaces the widget."),
        "friends": Property(
            Property.LIST,
            "References; a change is made in place.",
            schema=Property(Property.STRING),
            update_allowed=True,
        ),
        "tags": Property(Property.MAP, "Anything; a change is made in place.", update_allowed=True),
    }
    attributes_schema: ClassVar[dict[str, Attribute]] = {
        "value": Attribute("The properties as JSON.", type=Attribute.STRING)
    }

    def handle_create(self) -> Any:
        self.resource_id_set(self.physical_resource_name())
        self._keep(self.properties)

    def handle_update(self, json_snippet: Any, tmpl_diff: Any, prop_diff: Any) -> Any:
        self._keep(json_snippet.properties(self.properties_schema, self.context))

    def handle_delete(self) -> Any:
        """Do nothing: a widget exists only in Heat's database."""

    def _keep(self, properties: Mapping[str, Any]) -> None:
        values = {name: value for name, value in properties.items() if value is not None}
        self.data_set("value", json.dumps(values, sort_keys=True))

    def _resolve_attribute(self, name: str) -> Any:
        return self.data().get(name)


class HiddenWidget(Widget):
    """A widget with the support status HIDDEN."""

    support_status = SupportStatus(
        status=HIDDEN,
        version="9.0.0",
        message="Use Studio::Test::Widget instead.",
        previous_status=SupportStatus(version="2015.1"),
    )


class DeprecatedWidget(Widget):
    """A widget with the support status DEPRECATED."""

    support_status = SupportStatus(
        status=DEPRECATED,
        version="7.0.0",
        message="Use Studio::Test::Widget instead.",
        previous_status=SupportStatus(version="2015.1"),
    )


class FailingWidget(Widget):
    """A widget that cannot be created."""

    REASON = "this widget always fails"

    def handle_create(self) -> Any:
        raise ValueError(self.REASON)


class SlowWidget(Widget):
    """A widget whose creation takes the given number of seconds."""

    properties_schema: ClassVar[dict[str, Property]] = Widget.properties_schema | {
        "seconds": Property(Property.NUMBER, "How long its creation takes.", default=1, update_allowed=True)
    }

    def handle_create(self) -> Any:
        super().handle_create()
        return time.monotonic() + self.properties["seconds"]

    def check_create_complete(self, ready_at: float) -> bool:
        return time.monotonic() >= ready_at


class DriftedWidget(Widget):
    """A widget whose attribute `label` differs from its property, as after a change outside Heat."""

    attributes_schema: ClassVar[dict[str, Attribute]] = {
        "label": Attribute("Where it is, whatever the property says.", type=Attribute.STRING)
    }

    def _resolve_attribute(self, name: str) -> Any:
        return "elsewhere"


def resource_mapping() -> dict[str, type[Resource]]:
    """Return the resource types of this plug-in to Heat."""
    return {
        "Studio::Test::Widget": Widget,
        "Studio::Test::Hidden": HiddenWidget,
        "Studio::Test::Deprecated": DeprecatedWidget,
        "Studio::Test::Drifted": DriftedWidget,
        "Studio::Test::Fail": FailingWidget,
        "Studio::Test::Slow": SlowWidget,
    }

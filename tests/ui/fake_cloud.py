"""A simulated cloud for screenshots and accessibility tests, without a network."""

from __future__ import annotations

from collections.abc import Mapping

from heatstudio.catalog.facts import Facts
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import StackEvent
from heatstudio.template import parse_template

REFUSAL = (
    "Property error: resources.server.properties.flavor: no flavor is called m1.small in this project, "
    "and none of those that there are has this identity."
)
STACKS: tuple[tuple[str, str, str, str], ...] = (
    ("web-tier", "UPDATE_COMPLETE", "", "A web server with a volume of its own on a private network"),
    ("web-tier-with-a-name-of-sixty-characters-that-somebody-gave-it", "CREATE_COMPLETE", "", ""),
    (
        "database",
        "CREATE_FAILED",
        "Resource CREATE failed: no host has room for the flavor",
        "Two nodes and an address",
    ),
    ("monitoring", "UPDATE_IN_PROGRESS", "", ""),
    ("build-farm", "ROLLBACK_COMPLETE", "", "Workers that come and go"),
)
"""Stacks: name, status, reason and description."""
EVENTS = (
    ("web-tier", "UPDATE_IN_PROGRESS", "", ()),
    ("network", "UPDATE_IN_PROGRESS", "", ()),
    ("network", "UPDATE_COMPLETE", "", ()),
    ("subnet", "CREATE_IN_PROGRESS", "", ()),
    ("subnet", "CREATE_COMPLETE", "", ()),
    ("0", "CREATE_IN_PROGRESS", "", ("web-tier-workers-abcdefghijkl",)),
    ("port", "CREATE_FAILED", "Conflict: the address 10.20.0.5 is in use on the network", ()),
)
"""Events: resource, status, reason and the nested stacks that contain the resource."""


def stack_facts(name: str) -> Facts:
    """Return the data of a stack in Heat's format."""
    status, reason, description = next(rest for known, *rest in STACKS if known == name)
    return {
        "stack_name": name,
        "id": f"id-of-{name}",
        "stack_status": status,
        "stack_status_reason": reason,
        "description": description,
        "creation_time": "2026-03-02T09:30:00Z",
        "updated_time": "2026-03-04T16:05:12Z",
        "outputs": [{"output_key": "address", "output_value": "10.20.0.5"}],
        "tags": ["production", "web"],
        "parameters": {"key_name": "mine", "OS::stack_name": name},
    }


def events_of(stack: str) -> tuple[StackEvent, ...]:
    """Return the events of a stack."""
    return tuple(
        StackEvent(str(at), f"2026-03-04T16:05:{at:02}Z", resource, status, reason, owners, resource == stack)
        for at, (resource, status, reason, owners) in enumerate(EVENTS)
    )


class FakeConnection(Connection):
    """A connection to a few stacks with the same template that rejects validation and changes nothing."""

    def __init__(self, name: str, template: str) -> None:
        self.name = name
        self._data = parse_template(template).data

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        patience: float = 0.0,
        service: str = "",
    ) -> object:
        """Return Heat's answer to a request."""
        if path == "/validate":
            raise CloudError(CloudErrorKind.REFUSED, REFUSAL)
        match method, *path.strip("/").split("/"):
            case "GET", "stacks":
                return {"stacks": [stack_facts(name) for name, *_ in STACKS]}
            case "GET", "stacks", name, _:
                return {"stack": stack_facts(name)}
            case "GET", "stacks", _, _, "template":
                return self._data
            case "GET", "stacks", _, _, "events":
                return {"events": []}
            case "GET", "stacks", name, _, "export":
                made = {"resource_id": "1", "status": "COMPLETE"}
                return {"name": name, "template": self._data, "resources": dict.fromkeys(self._resources, made)}
            case "GET", "stacks", _, _, "snapshots":
                return {"snapshots": []}
            case "GET", "stacks", name, _, "resources":
                return {"resources": [self._resource(name, resource) for resource in self._resources]}
            case "PATCH" | "PUT", "stacks", _, _, "preview":
                return {"resource_changes": self._changes(body)}
        return {}

    def project_id(self) -> str:
        return "project"

    def close(self) -> None:
        """Do nothing: there is no real connection."""

    @property
    def _resources(self) -> Mapping[str, object]:
        found = self._data.get("resources")
        return found if isinstance(found, Mapping) else {}

    def _resource(self, stack: str, name: str) -> Facts:
        links = [{"rel": "stack", "href": f"http://heat/v1/project/stacks/{stack}/id-of-{stack}"}]
        return {
            "resource_name": name,
            "physical_resource_id": f"id-{name}",
            "resource_status": "CREATE_COMPLETE",
            "links": links,
        }

    def _changes(self, body: Mapping[str, object] | None) -> Facts:
        """Return a dry run with too many replaced resources, one of them even for the stack's own template."""
        replaced = ["network", "subnet"] if body and "template" in body else ["subnet"]
        kept = [name for name in self._resources if name not in replaced]
        return {
            "replaced": [{"resource_name": name} for name in replaced],
            "unchanged": [{"resource_name": name} for name in kept],
        }

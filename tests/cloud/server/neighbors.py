"""Read-only fakes of the other OpenStack services that Heat queries during validation.

Heat offers a resource type only if its service is in Keystone's catalog, some types only if the service has an
extension; and Heat looks up the flavors, images and networks that a template names. `neighbors.json` describes a
typical cloud: fixed answers and lists of objects. All other requests get 404, so that nothing can be created.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

SERVICES = {
    "compute": "v2.1",
    "image": "",
    "key-manager": "",
    "load-balancer": "",
    "network": "",
    "object-store": "v1/AUTH_%(project_id)s",
    "volumev3": "v3",
}
"""The types of the services, each with the path of its API."""

Application = Callable[..., Iterable[bytes]]

KNOWN: Mapping[str, dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
NOTHING = {"error": {"code": 404, "message": "there is no such thing behind this Heat"}}
ROOT = "/neighbors/"
PROJECT = re.compile(r"/quotas/[0-9a-f]{32}(?=/|$)")
"""The path of the quota of a project, whatever the project is."""


def neighbor_urls(heat: str) -> dict[str, str]:
    """Return the endpoints of the services for the catalog; Heat's server also serves them."""
    return {kind: f"{heat}{ROOT}{kind}/{path}".rstrip("/") for kind, path in SERVICES.items()}


def with_neighbors(application: Application, heat: str) -> Application:
    """Return the application extended by the fake services."""

    def answer(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        if not environ["PATH_INFO"].startswith(ROOT):
            return application(environ, start_response)
        path = environ["PATH_INFO"].removeprefix(ROOT).rstrip("/")
        found = known(path, dict(parse_qsl(environ["QUERY_STRING"]))) if environ["REQUEST_METHOD"] == "GET" else None
        body = json.dumps(NOTHING if found is None else found).replace("{root}", heat + ROOT).encode()
        status = "404 Not Found" if found is None else "200 OK"
        start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    return answer


def known(path: str, query: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the answer for a path: a fixed answer, a list of objects, or one object; None if it is unknown."""
    path = PROJECT.sub("/quotas/project", path.removesuffix("/detail"))
    found = KNOWN.get(path)
    if found is not None:
        return listed(found, query) if "items" in found else found
    parent, _, identity = path.rpartition("/")
    things = KNOWN.get(parent, {})
    thing = next((item for item in things.get("items", ()) if item["id"] == identity), None)
    return {things["one"]: thing} if thing is not None and "one" in things else thing


def listed(things: Mapping[str, Any], query: Mapping[str, str]) -> dict[str, Any]:
    """Return one page of the objects that match the query; query keys that an object lacks are ignored."""
    fit = [
        item for item in things["items"] if all(str(item.get(name, value)) == value for name, value in query.items())
    ]
    page = [] if "marker" in query else fit
    return {things["many"]: [{things["one"]: item} for item in page] if "wrapped" in things else page}

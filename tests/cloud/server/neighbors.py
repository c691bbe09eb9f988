"""The services beside Heat and Keystone, as far as somebody looks at them before anything is created.

Heat knows a resource type only where its service is in the catalog of Keystone, some only where the service has an
extension, and it looks up the flavors, images and networks that a template names. `neighbors.json` tells of a usual
cloud: fixed answers, and lists of things. Everything else is answered with 404, so that nothing can be created there.
"""

from __future__ import annotations

import json
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


def neighbor_urls(heat: str) -> dict[str, str]:
    """The endpoints for the catalog, on the server of Heat."""
    return {kind: f"{heat}{ROOT}{kind}/{path}".rstrip("/") for kind, path in SERVICES.items()}


def with_neighbors(application: Application, heat: str) -> Application:
    """The application with the neighbors beside it."""

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
    """What is found there: a fixed answer, a list of things, or a thing of a list."""
    path = path.removesuffix("/detail")
    found = KNOWN.get(path)
    if found is not None:
        return listed(found, query) if "items" in found else found
    parent, _, identity = path.rpartition("/")
    things = KNOWN.get(parent, {})
    thing = next((item for item in things.get("items", ()) if item["id"] == identity), None)
    return {things["one"]: thing} if thing is not None and "one" in things else thing


def listed(things: Mapping[str, Any], query: Mapping[str, str]) -> dict[str, Any]:
    """All things that have what the query says, on one page; what they say nothing of does not matter."""
    fit = [
        item for item in things["items"] if all(str(item.get(name, value)) == value for name, value in query.items())
    ]
    page = [] if "marker" in query else fit
    return {things["many"]: [{things["one"]: item} for item in page] if "wrapped" in things else page}

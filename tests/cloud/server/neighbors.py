"""The services beside Heat and Keystone, as far as Heat asks for them before anything is created.

Heat knows a resource type only where its service is in the catalog of Keystone, and some only where the service has an
extension. Here a usual cloud is told of; `neighbors.json` holds its answers. Everything else is answered with 404, so
that no resource of these services can be created.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

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

ANSWERS: dict[str, object] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
NOTHING = {"error": {"code": 404, "message": "there is no such service behind this Heat"}}
ROOT = "/neighbors/"


def neighbor_urls(heat: str) -> dict[str, str]:
    """The endpoints for the catalog, on the server of Heat."""
    return {kind: f"{heat}{ROOT}{kind}/{path}".rstrip("/") for kind, path in SERVICES.items()}


def with_neighbors(application: Application, heat: str) -> Application:
    """The application with the neighbors beside it."""

    def answer(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not path.startswith(ROOT):
            return application(environ, start_response)
        found = ANSWERS.get(path.removeprefix(ROOT).rstrip("/"))
        body = json.dumps(NOTHING if found is None else found).replace("{root}", heat + ROOT).encode()
        status = "404 Not Found" if found is None else "200 OK"
        start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    return answer

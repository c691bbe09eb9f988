"""One cloud, logged in: requests go out, plain JSON comes back, and every failure is a CloudError.

openstacksdk finds the credentials, logs in and renews the token; Heat's REST is called through its session, because its
own stack calls lose parts of templates, cannot send files where Heat needs them, and one of them updates where it is
told to preview.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from heatstudio.catalog.facts import Facts, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudTrouble
from heatstudio.cloud.clouds import read_configuration
from heatstudio.cloud.failure import reported

if TYPE_CHECKING:
    from openstack.connection import Connection as SdkConnection
    from requests import Response

ORCHESTRATION = "orchestration"
_CONNECT = 10.0
"""Seconds until a host must have taken the call."""
PATIENCE = 60.0
"""Seconds until an answer must have come; Heat itself gives up on its engine after as many."""
LONG_PATIENCE = 180.0
"""Seconds for what makes Heat read a whole template."""
_PORTS = {"http": 80, "https": 443}
_JSON = "application/json"
_ONCE = {"connect_retries": 0, "status_code_retries": 0}
"""What changes something is never sent twice, whatever the configuration says."""


class Connection:
    """A cloud by its name in the configuration. All calls block: they are not for the thread that shows."""

    def __init__(self, name: str, sdk: SdkConnection) -> None:
        self.name = name
        self._sdk = sdk

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
        service: str = ORCHESTRATION,
    ) -> object:
        """The JSON that a service answers with, None where it answers with nothing. Raises CloudError.

        `path` is relative to the project's address of the service, such as `/stacks`; `patience` is in seconds.
        """
        with reported(self.name, service):
            request = partial(
                getattr(self._sdk, service).request,
                path,
                method,
                json=body,
                params=dict(query or {}),
                raise_exc=False,
                **({} if method == "GET" else _ONCE),
                timeout=(_CONNECT, patience),
                headers={"Accept": _JSON},
            )
            try:
                answer = request()
            except AssertionError:  # another thread's request has just made the login invalid, so nothing was sent
                answer = request()
        if answer.status_code >= 300:
            raise _refusal(answer.status_code, _body(answer.content, answer.json), self.name)
        if not answer.content:
            return None
        try:
            found: object = answer.json()
        except ValueError:
            raise _not_heat(self.name) from None
        return found

    def facts(
        self,
        path: str,
        *needed: str,
        query: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> Facts:
        """The JSON object that Heat has at a path. Raises CloudError, also where one of the needed keys is missing."""
        found = mapping(self.ask("GET", path, query=query, patience=patience))
        if any(key not in found for key in needed):
            raise _not_heat(self.name)
        return found

    def close(self) -> None:
        """Ends the session."""
        self._sdk.close()


def connect(name: str, trusted_folders: Collection[Path] = ()) -> Connection:
    """Logs in to a cloud of the configuration. Raises CloudError; blocks until Heat is found or is not.

    The configuration of the current folder counts only if that is among the trusted ones.
    """
    configuration = read_configuration(trusted_folders)
    if name not in configuration.get_cloud_names():
        message = f"The cloud `{name}` is no longer configured. Choose another one."
        raise CloudError(CloudTrouble.NO_SUCH_CLOUD, message)
    from openstack.connection import Connection as SdkConnection

    with reported(name, ORCHESTRATION):
        region = configuration.get_one(cloud=name)
        if _lacks_password(mapping(region.config)):
            message = f"The entry `{name}` has no password. Add it to clouds.yaml, or better to secure.yaml next to it."
            raise CloudError(CloudTrouble.BAD_CONFIGURATION, message)
        if region.config.get("api_timeout") is None:
            region.config["api_timeout"] = PATIENCE  # else a login may take for ever
        sdk = SdkConnection(config=region)
        sdk.session.session.hooks["response"].append(partial(_refuse_foreign_redirect, name))
        sdk.session.get_token()
        connection = Connection(name, sdk)
    connection.facts("/stacks", "stacks", query={"limit": "1"})
    return connection


def _refuse_foreign_redirect(cloud: str, answer: Response, *_: object, **__: object) -> None:
    """Raise CloudError where an answer redirects to another scheme, host or port.

    The libraries would repeat the request there: with the token, with hidden values of a new stack, with the password.
    """
    target = urljoin(answer.url, answer.headers.get("location", answer.url))
    if 300 < answer.status_code < 400 and _address(target) != _address(answer.url):
        answer.close()
        message = f"`{cloud}` redirects to {_address(target)}. Nothing was sent there. Correct the cloud's address."
        raise CloudError(CloudTrouble.REDIRECTED, message)


def _address(url: str) -> str:
    """Scheme, host and port of a URL; nothing else, for that may hold a password."""
    try:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or _PORTS.get(parts.scheme, 0)}"
    except ValueError:
        return "an invalid address"


def _lacks_password(settings: Facts) -> bool:
    """Whether a login by password is wanted, and none is given: the libraries have no error of their own for it."""
    auth = part(settings, "auth")
    return text(settings, "auth_type") in ("password", "v3password") and not (auth.get("password") or auth.get("token"))


def _body(content: bytes, read: object) -> Facts:
    try:
        return mapping(read()) if content and callable(read) else {}
    except ValueError:
        return {}


def _refusal(status: int, body: Facts, cloud: str) -> CloudError:
    """The error for a status of 300 and more. Heat and Keystone say what is wrong in `error.message`."""
    said = text(part(body, "error"), "message").strip()
    message = f"{said}" if said else f"`{cloud}` answered {status} without a message."
    match status:
        case 401:
            trouble = CloudTrouble.LOGIN_EXPIRED
            message = f"The login to `{cloud}` has expired or was revoked. Connect again."
        case 403:
            trouble = CloudTrouble.FORBIDDEN
            message = f"`{cloud}` denied the request. {said}".strip()
        case 404:
            trouble = CloudTrouble.NOT_FOUND
        case 409:
            trouble = CloudTrouble.CONFLICT
        case _ if 400 <= status < 500 and said:
            trouble = CloudTrouble.REFUSED
        case _ if status >= 500:
            trouble = CloudTrouble.SERVER_FAILED
            message = (
                f"Heat in `{cloud}` failed with status {status}. Try again, or contact its operator. {said}".strip()
            )
        case _:
            return _not_heat(cloud)
    return CloudError(trouble, message)


def _not_heat(cloud: str) -> CloudError:
    message = (
        f"The orchestration endpoint of `{cloud}` is not Heat. Check the endpoint, "
        "and whether a proxy or login page answers instead."
    )
    return CloudError(CloudTrouble.GARBAGE, message)

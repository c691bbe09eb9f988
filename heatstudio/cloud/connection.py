"""A connection to one cloud, which sends requests, returns plain JSON, and raises CloudError for every failure.

openstacksdk finds the credentials, logs in and renews the token. Requests use Heat's REST API through the session of
openstacksdk, because the SDK's own stack calls lose parts of templates and cannot send all files, and its update
preview really updates the stack.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.facts import Facts, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.clouds import caution_of, cloud_entries, entry_of, read_configuration, warnings_of
from heatstudio.text import cancellation_scope, checkpoint

if TYPE_CHECKING:
    from openstack.config import OpenStackConfig
    from openstack.config.cloud_region import CloudRegion
    from openstack.connection import Connection as SdkConnection
    from requests import Response
    from urllib3 import BaseHTTPResponse


class _Failures(Struct, frozen=True, forbid_unknown_fields=True):
    by_class: dict[str, CloudErrorKind]
    """The kind of trouble by the name of the exception class or of a base class, the nearest first."""
    credentials: dict[str, str]
    """The description of a credential's error, by a part of the `auth_type`."""
    logins: dict[str, str]
    """What a login that is not a password or a credential needs, by a part of the `auth_type`, the first that fits."""
    sentences: dict[CloudErrorKind, str]
    answers: dict[str, tuple[CloudErrorKind, str]]
    """The kind of trouble and the description of a status of HTTP, or of a hundred such as `5xx`."""


ShowLogin = Callable[[str, str], object]
"""A function of the address of a login in the web browser, and of the code to enter there; both may be empty."""
_FAILURES = read_data(resource_path("cloud_errors.json"), _Failures)
_ODD_ERRORS = (AssertionError, AttributeError, EOFError, ImportError, LookupError, OSError, RuntimeError, TypeError)
"""The built-in errors that the libraries and their plug-ins raise for a configuration that they do not expect."""
_LOGIN_FAILURES = (CloudErrorKind.BAD_CONFIGURATION, CloudErrorKind.NOT_INSTALLED, CloudErrorKind.LOGIN_REFUSED)


@contextmanager
def reported(cloud: str, service: str, auth_type: str = "") -> Iterator[None]:
    """Convert the exceptions of the libraries and of their plug-ins to CloudError.

    `auth_type` is the configured type of authentication, which determines the name of a rejected credential.
    """
    from keystoneauth1.exceptions import ClientException
    from openstack.exceptions import SDKException
    from requests.exceptions import RequestException

    own = (ClientException, SDKException, RequestException)
    try:
        yield
    except (*own, *_ODD_ERRORS, ValueError) as error:
        raise failure_of(error, cloud, service, auth_type) from None


def failure_of(error: Exception, cloud: str, service: str, auth_type: str = "") -> CloudError:
    """Return the error for the user. An unexpected exception means an invalid configuration.

    The messages of the libraries are dropped, because they quote addresses and lines of the configuration. Only a
    login raises NotFound: Keystone responds with it to an unknown token or application credential.
    """
    kinds = [kind.__name__ for kind in type(error).__mro__]
    known = (_FAILURES.by_class[kind] for kind in kinds if kind in _FAILURES.by_class)
    trouble = next(known, CloudErrorKind.BAD_CONFIGURATION)
    lacking = ", ".join(f"`{option.dest}`" for option in getattr(error, "options", ()))
    missing = f": {lacking} is missing" if lacking else ""
    sentence = _FAILURES.sentences[trouble].format(cloud=cloud, service=service, missing=missing)
    login = next((words for kind, words in _FAILURES.logins.items() if kind in auth_type), "")
    if login and trouble in _LOGIN_FAILURES:
        return CloudError(trouble, f"`{cloud}` {login}")
    credential = next((words for kind, words in _FAILURES.credentials.items() if kind in auth_type), "")
    if credential and (trouble is CloudErrorKind.LOGIN_REFUSED or "NotFound" in kinds):
        return CloudError(CloudErrorKind.LOGIN_REFUSED, f"`{cloud}` rejected the {credential}")
    return CloudError(trouble, sentence)


ORCHESTRATION = "orchestration"
_CONNECT = 10.0
"""The timeout of establishing a connection in seconds."""
PATIENCE = 20.0
"""The timeout of a response in seconds, unless the configuration of the cloud has an `api_timeout`."""
LONG_PATIENCE = 180.0
"""The timeout in seconds of slow requests, such as a template or attributes; Heat's own RPC timeout is 60 seconds."""
_MOST_RECEIVED = 32 * 2**20
"""The maximum size of the unpacked responses of a task in bytes, to protect the memory from a malicious server."""
_CHUNK = 4096
_LONGEST = 300.0
"""The maximum duration of a response in seconds; the timeout starts again with every byte."""
_PORTS = {"http": 80, "https": 443}
_JSON = "application/json"
_NO_ANSWER = (CloudErrorKind.GARBAGE, "")
"""The description of a status that Heat does not return."""
_ONCE = {"connect_retries": 0, "status_code_retries": 0}
"""The options of a request that changes data, which is never retried, whatever the configuration is."""


class Connection:
    """A connection to a cloud. All methods block: never call them in the GUI thread."""

    caution = ""
    """A warning if the connection is insecure."""

    def __init__(self, name: str, sdk: SdkConnection, auth_type: str = "", api_timeout: float | None = None) -> None:
        self.name = name
        self._sdk = sdk
        self._auth_type = auth_type
        self._api_timeout = api_timeout
        """The configured timeout of each response in seconds, or None."""

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
        """Send a request to a service and return the JSON of the response; None if it is empty. Raise CloudError.

        `path` is relative to the project's endpoint of the service, such as `/stacks`; `patience` is the timeout in
        seconds, which the `api_timeout` of the cloud overrides.
        """
        checkpoint()
        patience = self._api_timeout or patience
        with reported(self.name, service, self._auth_type):
            request = partial(
                getattr(self._sdk, service).request,
                path,
                method,
                json=body,
                params=dict(query or {}),
                raise_exc=False,
                **({} if method == "GET" else _ONCE),
                timeout=(min(_CONNECT, patience), patience),
                headers={"Accept": _JSON},
            )
            try:
                answer = request()
            except AssertionError:  # another thread has just invalidated the login; the request was not sent
                answer = request()
        if answer.status_code >= 300:
            raise _refusal(answer, self.name)
        if not answer.content:
            return None
        try:
            found: object = answer.json()
        except (ValueError, RecursionError):
            raise _not_heat(self.name) from None
        return found

    def facts(
        self, path: str, *needed: str, query: Mapping[str, str] | None = None, patience: float = PATIENCE
    ) -> Facts:
        """Return the JSON object at a path of Heat's API. Raise CloudError, also if a needed key is missing."""
        found = mapping(self.ask("GET", path, query=query, patience=patience))
        if any(key not in found for key in needed):
            raise _not_heat(self.name)
        return found

    def project_id(self) -> str:
        """Return the ID of the project that the login is for; empty if it is for none. Raise CloudError."""
        with reported(self.name, ORCHESTRATION, self._auth_type):
            return str(self._sdk.session.get_project_id() or "")

    def close(self) -> None:
        """Close the session."""
        self._sdk.close()


def connect(name: str, trusted_folders: Collection[Path] = (), show_login: ShowLogin = lambda *_: None) -> Connection:
    """Log in to a configured cloud, and verify that it has Heat. Raise CloudError; this function blocks.

    The configuration in the current folder is used only if the folder is trusted. A login in the web browser calls
    `show_login`.
    """
    configuration = read_configuration(trusted_folders)
    entry = cloud_entries(configuration).get(name)
    if entry is None:
        message = f"The cloud `{name}` is no longer configured. Choose another one."
        raise CloudError(CloudErrorKind.NO_SUCH_CLOUD, message)
    from openstack.connection import Connection as SdkConnection

    region, settings = _settings(name, configuration, *entry)
    auth_type = text(settings, "auth_type")
    with reported(name, ORCHESTRATION, auth_type):
        own_timeout = settings.get("api_timeout")
        api_timeout = float(str(own_timeout)) if own_timeout is not None else None
        settings["api_timeout"] = api_timeout or PATIENCE  # without a timeout, a login may never end
        sdk = SdkConnection(config=region)
        hooks = sdk.session.session.hooks["response"]
        hooks += [partial(_refuse_foreign_redirect, name), partial(_limit_answer, name)]
        _find_login(sdk)
        if "websso" in auth_type:
            show_login("", "")
        with warnings_of("keystoneauth.identity.v3.oidc", partial(_show_device_login, show_login)):
            sdk.session.get_token()
        _refuse_wrong_region(name, sdk, region)
        connection = Connection(name, sdk, auth_type, api_timeout)
        addresses = (text(part(settings, "auth"), "auth_url"), getattr(sdk, ORCHESTRATION).get_endpoint())
        connection.caution = caution_of(settings, *filter(None, addresses))
    connection.facts("/stacks", "stacks", query={"limit": "1"})
    return connection


def _settings(
    name: str, configuration: OpenStackConfig, cloud: str, region_name: str
) -> tuple[CloudRegion, dict[str, object]]:
    """Return the configuration of a cloud, and its settings. Raise CloudError."""
    with reported(name, ORCHESTRATION, text(entry_of(configuration, cloud), "auth_type")):
        region = configuration.get_one(cloud, region_name=region_name) if region_name else configuration.get_one(cloud)
    settings: dict[str, object] = region.config or {}
    region.config = settings
    if fault := _fault_of(settings):
        raise CloudError(CloudErrorKind.BAD_CONFIGURATION, f"The entry `{name}` of clouds.yaml {fault}")
    return region, settings


def _fault_of(settings: Facts) -> str:
    """Return a fault for which the libraries have no clear error; empty if there is none."""
    auth = part(settings, "auth")
    if not isinstance(settings.get("verify"), bool | None):
        return "has an invalid `verify`. Write `true` or `false` without quotes."
    for key in ("cacert", "cert", "key"):
        file = text(settings, key)
        if file and not os.access(Path(file).expanduser(), os.R_OK):
            return f"names a file that cannot be read: `{key}` is {file}."
    if auth.get("idp_otp_key"):
        return "needs a one-time code, for which Heat Studio cannot ask. Use an application credential."
    if text(settings, "auth_type") in ("password", "v3password") and not (auth.get("password") or auth.get("token")):
        return "has no password. Add the password to secure.yaml (recommended) or clouds.yaml."
    return ""


def _show_device_login(show_login: ShowLogin, record: logging.LogRecord) -> None:
    """Show the address and the code of a device login, which the library only logs."""
    if str(record.msg).startswith("To authenticate") and isinstance(record.args, tuple):
        address, code = (*map(str, record.args), "")[:2]
        show_login(address, code)


def _find_login(sdk: SdkConnection) -> None:
    """Discover the login methods, and raise ConnectTimeout at once: a login would continue with another method."""
    from keystoneauth1.exceptions import ClientException, ConnectTimeout
    from keystoneauth1.identity import BaseIdentityPlugin

    login = sdk.session.auth
    if isinstance(login, BaseIdentityPlugin) and login.auth_url:
        try:
            login.get_discovery(sdk.session, login.auth_url, authenticated=False)
        except ConnectTimeout:
            raise
        except ClientException:
            return


def _refuse_wrong_region(cloud: str, sdk: SdkConnection, region: CloudRegion) -> None:
    """Raise CloudError if the cloud has Heat, but not in the configured region."""
    from keystoneauth1.identity import BaseIdentityPlugin

    wanted, login = region.get_region_name(ORCHESTRATION), sdk.session.auth
    if not wanted or not isinstance(login, BaseIdentityPlugin) or region.get_endpoint(ORCHESTRATION) is not None:
        return
    catalog = login.get_access(sdk.session).service_catalog
    found = catalog.get_endpoints(service_type=ORCHESTRATION).get(ORCHESTRATION, ())
    regions = sorted({str(endpoint.get("region") or endpoint.get("region_id")) for endpoint in found if endpoint})
    if regions and wanted not in regions:
        message = f"`{cloud}` has no Heat in region `{wanted}`, only in {', '.join(f'`{one}`' for one in regions)}."
        raise CloudError(CloudErrorKind.NO_HEAT, f"{message} Correct `region_name` in clouds.yaml.")


class _Task(Struct):
    """The size of the unpacked responses of a task in bytes."""

    received: int = 0


_task: ContextVar[_Task | None] = ContextVar("task", default=None)


@contextmanager
def one_task(check: Callable[[], object]) -> Iterator[None]:
    """Limit the responses to the requests of the block together; call `check` often, which may end the block."""
    token = _task.set(_Task())
    try:
        with cancellation_scope(check):
            yield
    finally:
        _task.reset(token)


class _BoundedStream:
    """A response with a size limit: a small compressed response may unpack to more than fits into memory."""

    def __init__(self, cloud: str, raw: BaseHTTPResponse) -> None:
        self._cloud = cloud
        self._raw = raw

    def __getattr__(self, name: str) -> object:
        return getattr(self._raw, name)

    def stream(self, amount: int, decode_content: bool | None = None) -> Iterator[bytes]:
        """Yield the response in chunks. Raise CloudError if the response is too long, or takes too long."""
        task, end = _task.get() or _Task(), monotonic() + _LONGEST
        try:
            for chunk in self._raw.stream(min(amount, _CHUNK), decode_content):
                checkpoint()
                task.received += len(chunk)
                if task.received > _MOST_RECEIVED or monotonic() > end:
                    limits = f"{_MOST_RECEIVED >> 20} MiB or {_LONGEST:.0f} seconds"
                    message = f"The responses of `{self._cloud}` exceed {limits} and were discarded."
                    raise CloudError(CloudErrorKind.GARBAGE, message)
                yield chunk
        except BaseException:
            self._raw.close()
            raise


def _limit_answer(cloud: str, answer: Response, *_: object, **__: object) -> None:
    """Limit the size of a response; requests calls this hook before it reads the body."""
    answer.raw = _BoundedStream(cloud, answer.raw)


def _refuse_foreign_redirect(cloud: str, answer: Response, *_: object, **__: object) -> None:
    """Raise CloudError if a response redirects to another scheme, host or port.

    The libraries would repeat the request there, with the token, the hidden values of a new stack or the password.
    """
    target = urljoin(answer.url, answer.headers.get("location", answer.url))
    if 300 < answer.status_code < 400 and _address(target) != _address(answer.url):
        answer.close()
        message = f"`{cloud}` redirects to {_address(target)}. Nothing was sent there. Correct the cloud's address."
        raise CloudError(CloudErrorKind.REDIRECTED, message)


def _address(url: str) -> str:
    """Return only the scheme, host and port of a URL: the other parts may contain a password."""
    from urllib3.util import parse_url  # the parser of requests: others find the host b in http://a\@b, not a

    try:
        parts = parse_url(url)
        return f"{parts.scheme}://{parts.host}:{parts.port or _PORTS.get(parts.scheme or '', 0)}"
    except ValueError:
        return "an invalid address"


def _body(answer: Response) -> Facts:
    try:
        return mapping(answer.json())
    except (ValueError, RecursionError):
        return {}


def _refusal(answer: Response, cloud: str) -> CloudError:
    """Return the error for a status of 300 or more. Heat and Keystone describe the error in `error.message`."""
    status, said = answer.status_code, text(part(_body(answer), "error"), "message").strip()
    trouble, sentence = _FAILURES.answers.get(str(status)) or _FAILURES.answers.get(f"{status // 100}xx", _NO_ANSWER)
    message = said or f"`{cloud}` answered with HTTP {status} and no message."
    seconds = answer.headers.get("Retry-After", "")
    when = f"in {seconds} s" if seconds.isdecimal() else "in a minute"
    words = sentence.format(cloud=cloud, status=status, said=said, message=message, when=when).strip()
    return CloudError(trouble, words) if words else _not_heat(cloud)


def _not_heat(cloud: str) -> CloudError:
    message = (
        f"The orchestration endpoint of `{cloud}` is not Heat. Check the endpoint, "
        "and whether a proxy or login page answers instead."
    )
    return CloudError(CloudErrorKind.GARBAGE, message)

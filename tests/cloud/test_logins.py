"""Logins: every failure ends in a sentence, a device login shows its code, and insecure clouds are marked."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, cast

import pytest
import yaml

from heatstudio.cloud import connection as module
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.clouds import caution_of, find_clouds, without_password
from heatstudio.cloud.connection import Connection, connect, one_task
from heatstudio.cloud.events import events_after
from heatstudio.cloud.stacks import StackSummary, list_stacks

SECRET = "-".join(["hunter", "2"])
URL = "http://127.0.0.1:9/v3"
PASSWORD = {"auth_url": URL, "username": "u", "password": SECRET, "project_name": "p", "project_domain_name": "d"}
FEDERATED = {"auth_url": URL, "identity_provider": "i", "protocol": "p", "client_id": "c", "client_secret": SECRET}
TOKEN = {"access_token_endpoint": "http://127.0.0.1:9/token"}


def write_clouds(folder: Path, monkeypatch: pytest.MonkeyPatch, **clouds: object) -> None:
    for name in [name for name in os.environ if name.startswith("OS_")]:
        monkeypatch.delenv(name)
    file = folder / "my-clouds.yaml"
    file.write_text(yaml.safe_dump({"clouds": clouds}), encoding="utf-8")
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
    monkeypatch.chdir(folder)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"auth_type": "v3kerberos", "auth": {"auth_url": URL}}, "needs a Kerberos login"),
        ({"auth_type": "v3fedkerb", "auth": {**FEDERATED}}, "needs a Kerberos login"),
        ({"auth_type": "v3totp", "auth": {**PASSWORD}}, "needs a one-time code"),
        ({"auth_type": "v3oauth1", "auth": {"auth_url": URL, "consumer_key": "a"}}, "needs an OAuth login"),
        ({"auth_type": "v3samlpassword", "auth": {**PASSWORD}}, "needs a SAML login"),
        (
            {"auth_type": "v3oidcpassword", "auth": {**PASSWORD, **FEDERATED, "idp_otp_key": "otp", **TOKEN}},
            "a one-time code",
        ),
        ({"auth_type": "no-such-type", "auth": PASSWORD}, "is incomplete or invalid"),
        ({"auth_type": ["a"], "auth": PASSWORD}, "is incomplete or invalid"),
        ({"auth": {"username": "u", "password": SECRET}}, "`auth_url` is missing"),
        ({"auth": {**PASSWORD, "auth_url": f"http://u:{SECRET}@[::1"}}, "is incomplete or invalid"),
        ({"auth": [SECRET]}, "is incomplete or invalid"),
        ({"auth": PASSWORD, "verify": "no"}, "has an invalid `verify`"),
        ({"auth": PASSWORD, "cacert": "/missing/ca.pem"}, "`cacert` is /missing/ca.pem"),
        ({"auth": PASSWORD, "cert": "/missing/cert.pem"}, "`cert` is /missing/cert.pem"),
        ({"auth": PASSWORD, "api_timeout": "soon"}, "is incomplete or invalid"),
        (None, "is incomplete or invalid"),
    ],
)
def test_login_that_cannot_work_is_reported_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: object, words: str
) -> None:
    write_clouds(tmp_path, monkeypatch, mine=entry)
    with pytest.raises(CloudError) as caught:
        connect("mine")
    message = caught.value.message
    assert words in message
    assert message.endswith(".")
    assert not any(word in message for word in (SECRET, "Error", "Option"))


class IdentityServer(BaseHTTPRequestHandler):
    """An OpenID Connect provider that issues a device code, and then refuses the login."""

    def do_GET(self) -> None:
        self._answer(404, {})

    def do_POST(self) -> None:
        if self.path != "/device":
            return self._answer(400, {"error": "access_denied"})
        where = "https://login.example/device"
        return self._answer(
            200, {"expires_in": 60, "device_code": "d", "user_code": "ABCD-EFGH", "verification_uri": where}
        )

    def _answer(self, status: int, content: dict[str, object]) -> None:
        body = json.dumps(content).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def identity() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), IdentityServer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.loopback
def test_code_of_a_device_login_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, identity: str) -> None:
    endpoints = {"device_authorization_endpoint": f"{identity}/device", "access_token_endpoint": f"{identity}/token"}
    auth = {**FEDERATED, **endpoints, "auth_url": f"{identity}/v3"}
    write_clouds(tmp_path, monkeypatch, mine={"auth_type": "v3oidcdeviceauthz", "auth": auth})
    shown: list[tuple[str, str]] = []
    with pytest.raises(CloudError) as caught:
        connect("mine", show_login=lambda address, code: shown.append((address, code)))
    assert shown == [("https://login.example/device", "ABCD-EFGH")]
    assert "got no login from the web browser" in caught.value.message


def test_insecure_clouds_are_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    auth = {**PASSWORD, "auth_url": f"https://u:{SECRET}@cloud.example:5000/v3?token={SECRET}"}
    write_clouds(
        tmp_path,
        monkeypatch,
        safe={"auth": auth},
        unverified={"auth": auth, "verify": False},
        foreign={"auth": auth, "cacert": "/ca.pem"},
        open={"auth": PASSWORD},
    )
    choices = find_clouds()
    assert SECRET not in str(choices.origins)
    assert "https://cloud.example:5000/v3" in choices.origins["safe"]
    assert choices.cautions == {
        "safe": "",
        "unverified": "Caution: the certificate of the server is not verified.",
        "foreign": "Caution: only the certificate authority in /ca.pem is trusted.",
        "open": "Caution: passwords and values are sent unencrypted (http).",
    }
    assert "unencrypted" in caution_of({}, "https://login", "HTTP://heat:8004")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.b:5000/v3", "https://a.b:5000/v3"),
        ("https://u:p@a.b/v3#p", "https://a.b/v3"),
        ("https://u:p/q@a.b/v3", "https://u:p/q@a.b/v3"),
        ("u:p@a.b", "a.b"),
        ("", ""),
    ],
)
def test_url_is_shown_without_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


class Endless(Connection):
    """A connection to a server whose lists never end."""

    def __init__(self) -> None:
        self.name = "endless"
        self.asked = 0

    def ask(self, *_: Any, **__: Any) -> object:
        self.asked += 1
        page = [{"id": f"{self.asked}-{number}"} for number in range(500)]
        return {"stacks": page, "events": page}


def test_endless_lists_are_cut() -> None:
    stack = StackSummary("a", "b", "c")
    assert len(events_after(Endless(), stack)) == len(list_stacks(Endless())) == 20_000


def received(raw: Raw) -> int:
    return sum(map(len, module._BoundedStream("mine", cast(Any, raw)).stream(1_000)))


class Raw:
    def __init__(self, size: int) -> None:
        self.left, self.closed = size, False

    def stream(self, amount: int, _decode: bool | None) -> Iterator[bytes]:
        while self.left:
            self.left -= min(self.left, amount)
            yield b" " * amount

    def close(self) -> None:
        self.closed = True


def test_responses_of_a_task_are_limited_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_RECEIVED", 10_000)
    first, second = Raw(8_000), Raw(8_000)
    with one_task(lambda: None):
        assert received(first) == 8_000
        with pytest.raises(CloudError) as caught:
            received(second)
    assert (caught.value.trouble, first.closed, second.closed) == (CloudErrorKind.GARBAGE, False, True)


class StopError(Exception):
    pass


def test_canceled_task_ends_within_a_response() -> None:
    raw, calls = Raw(10**9), iter(range(10))

    def check() -> None:
        if next(calls, None) is None:
            raise StopError

    with one_task(check), suppress(StopError):
        received(raw)
    assert raw.closed
    assert raw.left > 10**8

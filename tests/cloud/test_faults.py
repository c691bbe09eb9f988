"""The proxy simulates the requested faults, with the real Heat behind it."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Timer
from typing import Any

import openstack
import pytest
from keystoneauth1.exceptions.connection import ConnectFailure, ConnectTimeout, SSLError, UnknownConnectionError
from openstack.connection import Connection
from requests import JSONDecodeError, Response

from tests.cloud.faults import (
    Fault,
    FaultyProxy,
    answered,
    cut_off,
    relabeled,
    slow,
    trickling,
    truncated,
    unanswered,
    unheard,
)
from tests.cloud.running import Server

pytestmark = pytest.mark.loopback

TEMPLATE = {"heat_template_version": "2021-04-16"}


@pytest.fixture
def cloud(faults: FaultyProxy) -> Iterator[Connection]:
    with openstack.connect("heat-faulty") as connection:
        yield connection


def ask(cloud: Connection, path: str = "/stacks", method: str = "GET", **options: Any) -> Response:
    return cloud.orchestration.request(path, method, **options)


def seen(proxy: FaultyProxy, method: str, end: str) -> int:
    """Return the number of requests with a method and an end of the path."""
    return sum(request.method == method and request.path.endswith(end) for request in proxy.seen)


def logins(proxy: FaultyProxy) -> int:
    return seen(proxy, "POST", "/auth/tokens")


def test_everything_goes_through_the_proxies(cloud: Connection, faults: FaultyProxy, login_faults: FaultyProxy) -> None:
    assert ask(cloud).json().keys() == {"stacks"}
    assert (seen(faults, "GET", "/stacks"), logins(login_faults)) == (1, 1)


def test_one_401_makes_the_session_log_in_again(
    cloud: Connection, faults: FaultyProxy, login_faults: FaultyProxy
) -> None:
    ask(cloud)
    faults.on(r"/stacks$", answered(401), times=1)
    assert ask(cloud).status_code == 200
    assert (seen(faults, "GET", "/stacks"), logins(login_faults)) == (3, 2)


def test_revoked_token_is_rejected_by_heat(cloud: Connection, login_faults: FaultyProxy) -> None:
    ask(cloud)
    cloud.identity.delete("/auth/tokens", headers={"X-Subject-Token": cloud.auth_token})
    assert ask(cloud).status_code == 200
    assert logins(login_faults) == 2


@pytest.mark.parametrize("status", [403, 404, 409, 500])
def test_error_is_sent_until_recovery(status: int, cloud: Connection, faults: FaultyProxy) -> None:
    faults.on(r"/stacks$", answered(status))
    answer = ask(cloud, raise_exc=False)
    assert answer.status_code == answer.json()["code"] == status
    faults.recover()
    assert ask(cloud).status_code == 200


def test_fault_applies_only_to_matching_requests(cloud: Connection, faults: FaultyProxy) -> None:
    faults.on(r"/stacks$", answered(500), method="POST")
    faults.on(r"/validate$", answered(500))
    assert ask(cloud).status_code == 200


@pytest.mark.parametrize("fault", [slow(30), trickling(1)])
def test_slow_answer_ends_with_the_timeout_of_the_client(fault: Fault, cloud: Connection, faults: FaultyProxy) -> None:
    ask(cloud)
    faults.on(r"/stacks$", fault)
    with pytest.raises((ConnectTimeout, ConnectFailure)):
        ask(cloud, timeout=0.2)


@pytest.mark.parametrize("fault", [unheard, unanswered, cut_off(0), cut_off(5)])
def test_closed_connection_raises_an_error(fault: Fault, cloud: Connection, faults: FaultyProxy) -> None:
    ask(cloud)
    faults.on(r"/stacks$", fault)
    with pytest.raises((ConnectFailure, UnknownConnectionError)):
        ask(cloud)


def test_request_with_a_lost_answer_is_processed(cloud: Connection, faults: FaultyProxy) -> None:
    ask(cloud)
    for name, fault in (("lost", unheard), ("made", unanswered)):
        faults.on(r"/stacks$", fault, method="POST", times=1)
        with pytest.raises(ConnectFailure):
            ask(cloud, method="POST", json={"stack_name": name, "template": TEMPLATE})
    assert {stack["stack_name"] for stack in ask(cloud).json()["stacks"]} & {"lost", "made"} == {"made"}


@pytest.mark.parametrize(
    "fault", [truncated(5), answered(200, "<html>Welcome</html>", "text/html"), answered(200, b"\xff\xfe")]
)
def test_garbage_is_not_valid_json(fault: Fault, cloud: Connection, faults: FaultyProxy) -> None:
    faults.on(r"/stacks$", fault)
    with pytest.raises((JSONDecodeError, UnicodeDecodeError)):
        ask(cloud).json()


def test_answer_with_another_content_type(cloud: Connection, faults: FaultyProxy) -> None:
    faults.on(r"/stacks$", relabeled("text/plain"))
    assert ask(cloud).headers["Content-Type"] == "text/plain"


def test_connections_are_rejected_and_accepted_again(cloud: Connection, faults: FaultyProxy) -> None:
    ask(cloud)
    faults.refuse()
    with pytest.raises(ConnectFailure):
        ask(cloud)
    faults.accept()
    assert ask(cloud).status_code == 200


def test_killed_heat_during_a_request(cloud: Connection, faults: FaultyProxy, mortal_heat: Server) -> None:
    ask(cloud)
    faults.on(r"/stacks$", slow(1))
    killer = Timer(0.2, mortal_heat.kill)
    killer.start()
    with pytest.raises(ConnectFailure):
        ask(cloud)
    killer.join()


@pytest.mark.usefixtures("caplog", "tls")  # openstacksdk logs that it could not look up a version
def test_self_signed_certificate_is_rejected() -> None:
    with openstack.connect("heat-untrusted") as connection, pytest.raises(SSLError):
        ask(connection)
    with openstack.connect("heat-tls") as connection:
        assert ask(connection).status_code == 200

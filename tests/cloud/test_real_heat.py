"""The servers of these tests are what they say: a Keystone that knows its users, and a Heat that makes stacks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openstack
import pytest
from keystoneauth1.exceptions import Unauthorized
from openstack.connection import Connection

pytestmark = pytest.mark.loopback

WIDGET = {"type": "Studio::Test::Widget", "properties": {"label": "first"}}


@pytest.fixture
def demo(clouds: Path) -> Iterator[Connection]:
    with openstack.connect("heat-demo") as connection:
        yield connection


@pytest.fixture
def guest(clouds: Path) -> Iterator[Connection]:
    with openstack.connect("heat-guest") as connection:
        yield connection


def ask(connection: Connection, path: str, method: str = "GET", body: object = None) -> Any:
    answer = connection.orchestration.request(path, method, json=body)
    return answer.json()


def created(connection: Connection, name: str, **resources: object) -> dict[str, Any]:
    """The stack after its creation."""
    template = {"heat_template_version": "2021-04-16", "resources": resources}
    stack = ask(connection, "/stacks", "POST", {"stack_name": name, "template": template})["stack"]
    until = time.monotonic() + 30
    while True:
        found: dict[str, Any] = ask(connection, f"/stacks/{name}/{stack['id']}")["stack"]
        if found["stack_status"] != "CREATE_IN_PROGRESS" or time.monotonic() > until:
            return found
        time.sleep(0.05)


def names(connection: Connection) -> set[str]:
    return {stack["stack_name"] for stack in ask(connection, "/stacks")["stacks"]}


def test_stack_is_created_listed_and_tells_its_events(demo: Connection) -> None:
    stack = created(demo, "smoke", widget=WIDGET)
    assert stack["stack_status"] == "CREATE_COMPLETE"
    assert "smoke" in names(demo)
    path = f"/stacks/smoke/{stack['id']}"
    events = ask(demo, f"{path}/events")["events"]
    assert ("widget", "CREATE_COMPLETE") in {(event["resource_name"], event["resource_status"]) for event in events}
    assert ask(demo, f"{path}/resources/widget")["resource"]["attributes"]["value"] == '{"label": "first", "size": 1}'


def test_failure_says_why(demo: Connection) -> None:
    stack = created(demo, "failing", widget={"type": "Studio::Test::Fail"})
    assert stack["stack_status"] == "CREATE_FAILED"
    assert "this widget always fails" in stack["stack_status_reason"]


def test_two_users_do_not_see_each_others_stacks(demo: Connection, guest: Connection) -> None:
    created(demo, "of-demo", widget=WIDGET)
    created(guest, "of-guest", widget=WIDGET)
    assert {"of-demo", "of-guest"} & names(demo) == {"of-demo"}
    assert {"of-demo", "of-guest"} & names(guest) == {"of-guest"}


def test_hidden_type_and_types_of_absent_services_are_not_listed(demo: Connection) -> None:
    types = set(ask(demo, "/resource_types")["resource_types"])
    assert {"Studio::Test::Widget", "Studio::Test::Deprecated", "OS::Nova::Server", "OS::Neutron::Trunk"} <= types
    assert {"Studio::Test::Hidden", "OS::Trove::Instance", "OS::Neutron::Firewall"} & types == set()


def test_wrong_password_is_refused(clouds: Path) -> None:
    with openstack.connect("heat-wrong-password") as connection, pytest.raises(Unauthorized):
        ask(connection, "/stacks")

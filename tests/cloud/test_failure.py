"""The cause of a failed operation, in words."""

from __future__ import annotations

import pytest

from heatstudio.catalog.facts import Facts
from heatstudio.cloud.failure import cause_of, failures, known_causes

SERVER = "OS::Nova::Server"


@pytest.mark.parametrize(
    ("reason", "type_", "cause"),
    [
        ("Forbidden: resources.a: Quota exceeded for cores: Requested 8, but already used 120 of 120 cores (HTTP 403)",
         SERVER, "quota"),
        ("OverQuotaClient: resources.p: Quota exceeded for resources: ['port'].", "OS::Neutron::Port", "quota"),
        ("OverLimit: Requested volume or snapshot exceeds allowed gigabytes quota.", "OS::Cinder::Volume", "quota"),
        ('ResourceInError: resources.s: Went to status ERROR due to "Message: No valid host was found. , Code: 500"',
         SERVER, "room"),
        ("Build of instance 88f7 aborted: Flavor's disk is too small for requested image. Flavor disk is 1 bytes",
         SERVER, "too small"),
        ("BadRequest: resources.s: Image 1b is not active. (HTTP 400)", SERVER, "image cannot be used"),
        ("NotFound: External network a is not reachable from subnet b.  Therefore, cannot associate Port c with a "
         "Floating IP.", "OS::Neutron::FloatingIP", "No router joins"),
        ("Conflict: No more IP addresses available on network b1.", "OS::Neutron::Port", "no free address"),
        ("Conflict: Unable to complete operation for network n. The IP address 10.0.0.5 is in use.",
         "OS::Neutron::Port", "fixed address"),
        ("BadRequest: The IP address 10.9.0.5 is not a valid IP for the specified subnet.", "OS::Neutron::Port", ""),
        ("WaitConditionTimeout: resources.w: 0 of 1 received", "OS::Heat::WaitCondition", "signals did not arrive"),
        ("0 of 1 received", "OS::Heat::Value", ""),
        ("Error: Deployment to server failed: deploy_status_code: Deployment exited with non-zero status code: 1",
         "OS::Heat::SoftwareDeployment", "script of the deployment"),
        ("CREATE aborted (Task create from Server stopped)", SERVER, "something else failed"),
        ("ValueError: resources.a: always fails", "Studio::Test::Fail", ""),
    ],
)  # fmt: skip
def test_cause_is_recognized_by_the_message_of_the_service(reason: str, type_: str, cause: str) -> None:
    known = cause_of(reason, type_)
    assert (known is not None) == bool(cause)
    assert known is None or cause in known.cause


def test_every_cause_is_a_sentence_with_advice_and_source() -> None:
    for known in known_causes():
        assert known.cause.endswith(".")
        assert known.advice.endswith((".", "?"))
        assert known.source
        assert known.words


def _failed(name: str, stack: str, time: str, reason: str, nested: str = "") -> Facts:
    links = [{"rel": "stack", "href": f"http://heat/stacks/x/{stack}"}]
    links += [{"rel": "nested", "href": f"http://heat/stacks/x/{nested}"}] if nested else []
    return {
        "resource_name": name,
        "resource_type": "T",
        "resource_status": "CREATE_FAILED",
        "resource_status_reason": reason,
        "updated_time": time,
        "links": links,
    }


def test_first_failure_of_the_deepest_stack_comes_first_and_effects_are_left_out() -> None:
    found = failures(
        (
            _failed("group", "top", "1", "Resource CREATE failed: ...", "members"),
            _failed("0", "members", "1", "Resource CREATE failed: ...", "member"),
            _failed("late", "member", "5", "Quota exceeded"),
            _failed("port", "member", "3", "No more IP addresses available on network n."),
            _failed("server", "top", "2", "CREATE aborted (Task create stopped)"),
        )
    )
    assert [one.place for one in found] == ["group / 0 / port", "group / 0 / late"]
    assert {one.top for one in found} == {"group"}


def test_stopped_resources_are_named_if_nothing_else_failed_and_a_cycle_of_links_ends() -> None:
    (found,) = failures((_failed("a", "one", "1", "CREATE aborted", "two"),))
    assert found.place == "a"
    cycle = (_failed("a", "one", "1", "x", "two"), _failed("b", "two", "1", "x", "one"))
    assert failures(cycle) == ()

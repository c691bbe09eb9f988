"""What a project may still use, as the services report it, and as they fail to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from heatstudio.catalog.cloud.known_cloud import load_name_kinds
from heatstudio.cloud import read_services as module
from heatstudio.cloud.connection import Connection, connect
from heatstudio.cloud.read_services import read_capacity, read_names
from heatstudio.update.plan.capacity import Capacity, Quota
from heatstudio.update.plan.demand import CloudSize
from tests.cloud.faults import Fault, FaultyProxy, answered, slow
from tests.cloud.running import RealHeat

pytestmark = pytest.mark.loopback

SERVICES = {
    "compute": "compute/v2.1",
    "network": "network/v2.0",
    "block_storage": "volumev3/v3",
    "load_balancer": "load-balancer/v2.0",
}


def read(connection: Connection) -> Capacity:
    return read_capacity(connection, lambda _done, _total: None)


@pytest.fixture
def faulty(
    real_heat: RealHeat, faults: FaultyProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Connection]:
    """Connect with the proxy in front of the other services, too."""
    found = yaml.safe_load(real_heat.clouds.read_text("utf-8"))
    root = f"http://127.0.0.1:{real_heat.ports.faulty_heat}/neighbors"
    found["clouds"]["heat-faulty"] |= {f"{name}_endpoint_override": f"{root}/{path}" for name, path in SERVICES.items()}
    file = tmp_path / "faulty.yaml"
    file.write_text(yaml.safe_dump(found), "utf-8")
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
    connection = connect("heat-faulty")
    yield connection
    connection.close()


def test_quota_and_use_are_read(demo: Connection) -> None:
    found = read(demo)
    assert found.cloud == "heat-demo"
    assert found.quotas["cores"] == Quota(20, 8)
    assert found.quotas["ram"].left == 34816
    assert found.quotas["gigabytes"].left == 50
    assert found.quotas["ports"] == Quota(10, 6)  # with what is reserved
    assert found.quotas["key_pairs"] == Quota(100, 1)
    assert found.quotas["load_balancers"].left == 0
    assert found.quotas["pools"].left == 5
    assert {kind for kind, quota in found.quotas.items() if quota.left is None} == {
        "server_groups",
        "subnet_pools",
        "listeners",
    }
    assert "l7_policies" not in found.quotas
    assert found.failures == {"shared_file_system": "the cloud has no such service"}


def test_objects_are_known_by_name_and_id(demo: Connection) -> None:
    found = read(demo)
    assert found.size_of(CloudSize("nova.flavor", "vcpus", "m1.large")) == 4
    assert found.size_of(CloudSize("nova.flavor", "ram", "2")) == 8192
    assert found.size_of(CloudSize("nova.flavor", "vcpus", "absent")) is None
    assert found.objects["glance.image", "windows"]["min_disk"] == 40
    assert (
        found.objects["neutron.address", "10.0.0.7"]["network_id"] == found.objects["neutron.network", "private"]["id"]
    )
    assert ("nova.keypair", "demo-key") in found.objects


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (answered(403, {"forbidden": {"code": 403, "message": "Policy does not allow it"}}), "access is denied"),
        (answered(404, {"itemNotFound": {"code": 404}}), "the service does not report it"),
        (answered(200, {"limits": "none"}), "the answer cannot be read"),
        (answered(200, "<html>login</html>", "text/html"), "the answer cannot be read"),
        (answered(503, {}), "the service failed"),
    ],
)
def test_failing_service_costs_only_its_own_quotas(
    faulty: Connection, faults: FaultyProxy, fault: Fault, reason: str
) -> None:
    faults.on("/limits", fault)
    found = read(faulty)
    assert found.failures["compute"] == found.failures["block_storage"] == reason
    assert "cores" not in found.quotas
    assert found.quotas["networks"].left == 99


def test_slow_service_is_left_after_its_timeout(
    faulty: Connection, faults: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.3)
    faults.on("neighbors/network", slow(3))
    found = read(faulty)
    assert found.failures["network"] == "the service did not answer in time"
    assert [request.path for request in faults.seen if "/networks" in request.path or "/ports" in request.path] == []
    assert found.quotas["cores"].left == 12


def test_partial_answer_leaves_the_missing_quotas_unknown(faulty: Connection, faults: FaultyProxy) -> None:
    absolute = {"maxTotalCores": 20, "totalCoresUsed": 8, "maxTotalInstances": "many", "totalRAMUsed": 3}
    faults.on("compute/v2.1/limits", answered(200, {"limits": {"absolute": absolute}}))
    found = read(faulty)
    assert found.quotas["cores"] == Quota(20, 8)
    assert {"servers", "ram"}.isdisjoint(found.quotas)
    assert "compute" not in found.failures


def test_all_pages_of_a_list_count(faulty: Connection, faults: FaultyProxy) -> None:
    links = [{"rel": "next", "href": "http://elsewhere.example/anything?limit=3&marker=c"}]
    page = {"loadbalancers": [{"id": name} for name in "abc"], "loadbalancers_links": links}
    faults.on("lbaas/loadbalancers", answered(200, page), times=1)
    assert read(faulty).quotas["load_balancers"].used == 3
    assert [request.path.partition("?")[2] for request in faults.seen if "lbaas/loadbalancers" in request.path] == [
        "",
        "limit=3&marker=c",
    ]


def test_list_that_does_not_end_is_not_counted(faulty: Connection, faults: FaultyProxy) -> None:
    links = [{"rel": "next", "href": "?marker=c"}]
    faults.on("lbaas/loadbalancers", answered(200, {"loadbalancers": [{"id": "c"}], "loadbalancers_links": links}))
    found = read(faulty)
    assert "load_balancers" not in found.quotas
    assert found.quotas["pools"].left == 5


def test_names_of_all_pages_are_known(faulty: Connection, faults: FaultyProxy) -> None:
    page = {"flavors": [{"id": "9", "name": "huge"}], "flavors_links": [{"rel": "next", "href": "http://x/?marker=9"}]}
    faults.on("compute/v2.1/flavors", answered(200, page), times=1)
    names = read_names(faulty, load_name_kinds(), lambda _done, _total: None)
    assert not names.lacks("nova.flavor", "huge")
    assert names.lacks("nova.flavor", "absent")
    faults.on("compute/v2.1/flavors", answered(200, page))
    assert not read_names(faulty, load_name_kinds(), lambda _done, _total: None).lacks("nova.flavor", "absent")


def test_only_reads(faulty: Connection, faults: FaultyProxy) -> None:
    faults.seen.clear()
    read(faulty)
    assert {request.method for request in faults.seen} == {"GET"}

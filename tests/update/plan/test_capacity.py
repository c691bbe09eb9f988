"""Where an update does not fit into a cloud."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from heatstudio.catalog.facts import Facts
from heatstudio.update.plan.capacity import Capacity, Quota, Shortage, notices, shortages
from heatstudio.update.plan.demand_table import demand_rows
from tests.update.plan.test_demand_table import Resources, group, plan, server, volume

NETWORK: Facts = {"id": "n-1", "name": "n"}
CLOUD = Capacity(
    "lab",
    {"servers": Quota(10, 8), "cores": Quota(20, 8), "gigabytes": Quota(100, 70), "volumes": Quota(-1, 0)},
    {
        ("nova.flavor", "small"): {"vcpus": 4, "ram": 512, "disk": 10},
        ("nova.flavor", "large"): {"vcpus": 8, "ram": 8192, "disk": 80},
        ("glance.image", "i"): {"status": "active", "min_ram": 0, "min_disk": 0},
        ("glance.image", "windows"): {"status": "active", "min_ram": 4096, "min_disk": 40},
        ("glance.image", "old"): {"status": "deactivated"},
        ("nova.keypair", "mine"): {"name": "mine"},
        ("neutron.network", "n"): NETWORK,
        ("neutron.network", "n-1"): NETWORK,
        ("neutron.address", "10.0.0.7"): {"network_id": "n-1"},
        ("neutron.floatingip", "203.0.113.7"): {"floating_ip_address": "203.0.113.7"},
    },
)


def found(before: Resources, after: Resources, cloud: Capacity = CLOUD) -> list[Shortage]:
    update = plan(before, after)
    return shortages(update, demand_rows(update, cloud.size_of), cloud)


def port(network: str, address: str) -> dict[str, object]:
    properties = {"network": network, "fixed_ips": [{"ip_address": address}]}
    return {"type": "OS::Neutron::Port", "properties": properties}


def test_what_fits_is_not_reported() -> None:
    assert found({}, {"s": server("small"), "v": volume(30)}) == []


def test_missing_cores_are_reported_with_the_resources_that_ask_for_them() -> None:
    assert found({}, {"web": server("small"), "g": group(2, server("large"))}) == [
        ("2 servers left, 3 needed by `g`, `web`.", True),
        ("12 cores left, 20 needed by `g`, `web`.", True),
    ]


def test_update_that_deletes_may_fit() -> None:
    assert found({"a": volume(20)}, {"b": volume(40)}) == [("30 GiB of volumes left, 20 to 40 needed by `b`.", False)]


def test_replacement_needs_room_beside_the_old_resource() -> None:
    before, after = ({"v": volume(40, availability_zone=zone)} for zone in "ab")
    assert found(before, after) == [("30 GiB of volumes left, 40 needed by `v`.", True)]


def test_deletion_in_a_full_project_is_not_reported() -> None:
    full = replace(CLOUD, quotas={"gigabytes": Quota(100, 120), "volumes": Quota(0, 4)})
    assert found({"v": volume(10), "w": volume(1)}, {"w": volume(1)}, full) == []


def test_unknown_size_may_not_fit_if_nothing_is_left() -> None:
    full = replace(CLOUD, quotas={"cores": Quota(8, 8)})
    assert found({}, {"s": server("huge")}, full) == [("0 cores left, unknown needed by `s`.", False)]
    assert found({}, {"s": server("huge")}) == []


@pytest.mark.parametrize(
    ("resource", "words"),
    [
        (server("small", image="windows"), "image `windows` needs 4096 MiB of RAM, flavor `small` has 512."),
        (server("small", image="windows"), "image `windows` needs 40 GiB of disk, flavor `small` has 10."),
        (server("large", image="windows"), ""),
        (server("large", image="old"), "image `old` is deactivated, not active."),
        (server("large", image="absent"), ""),
        (volume(20, image="windows"), "image `windows` needs 40 GiB, the volume has 20."),
        ({"type": "OS::Nova::KeyPair", "properties": {"name": "mine"}}, "a key pair `mine` exists already."),
        ({"type": "OS::Nova::KeyPair", "properties": {"name": "mine", "user": "other"}}, ""),
        (port("n", "10.0.0.7"), "address `10.0.0.7` is taken in network `n`."),
        (port("n-1", "10.0.0.7"), "address `10.0.0.7` is taken in network `n-1`."),
        (port("m", "10.0.0.7"), ""),
        (port("n", "10.0.0.8"), ""),
        (
            {
                "type": "OS::Neutron::FloatingIP",
                "properties": {"floating_network": "public", "floating_ip_address": "203.0.113.7"},
            },
            "floating IP `203.0.113.7` exists already.",
        ),
    ],
)
def test_objects_of_the_cloud_that_do_not_fit(resource: object, words: str) -> None:
    texts = [one.text for one in found({}, {"it": resource}) if one.certain]
    assert (f"`it`: {words}" in texts) if words else texts == []


def test_object_that_stays_is_not_reported_again() -> None:
    key = {"type": "OS::Nova::KeyPair", "properties": {"name": "mine"}}
    assert found({"k": key}, {"k": key, "v": volume(1)}) == []
    assert found({"s": server("large", image="old")}, {"s": server("large", image="old", name="n")}) == []


def test_members_of_nested_stacks_are_examined() -> None:
    texts = [one.text for one in found({}, {"g": group(1, server("large", image="old"))})]
    assert texts == ["`g`: image `old` is deactivated, not active."]


def test_unknown_quotas_are_named_once_for_each_service() -> None:
    cloud = replace(CLOUD, failures={"network": "access is denied"})
    network = {"type": "OS::Neutron::Net"}
    rows = demand_rows(plan({}, {"n": network, "s": server("small"), "v": volume(1)}), cloud.size_of)
    assert notices(rows, cloud) == [
        "Not checked: MiB of RAM. Nova: the service does not report this quota.",
        "Not checked: networks, ports. Neutron: access is denied.",
    ]
    assert notices(demand_rows(plan({"n": network}, {}), cloud.size_of), cloud) == []

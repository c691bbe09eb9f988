"""What an update adds to and removes from the use of a quota. The expected numbers are counted by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.plan.demand import Amount, CloudSize, no_cloud
from heatstudio.update.plan.demand_table import DemandRow, demand_data, demand_lines, demand_rows, demand_sentence
from heatstudio.update.plan.update_plan import UpdatePlan
from heatstudio.update.plan_update import plan_update
from heatstudio.update.running_stack import RunningResource, RunningStack
from tests.flat_files import FlatFiles

KNOWLEDGE = load_knowledge()
SIZES = {("vcpus", "small"): 1, ("ram", "small"): 512, ("vcpus", "large"): 4, ("ram", "large"): 8192}
Resources = Mapping[str, object]


def size_of(size: CloudSize) -> int | None:
    return SIZES.get((size.field, size.name))


def source(resources: Resources, **sections: object) -> Source:
    data = {"heat_template_version": "2021-04-16", "resources": resources, **sections}
    return Source(parse_template(json.dumps(data)))


def plan(before: Resources, after: Resources, **sections: object) -> UpdatePlan:
    return plan_update(source(before, **sections), source(after, **sections), KNOWLEDGE)


def rows(before: Resources, after: Resources, **sections: object) -> dict[str, DemandRow]:
    return {row.kind: row for row in demand_rows(plan(before, after, **sections), size_of)}


def words(row: DemandRow) -> tuple[str, str, str, str]:
    return row.adds.words(), row.removes.words(), row.peak.words(), row.end.words(signed=True)


def server(flavor: object = "small", **more: object) -> dict[str, object]:
    given = {"flavor": flavor, "image": "i", "networks": [{"network": "n"}]}
    return {"type": "OS::Nova::Server", "properties": {**given, **more}}


def volume(size: object = 10, **more: object) -> dict[str, object]:
    return {"type": "OS::Cinder::Volume", "properties": {"size": size, **more}}


def group(count: object, member: object) -> dict[str, object]:
    return {"type": "OS::Heat::ResourceGroup", "properties": {"count": count, "resource_def": member}}


def scaling(desired: int, most: int, member: object) -> dict[str, object]:
    given = {"min_size": 0, "max_size": most, "desired_capacity": desired, "resource": member}
    return {"type": "OS::Heat::AutoScalingGroup", "properties": given}


def test_new_server_takes_what_its_flavor_has() -> None:
    found = {kind: words(row) for kind, row in rows({}, {"s": server("large")}).items()}
    assert found == {
        "servers": ("1", "0", "1", "+1"),
        "cores": ("4", "0", "4", "+4"),
        "ram": ("8,192", "0", "8,192", "+8,192"),
        "ports": ("1", "0", "1", "+1"),
    }


def test_unknown_flavor_is_counted_as_unknown() -> None:
    found = rows({}, {"s": server("huge"), "t": server("large")})
    assert found["cores"].adds == Amount(4, 4, 1)
    assert words(found["cores"]) == ("4 or more", "0", "4 or more", "+4 or more")


def test_replacement_counts_twice_at_the_peak() -> None:
    found = rows({"s": server(image_update_policy="REPLACE")}, {"s": server(image="j", image_update_policy="REPLACE")})
    assert words(found["servers"]) == ("1", "1", "1", "0")
    assert words(found["cores"]) == ("1", "1", "1", "0")


def test_unknown_sizes_of_a_replacement_cancel_at_the_end() -> None:
    found = rows(
        {"s": server("huge", image_update_policy="REPLACE")},
        {"s": server("huge", image="j", image_update_policy="REPLACE")},
    )
    assert words(found["cores"]) == ("unknown", "unknown", "unknown", "0")


def test_update_in_place_counts_the_difference() -> None:
    assert words(rows({"v": volume(10)}, {"v": volume(25)})["gigabytes"]) == ("15", "0", "15", "+15")
    resized = rows({"s": server("large")}, {"s": server("small")})
    assert words(resized["cores"]) == ("0", "3", "0", "-3")
    assert "servers" not in resized


def test_new_resources_may_exist_before_the_deleted_ones_are_gone() -> None:
    found = rows({"a": volume(10)}, {"b": volume(30)})
    assert words(found["volumes"]) == ("1", "1", "0 to 1", "0")
    assert words(found["gigabytes"]) == ("30", "10", "20 to 30", "+20")


def test_only_the_largest_replacement_certainly_counts_twice() -> None:
    before = {name: volume(size, availability_zone="a") for name, size in {"x": 10, "y": 40}.items()}
    after = {name: volume(size, availability_zone="b") for name, size in {"x": 10, "y": 40}.items()}
    assert words(rows(before, after)["gigabytes"]) == ("50", "50", "40 to 50", "0")


def test_retained_resource_gives_nothing_back() -> None:
    assert rows({"v": {**volume(), "deletion_policy": "Retain"}}, {}) == {}
    kept = rows({"v": {**volume(), "deletion_policy": "Snapshot"}}, {})
    assert words(kept["gigabytes"]) == ("0", "0 to 10", "0", "-10 to 0")


def test_resource_with_external_id_takes_nothing() -> None:
    assert rows({}, {"v": {"type": "OS::Cinder::Volume", "external_id": "4"}}) == {}


def test_type_that_creates_nothing_takes_nothing() -> None:
    assert rows({}, {"p": {"type": "OS::Neutron::LBaaS::Pool", "properties": {"protocol": "HTTP"}}}) == {}


def test_boot_volumes_stay_unless_they_are_deleted_with_the_server() -> None:
    devices = [
        {"image": "i", "volume_size": 20, "delete_on_termination": True},
        {"snapshot_id": "s", "volume_size": 5},
        {"volume_id": "v", "volume_size": 7},
        {"swap_size": 1},
    ]
    booted = {"s": server(block_device_mapping_v2=devices)}
    assert words(rows({}, booted)["gigabytes"]) == ("25", "0", "25", "+25")
    assert words(rows({}, booted)["volumes"]) == ("2", "0", "2", "+2")
    assert words(rows(booted, {})["gigabytes"]) == ("0", "20", "0", "-20")


@pytest.mark.parametrize(
    ("networks", "expected"),
    [
        ([{"port": "p"}], None),
        ([{"port": "p"}, {"subnet": "s"}, {"network": "n"}], "2"),
        ([{"allocate_network": "none"}], None),
        ([{"allocate_network": "auto"}], "1"),
        ([], "unknown"),
        ({"get_param": "nets"}, "unknown"),
    ],
)
def test_ports_of_a_server(networks: object, expected: str | None) -> None:
    found = rows({}, {"s": server(networks=networks)}, parameters={"nets": {"type": "json"}})
    assert (found["ports"].adds.words() if "ports" in found else None) == expected


def test_default_egress_rules_count_unless_there_are_others() -> None:
    def rules_of(*rules: object) -> str:
        properties = {"rules": list(rules)}
        return rows({}, {"g": {"type": "OS::Neutron::SecurityGroup", "properties": properties}})[
            "security_group_rules"
        ].adds.words()

    assert rules_of({"protocol": "tcp"}) == "3"
    assert rules_of({"protocol": "tcp"}, {"direction": "egress"}) == "2"
    assert rules_of({"direction": "ingress"}, {"direction": "ingress"}) == "4"


def test_members_of_groups_are_counted_also_those_that_are_not_listed() -> None:
    assert words(rows({}, {"g": group(1000, server("large"))})["cores"]) == ("4,000", "0", "4,000", "+4,000")
    grown = rows({"g": group(3, server("large"))}, {"g": group(100, server("large"))})
    assert words(grown["cores"]) == ("388", "0", "388", "+388")
    shrunk = rows({"g": group(100, server("large"))}, {"g": group(3, server("large"))})
    assert words(shrunk["cores"]) == ("0", "388", "0", "-388")
    renewed = rows(
        {"g": group(100, volume(10, availability_zone="a"))}, {"g": group(100, volume(10, availability_zone="b"))}
    )
    assert words(renewed["gigabytes"]) == ("1,000", "1,000", "10 to 1,000", "0")


def test_groups_in_groups_multiply() -> None:
    assert rows({}, {"g": group(50, group(40, volume(2)))})["gigabytes"].adds == Amount(4000, 4000)


def test_member_that_depends_on_its_index_counts_by_itself() -> None:
    member = volume({"str_replace": {"template": "N", "params": {"N": "%index%"}}})
    assert rows({}, {"g": group(4, member)})["gigabytes"].adds == Amount(6, 6)


def test_scaling_group_counts_the_desired_and_the_maximum_size() -> None:
    found = rows({}, {"g": scaling(2, 10, server("large"))})["cores"]
    assert (found.adds.words(), found.scaled.words(signed=True)) == ("8", "+40")
    empty = rows({}, {"g": scaling(0, 3, server("large"))})["servers"]
    assert (empty.adds.words(), empty.scaled.words(signed=True)) == ("0", "+3")


def test_nested_templates_count_as_a_whole() -> None:
    inner = source({"s": server("large"), "g": group(2, volume(3))}).template.text
    files = FlatFiles({"inner.yaml": inner})
    before = source({"old": volume(1)})
    after = replace(source({"a": {"type": "inner.yaml"}, "b": group(2, {"type": "inner.yaml"})}), files=files)
    found = {row.kind: row for row in demand_rows(plan_update(before, after, KNOWLEDGE), size_of)}
    assert words(found["cores"]) == ("12", "0", "12", "+12")
    assert words(found["gigabytes"]) == ("18", "1", "17 to 18", "+17")
    assert [one.paths for one in found["servers"].changes] == [(("a",),), (("b",),)]


def test_changed_member_of_a_nested_template_counts_by_itself() -> None:
    sides = [
        replace(source({"a": {"type": "inner.yaml"}}), files=FlatFiles({"inner.yaml": source(inner).template.text}))
        for inner in ({"v": volume(1)}, {"v": volume(1), "w": volume(2)})
    ]
    (volumes, _) = demand_rows(plan_update(sides[0], sides[1], KNOWLEDGE), size_of)
    assert [(one.paths, one.adds) for one in volumes.changes] == [((("a", "w"),), Amount(1, 1))]


def test_alike_changes_count_together() -> None:
    servers = {name: server("large") for name in ("a", "b", "c")}
    found = demand_rows(plan({}, {**servers, "d": server("small")}), size_of)
    cores = next(row for row in found if row.kind == "cores")
    assert [(one.paths, one.adds) for one in cores.changes] == [
        ((("a",), ("b",), ("c",)), Amount(12, 12)),
        ((("d",),), Amount(1, 1)),
    ]
    data = next(one for one in demand_data(found) if one["kind"] == "cores")["resources"]
    assert isinstance(data, list)
    assert [(one["resource"], one["adds"]["least"]) for one in data] == [(["a"], 4), (["b"], 4), (["c"], 4), (["d"], 1)]


def test_only_one_replacement_after_the_others_is_certain_to_need_room() -> None:
    before = {name: server("large", image="i") for name in ("a", "b")}
    after = {name: server("small", image="j", image_update_policy="REPLACE") for name in ("a", "b")}
    cores = rows(before, after)["cores"]
    assert [len(one.paths) for one in cores.changes] == [2]
    assert (cores.peak, cores.end) == (Amount(0, 2), Amount(-6, -6))


def test_deleted_scaling_group_gives_back_its_running_members() -> None:
    nested = RunningStack("", resources={name: RunningResource(name) for name in ("m1", "m2", "m3", "m4")})
    existing = {"g": RunningResource("g", nested=nested)}
    found = plan_update(source({"g": scaling(2, 9, server("large"))}), source({}), KNOWLEDGE, existing)
    cores = next(row for row in demand_rows(found, size_of) if row.kind == "cores")
    assert cores.removes == Amount(16, 16)


def test_unknown_number_of_members_is_unknown_content() -> None:
    found = rows({}, {"g": group({"get_param": "n"}, server())}, parameters={"n": {"type": "number"}})
    assert list(found) == [""]
    assert found[""].adds.words() == "unknown"


def test_unknown_type_is_unknown_content() -> None:
    assert rows({}, {"x": {"type": "Our::Own::Thing"}})[""].adds == Amount(0, 0, 1)


def test_resource_with_an_unknown_condition_may_take_something() -> None:
    parts = {"parameters": {"p": {"type": "boolean"}}, "conditions": {"c": {"get_param": "p"}}}
    found = rows({}, {"v": {**volume(), "condition": "c"}}, **parts)
    assert found["gigabytes"].adds == Amount(0, 10)
    assert words(found["gigabytes"]) == ("0 to 10", "0", "0 to 10", "0 to +10")


def test_cloudformation_types_are_counted() -> None:
    instance = {"type": "AWS::EC2::Instance", "properties": {"ImageId": "i", "InstanceType": "large", "SubnetId": "s"}}
    found = rows({}, {"i": instance, "vpc": {"type": "AWS::EC2::VPC", "properties": {"CidrBlock": "10.0.0.0/16"}}})
    assert {kind: row.adds.words() for kind, row in found.items()} == {
        "servers": "1", "cores": "4", "ram": "8,192", "networks": "1", "ports": "1", "routers": "1",
    }  # fmt: skip


def test_clusters_count_their_nodes_and_leave_the_rest_unknown() -> None:
    cluster = {"cluster_template": "t", "node_count": 3, "master_count": 1}
    found = rows({}, {"c": {"type": "OS::Magnum::Cluster", "properties": cluster}})
    assert (found["servers"].adds.words(), found["cores"].adds.words()) == ("4", "unknown")
    trove = {"type": "OS::Trove::Instance", "properties": {"flavor": "f", "size": 5, "name": "d"}}
    assert rows({}, {"t": trove})["database_gigabytes"].adds == Amount(5, 5)


def test_refused_update_demands_nothing() -> None:
    parameter = {"type": "string", "immutable": True}
    before = source({}, parameters={"p": {**parameter, "default": "a"}})
    after = source({"v": volume()}, parameters={"p": {**parameter, "default": "b"}})
    assert demand_rows(plan_update(before, after, KNOWLEDGE)) == ()


RESOURCES = st.dictionaries(
    st.sampled_from("abcd"),
    st.one_of(
        st.builds(volume, st.integers(1, 9), availability_zone=st.sampled_from(["a", "b"])),
        st.builds(server, st.sampled_from(["small", "large"])),
        st.builds(group, st.integers(0, 40), st.builds(volume, st.integers(1, 9))),
    ),
    max_size=3,
)


@settings(max_examples=25)
@given(RESOURCES)
def test_deletion_gives_back_what_the_creation_takes(resources: Resources) -> None:
    created, deleted = rows({}, resources), rows(resources, {})
    assert {kind: row.adds for kind, row in created.items()} == {kind: row.removes for kind, row in deleted.items()}
    assert rows(resources, resources) == {}


@settings(max_examples=25)
@given(RESOURCES, RESOURCES)
def test_update_ends_with_what_the_new_template_takes(before: Resources, after: Resources) -> None:
    assume(not plan(before, after).failures)
    old, new, update = rows({}, before), rows({}, after), rows(before, after)
    for kind in old | new | update:
        ends = [side[kind].end if kind in side else Amount() for side in (new, old, update)]
        assert ends[0].minus(ends[1]) == ends[2]


@settings(max_examples=25)
@given(RESOURCES, RESOURCES)
def test_peak_is_no_less_than_the_end_and_no_more_than_all_additions(before: Resources, after: Resources) -> None:
    for row in rows(before, after).values():
        assert max(0, row.end.least) <= row.peak.least <= row.peak.most == row.adds.most


@settings(max_examples=25)
@given(RESOURCES)
def test_group_takes_the_sum_of_its_members(resources: Resources) -> None:
    alone = rows({}, resources)
    chained = {f"{name}{at}": one for name, one in resources.items() for at in range(3)}
    thrice = rows({}, chained)
    assert {kind: row.adds.most * 3 for kind, row in alone.items()} == {
        kind: row.adds.most for kind, row in thrice.items()
    }
    grouped = rows({}, {name: group(3, one) for name, one in resources.items()})
    assert {kind: row.adds for kind, row in grouped.items()} == {kind: row.adds for kind, row in thrice.items()}


def test_sentence_table_and_data() -> None:
    found = demand_rows(plan({"old": volume(5)}, {"s": server("large"), "v": volume(10)}), no_cloud)
    assert demand_sentence(found) == (
        "Adds 1 server, 1 volume, 10 GiB of volumes, 1 port; removes 1 volume, 5 GiB of volumes; "
        "not known: cores, MiB of RAM."
    )
    assert demand_lines(found)[:4] == [
        "Quota              Adds  Removes  At the peak  At the end",
        "Servers               1        0            1          +1",
        "Cores           unknown        0      unknown     unknown",
        "MiB of RAM      unknown        0      unknown     unknown",
    ]
    volumes = next(one for one in demand_data(found) if one["kind"] == "volumes")
    assert volumes["at_the_peak"] == {"least": 0, "most": 1}
    assert json.dumps(demand_data(found))
    removed = demand_data(demand_rows(plan({"s": server("huge")}, {})))
    assert next(one for one in removed if one["kind"] == "cores")["at_the_end"] == {"least": None, "most": None}

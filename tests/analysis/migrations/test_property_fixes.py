import pytest

from tests.analysis.migrations.migrating import after, migrate, migrated, reported

PORT = """\
heat_template_version: 2018-08-31
resources:
  port:
    type: OS::Neutron::Port
    properties:
      {}
"""


def resource(kind: str, *lines: str) -> str:
    properties = "".join(f"      {line}\n" for line in lines)
    return f"heat_template_version: 2018-08-31\nresources:\n  thing:\n    type: {kind}\n    properties:\n{properties}"


PAIRS = {
    "a name": (
        resource("OS::Neutron::Port", "network_id: {get_param: net}  # the inner one"),
        resource("OS::Neutron::Port", "network: {get_param: net}  # the inner one"),
    ),
    "a name in capitals": (
        resource("OS::Cinder::Volume", "size: 10", "imageRef: cirros"),
        resource("OS::Cinder::Volume", "size: 10", "image: cirros"),
    ),
    "two names": (
        resource("OS::Neutron::RouterInterface", "router_id: {get_resource: r}", "subnet_id: {get_param: s}"),
        resource("OS::Neutron::RouterInterface", "router: {get_resource: r}", "subnet: {get_param: s}"),
    ),
    "the target of the rule is old": (
        resource("OS::Designate::Zone", "name: example.com.", "type: SECONDARY", "masters: [192.0.2.1]"),
        resource("OS::Designate::Zone", "name: example.com.", "type: SECONDARY", "primaries: [192.0.2.1]"),
    ),
    "a map that goes": (
        resource(
            "OS::Mistral::Workflow",
            "type: direct",
            "tasks:",
            "  - name: t1",
            "    action: std.noop",
            "    policies:",
            "      wait_before: 5   # seconds",
            "      retry: {count: 3, delay: 1}",
            "    on_success: [t2]",
        ),
        resource(
            "OS::Mistral::Workflow",
            "type: direct",
            "tasks:",
            "  - name: t1",
            "    action: std.noop",
            "    wait_before: 5   # seconds",
            "    retry: {count: 3, delay: 1}",
            "    on_success: [t2]",
        ),
    ),
    "items of a list": (
        resource(
            "OS::Nova::Server",
            "networks:",
            "  - {uuid: {get_param: net}, fixed_ip: 10.0.0.5}",
            "  - {network: other}",
            "  - uuid: third",
        ),
        resource(
            "OS::Nova::Server",
            "networks:",
            "  - {network: {get_param: net}, fixed_ip: 10.0.0.5}",
            "  - {network: other}",
            "  - network: third",
        ),
    ),
    "items in one line": (
        resource("OS::Neutron::Port", "network: n", "fixed_ips: [{ subnet_id : s, ip_address: 10.0.0.9 }]"),
        resource("OS::Neutron::Port", "network: n", "fixed_ips: [{ subnet : s, ip_address: 10.0.0.9 }]"),
    ),
    "images of disks": (
        resource("OS::Nova::Server", "flavor: f", "block_device_mapping_v2:", "  - {image_id: i, boot_index: 0}"),
        resource("OS::Nova::Server", "flavor: f", "block_device_mapping_v2:", "  - {image: i, boot_index: 0}"),
    ),
    "one becomes a list": (
        resource("OS::Neutron::Router", "l3_agent_id: {get_param: agent}", "name: r"),
        resource("OS::Neutron::Router", "l3_agent_ids:", "  - {get_param: agent}", "name: r"),
    ),
    "one becomes a list of maps": (
        resource("OS::Heat::RandomString", "length: 12", "sequence: hexdigits"),
        resource("OS::Heat::RandomString", "length: 12", "character_classes:", "  - class: hexdigits", "    min: 1"),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_migration_writes_the_translation_of_heat(name: str) -> None:
    before, expected = PAIRS[name]
    assert migrated(before) == expected


@pytest.mark.parametrize("name", PAIRS)
def test_line_ends_are_kept(name: str) -> None:
    before, expected = (text.replace("\n", "\r\n") for text in PAIRS[name])
    assert migrated(before) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"network_id": net', '"network": net'),
        ("'network_id' : net", "'network' : net"),
        ("network_id:    net   # why", "network:    net   # why"),
        ("network_id: >-\n        net", "network: >-\n        net"),
        ("network_id:\n        get_param: net", "network:\n        get_param: net"),
        ("# network_id: other\n      network_id: net", "# network_id: other\n      network: net"),
    ],
)
def test_only_the_name_changes(written: str, expected: str) -> None:
    assert migrated(PORT.format(written)) == PORT.format(expected)


def test_json_is_kept() -> None:
    text = '{"heat_template_version": "2018-08-31",\n "resources": {"p": {"type": "OS::Neutron::Port",\n'
    text += '  "properties": {"network_id": {"get_param": "n"},   "name": "a"}}}}\n'
    assert migrated(text) == text.replace('"network_id"', '"network"')


def test_lists_in_json_are_written_as_json() -> None:
    text = '{"heat_template_version": "2018-08-31", "resources": {"r": {"type": "OS::Heat::RandomString", '
    text += '"properties": {"sequence": "digits"}}}}'
    properties = '"properties": {"character_classes": [{"class": "digits", "min": 1}]}'
    assert migrated(text) == text.replace('"properties": {"sequence": "digits"}', properties)


def test_cfn_template() -> None:
    text = """\
AWSTemplateFormatVersion: '2010-09-09'
Resources:
  port:
    Type: OS::Neutron::Port
    Properties:
      network_id: {Ref: net}
      fixed_ips:
        - subnet_id: {Ref: subnet}
"""
    assert migrated(text) == text.replace("network_id", "network").replace("subnet_id", "subnet")


def test_all_items_can_be_migrated_at_once() -> None:
    text = resource("OS::Nova::Server", "networks: [{uuid: a}, {uuid: b}, {port: c}]")
    title = "Replace `uuid` with `network`"
    assert reported(text) == [(title, "safe"), (f"{title} in all items", "safe")] * 2
    assert migrated(text) == text.replace("uuid", "network")


def test_both_names_need_a_decision() -> None:
    text = resource("OS::Neutron::Port", "network: new", "network_id: old")
    assert reported(text) == [
        ("Keep `network`", "decision"),
        ("Keep the value of `network_id` as `network`", "decision"),
    ]
    assert migrate(text).steps == ()
    assert after(text, "Keep `network`") == resource("OS::Neutron::Port", "network: new")
    assert after(text, "Keep the value of `network_id`") == resource("OS::Neutron::Port", "network: old")


@pytest.mark.parametrize("empty", ["''", "null", ""])
def test_empty_old_property_takes_precedence_as_in_heat(empty: str) -> None:
    text = resource("OS::Neutron::Port", "network: new", f"network_id: {empty}".rstrip())
    titles = dict(reported(text))
    assert titles["Keep the value of `network_id` as `network`"] == "safe"
    assert titles["Keep `network` (Heat would read a different value)"] == "unsafe"


def test_empty_new_property_can_be_removed() -> None:
    text = resource("OS::Neutron::Port", "network: ''", "network_id: old")
    assert dict(reported(text))["Keep the value of `network_id` as `network`"] == "safe"
    assert migrated(text) == resource("OS::Neutron::Port", "network: old")


def test_comment_after_a_removed_property_is_kept() -> None:
    text = resource("OS::Neutron::RouterInterface", "router: r", "subnet_id: null  # why", "subnet: ''", "port: p")
    assert migrated(text) == text.replace("subnet_id: null  # why", "# why")


@pytest.mark.parametrize(
    ("new", "old"), [("n", "{get_param: p}"), ("{get_param: p}", "o"), ("{get_attr: [a, b]}", "''")]
)
def test_functions_next_to_the_other_name_need_a_decision(new: str, old: str) -> None:
    text = resource("OS::Neutron::Port", f"network: {new}", f"network_id: {old}")
    assert {applicability for _, applicability in reported(text)} == {"decision"}


def test_both_names_in_an_item_need_a_decision() -> None:
    text = resource("OS::Nova::Server", "networks:", "  - {uuid: a, network: b}", "  - {uuid: c}")
    assert ("Keep `network`", "decision") in reported(text)
    assert migrate(text).template.text == text.replace("{uuid: c}", "{network: c}")


@pytest.mark.parametrize("value", ["{get_param: p}", "[{get_param: p}]", "[1.2.3.4, {get_resource: s}]"])
def test_functions_that_heat_cannot_read_under_the_new_name_have_no_fix(value: str) -> None:
    text = resource("OS::Designate::Zone", "name: example.com.", "type: SECONDARY", f"masters: {value}")
    assert reported(text) == []


def test_adding_to_an_existing_list_is_unsafe() -> None:
    text = resource("OS::Neutron::Router", "l3_agent_id: a", "l3_agent_ids: [b]")
    (keep, add) = sorted(reported(text), key=lambda way: way[1])
    assert keep == ("Keep `l3_agent_ids`", "decision")
    title = "Add the value of `l3_agent_id` to `l3_agent_ids` (Heat rejects the current value: both are set)"
    assert add == (title, "unsafe")
    assert after(text, "Add") == resource("OS::Neutron::Router", "l3_agent_ids: [b, a]")


def test_value_that_is_invalid_under_the_new_name_is_unsafe() -> None:
    text = resource("OS::Heat::RandomString", "sequence: bogus")
    ((title, applicability),) = reported(text)
    assert applicability == "unsafe"
    assert "Heat would reject the new value" in title


def test_property_that_is_also_set_in_an_old_map_needs_a_decision() -> None:
    text = resource(
        "OS::Mistral::Workflow",
        "type: direct",
        "tasks: [{name: t, action: a, wait_before: 1, policies: {wait_before: 2, timeout: 3}}]",
    )
    assert [applicability for _, applicability in reported(text)] == ["decision", "decision"]
    assert "{name: t, action: a, wait_before: 1, timeout: 3}" in after(text, "Keep `wait_before`")
    assert "{name: t, action: a, wait_before: 2, timeout: 3}" in after(text, "Keep the values of `policies`")


@pytest.mark.parametrize(
    "line",
    [
        "network_id",
        "fixed_ips: {get_param: network_id}",
        "fixed_ips: [{get_param: subnet_id}]",
        "replacement_policy: REPLACE_ALWAYS",
    ],
)
def test_no_fixes_for_other_values(line: str) -> None:
    assert reported(resource("OS::Neutron::Port", line)) == []


def test_hidden_property_with_its_default_value_can_go() -> None:
    text = resource("OS::Neutron::Port", "network: n", "replacement_policy: AUTO")
    assert reported(text) == [("Remove `replacement_policy`, which has its default value", "safe")]

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from heatstudio.analysis import analyze
from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.usage import usage_of
from heatstudio.catalog.release import Status
from heatstudio.stack.definition.source import Source
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import parse_template
from heatstudio.text import TextEdit, apply_edits
from tests.analysis.semantic_models import HOT, completions, knowledge, labels, marked, model_at, model_of
from tests.analysis.snippet_text import snippet_text
from tests.work import count_calls

SERVER = HOT + "resources:\n  server:\n    type: OS::Nova::Server\n    properties:\n"
ROUTER_INTERFACE = HOT + "resources:\n  link:\n    type: OS::Neutron::RouterInterface\n    properties:\n"

CFN = "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  a:\n"


def test_version_comes_first_in_an_empty_text() -> None:
    assert labels("‸")[0] == "heat_template_version"


def test_existing_sections_are_not_suggested() -> None:
    found = labels(HOT + "resources: {}\n‸")
    assert "parameters" in found
    assert not {"resources", "heat_template_version", "AWSTemplateFormatVersion"} & set(found)


def test_newest_version_comes_first() -> None:
    assert labels("heat_template_version: ‸\n")[:2] == ["2021-04-16", "2018-08-31"]
    assert "wallaby" in labels("heat_template_version: ‸\n")


def test_resource_keys_follow_the_version() -> None:
    assert labels(HOT + "resources:\n  a:\n    ‸")[0] == "type"
    assert "external_id" not in labels("heat_template_version: 2013-05-23\nresources:\n  a:\n    ‸")


def test_hidden_types_are_not_suggested_and_deprecated_ones_are_marked() -> None:
    found = completions(HOT + "resources:\n  a:\n    type: ‸")
    catalog = knowledge().catalog
    visible = set(catalog.visible_names)
    assert {one.label for one in found} == visible
    for one in found:
        resource_type = catalog.get(one.label)
        assert resource_type is not None
        assert one.deprecated == (resource_type.support_status.status is Status.DEPRECATED)
    struck = [one.deprecated for one in found]
    assert struck == sorted(struck)


def test_names_of_the_registry_and_files_are_suggested_as_types() -> None:
    environment = "resource_registry:\n  My::Thing: thing.yaml\n"
    found = labels(HOT + "resources:\n  a:\n    type: ‸", {"thing.yaml": HOT}, {"env.yaml": environment})
    assert {"My::Thing", "thing.yaml"} <= set(found)


def test_required_property_then_the_members_of_the_group_come_first() -> None:
    assert labels(ROUTER_INTERFACE + "      ‸\n")[:3] == ["router", "subnet", "port"]


def test_satisfied_group_does_not_affect_the_order() -> None:
    found = completions(ROUTER_INTERFACE + "      subnet: x\n      ‸\n")
    assert [one.label for one in found][:2] == ["router", "port"]
    assert found[1].detail == "String"


def test_required_property_with_its_old_name_counts_as_set() -> None:
    found = completions(ROUTER_INTERFACE + "      router_id: x\n      ‸\n")
    assert "required" not in next(one.detail for one in found if one.label == "router")


def test_hidden_properties_are_not_suggested() -> None:
    assert not {"router_id", "subnet_id", "port_id"} & set(labels(ROUTER_INTERFACE + "      ‸\n"))


def test_other_properties_are_in_the_order_of_their_usage_then_of_the_alphabet() -> None:
    found = [one for one in completions(SERVER + "      ‸\n") if one.kind == "property"]
    used = usage_of("OS::Nova::Server").properties
    rest = [one.label for one in found if "," not in one.detail]
    assert rest == sorted(rest, key=lambda name: (-used.get(name, 0), name))
    assert found[0].label == "flavor"
    assert rest.index("user_data") < rest.index("admin_pass")


def test_types_of_a_service_that_the_template_uses_come_before_equally_used_ones() -> None:
    text = HOT + "resources:\n  a:\n    type: {}\n  b:\n    type: ‸\n"
    orders = [labels(text.format(name)) for name in ("OS::Octavia::Pool", "OS::Heat::Value")]
    listener, group = "OS::Octavia::Listener", "OS::Heat::ResourceGroup"
    assert [found.index(listener) < found.index(group) for found in orders] == [True, False]


def test_half_typed_key_in_an_unreadable_text() -> None:
    text = SERVER + "      na‸\n      flavor: x\n  other:\n    type: OS::Heat::Value\n"
    found = completions(text)
    assert "name" in [one.label for one in found]
    assert "flavor" not in [one.label for one in found]
    plain, offset = marked(text)
    assert plain[found[0].replace.start : found[0].replace.end] == "na"
    assert found[0].replace.end == offset


def test_nested_properties_in_items_of_a_list() -> None:
    found = labels(SERVER + "      networks:\n        - ‸\n")
    assert {"port", "network", "fixed_ip"} <= set(found)
    assert "uuid" not in found


def test_map_inserts_a_new_line_and_list_an_item() -> None:
    found = {one.label: one.insert_text for one in completions(SERVER + "      ‸\n")}
    assert found["metadata"] == "metadata:\n  "
    assert found["networks"] == "networks:\n  - "
    assert found["name"] == "name: "


def test_lines_in_an_item_are_indented_below_its_key() -> None:
    found = {one.label: one.insert_text for one in completions(SERVER + "      networks:\n        - ‸\n")}
    assert found["port_extra_properties"] == "port_extra_properties:\n    "


def test_properties_key_inserts_the_required_properties() -> None:
    found = completions(HOT + "resources:\n  a:\n    type: OS::Nova::Server\n    ‸\n")
    assert next(one.insert_text for one in found if one.label == "properties") == (
        "properties:\n  flavor: ${2:<flavor>}\n  image: ${3:<image>}"
    )


def test_existing_colon_is_not_inserted_again() -> None:
    found = {one.label: one for one in completions(SERVER + "      na‸me: x\n")}
    assert found["name"].insert_text == "name"


def test_booleans_and_allowed_values() -> None:
    assert labels(SERVER + "      config_drive: ‸\n")[:2] == ["true", "false"]
    assert {"HEAT_CFNTOOLS", "RAW", "SOFTWARE_CONFIG"} <= set(labels(SERVER + "      user_data_format: ‸\n"))


def test_words_come_before_numbers() -> None:
    rule = HOT + "resources:\n  g:\n    type: OS::Neutron::SecurityGroup\n    properties:\n      rules:\n"
    found = labels(rule + "        - protocol: ‸\n")
    assert found.index("udp") < found.index("0") < found.index("255")


def test_matching_resource_comes_before_functions() -> None:
    text = HOT + "resources:\n  net:\n    type: OS::Neutron::Net\n  p:\n    type: OS::Neutron::Port\n    properties:\n"
    first = completions(text + "      network: ‸\n")[0]
    assert (first.label, first.insert_text) == ("net", "{get_resource: net}")


NETWORKS = HOT + (
    "parameters:\n  external_net: {type: string, constraints: [{custom_constraint: neutron.network}]}\n"
    "  key: {type: string}\nresources:\n  sg: {type: OS::Neutron::SecurityGroup}\n  above: {type: OS::Neutron::Net}\n"
    "  near: {type: OS::Neutron::Net}\n  p:\n    type: OS::Neutron::Port‸\n  below: {type: OS::Neutron::Net}\n"
)


def best(text: str) -> str | None:
    found = [one for one in completions(text, explicit=False) if one.best]
    return found[0].insert_text if found else None


def test_nearest_resource_above_comes_first() -> None:
    text = NETWORKS.replace("‸", "\n    properties:\n      network: ‸")
    assert labels(text)[:4] == ["near", "above", "below", "network"]
    assert best(text) is None


def test_only_fitting_reference_is_the_best() -> None:
    text = NETWORKS.replace("‸", "\n    properties:\n      security_groups:\n        - ‸")
    assert best(text) == "get_resource: sg"
    server = NETWORKS.replace("‸", "\n  s:\n    type: OS::Nova::Server\n    properties:\n      key_name: ‸")
    assert best(server) == "{get_param: key}"
    assert best(server.replace("key_name: ‸", "‸")) is None


def test_parameters_for_external_networks_fit_only_external_networks() -> None:
    ip = HOT + "  f:\n    type: OS::Neutron::FloatingIP\n    properties:\n      floating_network: ‸\n"
    text = NETWORKS.replace("‸", "").replace("  below: {type: OS::Neutron::Net}\n", ip.removeprefix(HOT))
    assert labels(text)[:2] == ["external_net", "floating_network"]


def test_reference_that_only_one_resource_can_have_is_not_suggested_again() -> None:
    server = "  {}:\n    type: OS::Nova::Server\n    properties:\n      networks: [{{port: {}}}]\n"
    ports = "  p1: {type: OS::Neutron::Port}\n  p2: {type: OS::Neutron::Port}\n"
    text = HOT + "resources:\n" + ports + server.format("a", "{get_resource: p2}") + server.format("b", "‸")
    assert labels(text)[:2] == ["p1", "port"]


def test_complete_type_offers_its_properties_with_references() -> None:
    (found,) = completions(NETWORKS, explicit=False)
    assert found.best
    assert found.replace.start == found.replace.end
    assert found.insert_text == (
        "\nproperties:\n  network: {get_resource: ${2:near}}\n  security_groups:\n    - {get_resource: ${3:sg}}"
    )
    assert not any(one.best for one in completions(NETWORKS.replace("‸", "‸\n    properties: {}"), explicit=False))


def test_new_parameter_is_declared_with_the_constraint_of_the_property() -> None:
    text = NETWORKS.replace("Port‸", "Net\n  s:\n    type: OS::Nova::Server\n    properties:\n      image: ‸")
    plain = marked(text)[0]
    found = next(one for one in completions(text, explicit=False) if one.detail == "new parameter")
    assert not found.best
    after = apply_edits(plain, [TextEdit(found.replace, found.insert_text), *found.further_edits])
    data = parse_template(after).data
    assert at(data, ("resources", "s", "properties", "image")) == {"get_param": "image"}
    declared = at(data, ("parameters", "image"))
    assert at(declared, ("type",)) == "string"
    assert at(declared, ("constraints",)) == [{"custom_constraint": "glance.image"}]
    assert at(declared, ("default",)) is None


def test_functions_of_the_template_version_are_suggested() -> None:
    assert "yaql" in labels(SERVER + "      name: ‸\n")
    old = SERVER.replace("2021-04-16", "2013-05-23")
    found = labels(old + "      name: ‸\n")
    assert "yaql" not in found
    assert "Fn::Join" in found
    assert "Fn::Join" not in labels(SERVER + "      name: ‸\n")


@pytest.mark.parametrize(
    ("typed", "inserted"),
    [
        ("      name: {get_‸\n", "get_param: ${1}}"),
        ("      name: {get_‸}\n", "get_param: ${1}"),
        ("      name: ‸\n", "{get_param: ${1}}"),
        ("      name:‸\n", " {get_param: ${1}}"),
        ("      name:\n        ‸\n", "get_param: ${1}"),
    ],
)
def test_function_is_inserted_in_the_style_of_its_context(typed: str, inserted: str) -> None:
    found = next(one for one in completions(SERVER + typed) if one.label == "get_param")
    assert found.insert_text == inserted


def test_names_of_resources() -> None:
    text = HOT + "resources:\n  a:\n    type: OS::Heat::Value\n  b:\n    type: OS::Nova::Server\n"
    assert labels(text + "    depends_on: ‸\n") == ["a"]
    assert labels(text + "  c:\n    type: X\n    depends_on: [a, ‸]\n") == ["b"]
    assert labels(text + "outputs:\n  o:\n    value: {get_resource: ‸\n")[:2] == ["a", "b"]


def test_get_attr_suggests_resources_then_attributes_then_keys() -> None:
    text = HOT + "resources:\n  port:\n    type: OS::Neutron::Port\noutputs:\n  o:\n    value: "
    assert labels(text + "{get_attr: [‸\n")[0] == "port"
    attributes = completions(text + "{get_attr: [port, ‸\n")
    fixed_ips = next(one for one in attributes if one.label == "fixed_ips")
    assert (fixed_ips.kind, fixed_ips.detail) == ("attribute", "List")
    known = knowledge().catalog.get("OS::Neutron::Port")
    assert known is not None
    hidden = {name for name, one in known.attributes.items() if one.support_status.status is Status.HIDDEN}
    assert {one.label for one in attributes if one.kind == "attribute"} == set(known.attributes) - hidden
    assert "ip_address" in labels(text + "{get_attr: [port, fixed_ips, 0, ‸]}\n")


def test_attributes_of_an_unknown_type_are_reported_as_unknown() -> None:
    text = HOT + "resources:\n  a:\n    type: Vendor::Thing\noutputs:\n  o:\n    value: {get_attr: [a, ‸]}\n"
    assert "Vendor::Thing are not known" in labels(text)[0]


def test_outputs_of_a_nested_template_are_attributes_with_keys() -> None:
    child = HOT + "outputs:\n  place:\n    value: {city: x, street: y}\n"
    text = HOT + "resources:\n  a:\n    type: child.yaml\noutputs:\n  o:\n    value: {get_attr: [a, "
    assert "place" in labels(text + "‸]}\n", {"child.yaml": child})
    assert labels(text + "place, ‸]}\n", {"child.yaml": child})[:2] == ["city", "street"]


def test_parameters_with_their_types() -> None:
    text = HOT + "parameters:\n  size: {type: number}\nresources:\n  a:\n    type: OS::Heat::Value\n    properties:\n"
    found = completions(text + "      value: {get_param: ‸}\n")
    assert (found[0].label, found[0].detail) == ("size", "number")
    assert (found[1].label, found[1].detail) == ("OS::project_id", "pseudo parameter")


def test_keys_of_a_default_after_the_name_of_a_parameter() -> None:
    text = HOT + "parameters:\n  place: {type: json, default: {city: x}}\noutputs:\n  o: {value: {get_param: [place, "
    assert labels(text + "‸]}}\n")[0] == "city"


def test_conditions_in_condition_if_and_each_other() -> None:
    text = HOT + "conditions:\n  a: true\n  b: {not: ‸}\nresources:\n  r:\n    type: X\n"
    assert labels(text)[0] == "a"
    assert "b" not in labels(text)
    plain = text.replace("‸", "a")
    assert labels(plain + "    condition: ‸\n")[:2] == ["a", "b"]
    assert labels(plain + "    properties:\n      p: {if: [‸\n")[:2] == ["a", "b"]


def test_only_condition_functions_in_conditions() -> None:
    found = labels(HOT + "conditions:\n  a: {‸}\n")
    assert {"equals", "not", "and", "or", "get_param"} <= set(found)
    assert not {"get_attr", "get_resource", "if"} & set(found)


def test_branches_of_if_suggest_the_values_of_the_property() -> None:
    assert labels(SERVER + "      config_drive: {if: [c, ‸]}\n")[:2] == ["true", "false"]


def test_parameter_keys_types_and_constraints() -> None:
    text = HOT + "parameters:\n  p:\n    "
    assert labels(text + "‸\n")[0] == "type"
    assert labels(text + "type: ‸\n") == ["string", "number", "comma_delimited_list", "json", "boolean"]
    found = {one.label: one.insert_text for one in completions(text + "type: number\n    constraints:\n      - ‸\n")}
    assert found["range"] == "range: {min: ${1:1}, max: ${2:10}}"
    assert "modulo" not in labels(text.replace("2021-04-16", "2013-05-23") + "constraints:\n      - ‸\n")
    assert labels(text + "constraints:\n      - range: {‸}\n") == ["min", "max"]
    assert "nova.flavor" in labels(text + "constraints:\n      - custom_constraint: ‸\n")


def test_output_and_parameter_group_keys() -> None:
    assert labels(HOT + "outputs:\n  o:\n    ‸\n")[0] == "value"
    text = HOT + "parameters:\n  p: {type: string}\nparameter_groups:\n  - "
    assert labels(text + "‸\n") == ["label", "description", "parameters"]
    assert labels(text + "parameters: [‸]\n")[0] == "p"


def test_cfn_words_and_functions() -> None:
    text = "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  v:\n    Type: AWS::EC2::Volume\n    "
    assert "Properties" in labels(text + "‸\n")
    assert labels(text + "Properties:\n      SnapshotId: {Ref: ‸}\n")[-1] == "AWS::StackName"
    assert labels("AWSTemplateFormatVersion: 2010-09-09\nResources:\n  v:\n    Type: ‸\n")[0].startswith("AWS::")


def test_mappings_and_their_keys() -> None:
    text = "AWSTemplateFormatVersion: 2010-09-09\nMappings:\n  Zones: {east: {one: a}}\nOutputs:\n  o:\n    Value: "
    assert labels(text + "{Fn::FindInMap: [‸]}\n")[0] == "Zones"
    assert labels(text + "{Fn::FindInMap: [Zones, ‸]}\n")[0] == "east"
    assert labels(text + "{Fn::FindInMap: [Zones, east, ‸]}\n")[0] == "one"


def test_json_is_inserted_in_json_templates() -> None:
    text = '{"heat_template_version": "2021-04-16", "resources": {"a": {"type": "OS::Nova::Server", "properties": {‸'
    found = {one.label: one.insert_text for one in completions(text)}
    assert found["flavor"] == '"flavor": '


@pytest.mark.parametrize(
    ("members", "label", "inserted"),
    [
        ('‸"network": "a"}', "name", '"name": ${1}, '),
        ('‸"network": "a"}', "fixed_ips", '"fixed_ips": [${1}], '),
        ('\n  na‸\n  "network": "a"}', "name", '"name": ${1},'),
        ('\n  "na‸"\n  "network": "a"}', "name", 'name": ${1},'),
        ("\n  ‸\n}", "name", '"name": '),
        ('"network": "a", ‸}', "name", '"name": '),
        ('na‸, "network": "a"}', "name", '"name": '),
        ('"na‸": 1, "network": "a"}', "name", "name"),
    ],
)
def test_comma_is_inserted_before_the_next_member_in_json(members: str, label: str, inserted: str) -> None:
    head = '{"heat_template_version": "2021-04-16", "resources": {"p": {"type": "OS::Neutron::Port", "properties": {'
    found = {one.label: one.insert_text for one in completions(head + members + "}}}")}
    assert found[label] == inserted


def test_comma_is_inserted_before_the_next_item_in_brackets() -> None:
    port = HOT + "resources:\n  p:\n    type: OS::Neutron::Port\n    properties: {"
    for members, inserted in (
        ("na‸ network: a}\n", "name: ${1},"),
        ("na‸\n  x:\n", "name: "),
        ("na‸ # x\n}\n", "name: "),
    ):
        found = {one.label: one.insert_text for one in completions(port + members)}
        assert found["name"] == inserted


def test_template_does_not_suggest_itself_as_a_type() -> None:
    model, offset = model_at(HOT + "resources:\n  a:\n    type: ‸", {"own.yaml": HOT, "deep/own.yaml": HOT})
    found = {
        one.label
        for one in complete(replace(model, source=replace(model.source, file="own.yaml")), offset, explicit=True)
    }
    assert "deep/own.yaml" in found
    assert "own.yaml" not in found


def test_types_of_the_other_language_are_marked_as_foreign() -> None:
    for head, foreign in ((HOT + "resources:\n  a:\n    type: ‸", "AWS::"), (CFN + "    Type: ‸", "OS::")):
        found = completions(head)
        assert found
        assert all(one.foreign == one.label.startswith(foreign) for one in found)


def test_each_deletion_policy_is_suggested_once() -> None:
    assert labels(HOT + "resources:\n  a:\n    deletion_policy: ‸")[:4] == ["Delete", "Retain", "Snapshot", "get_param"]


def test_parameter_groups_suggest_no_pseudo_parameters() -> None:
    text = HOT + "parameters:\n  a: {type: string}\nparameter_groups:\n- parameters:\n  - ‸\n"
    assert labels(text) == ["a"]


def test_no_suggestions_in_comments_and_multiline_strings() -> None:
    assert labels(SERVER + "      # na‸\n") == []
    assert labels(SERVER + "      user_data: |\n        get_‸\n") == []
    assert labels(SERVER + "      user_data: |\n        a\n          b‸\n") == []


@pytest.mark.parametrize("header", ["&a |", "!!str >-", "|2", "&a !!str |+  # c", ">+1", "|#c"])
def test_no_suggestions_in_a_script_below_any_header(header: str) -> None:
    text = SERVER + f"      config_drive: true\n      user_data: {header}\n        #!/bin/sh\n\n        get_‸\n"
    assert labels(text) == []
    assert labels(text.replace("get_‸", "‸")) == []
    assert "flavor" in labels(text.replace("        get_‸", "      ‸"))
    assert labels(text.replace("\n", "\r\n")) == []


def test_suggestions_below_a_value_that_only_looks_like_a_header() -> None:
    assert "get_param" in labels(SERVER + "      name: 'a |'\n      key_name: {g‸\n")
    assert "get_param" in labels(SERVER + "      metadata: {a: b |,\n        c: {get_‸\n")


def test_documentation_is_created_on_demand() -> None:
    router = completions(ROUTER_INTERFACE + "      ‸\n")[0]
    assert router.documentation is not None
    assert router.documentation.title == "router · String · required"
    assert "Updates cause replacement." in router.documentation.lines
    nested = next(one for one in completions(SERVER + "      networks:\n      - ‸\n") if one.label == "network")
    assert nested.documentation is not None
    assert "Can be updated without replacement." in nested.documentation.lines


def test_snippets_use_free_names() -> None:
    found = completions(HOT + "resources:\n  server:\n    type: X\n  ‸\n")
    text = next(one.insert_text for one in found if one.label == "Server with a port and a floating IP")
    assert text.startswith("server_2:\n  type: OS::Nova::Server\n")
    assert "name: ${1:web}" in text


@pytest.mark.parametrize(
    "text",
    [
        ROUTER_INTERFACE + "      ‸\n",
        SERVER + "      ‸\n      name: x\n",
        SERVER + "      networks:\n        - ‸\n",
        SERVER + "      name: ‸\n",
        SERVER + "      name: {‸}\n",
        SERVER + "      name:\n        ‸\n",
        HOT + "parameters:\n  p:\n    type: string\n    constraints:\n      - ‸\n",
        HOT + "conditions:\n  c: ‸\n",
        HOT + "resources:\n  ‸\n",
        "‸",
    ],
)
def test_every_completion_results_in_a_readable_text(text: str) -> None:
    model, offset = model_at(text)
    start = model.template.text.rfind("\n", 0, offset) + 1
    line = model.template.text[start:offset]
    margin = line[: len(line) - len(line.lstrip())]
    for one in complete(model, offset, True):
        # The editor fills in the empty names later; without a name the text may be invalid.
        filled = re.sub(r"\$\{1\}", "name", one.insert_text)
        inserted = snippet_text(filled).replace("\n", "\n" + margin)
        after = parse_template(apply_edits(model.template.text, [TextEdit(one.replace, inserted)]))
        assert after.complete, (one.label, after.text, after.problems)


def test_work_of_completion_is_linear_in_the_text() -> None:
    def work(count: int) -> int:
        ports = "".join(
            f"  port_{number}:\n    type: OS::Neutron::Port\n    properties:\n      network: net\n      name: n\n"
            f"      admin_state_up: true\n      fixed_ips:\n        - subnet: s\n"
            for number in range(count)
        )
        text = HOT + "resources:\n" + ports + "  server:\n    type: OS::Nova::Server\n    properties:\n      na"
        model = model_of(text)
        assert "name" in [one.label for one in complete(model, len(text), False)]
        return count_calls(lambda: complete(model, len(text), False))

    assert work(1000) < 12 * work(100)


def test_members_of_a_group_are_resources_of_their_own_type() -> None:
    group = HOT + "resources:\n  g:\n    type: OS::Heat::ResourceGroup\n    properties:\n      resource_def:\n        "
    assert labels(group + "‸\n") == ["type", "properties", "metadata"]
    assert "OS::Nova::Server" in labels(group + "type: ‸\n")
    inner = group + "type: OS::Neutron::RouterInterface\n        properties:\n          ‸\n"
    assert labels(inner)[:3] == ["router", "subnet", "port"]


def test_types_of_a_chain_share_their_properties() -> None:
    chain = "type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::RandomString, OS::Neutron::Net]"
    found = labels(HOT + f"resources:\n  g: {{{chain}, resource_properties: {{‸}}}}}}\n")
    assert {"length", "admin_state_up"} <= set(found)


def test_keywords_have_documentation() -> None:
    found = next(one for one in completions(HOT + "resources:\n  a:\n    ‸") if one.label == "external_id")
    assert "existing physical resource" in str(found.documentation)
    cfn = "AWSTemplateFormatVersion: 2010-09-09\nParameters:\n  p:\n    ‸\n"
    assert all(one.documentation for one in completions(cfn))


def test_colon_is_inserted_after_the_closing_quote() -> None:
    text = '{"heat_template_version": "2021-04-16", "resources": {"a": {"type": "OS::Nova::Server", "‸"}}}'
    found = next(one for one in completions(text) if one.label == "properties")
    plain, offset = marked(text)
    assert found.insert_text == 'properties": '
    assert found.replace.end == offset + 1
    assert plain[offset] == '"'


def test_analysis_is_a_semantic_model() -> None:
    plain, offset = marked(ROUTER_INTERFACE + "      ‸\n")
    analysis = analyze(Source(parse_template(plain)), knowledge())
    assert [one.label for one in complete(analysis, offset, True)][:3] == ["router", "subnet", "port"]


def test_plain_text_opens_no_suggestions() -> None:
    def typed(text: str) -> list[str]:
        return [one.label for one in completions(SERVER + f"      name: {text}‸\n", explicit=False)]

    assert typed("") == typed("app") == typed("ge") == []
    assert typed("get") == ["get_param", "get_resource", "get_attr", "get_file"]
    assert "get_param" in typed("{")


def test_properties_in_multiline_brackets() -> None:
    text = (
        SERVER
        + "      networks:\n        [\n          {\n            port: a\n          },\n          {\n            ‸\n"
    )
    assert {"network", "port"} <= set(labels(text + "          }\n        ]\n"))


def test_empty_default_is_not_suggested() -> None:
    server = "resources:\n  s:\n    type: OS::Nova::Server\n    properties:\n      "
    assert "''" not in labels(f"{HOT}{server}user_data: ‸")
    assert "HEAT_CFNTOOLS" in labels(f"{HOT}{server}user_data_format: ‸")

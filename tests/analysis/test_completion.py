from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.usage import usage_of
from heatstudio.catalog.release import Status
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import parse_template
from heatstudio.text import TextEdit, apply_edits
from tests.analysis.semantic_models import HOT, completions, knowledge, labels, marked, model_at, model_of
from tests.analysis.snippet_text import snippet_text
from tests.work import count_calls

SERVER = HOT + "resources:\n  server:\n    type: OS::Nova::Server\n    properties:\n"
ROUTER_INTERFACE = HOT + "resources:\n  link:\n    type: OS::Neutron::RouterInterface\n    properties:\n"

CFN = "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  a:\n"


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


def test_other_properties_are_in_the_order_of_their_usage_then_of_the_alphabet() -> None:
    found = [one for one in completions(SERVER + "      ‸\n") if one.kind == "property"]
    used = usage_of("OS::Nova::Server").properties
    rest = [one.label for one in found if "," not in one.detail]
    assert rest == sorted(rest, key=lambda name: (-used.get(name, 0), name))
    assert found[0].label == "flavor"
    assert rest.index("user_data") < rest.index("admin_pass")


def test_words_come_before_numbers() -> None:
    rule = HOT + "resources:\n  g:\n    type: OS::Neutron::SecurityGroup\n    properties:\n      rules:\n"
    found = labels(rule + "        - protocol: ‸\n")
    assert found.index("udp") < found.index("0") < found.index("255")


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


NETWORKS = HOT + (
    "parameters:\n  external_net: {type: string, constraints: [{custom_constraint: neutron.network}]}\n"
    "  key: {type: string}\nresources:\n  sg: {type: OS::Neutron::SecurityGroup}\n  above: {type: OS::Neutron::Net}\n"
    "  near: {type: OS::Neutron::Net}\n  p:\n    type: OS::Neutron::Port‸\n  below: {type: OS::Neutron::Net}\n"
)


def best(text: str) -> str | None:
    found = [one for one in completions(text, explicit=False) if one.best]
    return found[0].insert_text if found else None


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


def test_cfn_words_and_functions() -> None:
    text = "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  v:\n    Type: AWS::EC2::Volume\n    "
    assert "Properties" in labels(text + "‸\n")
    assert labels(text + "Properties:\n      SnapshotId: {Ref: ‸}\n")[-1] == "AWS::StackName"
    assert labels("AWSTemplateFormatVersion: 2010-09-09\nResources:\n  v:\n    Type: ‸\n")[0].startswith("AWS::")


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


@pytest.mark.parametrize("header", ["&a |", "!!str >-", "|2", "&a !!str |+  # c", ">+1", "|#c"])
def test_no_suggestions_in_a_script_below_any_header(header: str) -> None:
    text = SERVER + f"      config_drive: true\n      user_data: {header}\n        #!/bin/sh\n\n        get_‸\n"
    assert labels(text) == []
    assert labels(text.replace("get_‸", "‸")) == []
    assert "flavor" in labels(text.replace("        get_‸", "      ‸"))
    assert labels(text.replace("\n", "\r\n")) == []


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

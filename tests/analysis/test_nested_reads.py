"""Values in members of groups: Heat checks only those that the plug-in reads. The verdicts are the engine's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.load import load_source

PATTERN = {"workflow": "w", "pattern": "* * * * *"}
BOOTED = {"flavor": "f", "image": "i", "networks": [{"network": "n"}]}
KEY = {"type": "key", "algorithm": "aes", "bit_length": 128}
DATABASES = [{"name": "a", "collate": ["z"]}]
REFUSED: tuple[tuple[str, dict[str, object], str], ...] = (
    ("OS::Cinder::Volume", {"size": "large"}, "Value 'large' is not an integer"),
    ("OS::Cinder::Volume", {"size": 1, "image": ["z"]}, "Value must be a string; got ['z']"),
    ("OS::Barbican::Order", {**KEY, "payload_content_type": 7.5}, "Value must be a string; got 7.5"),
    ("OS::Barbican::Order", {**KEY, "type": "x"}, '"x" is not an allowed value'),
    ("OS::Neutron::Router", {"value_specs": "x"}, '"x" is not a map'),
    ("OS::Mistral::CronTrigger", {"workflow": "w", "first_time": ["z"]}, "Value must be a string; got ['z']"),
    ("OS::Magnum::ClusterTemplate", {"image": "i", "external_network": "n", "coe": "x"}, "not an allowed value"),
    ("OS::Nova::Server", {**BOOTED, "metadata": 7.5}, '"7.5" is not a map'),
)
MEMBER = {"type": "OS::Heat::RandomString"}
GROUP = "OS::Heat::ResourceGroup"
GROUPS_REFUSED: tuple[tuple[dict[str, object], str], ...] = (
    ({"resource_def": [MEMBER]}, "is not a map"),
    ({"count": 1}, "Property resource_def not assigned"),
    ({"resource_def": {"type": ["x"]}}, "Value must be a string; got ['x']"),
    ({"resource_def": {**MEMBER, "metadata": "x"}}, '"x" is not a map'),
    ({"resource_def": MEMBER, "removal_policies": [5]}, '"5" is not a map'),
)
REFUSED += tuple((GROUP, properties, message) for properties, message in GROUPS_REFUSED)
ACCEPTED: tuple[tuple[str, dict[str, object]], ...] = (
    ("OS::Cinder::Volume", {"backup_id": "b", "size": "large"}),
    ("OS::Barbican::Secret", {"payload": ["z"]}),
    ("OS::Heat::Delay", {"max_jitter": ""}),
    ("OS::Mistral::CronTrigger", {**PATTERN, "first_time": ["z"]}),
    ("OS::Neutron::SecurityGroupRule", {"security_group": "s", "remote_ip_prefix": ["z"]}),
    ("OS::Nova::Server", {**BOOTED, "security_groups": "x"}),
    ("OS::Trove::Instance", {"flavor": "f", "size": 1, "databases": DATABASES}),
    (GROUP, {"count": 0, "resource_def": [MEMBER]}),
    (GROUP, {"resource_def": MEMBER, "removal_policies": [{"resource_list": [{}]}], "removal_policies_mode": "x"}),
)


def messages(kind: str, properties: dict[str, object]) -> list[str]:
    """Return the error messages for a group with one such member."""
    definition = {"type": kind, "properties": properties}
    group = {"type": "OS::Heat::ResourceGroup", "properties": {"count": 1, "resource_def": definition}}
    template = {"heat_template_version": "2021-04-16", "resources": {"group": group}}
    found = analyze(Source(parse_template(json.dumps(template))), load_knowledge()).diagnostics
    return [each.heat or each.message for each in found if each.severity is Severity.ERROR]


@pytest.mark.parametrize(("kind", "properties", "message"), REFUSED)
def test_value_that_the_plugin_reads_must_be_valid(kind: str, properties: dict[str, object], message: str) -> None:
    (reported,) = messages(kind, properties)
    assert message in reported


@pytest.mark.parametrize(("kind", "properties"), ACCEPTED)
def test_value_that_no_plugin_reads_may_have_any_type(kind: str, properties: dict[str, object]) -> None:
    assert messages(kind, properties) == []


@pytest.mark.parametrize(
    ("servers", "severity"), [({"a": ["z"], "b": "x"}, Severity.ERROR), ({"b": "x", "a": ["z"]}, Severity.WARNING)]
)
def test_only_the_first_of_several_deployments_is_checked(servers: dict[str, object], severity: Severity) -> None:
    group = {"type": "OS::Heat::SoftwareDeploymentGroup", "properties": {"servers": servers, "config": "c"}}
    template = {"heat_template_version": "2021-04-16", "resources": {"group": group}}
    found = analyze(Source(parse_template(json.dumps(template))), load_knowledge()).diagnostics
    assert [(each.code, each.severity) for each in found] == [("wrong-value-type", severity)]


HOT: dict[str, object] = {"heat_template_version": "2021-04-16"}
READ = {"resources": {"v": {"type": "OS::Heat::RandomString", "properties": {"length": {"get_param": "q"}}}}}
DECIDED = {"conditions": {"c": {"equals": [{"get_param": "q"}, "x"]}}, "resources": {"v": {**MEMBER, "condition": "c"}}}
UNREAD = {"resources": {"v": {**MEMBER, "metadata": {"x": {"get_param": "q"}}}}, "outputs": {"o": {"value": "a"}}}


@pytest.mark.parametrize(("body", "is_refused"), [(READ, True), (DECIDED, True), (UNREAD, False)])
def test_invalid_json_of_a_nested_parameter(body: dict[str, object], *, is_refused: bool, tmp_path: Path) -> None:
    child = {**HOT, "parameters": {"q": {"type": "json"}}, **body}
    main = {**HOT, "resources": {"m": {"type": "child.yaml", "properties": {"q": "{"}}}}
    for name, data in (("child.yaml", child), ("main.yaml", main)):
        (tmp_path / name).write_text(json.dumps(data))
    found = analyze(load_source(tmp_path / "main.yaml"), load_knowledge()).diagnostics
    assert ["JSON" in (each.heat or each.message) for each in found if each.severity is Severity.ERROR] == (
        [True] if is_refused else []
    )


def test_read_rules_refer_to_existing_properties() -> None:
    knowledge = load_knowledge()
    for name, reads in knowledge.validation_reads.items():
        kind = knowledge.catalog.get(name)
        assert kind is not None
        for read in reads:
            assert {read.property, *read.when} <= kind.properties.keys()

"""Spot checks of facts in the catalog, and the behavior of the catalog."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from heatstudio.catalog.load import REMOVED, Catalog, load_catalog
from heatstudio.catalog.release import Status, SupportStatus
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule, ValueOf
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    Length,
    PropertySchema,
    Range,
    ReferenceBeforeCreation,
    ResourceType,
)


def made(catalog: Catalog, name: str) -> ResourceType:
    found = catalog.get(name)
    assert found is not None
    return found


def schema_at(catalog: Catalog, name: str, *path: str) -> PropertySchema:
    schemas = made(catalog, name).properties
    for part in path[:-1]:
        schemas = schemas[part].children
    return schemas[path[-1]]


def states(status: SupportStatus) -> list[tuple[Status, str | None]]:
    return [(state.status, state.version) for state in status.chain()]


@pytest.mark.parametrize(
    ("name", "path", "expected", "successor"),
    [
        (
            "OS::Neutron::Port",
            ("fixed_ips", "*", "subnet_id"),
            [(Status.HIDDEN, "5.0.0"), (Status.DEPRECATED, "2014.2")],
            "subnet",
        ),
        (
            "OS::Nova::Server",
            ("networks", "*", "uuid"),
            [(Status.HIDDEN, "5.0.0"), (Status.DEPRECATED, "2014.1")],
            "network",
        ),
        (
            "OS::Neutron::Router",
            ("l3_agent_id",),
            [(Status.HIDDEN, "6.0.0"), (Status.DEPRECATED, "2015.1"), (Status.SUPPORTED, "2014.1")],
            "l3_agent_ids",
        ),
        ("OS::Designate::Zone", ("masters",), [(Status.DEPRECATED, "15.0.0")], "primaries"),
        ("OS::Designate::Zone", ("primaries",), [(Status.SUPPORTED, None)], None),
        ("OS::Nova::Server", ("personality",), [(Status.DEPRECATED, "12.0.0")], "user_data"),
        ("AWS::EC2::EIP", ("Domain",), [(Status.DEPRECATED, "9.0.0")], None),
        (
            "OS::Mistral::Workflow",
            ("tasks", "*", "policies"),
            [(Status.HIDDEN, "8.0.0"), (Status.DEPRECATED, "5.0.0"), (Status.SUPPORTED, "2015.1")],
            None,
        ),
    ],
)
def test_status_of_properties(
    catalog: Catalog, name: str, path: tuple[str, ...], expected: list[tuple[Status, str | None]], successor: str | None
) -> None:
    status = schema_at(catalog, name, *path).support_status
    assert states(status) == expected
    assert status.successor == successor


@pytest.mark.parametrize(
    ("name", "successor"),
    [
        ("OS::Heat::SoftwareDeployments", "OS::Heat::SoftwareDeploymentGroup"),
        ("OS::Magnum::BayModel", "OS::Magnum::ClusterTemplate"),
        ("OS::Aodh::Alarm", "OS::Aodh::GnocchiAggregationByResourcesAlarm"),
        ("OS::Neutron::LBaaS::Pool", "OS::Octavia::Pool"),
        ("OS::Neutron::Pool", "OS::Octavia::Pool"),
        ("OS::Neutron::RouterGateway", "OS::Neutron::Router"),
        ("OS::Sahara::Cluster", None),
        ("OS::Heat::HARestarter", None),
        ("OS::Nova::Server", None),
    ],
)
def test_successor_of_types(catalog: Catalog, name: str, successor: str | None) -> None:
    assert made(catalog, name).support_status.successor == successor


def test_every_replacement_exists_and_is_not_hidden(catalog: Catalog) -> None:
    for name in catalog.names():
        successor = made(catalog, name).support_status.successor
        if successor is not None:
            assert made(catalog, successor).support_status.status is Status.SUPPORTED, name


def test_substitute_is_kept_only_if_heat_honors_it(catalog: Catalog) -> None:
    honored = {name for name in catalog.names() if made(catalog, name).support_status.substitute is not None}
    assert honored == {"OS::Heat::SoftwareDeployments", "OS::Heat::StructuredDeployments"}
    earlier = made(catalog, "OS::Magnum::BayModel").support_status.previous
    assert earlier is not None
    assert earlier.substitute == "OS::Magnum::ClusterTemplate"


def test_rules_of_router_interface(catalog: Catalog) -> None:
    rules = made(catalog, "OS::Neutron::RouterInterface").translation_rules
    moves = {rule.path: rule.source for rule in rules if rule.kind is TranslationKind.REPLACE}
    assert moves == {("port",): ("port_id",), ("router",): ("router_id",), ("subnet",): ("subnet_id",)}
    lookups = {rule.path: (rule.client_plugin, rule.finder, rule.entity) for rule in rules if rule.finder}
    assert lookups["router",] == ("neutron", "find_resourceid_by_name_or_id", "router")


def test_rules_of_mistral_workflow(catalog: Catalog) -> None:
    rules = made(catalog, "OS::Mistral::Workflow").translation_rules
    assert (
        TranslationRule(
            TranslationKind.REPLACE, ("tasks", "retry"), value_name="policies", custom_value_path=("retry",)
        )
        in rules
    )
    assert rules[-1] == TranslationRule(TranslationKind.DELETE, ("tasks", "policies"))
    assert rules[0].source == ("tasks", "policies", "pause_before")


def test_translation_rules_that_depend_on_a_property(catalog: Catalog) -> None:
    assert made(catalog, "OS::Heat::RandomString").translation_rules == (
        TranslationRule(
            TranslationKind.ADD,
            ("character_classes",),
            value=[{"class": ValueOf("sequence"), "min": 1}],
            when_set="sequence",
        ),
        TranslationRule(TranslationKind.DELETE, ("sequence",), when_set="sequence"),
    )
    (rule,) = made(catalog, "OS::Neutron::RBACPolicy").translation_rules
    assert rule.entity is None
    assert rule.entity_by is not None
    assert rule.entity_by[0] == "object_type"
    assert rule.entity_by[1]["qos_policy"] == "policy"
    assert made(catalog, "OS::Magnum::BayModel").translation_rules == ()


def test_translation_rules_match_an_independent_source(catalog: Catalog, shared: Path) -> None:
    with (shared / "heat" / "translation_rules.tsv").open(encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["translation_path"]]
    read = [
        (
            name,
            rule.kind.value,
            ".".join(rule.path),
            ".".join(rule.source or ()),
            rule.client_plugin or "",
            rule.finder or "",
        )
        for name in catalog.names()
        for rule in made(catalog, name).translation_rules
    ]
    columns = ("type", "kind", "translation_path", "source_path", "client_plugin", "finder")
    assert sorted(read) == sorted(tuple(row[column] for column in columns) for row in rows)


def test_defaults_that_come_from_heat_conf(catalog: Catalog) -> None:
    assert schema_at(catalog, "OS::Nova::Server", "user_data_format").default == "HEAT_CFNTOOLS"
    assert schema_at(catalog, "OS::Nova::Server", "software_config_transport").default == "POLL_SERVER_CFN"
    assert schema_at(catalog, "OS::Heat::DeployedServer", "software_config_transport").default == "POLL_SERVER_CFN"
    assert schema_at(catalog, "OS::Heat::SoftwareDeployment", "signal_transport").default == "CFN_SIGNAL"


def test_constraints_of_a_property(catalog: Catalog) -> None:
    assert schema_at(catalog, "OS::Heat::RandomString", "length").constraints == (Range(1, 512),)
    assert schema_at(catalog, "OS::Neutron::Subnet", "ip_version").constraints == (AllowedValues((4, 6)),)
    assert schema_at(catalog, "OS::Designate::RecordSet", "name").constraints[0] == Length(maximum=255)
    assert schema_at(catalog, "AWS::EC2::VolumeAttachment", "Device").constraints[0] == AllowedPattern("/dev/vd[b-z]")


def test_facts_of_a_type(catalog: Catalog) -> None:
    server = made(catalog, "OS::Nova::Server")
    assert server.class_name == "openstack.nova.server.Server"
    assert (server.client_plugin, server.entity, server.service) == ("nova", "servers", "OS::Nova")
    assert server.overrides["needs_replace_with_prop_diff"] == "openstack.nova.server.Server"
    assert made(catalog, "OS::Neutron::Trunk").service_extension == "trunk"
    assert made(catalog, "OS::Neutron::Trunk").properties["port"].immutable
    assert list(made(catalog, "OS::Heat::ResourceGroup").update_policy) == ["rolling_update", "batch_create"]
    assert not schema_at(catalog, "AWS::EC2::Instance", "KernelId").implemented


@pytest.mark.parametrize(
    ("name", "reference", "by"),
    [
        ("OS::Nova::Server", ReferenceBeforeCreation.NAME, None),
        ("OS::Neutron::Net", ReferenceBeforeCreation.NULL, None),
        ("OS::Nova::KeyPair", ReferenceBeforeCreation.NULL, None),
        ("OS::Swift::Container", ReferenceBeforeCreation.NONE_TEXT, None),
        ("OS::Mistral::Workflow", ReferenceBeforeCreation.NULL, "name"),
        ("AWS::ElasticLoadBalancing::LoadBalancer", ReferenceBeforeCreation.NAME, None),
    ],
)
def test_reference_before_creation(
    catalog: Catalog, name: str, reference: ReferenceBeforeCreation, by: str | None
) -> None:
    assert made(catalog, name).reference_before_creation is reference
    assert made(catalog, name).reference_property == by


def test_template_versions(catalog: Catalog) -> None:
    assert len(catalog.template_versions) == 19
    rocky = catalog.template_version("heat_template_version", "rocky")
    dated = catalog.template_version("heat_template_version", "2018-08-31")
    assert rocky is not None
    assert dated is not None
    assert rocky.class_name == dated.class_name
    assert rocky.functions["if"] == "If"
    assert rocky.functions["Ref"] == REMOVED
    assert sorted(rocky.condition_functions) == ["and", "contains", "equals", "get_param", "not", "or", "yaql"]
    assert "conditions" in rocky.sections
    assert "external_id" in rocky.resource_keys
    assert rocky.parameter_keys[-1] == "tags"
    assert rocky.pseudo_parameters == ("OS::stack_id", "OS::project_id", "OS::stack_name")
    assert catalog.template_version("heat_template_version", "stein") is None


def test_template_versions_differ(catalog: Catalog) -> None:
    first = catalog.template_version("heat_template_version", "2013-05-23")
    cfn = catalog.template_version("AWSTemplateFormatVersion", "2010-09-09")
    heat = catalog.template_version("HeatTemplateFormatVersion", "2012-12-12")
    assert first is not None
    assert cfn is not None
    assert heat is not None
    assert len(first.functions) == 16
    assert "conditions" not in first.sections
    assert "condition" not in first.resource_keys
    assert "condition" in first.recognized_resource_keys
    assert "modulo" not in first.parameter_constraints
    assert first.deletion_policies == ("Delete", "Retain", "Snapshot")
    assert "Conditions" in cfn.sections
    assert "Conditions" not in heat.sections
    assert cfn.condition_functions["Ref"] == "ParamRef"
    assert "Fn::If" in cfn.functions
    assert "Fn::If" not in heat.functions
    assert cfn.pseudo_parameters == ("AWS::StackId", "AWS::StackName", "AWS::Region")


def test_template_versions_match_an_independent_source(catalog: Catalog, shared: Path) -> None:
    with (shared / "heat" / "functions.tsv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    columns = {"AWSTemplateFormatVersion": "AWS2010", "HeatTemplateFormatVersion": "Heat2012"}
    for version in catalog.template_versions:
        column = columns.get(version.key, version.name)
        if column not in rows[0]:
            continue
        for row in rows:
            words = row[column].split()
            plain = next((word for word in words if ":" not in word and word != "-"), None)
            condition = next((word.removeprefix("cond:") for word in words if word.startswith("cond:")), None)
            expected = REMOVED if plain == "REMOVED" else plain
            assert version.functions.get(row["function"]) == expected, (version.name, row["function"])
            assert version.condition_functions.get(row["function"]) == condition, (version.name, row["function"])


def test_type_is_cached_and_immutable(catalog: Catalog) -> None:
    net = made(catalog, "OS::Neutron::Net")
    assert catalog.get("OS::Neutron::Net") is net
    assert catalog.get("OS::Neutron::NoSuchThing") is None
    field = "name"
    with pytest.raises(AttributeError):
        setattr(net, field, "other")


def test_names_are_sorted(catalog: Catalog) -> None:
    assert catalog.names() == sorted(catalog.names())


def test_catalog_can_be_loaded_from_another_file(tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(json.dumps({"heat": "99.0.0", "types": {"My::Type": {"class": "my.Type"}}}), encoding="utf-8")
    catalog = load_catalog(path)
    assert catalog.heat_version == "99.0.0"
    assert made(catalog, "My::Type").class_name == "my.Type"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"types": 1}', '{"heat": "27.0.1"}'])
def test_invalid_catalog_is_rejected(tmp_path: Path, content: str) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r".+"):
        load_catalog(path)

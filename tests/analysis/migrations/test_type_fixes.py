from __future__ import annotations

from msgspec.structs import replace

from heatstudio.analysis.checks.attribute_support import attribute_fixes
from heatstudio.analysis.checks.type_support import type_fixes
from heatstudio.analysis.migrations.fix_all import is_neutral
from heatstudio.catalog.release import Status, SupportStatus
from heatstudio.catalog.schema import AttributeSchema, PropertyType, ResourceType
from heatstudio.stack.definition.source import Source
from heatstudio.template import SetValue, parse_template
from heatstudio.text import Applicability
from tests.analysis.migrations.migrating import knowledge, migrated, reported

TEMPLATE = """\
heat_template_version: 2018-08-31
resources:
  thing:
    type: {kind}  # old
    properties: {properties}
"""
DEPLOYMENTS = "{config: a, servers: {get_param: servers}, actions: [CREATE]}"


def test_substitute_replaces_the_type_in_place() -> None:
    before = TEMPLATE.format(kind="OS::Heat::SoftwareDeployments", properties=DEPLOYMENTS)
    after = TEMPLATE.format(kind="OS::Heat::SoftwareDeploymentGroup", properties=DEPLOYMENTS)
    assert reported(before) == [("Replace the type with `OS::Heat::SoftwareDeploymentGroup`", "safe")]
    assert migrated(before) == after
    assert is_neutral(Source(parse_template(before)), Source(parse_template(after)), knowledge())


def test_substitute_without_a_written_property_needs_a_decision() -> None:
    text = TEMPLATE.format(kind="OS::Heat::SoftwareDeployments", properties="{config: a, servers: {}, other: 1}")
    ((title, applicability),) = reported(text)
    assert applicability == "decision"
    assert title.endswith("(the new type has no property `other`)")


def test_successor_that_is_another_resource_is_not_safe() -> None:
    text = TEMPLATE.format(
        kind="OS::Neutron::LBaaS::L7Rule", properties="{type: PATH, compare_type: REGEX, value: a, l7policy: b}"
    )
    ((title, applicability),) = reported(text)
    assert title.startswith(
        "Replace the type with `OS::Octavia::L7Rule` (Heat creates a new resource and deletes the old one"
    )
    assert applicability != "safe"
    assert migrated(text) == text


def test_title_names_missing_and_unsupported_properties_of_the_successor() -> None:
    text = TEMPLATE.format(kind="OS::Nova::FloatingIP", properties="{pool: public}")
    ((title, applicability),) = reported(text)
    assert applicability == "decision"
    assert "the new type has no property `pool`" in title
    assert "the new type requires `floating_network`" in title


def test_types_without_replacement_have_no_fix() -> None:
    assert reported(TEMPLATE.format(kind="OS::Senlin::Policy", properties="{}")) == []
    assert reported(TEMPLATE.format(kind="OS::Nova::Server", properties="{}")) == []


def test_properties_that_are_not_a_map_need_a_decision() -> None:
    catalog = knowledge().catalog
    old = catalog.get("OS::Heat::StructuredDeployments")
    words = parse_template(TEMPLATE.format(kind="a", properties="b")).dialect
    assert old is not None
    (fix,) = type_fixes(old, catalog, {"properties": 7}, ("resources", "thing"), words)
    assert fix.applicability is Applicability.DECISION


def attribute(name: str, kind: PropertyType, successor: str | None = None) -> AttributeSchema:
    status = SupportStatus(Status.HIDDEN, successor=successor) if successor else SupportStatus()
    return AttributeSchema(name, kind, status)


def test_attribute_with_a_successor_of_the_same_type() -> None:
    attributes = {"old": attribute("old", PropertyType.LIST, "new"), "new": attribute("new", PropertyType.LIST)}
    some = ResourceType("Some::Type", "Type", attributes=attributes)
    path = ("outputs", "o", "value", "get_attr", 1)
    (fix,) = attribute_fixes(some, "old", path)
    assert fix.changes == (SetValue(path, "new"),)
    assert fix.applicability is Applicability.DECISION
    assert attribute_fixes(some, "new", path) == ()
    assert attribute_fixes(some, "other", path) == ()
    changed = replace(some, attributes={**attributes, "new": attribute("new", PropertyType.MAP)})
    assert attribute_fixes(changed, "old", path) == ()


def test_no_attribute_of_heat_has_a_successor_of_the_same_type() -> None:
    catalog = knowledge().catalog
    for name in catalog.names():
        found = catalog.get(name)
        assert found is not None
        assert [way for written in found.attributes for way in attribute_fixes(found, written, ("o",))] == []

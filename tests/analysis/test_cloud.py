"""Problems in a template for a connected cloud: missing features and names."""

from __future__ import annotations

from heatstudio.analysis import analyze
from heatstudio.analysis.assist.completion import complete
from heatstudio.catalog.cloud.known_cloud import CloudCatalog, CloudNames, CloudObject, KnownCloud, load_name_kinds
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity, apply_edits
from tests.analysis.semantic_models import knowledge

PORT: dict[str, dict[str, object]] = {
    "properties": {"network": {}, "name": {}},
    "attributes": {"mac_address": {}, "show": {}},
}
OLD_CLOUD = CloudCatalog(
    "old",
    types={"OS::Neutron::Port": PORT, "OS::Heat::Value": {}, "My::Own::Thing": {"properties": {}}},
    versions={
        "heat_template_version.2017-09-01": frozenset({"get_attr", "get_resource"}),
        "heat_template_version.2016-04-08": frozenset({"get_attr"}),
    },
)
NAMES = CloudNames(
    {
        "neutron.network": (CloudObject("id-1", "private"), CloudObject("id-2", "twice"), CloudObject("id-3", "twice")),
        "neutron.port": (CloudObject("id-9", "p"),),
    },
    frozenset({"neutron.port"}),
    load_name_kinds(),
)
TEMPLATE = """\
heat_template_version: {version}
resources:
  port:
    type: OS::Neutron::Port
    properties: {{network: {network}, qos_policy: q}}
  zone: {{type: OS::Designate::Zone, properties: {{name: a.b., email: a@b.c}}}}
  own: {{type: My::Own::Thing}}
  mac: {{type: OS::Heat::Value, properties: {{value: {{get_attr: [port, status]}}}}}}
  joined: {{type: OS::Heat::Value, properties: {{value: {{list_join: ['', [a]]}}}}}}
"""


def known(cloud: KnownCloud) -> Knowledge:
    return knowledge().with_cloud(cloud)


def said(text: str, cloud: KnownCloud, code: str = "not-in-cloud") -> list[tuple[str, str]]:
    analysis = analyze(Source(parse_template(text)), known(cloud))
    found = [one for one in analysis.diagnostics if one.code == code]
    assert all(one.severity >= Severity.WARNING for one in found)
    return [(text[one.span.start : one.span.end], one.message) for one in found]


def test_missing_features_of_the_cloud_are_located() -> None:
    text = TEMPLATE.format(version="2017-09-01", network="x")
    assert said(text, KnownCloud("old", OLD_CLOUD)) == [
        ("qos_policy", "Property `qos_policy` of OS::Neutron::Port is not available in the cloud `old`."),
        ("OS::Designate::Zone", "OS::Designate::Zone is not available in the cloud `old`."),
        ("status", "Attribute `status` of OS::Neutron::Port is not available in the cloud `old`."),
        ("list_join", "Function `list_join` of version 2017-09-01 is not available in the cloud `old`."),
    ]


def test_type_that_only_the_cloud_has_is_known() -> None:
    text = TEMPLATE.format(version="2017-09-01", network="x")
    assert said(text, KnownCloud("old", OLD_CLOUD), "unknown-type") == []
    assert [place for place, _ in said(text, KnownCloud("bare"), "unknown-type")] == ["My::Own::Thing"]


def test_newer_template_version_is_reported_with_the_newest_of_the_cloud() -> None:
    text = TEMPLATE.format(version="2018-08-31", network="x")
    reported = dict(said(text, KnownCloud("old", OLD_CLOUD)))
    assert (
        reported["2018-08-31"]
        == "The cloud `old` does not support template version 2018-08-31; the newest that it supports is 2017-09-01."
    )


def test_name_that_the_cloud_does_not_have_is_reported_with_the_nearest() -> None:
    text = TEMPLATE.format(version="2017-09-01", network="privat")
    cloud = KnownCloud("here", names=NAMES)
    assert said(text, cloud) == [("privat", "The cloud `here` has no network `privat`. Did you mean `private`?")]
    analysis = analyze(Source(parse_template(text)), known(cloud))
    diagnostic = next(one for one in analysis.diagnostics if one.code == "not-in-cloud")
    (fix,) = analysis.fixes(diagnostic)
    assert apply_edits(text, fix.edits) == text.replace("privat,", "private,")


def test_existing_names_and_ids_have_no_diagnostics() -> None:
    for name in ("private", "id-1", "twice"):
        assert said(TEMPLATE.format(version="2017-09-01", network=name), KnownCloud("here", names=NAMES)) == []


def test_parameter_with_a_missing_name_is_reported() -> None:
    text = """\
heat_template_version: 2017-09-01
parameters:
  net: {type: string, default: privat, constraints: [{custom_constraint: neutron.network}]}
  nets: {type: comma_delimited_list, default: "private,nowhere", constraints: [{custom_constraint: neutron.network}]}
"""
    cloud = KnownCloud("here", names=NAMES)
    assert said(text, cloud) == [
        ("privat", "The cloud `here` has no network `privat`. Did you mean `private`?"),
        ('"private,nowhere"', "The cloud `here` has no network `nowhere`."),
    ]
    analysis = analyze(Source(parse_template(text), parameter_values={"net": "elsewhere"}), known(cloud))
    found = [one for one in analysis.diagnostics if one.code == "not-in-cloud"]
    assert [text[one.span.start : one.span.end] for one in found] == ["net", '"private,nowhere"']
    assert not any(one.has_fixes for one in found)


def test_names_are_not_missing_if_the_list_is_incomplete() -> None:
    assert not NAMES.lacks("neutron.port", "another")
    assert not NAMES.lacks("nova.flavor", "m1.small")


def test_unique_name_can_be_replaced_with_its_id() -> None:
    text = TEMPLATE.format(version="2017-09-01", network="private")
    analysis = analyze(Source(parse_template(text)), known(KnownCloud("here", names=NAMES)))
    hint = next(one for one in analysis.diagnostics if one.code == "cloud-name")
    assert hint.severity is Severity.HINT
    (fix,) = analysis.fixes(hint)
    assert apply_edits(text, fix.edits) == text.replace("private", "id-1")
    ambiguous = TEMPLATE.format(version="2017-09-01", network="twice")
    assert said(ambiguous, KnownCloud("here", names=NAMES), "cloud-name") == []


def test_names_of_the_cloud_are_completed() -> None:
    text = TEMPLATE.format(version="2017-09-01", network="pri")
    analysis = analyze(Source(parse_template(text)), known(KnownCloud("here", names=NAMES)))
    offered = complete(analysis, text.index("pri,") + 3, explicit=True)
    assert "private" in [item.label for item in offered]


def test_no_diagnostics_without_a_cloud() -> None:
    text = TEMPLATE.format(version="2018-08-31", network="nowhere")
    codes = {one.code for one in analyze(Source(parse_template(text)), knowledge()).diagnostics}
    assert not codes & {"not-in-cloud", "cloud-name"}


def test_type_of_one_cloud_is_not_that_of_another() -> None:
    """Two clouds may have a type of the same name with different properties."""
    text = "heat_template_version: 2017-09-01\nresources: {own: {type: My::Own::Thing, properties: {one: a}}}\n"
    for name, expected in (("one", []), ("other", ["one"])):
        types = {"My::Own::Thing": {"properties": {name: {"type": "string"}}}}
        cloud = KnownCloud(name, CloudCatalog(name, types=types))
        found = analyze(Source(parse_template(text)), known(cloud)).diagnostics
        assert [text[one.span.start : one.span.end] for one in found if one.code == "unknown-property"] == expected


def test_catalog_with_a_cloud_shares_the_bundled_types() -> None:
    port = knowledge().catalog.get("OS::Neutron::Port")
    assert known(KnownCloud("old", OLD_CLOUD)).catalog.get("OS::Neutron::Port") is port

"""Problems in a template for an older release."""

from __future__ import annotations

import pytest

from heatstudio.analysis import Options, analyze
from heatstudio.catalog.release import Status, find_release, load_releases, since, status_at
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity, apply_edits
from tests.analysis.semantic_models import knowledge

RELEASES = load_releases()
NEW = """\
heat_template_version: wallaby
resources:
  quota:
    type: OS::Octavia::Quota
    properties: {project: p, pool: 1}
  server:
    type: OS::Nova::Server
    properties:
      image: a
      flavor: m1.small
      networks: [{network: x, tag: a}]
      tags: [a]
outputs:
  some: {value: {contains: [a, {list_concat: [[a]]}]}}
  tags: {value: {get_attr: [server, tags]}}
"""
OLD = """\
heat_template_version: 2013-05-23
resources:
  domain:
    type: OS::Designate::Domain
    properties: {name: example.com., email: a@example.com}
  port:
    type: OS::Neutron::Port
    properties: {network_id: x}
"""


def said(text: str, release: str) -> list[tuple[str, str]]:
    analysis = analyze(Source(parse_template(text)), knowledge(), Options(find_release(RELEASES, release)))
    codes = {"not-in-release", "property-support", "type-support", "attribute-support"}
    found = [one for one in analysis.diagnostics if one.code in codes]
    assert all(one.severity >= Severity.WARNING for one in found)
    return [(text[one.span.start : one.span.end], one.message) for one in found]


def test_features_newer_than_the_target_name_both_releases() -> None:
    assert said(NEW, "Ocata") == [
        ("wallaby", "Template version 2021-04-16 was added in 16.0.0 (Wallaby); your target is 8.0.0 (Ocata)."),
        ("OS::Octavia::Quota", "OS::Octavia::Quota was added in 14.0.0 (Ussuri); your target is 8.0.0 (Ocata)."),
        ("tag", "Property `tag` was added in 9.0.0 (Pike); your target is 8.0.0 (Ocata)."),
        ("contains", "Function `contains` is not in template version 2017-02-24, the newest of 8.0.0 (Ocata)."),
        ("list_concat", "Function `list_concat` is not in template version 2017-02-24, the newest of 8.0.0 (Ocata)."),
    ]


LATER = """\
heat_template_version: 2021-04-16
resources:
  alarm:
    type: OS::Aodh::PrometheusAlarm
  zone:
    type: OS::Designate::Zone
    properties: {name: example.com., email: a@example.com, attributes: {a: b}}
  server:
    type: OS::Nova::Server
    properties:
      flavor: m1.small
      networks: [{network: x}]
      block_device_mapping_v2: [{volume_id: x, volume_type: y, colour: z}]
"""


def test_feature_missing_in_the_release_is_an_error_with_its_first_release() -> None:
    analysis = analyze(Source(parse_template(LATER)), knowledge(), Options(find_release(RELEASES, "yoga")))
    errors = [one for one in analysis.diagnostics if one.severity is Severity.ERROR]
    assert [(one.code, one.message) for one in errors] == [
        (
            "not-in-release",
            "OS::Aodh::PrometheusAlarm was added in 22.0.0 (2024.1 Caracal); your target is 18.0.0 (Yoga).",
        ),
        ("not-in-release", "Property `attributes` was added in 24.0.0 (2025.1 Epoxy); your target is 18.0.0 (Yoga)."),
        (
            "not-in-release",
            "Property `volume_type` was added in 26.0.0 (2026.1 Gazpacho); your target is 18.0.0 (Yoga).",
        ),
        ("unknown-property", "Unknown property `colour`."),
    ]


GONE = """\
heat_template_version: 2021-04-16
resources:
  listener:
    type: OS::Octavia::Listener
    properties: {protocol: HTTP, protocol_port: 80, default_pool: x}
  cluster:
    type: OS::Senlin::Cluster
    properties: {profile: x, min_size: 3, desired_capacity: 3, max_size: 2}
  key:
    type: OS::Nova::KeyPair
    properties: {name: x}
"""


@pytest.mark.parametrize(
    ("release", "codes"),
    [
        ("yoga", {"cluster": ["property-group", "property-group"]}),
        ("bobcat", {"cluster": ["property-group", "property-group"], "key": ["property-group"]}),
        ("caracal", {"listener": ["missing-property"], "cluster": ["property-group"] * 2, "key": ["property-group"]}),
        ("dalmatian", {"listener": ["missing-property"], "key": ["property-group"]}),
    ],
)
def test_schemas_and_groups_are_those_of_the_release(release: str, codes: dict[str, list[str]]) -> None:
    analysis = analyze(Source(parse_template(GONE)), knowledge(), Options(find_release(RELEASES, release)))
    found: dict[str, list[str]] = {}
    for one in analysis.diagnostics:
        if one.severity is Severity.ERROR:
            found.setdefault(one.resource or "", []).append(one.code)
    assert found == codes


def test_attributes_newer_than_the_target_are_reported() -> None:
    assert ("tags", "Attribute `tags` was added in 8.0.0 (Ocata); your target is 7.0.0 (Newton).") in said(
        NEW, "newton"
    )


def test_nothing_is_newer_than_the_newest_release() -> None:
    assert said(NEW, "2026.2") == []


def test_no_release_diagnostics_without_a_target() -> None:
    analysis = analyze(Source(parse_template(NEW)), knowledge())
    assert "not-in-release" not in [one.code for one in analysis.diagnostics]


def test_template_version_can_be_lowered_to_the_release() -> None:
    text = "heat_template_version: rocky\n"
    analysis = analyze(Source(parse_template(text)), knowledge(), Options(find_release(RELEASES, "pike")))
    fixes = [fix for one in analysis.diagnostics if one.code == "not-in-release" for fix in analysis.fixes(one)]
    assert [apply_edits(text, fix.edits) for fix in fixes] == ["heat_template_version: 2017-09-01\n"]


@pytest.mark.parametrize(
    ("release", "statuses"), [("icehouse", []), ("ocata", ["deprecated", "hidden"]), ("2026.2", ["hidden", "hidden"])]
)
def test_support_status_is_that_of_the_target(release: str, statuses: list[str]) -> None:
    found = [message for _, message in said(OLD, release) if " was added in " not in message]
    assert [next(word for word in ("deprecated", "hidden") if word in message) for message in found] == statuses


@pytest.mark.parametrize(
    ("release", "named"),
    [
        ("pike", "OS::Neutron::LBaaS::Pool"),
        ("yoga", "OS::Neutron::LBaaS::Pool"),
        ("2023.2", "OS::Octavia::Pool"),
        ("2026.2", "OS::Octavia::Pool"),
    ],
)
def test_successor_of_a_type_is_that_of_the_target(release: str, named: str) -> None:
    text = "heat_template_version: 2013-05-23\nresources:\n  a: {type: 'OS::Neutron::Pool'}\n"
    analysis = analyze(Source(parse_template(text)), knowledge(), Options(find_release(RELEASES, release)))
    (found,) = (one for one in analysis.diagnostics if one.code == "type-support")
    assert f"use `{named}`" in found.message


def test_successor_newer_than_the_target_is_not_named() -> None:
    text = "heat_template_version: 2013-05-23\nresources:\n  a: {type: 'OS::Aodh::CombinationAlarm'}\n"
    assert [("CompositeAlarm" in message) for _, message in said(text, "newton")] == [False]
    assert [("CompositeAlarm" in message) for _, message in said(text, "ocata")] == [True]


def test_diagnostics_of_every_type_match_its_support_status() -> None:
    release = RELEASES[4]
    catalog = knowledge().at(release).catalog
    for name in catalog.names():
        kind = catalog.get(name)
        assert kind is not None
        expected = status_at(kind.support_status, release)
        text = f"heat_template_version: 2013-05-23\nresources:\n  a: {{type: '{name}'}}\n"
        messages = [message for place, message in said(text, release.name) if name in place]
        newer = [message for message in messages if "was added in" in message]
        assert bool(newer) == (expected is None), name
        assert (since(kind.support_status) is not None) or expected is not None
        gone = expected is not None and expected.status is not Status.SUPPORTED
        assert bool(messages) == (gone or expected is None), name


def test_cfn_versions_exist_in_the_oldest_release() -> None:
    text = "AWSTemplateFormatVersion: 2010-09-09\nOutputs:\n  a: {Value: {'Fn::Join': ['', [a]]}}\n"
    assert said(text, "icehouse") == []


@pytest.mark.parametrize(
    ("wanted", "heat"),
    [
        ("Icehouse", "2014.1"),
        ("ROCKY", "11.0.0"),
        ("11", "11.0.0"),
        ("11.0.1", "11.0.0"),
        ("2015.1", "2015.1"),
        ("2015.1.2", "2015.1"),
        ("2026.2", "27.0.0"),
        ("hibiscus", "27.0.0"),
        ("2023.1 antelope", "20.0.0"),
    ],
)
def test_release_is_found_by_each_of_its_names(wanted: str, heat: str) -> None:
    found = find_release(RELEASES, wanted)
    assert found is not None
    assert found.heat == heat


@pytest.mark.parametrize("wanted", ["", " ", "antarctica", "99", "2013.1", "..", "9x"])
def test_unknown_release_is_not_found(wanted: str) -> None:
    assert find_release(RELEASES, wanted) is None

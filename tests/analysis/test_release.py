"""What is said when a template is for an older release."""

from __future__ import annotations

import pytest

from heatstudio.analysis import Settings, analyze
from heatstudio.catalog import Status, find_release, load_releases, since, status_at
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
    analysis = analyze(Source(parse_template(text)), knowledge(), Settings(find_release(RELEASES, release)))
    codes = {"not-in-release", "property-support", "type-support", "attribute-support"}
    found = [one for one in analysis.diagnostics if one.code in codes]
    assert all(one.severity >= Severity.WARNING for one in found)
    return [(text[one.span.start : one.span.end], one.message) for one in found]


def test_everything_newer_than_the_target_is_said_with_both_releases() -> None:
    assert said(NEW, "Ocata") == [
        ("wallaby", "Template version 2021-04-16 is available since 16.0.0 (Wallaby); your target is 8.0.0 (Ocata)."),
        (
            "OS::Octavia::Quota",
            "OS::Octavia::Quota is available since 14.0.0 (Ussuri); your target is 8.0.0 (Ocata).",
        ),
        ("tag", "Property `tag` is available since 9.0.0 (Pike); your target is 8.0.0 (Ocata)."),
        ("contains", "Function `contains` is not in template version 2017-02-24, the newest of 8.0.0 (Ocata)."),
        ("list_concat", "Function `list_concat` is not in template version 2017-02-24, the newest of 8.0.0 (Ocata)."),
    ]


def test_attributes_are_looked_at_too() -> None:
    assert ("tags", "Attribute `tags` is available since 8.0.0 (Ocata); your target is 7.0.0 (Newton).") in said(
        NEW, "newton"
    )


def test_nothing_is_newer_than_the_newest_release() -> None:
    assert said(NEW, "2026.2") == []


def test_without_a_target_nothing_is_said_of_releases() -> None:
    analysis = analyze(Source(parse_template(NEW)), knowledge())
    assert "not-in-release" not in [one.code for one in analysis.diagnostics]


def test_the_version_can_be_lowered_to_the_one_of_the_release() -> None:
    text = "heat_template_version: rocky\n"
    analysis = analyze(Source(parse_template(text)), knowledge(), Settings(find_release(RELEASES, "pike")))
    fixes = [fix for one in analysis.diagnostics if one.code == "not-in-release" for fix in analysis.fixes(one)]
    assert [apply_edits(text, fix.edits) for fix in fixes] == ["heat_template_version: 2017-09-01\n"]


@pytest.mark.parametrize(
    ("release", "statuses"),
    [
        ("icehouse", []),
        ("ocata", ["deprecated", "hidden"]),
        ("2026.2", ["hidden", "hidden"]),
    ],
)
def test_what_is_on_its_way_out_is_judged_at_the_target(release: str, statuses: list[str]) -> None:
    found = [message for _, message in said(OLD, release) if " is available since " not in message]
    assert [next(word for word in ("deprecated", "hidden") if word in message) for message in found] == statuses


@pytest.mark.parametrize(("release", "named"), [("ocata", False), ("queens", True), ("2026.2", True)])
def test_no_successor_is_named_that_the_target_does_not_have_yet(release: str, named: bool) -> None:
    text = "heat_template_version: 2013-05-23\nresources:\n  a: {type: 'OS::Neutron::Pool'}\n"
    analysis = analyze(Source(parse_template(text)), knowledge(), Settings(find_release(RELEASES, release)))
    (found,) = (one for one in analysis.diagnostics if one.code == "type-support")
    assert ("Octavia" in found.message) is named


def test_every_release_and_type_agree_with_the_chain_of_states() -> None:
    catalog = knowledge().catalog
    for release in RELEASES:
        for name in catalog.names():
            kind = catalog.get(name)
            assert kind is not None
            expected = status_at(kind.support_status, release)
            text = f"heat_template_version: 2013-05-23\nresources:\n  a: {{type: '{name}'}}\n"
            if release is RELEASES[4]:
                messages = [message for place, message in said(text, release.name) if name in place]
                newer = [message for message in messages if "available since" in message]
                assert bool(newer) == (expected is None), name
                assert (since(kind.support_status) is not None) or expected is not None
                gone = expected is not None and expected.status is not Status.SUPPORTED
                assert bool(messages) == (gone or expected is None), name


def test_cfn_versions_are_as_old_as_heat() -> None:
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
def test_a_release_is_found_by_any_of_its_names(wanted: str, heat: str) -> None:
    found = find_release(RELEASES, wanted)
    assert found is not None
    assert found.heat == heat


@pytest.mark.parametrize("wanted", ["", " ", "antarctica", "99", "2013.1", "..", "9x"])
def test_what_is_no_release_is_not_found(wanted: str) -> None:
    assert find_release(RELEASES, wanted) is None

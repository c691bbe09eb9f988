"""Support status of types and properties at a release."""

from __future__ import annotations

from itertools import pairwise

import pytest

from heatstudio.catalog.load import Catalog
from heatstudio.catalog.release import (
    SUPPORTED,
    Release,
    Status,
    SupportStatus,
    load_releases,
    release_of,
    since,
    status_at,
    version_order,
)

RELEASES = load_releases()
HIDDEN = SupportStatus(
    Status.HIDDEN,
    "10.0.0",
    previous=SupportStatus(Status.DEPRECATED, "8.0.0", previous=SupportStatus(Status.SUPPORTED, "2015.1")),
)


def release(heat: str) -> Release:
    return next(release for release in RELEASES if release.heat == heat)


def test_releases_are_in_order(catalog: Catalog) -> None:
    assert (RELEASES[0].name, RELEASES[0].heat) == ("Icehouse", "2014.1")
    assert release_of(RELEASES, catalog.heat_version) is RELEASES[-1]
    for earlier, later in pairwise(RELEASES):
        assert version_order(earlier.heat) < version_order(later.heat)
        assert earlier.template_version <= later.template_version


def test_template_versions_of_releases_are_the_ones_heat_accepts(catalog: Catalog) -> None:
    dated = {version.name for version in catalog.template_versions if version.name[0].isdigit()}
    known = {version.name for version in catalog.template_versions if version.key == "heat_template_version"}
    assert {release.template_version for release in RELEASES} == dated & known


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2015.1", "5.0.0"),
        ("2013.2", "2014.1"),
        ("9.0.0", "10.0.0"),
        ("27.0.0", "27.0.1"),
        ("5.0.0", "5.0.0.1"),
        ("", "5.0.0"),
        ("2014.2 ", "2015.1"),
    ],
)
def test_order_of_versions(earlier: str, later: str) -> None:
    assert version_order(earlier) < version_order(later)


@pytest.mark.parametrize(("one", "other"), [("5.0.0", "5"), ("2014.2", "2014.2 "), ("27.0", "27.0.0")])
def test_equal_versions(one: str, other: str) -> None:
    assert version_order(one) == version_order(other)


@pytest.mark.parametrize(
    ("heat", "expected"),
    [
        ("2014.2", None),
        ("2015.1", Status.SUPPORTED),
        ("7.0.0", Status.SUPPORTED),
        ("8.0.0", Status.DEPRECATED),
        ("9.0.0", Status.DEPRECATED),
        ("10.0.0", Status.HIDDEN),
        ("27.0.0", Status.HIDDEN),
    ],
)
def test_status_at_a_release(heat: str, expected: Status | None) -> None:
    found = status_at(HIDDEN, release(heat))
    assert (found.status if found is not None else None) == expected


def test_status_without_a_release_is_the_newest() -> None:
    assert status_at(HIDDEN, None) is HIDDEN


def test_status_before_the_first_version_is_supported_if_deprecated_later() -> None:
    status = SupportStatus(Status.HIDDEN, "5.0.0", previous=SupportStatus(Status.DEPRECATED, "2014.2"))
    assert status_at(status, release("2014.1")) is SUPPORTED
    assert status_at(SupportStatus(Status.UNSUPPORTED, "6.0.0"), release("5.0.0")) is None


def test_status_without_a_version_applies_to_all_releases() -> None:
    assert status_at(SUPPORTED, release("2014.1")) is SUPPORTED
    always = SupportStatus(Status.UNSUPPORTED)
    assert status_at(always, release("2014.1")) is always


def test_since_returns_the_first_version() -> None:
    assert since(HIDDEN) == "2015.1"
    assert since(SUPPORTED) is None
    assert since(SupportStatus(Status.DEPRECATED, "9.0.0")) is None


def test_status_of_catalog_types_at_a_release(catalog: Catalog) -> None:
    trunk = catalog.get("OS::Neutron::Trunk")
    domain = catalog.get("OS::Designate::Domain")
    assert trunk is not None
    assert domain is not None
    assert status_at(trunk.support_status, release("8.0.0")) is None
    assert status_at(trunk.support_status, release("9.0.0")) is not None
    at_ocata = status_at(domain.support_status, release("8.0.0"))
    assert at_ocata is not None
    assert (at_ocata.status, at_ocata.successor) == (Status.DEPRECATED, "OS::Designate::Zone")

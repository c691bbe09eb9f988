"""Fuzzy matching: a few letters find the intended entry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.ui.widgets.fuzzy import fuzzy_match, fuzzy_score, marked_places


@pytest.mark.parametrize(
    ("query", "name"),
    [("rif", "OS::Neutron::RouterInterface"), ("server", "OS::Nova::Server"), ("nov serv", "OS::Nova::Server")],
)
def test_letters_in_order_match(query: str, name: str) -> None:
    assert fuzzy_score(query, name) is not None


@pytest.mark.parametrize(("query", "name"), [("x", "Server"), ("revres", "Server"), ("ff", "Floating")])
def test_other_letters_do_not_match(query: str, name: str) -> None:
    assert fuzzy_score(query, name) is None


def test_better_matches_score_higher() -> None:
    names = ["OS::Nova::ServerGroup", "OS::Nova::Server", "OS::Senlin::Receiver", "OS::Neutron::QoSPolicy"]
    scores = {name: fuzzy_score("server", name) or -1 for name in names}
    assert max(scores, key=lambda name: scores[name]) in {"OS::Nova::Server", "OS::Nova::ServerGroup"}
    assert scores["OS::Nova::Server"] >= scores["OS::Nova::ServerGroup"] > scores["OS::Senlin::Receiver"]


def test_empty_query_matches_everything() -> None:
    assert fuzzy_score("", "anything") == 0


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("net", ["network", "fixed_network", "user_data_network", "no_extra_tag"]),
        ("oss", ["OS::Nova::Server", "OS::Nova::xSever"]),
    ],
)
def test_better_matches_come_first(pattern: str, texts: list[str]) -> None:
    scores = {text: match.score for text in texts if (match := fuzzy_match(pattern, text))}
    assert list(scores) == texts
    assert sorted(scores, key=lambda text: -scores[text]) == texts


def test_letters_by_chance_do_not_match() -> None:
    assert fuzzy_match("heat", "Load balancer with a pool, two members and a monitor") is None


def test_missing_letter_does_not_match() -> None:
    assert fuzzy_match("xyz", "network") is None


@given(st.text(max_size=6), st.text(max_size=20))
def test_match_has_one_position_for_each_typed_letter(pattern: str, text: str) -> None:
    match = fuzzy_match(pattern, text)
    if match:
        assert list(match.places) == sorted(match.places)
        assert len(match.places) == len("".join(pattern.split()).lower())


@pytest.mark.parametrize(
    ("query", "text", "scattered", "marked"),
    [
        ("net sub", "OS::Neutron::Subnet", False, "Subnet"),
        ("net sub", "private_network", True, "net"),
        ("rif", "OS::Neutron::RouterInterface", True, "RIf"),
        ("rif", "OS::Neutron::RouterInterface", False, ""),
        ("", "network", True, ""),
    ],
)
def test_places_of_a_query_are_those_that_match(query: str, text: str, scattered: bool, marked: str) -> None:
    assert "".join(text[place] for place in marked_places(query, text, scattered=scattered)) == marked

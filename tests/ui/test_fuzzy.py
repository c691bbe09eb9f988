"""A few letters find what was meant."""

from __future__ import annotations

import pytest

from heatstudio.ui.fuzzy import fuzzy_score


@pytest.mark.parametrize(
    ("query", "name"),
    [("rif", "OS::Neutron::RouterInterface"), ("server", "OS::Nova::Server"), ("nov serv", "OS::Nova::Server")],
)
def test_letters_in_order_fit(query: str, name: str) -> None:
    assert fuzzy_score(query, name) is not None


@pytest.mark.parametrize(("query", "name"), [("x", "Server"), ("revres", "Server"), ("ff", "Floating")])
def test_other_letters_do_not_fit(query: str, name: str) -> None:
    assert fuzzy_score(query, name) is None


def test_better_fits_score_higher() -> None:
    names = ["OS::Nova::ServerGroup", "OS::Nova::Server", "OS::Senlin::Receiver", "OS::Neutron::QoSPolicy"]
    scores = {name: fuzzy_score("server", name) or -1 for name in names}
    assert max(scores, key=lambda name: scores[name]) in {"OS::Nova::Server", "OS::Nova::ServerGroup"}
    assert scores["OS::Nova::Server"] >= scores["OS::Nova::ServerGroup"] > scores["OS::Senlin::Receiver"]


def test_empty_query_fits_everything() -> None:
    assert fuzzy_score("", "anything") == 0

from __future__ import annotations

from heatstudio.analysis.assist.hover import Hover, hover
from heatstudio.text.markup import Html
from tests.analysis.semantic_models import HOT, model_at

LINK = HOT + "resources:\n  link:\n    type: OS::Neutron::RouterInterface\n    properties:\n      "


def said(text: str) -> Hover:
    found = hover(*model_at(text))
    assert found is not None
    return found


def test_hidden_property_shows_its_life_cycle_and_replacement() -> None:
    found = said(LINK + "rout‸er_id: x\n")
    assert found.title == "router_id · String"
    assert "Updates cause replacement." in found.lines
    life = next(line for line in found.lines if line.startswith("HIDDEN since 6.0.0 (Mitaka) — use `router`"))
    assert "DEPRECATED since 2015.1" in life


def test_html_is_escaped() -> None:
    text = HOT + "parameters:\n  p: {type: string, description: <b>x</b>}\noutputs:\n  o: {value: {get_param: ‸p}}\n"
    found = said(text)
    assert "&lt;b&gt;x" in Html.popup(found.title, found.lines)

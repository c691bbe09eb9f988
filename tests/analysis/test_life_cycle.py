"""Sentences about deprecated and hidden types, properties and attributes."""

from __future__ import annotations

import json

import pytest

from heatstudio.analysis import analyze
from heatstudio.assets import resource_path
from heatstudio.catalog.release import Status
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from tests.analysis.semantic_models import knowledge


def test_reasons_are_of_what_has_no_successor() -> None:
    reasons = json.loads(resource_path("catalog", "reasons.json").read_text("utf-8"))
    for place in reasons:
        type_name, _, name = place.partition(" ")
        kind = knowledge().catalog.get(type_name)
        assert kind is not None, place
        owner = (kind.properties.get(name) or kind.attributes[name]) if name else kind
        assert owner.support_status.status is not Status.SUPPORTED, place
        assert owner.support_status.successor is None, place


@pytest.mark.parametrize(
    ("resource", "message"),
    [
        ("type: OS::Senlin::Node", "OS::Senlin::Node has been hidden since 23.0.0. OpenStack has retired Senlin."),
        (
            "type: OS::Nova::Server, properties: {flavor: f, image: i, networks: [{network: n}], admin_user: u}",
            "Property `admin_user` has been hidden since 5.0.0. Each image has a user of its own.",
        ),
    ],
)
def test_reason_follows_the_status(resource: str, message: str) -> None:
    text = f"heat_template_version: 2018-08-31\nresources:\n  a: {{{resource}}}\n"
    messages = [one.message for one in analyze(Source(parse_template(text)), knowledge()).diagnostics]
    assert message in messages

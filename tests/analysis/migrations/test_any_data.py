"""The search for fixes accepts data of any shape."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heatstudio.analysis.checks.type_support import type_fixes
from heatstudio.analysis.migrations.function_fixes import function_fixes
from heatstudio.analysis.migrations.property_fixes import property_fixes
from heatstudio.analysis.scope.calls import calls
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.values.written_properties import written_properties
from heatstudio.template import CannotEditError, parse_template, render
from tests.analysis.migrations.migrating import knowledge, migrate, old_uses

KINDS = (
    "OS::Neutron::Port",
    "OS::Nova::Server",
    "OS::Designate::Zone",
    "OS::Mistral::Workflow",
    "OS::Heat::RandomString",
    "OS::Neutron::Router",
    "OS::Heat::SoftwareDeployments",
)
NAMES = (
    *("network", "network_id", "fixed_ips", "subnet", "subnet_id", "networks", "uuid", "masters", "primaries"),
    *("tasks", "policies", "timeout", "retry", "sequence", "character_classes", "class", "l3_agent_id", "l3_agent_ids"),
    *(
        "config",
        "servers",
        "get_param",
        "if",
        "str_split",
        "Ref",
        "Fn::Select",
        "Fn::Join",
        "Fn::Replace",
        "Fn::Base64",
    ),
)
scalars = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(("", "a", "1")) | st.floats(allow_nan=False)
keys = st.sampled_from(NAMES) | st.integers(0, 1) | st.none()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)
properties = st.dictionaries(st.sampled_from(NAMES), values, max_size=5)


@settings(max_examples=300)
@given(st.sampled_from(KINDS), properties)
def test_properties_of_any_shape(name: str, data: dict[str, object]) -> None:
    catalog = knowledge().catalog
    kind = catalog.get(name)
    assert kind is not None
    words = parse_template("heat_template_version: 2018-08-31\n").dialect
    type_fixes(kind, catalog, {"properties": data}, ("resources", "a"), words)
    for written in written_properties(kind.properties, data):
        property_fixes(kind, written, data, ("resources", "a", "properties"))


@settings(max_examples=150)
@given(values, st.sampled_from(("2013-05-23", "2014-10-16", "2018-08-31")))
def test_calls_of_any_shape(data: object, version: str) -> None:
    template = parse_template(f"heat_template_version: {version}\noutputs: {{a: {{value: {data!r}}}}}\n")
    stack, _ = define(Source(template), knowledge())
    for _, arguments, path in calls(template.data, ()):
        for fix in function_fixes(stack, knowledge(), path, arguments):
            with suppress(CannotEditError):
                render(template, fix.changes)


@pytest.mark.parametrize("depth", [50, 300, 2000])
def test_deep_data(depth: int) -> None:
    value = "[" * depth + "a" + "]" * depth
    text = "heat_template_version: 2018-08-31\nresources:\n  p:\n    type: OS::Designate::Zone\n    properties:\n"
    migrate(f"{text}      masters: {value}\n")
    assert list(old_uses(parse_template(text))) == []

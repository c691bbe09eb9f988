from __future__ import annotations

import pytest

from heatstudio.analysis.assist.extract import extract_parameter
from heatstudio.template import DataFix, parse_template, render
from heatstudio.text import apply_edits
from tests.analysis.semantic_models import HOT, model_at

SERVER = HOT + "resources:\n  a:\n    type: OS::Nova::Server\n    properties:\n"


def extracted(text: str, *, all_occurrences: bool = False) -> tuple[DataFix, str]:
    model, offset = model_at(text)
    found = extract_parameter(model, offset, all_occurrences=all_occurrences)
    assert isinstance(found, DataFix), found
    return found, apply_edits(model.template.text, render(model.template, found.changes))


def declared(text: str, name: str, section: str = "parameters") -> dict[str, object]:
    """Return the declaration of a parameter without its description, which is the description of the property."""
    parameters = parse_template(text).data[section]
    assert isinstance(parameters, dict)
    declaration = dict(parameters[name])
    description = declaration.pop("description", None) or declaration.pop("Description")
    assert isinstance(description, str)
    assert "`" not in description
    return declaration


def test_section_type_default_and_constraint() -> None:
    _, after = extracted(SERVER + "      flavor: ‸m1.small  # small\n")
    assert "      flavor: {get_param: flavor}  # small\n" in after
    expected = {"type": "string", "default": "m1.small", "constraints": [{"custom_constraint": "nova.flavor"}]}
    assert declared(after, "flavor") == expected


@pytest.mark.parametrize(
    ("line", "name", "kind", "default"),
    [
        ("config_drive: ‸true", "config_drive", "boolean", True),
        ("security_groups: ‸[a, b]", "security_groups", "comma_delimited_list", ["a", "b"]),
        ("metadata: ‸{k: v}", "metadata", "json", {"k": "v"}),
        ("name: ‸web", "a_name", "string", "web"),
        ("networks: ‸[{network: n}]", "networks", "json", [{"network": "n"}]),
    ],
)
def test_parameter_has_the_type_of_the_property(line: str, name: str, kind: str, default: object) -> None:
    _, after = extracted(SERVER + f"      {line}\n")
    schema = declared(after, name)
    assert (schema["type"], schema["default"]) == (kind, default)


def test_parameter_with_a_unique_name_is_appended() -> None:
    text = SERVER.replace("resources", "parameters:\n  flavor: {type: string}\nresources") + "      flavor: ‸x\n"
    _, after = extracted(text)
    assert list(parse_template(after).entries("parameters")) == ["flavor", "flavor_2"]


def test_all_occurrences_includes_only_similar_properties() -> None:
    text = SERVER + (
        "      name: m1\n      flavor: ‸m1\n  b:\n    type: OS::Nova::Server\n    properties:\n      flavor: m1\n"
    )
    found, after = extracted(text, all_occurrences=True)
    assert found.title == "Extract parameter `flavor` (2 places)"
    assert after.count("{get_param: flavor}") == 2
    assert "name: m1\n" in after
    only = extracted(text)[0]
    assert only is not None
    assert only.title == "Extract parameter `flavor`"


def test_cfn_declaration_uses_cfn_keys() -> None:
    head = "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  v:\n    Type: OS::Cinder::Volume\n"
    text = head + "    Properties: {size: ‸5}\n"
    _, after = extracted(text)
    assert declared(after, "vSize", "Parameters") == {"Type": "Number", "Default": 5, "MinValue": 1}
    assert "{Ref: vSize}" in after


@pytest.mark.parametrize(
    "text",
    [
        SERVER + "      flavor: {get_param: ‸x}\n",
        SERVER + "      networks: ‸[{port: {get_resource: p}}]\n",
        SERVER + "      flavor: ‸\n",
        HOT + "resources:\n  a:\n    type: ‸X\n",
        SERVER + "      flavor: ‸[x\n",
        HOT + "parameters:\n  p: {type: string, default: ‸x}\n",
        "‸",
    ],
)
def test_values_that_cannot_be_extracted(text: str) -> None:
    model, offset = model_at(text)
    found = extract_parameter(model, offset)
    assert isinstance(found, str)
    assert found.endswith(".")


def test_constraint_that_the_value_violates_is_omitted() -> None:
    text = HOT + "resources:\n  v:\n    type: OS::Cinder::Volume\n    properties: {size: ‸0}\n"
    _, after = extracted(text)
    assert declared(after, "v_size") == {"type": "number", "default": 0}

"""Parameters of nested templates: their declarations, and the scope of a default."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, analyze
from heatstudio.analysis.tree_parameters import tree_parameters
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.parameter_form import FormField, NestedUse, ValueOrigin, typed_defaults
from tests.load import load_source

PARENT = """heat_template_version: 2021-04-16
parameters:
  zone: {type: string, default: north}
resources:
  one: {type: child.yaml, properties: {flavor: big}}
  many:
    type: OS::Heat::ResourceGroup
    properties: {count: 3, resource_def: {type: My::Server}}
  value: {type: OS::Heat::Value, properties: {value: {get_param: zone}}}
"""
CHILD = """heat_template_version: 2021-04-16
parameters:
  flavor: {type: string, default: small}
  zone: {type: string}
  tags: {type: json, default: {}}
resources:
  inner: {type: grandchild.yaml}
"""
GRANDCHILD = """heat_template_version: 2021-04-16
parameters:
  deep: {type: number, default: 1, constraints: [{range: {max: 3}}]}
  password: {type: string, hidden: true, default: secret}
"""
FIRST = "resource_registry: {'My::Server': child.yaml}\nparameter_defaults: {zone: west}\n"
SECOND = "# mine\nparameter_defaults:\n  zone: east\n  deep: 2\n  tags: {a: 1}\n"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {"parent.yaml": PARENT, "child.yaml": CHILD, "grandchild.yaml": GRANDCHILD}
    for name, text in {**files, "first.yaml": FIRST, "second.yaml": SECOND}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def analysis_of(folder: Path, knowledge: Knowledge, *environments: str) -> Analysis:
    source = load_source(folder / "parent.yaml", [folder / name for name in environments])
    return analyze(source, knowledge)


def fields_of(analysis: Analysis) -> dict[str, FormField]:
    return {field.name: field for group in tree_parameters(analysis) for field in group.fields}


def test_every_nested_template_lists_its_parameters_once(folder: Path, knowledge: Knowledge) -> None:
    groups = tree_parameters(analysis_of(folder, knowledge, "first.yaml"))
    shown = [(Path(group.label).name, [field.name for field in group.fields]) for group in groups]
    assert shown == [("child.yaml", ["flavor", "zone", "tags"]), ("grandchild.yaml", ["deep", "password"])]


def test_uses_of_a_parameter_in_nested_templates(folder: Path, knowledge: Knowledge) -> None:
    fields = fields_of(analysis_of(folder, knowledge, "first.yaml"))
    child = str((folder / "child.yaml").resolve())
    assert fields["flavor"].uses == (
        NestedUse(child, ("one",), set_by_property=True),
        NestedUse(child, ("many", "0"), set_by_property=False),
    )
    assert fields["flavor"].is_settable
    assert fields["flavor"].fallback.value == "small"
    assert {use.owner for use in fields["deep"].uses} == {("one", "inner"), ("many", "0", "inner")}
    assert fields["zone"].is_shared
    assert not fields["deep"].is_shared


def test_default_is_not_settable_if_a_property_always_overrides_it(folder: Path, knowledge: Knowledge) -> None:
    text = PARENT.replace("My::Server}", "child.yaml, properties: {flavor: tiny}}")
    (folder / "parent.yaml").write_text(text, encoding="utf-8")
    field = fields_of(analysis_of(folder, knowledge))["flavor"]
    assert not field.is_settable
    assert field.fallback.origin is ValueOrigin.PROPERTY
    assert field.fallback_text == "big"


def test_last_environment_wins_for_nested_parameters(folder: Path, knowledge: Knowledge) -> None:
    fields = fields_of(analysis_of(folder, knowledge, "first.yaml", "second.yaml"))
    second = str(folder / "second.yaml")
    for name, value in {"zone": "east", "deep": 2, "tags": {"a": 1}}.items():
        fallback = fields[name].fallback
        assert (fallback.value, fallback.file, fallback.path) == (value, second, ("parameter_defaults", name))
        assert fallback.origin is ValueOrigin.ENVIRONMENT_DEFAULT
    assert fields["deep"].verdict(4) == "4 is too large; the maximum is 3."
    assert "secret" not in fields["password"].fallback_text


def test_required_parameter_set_by_a_second_environment_is_not_missing(folder: Path, knowledge: Knowledge) -> None:
    (folder / "first.yaml").write_text("parameter_defaults: {other: 1}\n", encoding="utf-8")
    (folder / "parent.yaml").write_text(PARENT.replace("My::Server", "child.yaml"), encoding="utf-8")
    missing = [one.message for one in analysis_of(folder, knowledge, "first.yaml").diagnostics]
    assert any("zone" in message for message in missing)
    found = analysis_of(folder, knowledge, "first.yaml", "second.yaml").diagnostics
    assert [one.code for one in found] == ["unused-default"]


def test_typed_value_does_not_change_the_fallback(folder: Path, knowledge: Knowledge) -> None:
    source = load_source(folder / "parent.yaml", [folder / "first.yaml"])
    before = fields_of(analyze(source, knowledge))["zone"].fallback
    source = load_source(folder / "parent.yaml", [folder / "first.yaml"])
    typed = type(source)(source.template, (*source.environments, *typed_defaults({"zone": "x"})), source.files)
    analysis = analyze(typed, knowledge)
    assert analysis.stack.environment.parameter_defaults["zone"] == "x"
    assert fields_of(analysis)["zone"].fallback == before


def test_self_nesting_template_terminates(folder: Path, knowledge: Knowledge) -> None:
    (folder / "grandchild.yaml").write_text(CHILD, encoding="utf-8")
    assert "flavor" in fields_of(analysis_of(folder, knowledge, "first.yaml"))

"""Types that Heat implements with its own templates, and the values that Heat does not pass to them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.load import load_source

DATABASE = "AllocatedStorage: '5', DBInstanceClass: s, DBName: d, MasterUsername: u, MasterUserPassword: p"
INNER = "heat_template_version: 2016-10-14\nparameters: {ports: {type: comma_delimited_list}}\n"


def errors(folder: Path, resources: str) -> list[str]:
    """Return the codes of the errors."""
    (folder / "inner.yaml").write_text(INNER)
    path = folder / "main.yaml"
    path.write_text(f"heat_template_version: 2018-08-31\nresources:\n  {resources}\n")
    found = analyze(load_source(path), load_knowledge()).diagnostics
    return [each.code for each in found if each.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("properties", "codes"),
    [
        (f"{DATABASE}, Engine: MySQL", []),
        (f"{DATABASE}, Engine: MySQL, Port: 3306, DBSecurityGroups: []", []),
        (f"{DATABASE}, Engine: Postgres", ["refused-value"]),
        (f"{DATABASE}, Engine: MySQL, Ports: 3306", ["unknown-property"]),
        (DATABASE, ["missing-property"]),
        (f"{DATABASE}, Engine: MySQL, DBSecurityGroups: [true]", ["nested-template"]),
    ],
)
def test_the_properties_of_a_stock_template(tmp_path: Path, properties: str, codes: list[str]) -> None:
    assert errors(tmp_path, f"base: {{type: AWS::RDS::DBInstance, properties: {{{properties}}}}}") == codes


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ("['80', '443']", []),
        ("[{a: 1}, {b: 2}]", []),
        ("[{get_resource: net}, null]", []),
        ("[80, 443]", ["nested-template"]),
        ("['80', 443]", ["nested-template"]),
        ("[{a: 1}, b]", ["nested-template"]),
    ],
)
def test_list_parameter_accepts_strings_or_maps(tmp_path: Path, value: str, codes: list[str]) -> None:
    inner = f"inner: {{type: inner.yaml, properties: {{ports: {value}}}}}"
    assert errors(tmp_path, f"{inner}\n  net: {{type: OS::Neutron::Net}}") == codes


def test_bundled_stock_templates_match_heats_files(heat_python: str) -> None:
    asked = subprocess.run(
        [heat_python, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=True
    )
    etc = Path(asked.stdout.strip()) / "etc"
    knowledge = load_knowledge()
    templates = {target for target in knowledge.catalog.aliases.values() if "://" in target}
    assert templates == knowledge.stock_templates.keys()
    for target, known in knowledge.stock_templates.items():
        stock = parse_template((etc / target.removeprefix("file:///etc/")).read_text(encoding="utf-8")).data
        data = parse_template(known).data
        assert data["Parameters"] == stock["Parameters"]
        outputs = stock.get("Outputs", {})
        assert isinstance(outputs, dict)
        assert data["Outputs"] == {name: {} for name in outputs}

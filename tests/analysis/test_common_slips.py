"""Quick fixes of the most common mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, Consumer, analyze_file
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import is_environment, parse_environment, parse_template
from heatstudio.text import Applicability, apply_edits
from tests.load import load_source

HOT = "heat_template_version: 2018-08-31\n"
RANDOM = "  a:\n    type: OS::Heat::RandomString\n"
TEXT = "    metadata:\n      all: |\n        x:\n        \ty\n"
NET = "resources:\n  a: {type: OS::Neutron::Net, %s}\n"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def look(text: str, knowledge: Knowledge) -> Analysis:
    return analyze_file(Source(parse_template(text)), knowledge)


SLIPS = {
    "no version": (f"# mine\nresources:\n{RANDOM}", f"# mine\nheat_template_version: 2021-04-16\nresources:\n{RANDOM}"),
    "no version, windows": (
        "resources:\r\n  a: {type: OS::Heat::RandomString}\r\n",
        "heat_template_version: 2021-04-16\r\nresources:\r\n  a: {type: OS::Heat::RandomString}\r\n",
    ),
    "no version, cfn": (
        "Resources:\n  a: {Type: OS::Heat::RandomString}\n",
        'AWSTemplateFormatVersion: "2010-09-09"\nResources:\n  a: {Type: OS::Heat::RandomString}\n',
    ),
    "a tab": (f"{HOT}resources:\n  a:\n\ttype: OS::Heat::RandomString\n", f"{HOT}resources:\n{RANDOM}"),
    "tabs everywhere": (f"{HOT}resources:\n\ta:\n\t\ttype: OS::Heat::RandomString\n", f"{HOT}resources:\n{RANDOM}"),
    "a tab below four blanks": (
        f"{HOT}resources:\n    a:\n\ttype: OS::Heat::RandomString\n",
        f"{HOT}resources:\n    a:\n        type: OS::Heat::RandomString\n",
    ),
    "a tab, and one that is text": (
        f"{HOT}resources:\n{RANDOM}{TEXT}  b:\n\ttype: OS::Heat::None\n",
        f"{HOT}resources:\n{RANDOM}{TEXT}  b:\n    type: OS::Heat::None\n",
    ),
    "the same key twice": (
        f"{HOT}resources:\n{RANDOM}    type: OS::Heat::RandomString\n",
        f"{HOT}resources:\n{RANDOM}",
    ),
    "a word for true": (HOT + NET % 'properties: {shared: "yes"}', HOT + NET % "properties: {shared: true}"),
    "a word for false": (HOT + NET % 'properties: {shared: "Off"}', HOT + NET % "properties: {shared: false}"),
    "a deletion policy": (HOT + NET % "deletion_policy: retian", HOT + NET % "deletion_policy: Retain"),
    "an empty section": (
        "parameter_defaults: {a: 1}\nparameters:  # x\n",
        "parameter_defaults: {a: 1}\nparameters: {}  # x\n",
    ),
    "a section": (
        "parameters: {a: 1}\nparamter_defaults: {b: 2}\n",
        "parameters: {a: 1}\nparameter_defaults: {b: 2}\n",
    ),
}


@pytest.mark.parametrize(("text", "fixed"), SLIPS.values(), ids=SLIPS)
def test_first_fix_of_a_mistake_fixes_it(text: str, fixed: str, knowledge: Knowledge) -> None:
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    fix = analysis.fixes(found)[0]
    assert fix.preferred
    assert apply_edits(text, fix.edits) == fixed
    assert look(fixed, knowledge).diagnostics == ()


def test_duplicate_keys_with_different_values_need_a_decision(knowledge: Knowledge) -> None:
    text = f"{HOT}resources:\n{RANDOM}    metadata: {{x: 1}}\n    # of the second\n    metadata:\n      x: 2\n"
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    first, second = analysis.fixes(found)
    assert {first.applicability, second.applicability} == {Applicability.DECISION}
    assert apply_edits(text, first.edits).endswith("RandomString\n    # of the second\n    metadata:\n      x: 2\n")
    assert apply_edits(text, second.edits).endswith("metadata: {x: 1}\n    # of the second\n")


def test_every_deletion_policy_that_the_type_can_have_is_offered(knowledge: Knowledge) -> None:
    analysis = look(HOT + NET % "deletion_policy: Keep", knowledge)
    (found,) = analysis.diagnostics
    assert [fix.title for fix in analysis.fixes(found)] == ["Use `Delete`", "Use `Retain`"]


def test_call_of_get_param_is_not_replaced(knowledge: Knowledge) -> None:
    text = f"{HOT}parameters: {{p: {{type: string, default: 'yes'}}}}\n" + NET % "properties: {shared: {get_param: p}}"
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    assert analysis.fixes(found) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parameters: {a: 1}\nparamter_defaults: {b: 2}\n", True),
        ("paramter_defaults: {b: 2}\n", True),
        ("parameter_defaults: {b: 2}\nnonsense: 1\n", True),
        ("parameters: {a: 1}\nresorces: {}\n", False),
        ("parameter_default: {b: 2}\nresources: {}\n", False),
        ("heat_template_version: 2018-08-31\nparamter_defaults: {b: 2}\n", False),
        ("parameters: {a: {type: string}}\nparameter_group: []\n", False),
    ],
)
def test_misspelled_environment_sections_are_recognized(text: str, expected: bool) -> None:
    assert is_environment(parse_template(text).data) is expected


def test_misspelled_parameter_of_an_environment_can_be_fixed(knowledge: Knowledge) -> None:
    template = f"{HOT}parameters: {{image: {{type: string}}}}\nresources:\n{RANDOM}"
    text = "parameters:\n  imge: a  # which\n"
    file = EnvironmentFile("/e.yaml", parse_environment(text).data)
    owner = Consumer(Source(parse_template(template), (file,)), "/e.yaml")
    analysis = analyze_file(Source(parse_template(text)), knowledge, owner=owner)
    (found,) = analysis.diagnostics
    assert found.message.endswith("Did you mean `image`?")
    (fix,) = analysis.fixes(found)
    assert apply_edits(text, fix.edits) == "parameters:\n  image: a  # which\n"


def test_misspelled_file_name_can_be_fixed(knowledge: Knowledge, tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "boot.sh").write_text("", "utf-8")
    (tmp_path / "child.yaml").write_text(f"{HOT}resources:\n{RANDOM}", "utf-8")
    text = f"""{HOT}resources:
  a: {{type: chlid.yaml}}
  b: {{type: OS::Heat::Value, properties: {{value: {{get_file: scripts/bot.sh}}}}}}
"""
    path = tmp_path / "main.yaml"
    path.write_text(text, "utf-8")
    analysis = analyze_file(load_source(path), knowledge)
    titles = [[fix.title for fix in analysis.fixes(found)] for found in analysis.diagnostics]
    assert titles == [["Use `child.yaml`"], ["Use `scripts/boot.sh`"]]
    assert all("Did you mean" in found.message for found in analysis.diagnostics)

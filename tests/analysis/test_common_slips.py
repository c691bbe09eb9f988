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
    "a version key": (f"heat_template_verison: 2018-08-31\nresources:\n{RANDOM}", f"{HOT}resources:\n{RANDOM}"),
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
    "a section below the description": (
        f"{HOT}description:\n  resources:\n    a:\n      type: OS::Heat::RandomString\n",
        f"{HOT}resources:\n{RANDOM}",
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


def test_list_that_heat_does_not_implement_is_reported_once(knowledge: Knowledge) -> None:
    text = """AWSTemplateFormatVersion: 2010-09-09
Resources:
  a: {Type: AWS::EC2::VPC, Properties: {CidrBlock: 10.0.0.0/16, Tags: [{Key: a, Value: b}, {Key: c, Value: d}]}}
"""
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    assert found.message == "Heat does not implement the items of `Tags` of AWS::EC2::VPC."
    (fix,) = analysis.fixes(found)
    assert fix.title == "Delete `Tags`"
    assert look(apply_edits(text, fix.edits), knowledge).diagnostics == ()


KEYS = "heat_template_version: 2016-04-08\nresources:\n  a: {type: OS::Heat::Value, %s}\n%s"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (KEYS % ("condition: c, properties: {value: 1}", ""), "`condition` of a resource needs"),
        (KEYS % ("properties: {value: 1}", "conditions: {c: true}\n"), "Section `conditions` needs"),
    ],
)
def test_newer_key_needs_a_newer_version(text: str, message: str, knowledge: Knowledge) -> None:
    analysis = look(text, knowledge)
    found = analysis.diagnostics[-1]
    assert found.message == f"{message} `heat_template_version: 2016-10-14` or later."
    (fix,) = analysis.fixes(found)
    assert apply_edits(text, fix.edits) == text.replace("2016-04-08", "2016-10-14")


def test_arguments_of_a_newer_version(knowledge: Knowledge) -> None:
    text = f"{HOT}resources:\n  a: {{type: OS::Heat::RandomString, properties: {{length: {{if: [true, 1]}}}}}}\n"
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    assert found.message.endswith("Version 2021-04-16 (Wallaby) accepts it.")
    fixed = [apply_edits(text, fix.edits) for fix in analysis.fixes(found)]
    assert fixed == [text.replace("2018-08-31", "2021-04-16"), text.replace("[true, 1]", "[true, 1, null]")]
    assert [look(one, knowledge).diagnostics for one in fixed] == [(), ()]


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("stein", ["rocky", "wallaby"]),
        ("rocki", ["rocky"]),
        ("zed", ["wallaby"]),
        ("2018-02-01", ["2017-09-01", "2018-03-02"]),
        ("2030-01-01", ["2021-04-16"]),
        ("x", []),
    ],
)
def test_version_names_that_heat_has_are_offered(written: str, names: list[str], knowledge: Knowledge) -> None:
    text = f"heat_template_version: {written}\nresources: {{}}\n"
    (found,) = look(text, knowledge).diagnostics
    assert [fix.title for fix in look(text, knowledge).fixes(found)] == [f"Use version {name}" for name in names]
    assert all(f"`{name}`" in found.message for name in names)


def test_placeholder_in_a_key_of_repeat_is_reported_once(knowledge: Knowledge) -> None:
    text = """
resources:
  a:
    type: OS::Neutron::SecurityGroup
    properties:
      rules:
        repeat:
          for_each: {port: ['22', '443']}
          template: {protocol: tcp, port_range_min: port, port_range_max: port}
"""
    (found,) = look(HOT + text, knowledge).diagnostics
    assert found.message.startswith("`port` of `for_each` also replaces a part of `port_range_min`; use a name such as")
    assert (HOT + text)[found.span.start : found.span.end] == "port_range_min"


CHAIN = """
resources:
  lb: {type: OS::Octavia::LoadBalancer, properties: {vip_subnet: s}}
  listener: {type: OS::Octavia::Listener, properties: {protocol: HTTP, protocol_port: 80%s}}
  pool: {type: OS::Octavia::Pool, properties: {protocol: HTTP, lb_algorithm: ROUND_ROBIN}}
"""


@pytest.mark.parametrize(
    ("listener", "added"),
    [
        ("", ["loadbalancer: {get_resource: lb}", "listener: {get_resource: listener}"]),
        (", default_pool: {get_resource: pool}", ["loadbalancer: {get_resource: lb}", "listener: <listener>"]),
    ],
)
def test_added_property_refers_to_the_resource_that_fits(listener: str, added: list[str], knowledge: Knowledge) -> None:
    """A listener that depends on the pool cannot be the listener of the pool."""
    analysis = look(HOT + CHAIN % listener, knowledge)
    texts = [analysis.fixes(found)[0].edits[0].text.strip(" ,") for found in analysis.diagnostics]
    assert texts == added


NAMED_TWICE = {
    "a resource": (f"resources:\n{RANDOM}{RANDOM}", "  a:\n", "  a_2:\n"),
    "quotes": ('resources:\n  "r": {type: OS::Heat::None}\n  "r": {type: OS::Heat::TestResource}\n', '"r"', '"r_2"'),
    "a taken name": (f"resources:\n{RANDOM}  a_2: {{type: OS::Heat::None}}\n{RANDOM}", "  a:\n", "  a_3:\n"),
    "one line": ("resources: {}\noutputs: {o: {value: 1}, o: {value: 2}}\n", "o:", "o_2:"),
    "an output": ("resources: {}\noutputs:\n  o: {value: 1}\n  o: {value: 2}\n", "  o:", "  o_2:"),
}


@pytest.mark.parametrize(("text", "old", "new"), NAMED_TWICE.values(), ids=NAMED_TWICE)
def test_second_of_two_equal_names_can_be_renamed(text: str, old: str, new: str, knowledge: Knowledge) -> None:
    analysis = look(HOT + text, knowledge)
    found = next(one for one in analysis.diagnostics if one.code == "duplicate-key")
    rename = next(fix for fix in analysis.fixes(found) if fix.title.startswith("Rename the second"))
    start, _, end = (HOT + text).rpartition(old)
    assert apply_edits(HOT + text, rename.edits) == start + new + end
    assert [one.code for one in look(start + new + end, knowledge).diagnostics if one.code == "duplicate-key"] == []


def test_entries_with_one_name_and_different_values_need_a_decision(knowledge: Knowledge) -> None:
    text = f"{HOT}outputs:\n  o: {{value: 1}}\n  o: {{value: 2}}\n"
    analysis = look(text, knowledge)
    (found,) = analysis.diagnostics
    assert [(fix.preferred, fix.applicability) for fix in analysis.fixes(found)] == [
        (False, Applicability.DECISION),
        (False, Applicability.DECISION),
        (False, Applicability.DECISION),
    ]
    assert not found.has_preferred_fix
    same = look(text.replace("2}", "1}"), knowledge)
    (found,) = same.diagnostics
    assert [(fix.preferred, fix.applicability) for fix in same.fixes(found)] == [
        (False, Applicability.DECISION),
        (True, Applicability.SAFE),
    ]


@pytest.mark.parametrize("text", ["parameters:\n  a: 1\n  a: 2\n", NET % "properties: {name: a, name: b}"])
def test_key_without_a_free_name_is_not_renamed(text: str, knowledge: Knowledge) -> None:
    analysis = look(text if text.startswith("parameters") else HOT + text, knowledge)
    found = next(one for one in analysis.diagnostics if one.code == "duplicate-key")
    assert not any(fix.title.startswith("Rename") for fix in analysis.fixes(found))


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


@pytest.mark.parametrize(
    ("declared", "length", "fixed"),
    [
        ("{type: string, default: 010}", "{get_param: p}", "{type: string, default: 8}"),
        ("{type: number, default: 010}", "1", "{type: number, default: 8}"),
        ("{type: string, default: 0x10}", "1, salt: {get_param: p}", "{type: string, default: '0x10'}"),
        ("{type: string, default: 0x10}", "{get_param: p}, salt: {get_param: p}", None),
        ("{type: boolean, default: 12:30}", "1", None),
    ],
)
def test_text_is_quoted_only_where_a_text_is_wanted(
    declared: str, length: str, fixed: str | None, knowledge: Knowledge
) -> None:
    text = f"{HOT}parameters: {{p: {declared}}}\nresources:\n"
    text += f"  r: {{type: OS::Heat::RandomString, properties: {{length: {length}}}}}\n"
    analysis = look(text, knowledge)
    found = next(one for one in analysis.diagnostics if one.code == "yaml-number")
    texts = [apply_edits(text, fix.edits) for fix in analysis.fixes(found)]
    assert texts == ([text.replace(declared, fixed)] if fixed is not None else [])

"""Conversion of templates: supported constructs are converted, the others are reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.conversion.convert import Conversion, convert
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import Template, parse_template
from tests.generated.asking import Engine

CFN = """AWSTemplateFormatVersion: '2010-09-09'
Description: Everything that can be converted
Parameters:
  Size: {Type: Number, Default: 2, MinValue: 1, MaxValue: 9, ConstraintDescription: A digit, NoEcho: 'true'}
  Names: {Type: CommaDelimitedList, Default: 'a,b'}
  Zone: {Type: String, Default: east, AllowedValues: [east, west]}
Mappings:
  Zones: {east: {image: fedora, 7: seven}, west: {image: centos}}
Conditions:
  Small: {'Fn::And': [{'Fn::Not': [{'Fn::Equals': [{Ref: Size}, 5]}]}, {'Fn::Equals': [{Ref: Zone}, east]}]}
Resources:
  Value:
    Type: OS::Heat::Value
    Condition: Small
    DeletionPolicy: Retain
    Metadata: {Ref: Size}
    Properties:
      type: json
      value:
        join: {'Fn::Join': ['-', [{Ref: Zone}, x]]}
        map: {'Fn::FindInMap': [Zones, {Ref: Zone}, image]}
        first: {'Fn::Select': ['0', {Ref: Names}]}
        second: {'Fn::Select': [1, [a, {Ref: Zone}]]}
        part: {'Fn::Select': ['1', {'Fn::Split': [',', 'p,q']}]}
        text: {'Fn::Base64': {'Fn::Replace': [{$who: {Ref: Zone}}, hello $who]}}
        if: {'Fn::If': [Small, {Ref: 'AWS::StackName'}, other]}
  Other: {Type: OS::Heat::Value, DependsOn: Value, Properties: {value: {'Fn::GetAtt': [Third, value]}}}
  Third: {Type: OS::Heat::Value, Properties: {value: 3}}
Outputs:
  Out: {Description: The value, Value: {'Fn::GetAtt': [Third, value]}, Condition: Small}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def converted(text: str, knowledge: Knowledge) -> tuple[Conversion, Template]:
    conversion = convert(parse_template(text), knowledge)
    assert conversion is not None
    return conversion, parse_template(conversion.text)


def at(template: Template, *path: str) -> object:
    """Return the data at a path."""
    found: object = template.data
    for step in path:
        assert isinstance(found, dict)
        found = found[step]
    return found


def test_supported_cfn_constructs_are_converted(knowledge: Knowledge) -> None:
    conversion, template = converted(CFN, knowledge)
    assert conversion.remarks == ()
    assert template.data["parameters"] == {
        "Size": {
            "type": "number",
            "default": 2,
            "hidden": True,
            "constraints": [{"range": {"min": 1, "max": 9}, "description": "A digit"}],
        },
        "Names": {"type": "comma_delimited_list", "default": "a,b"},
        "Zone": {"type": "string", "default": "east", "constraints": [{"allowed_values": ["east", "west"]}]},
        "Zones": {
            "type": "json",
            "description": "The mapping Zones.",
            "default": {"east": {"image": "fedora", "7": "seven"}, "west": {"image": "centos"}},
        },
    }
    assert template.data["conditions"] == {
        "Small": {"and": [{"not": {"equals": [{"get_param": "Size"}, 5]}}, {"equals": [{"get_param": "Zone"}, "east"]}]}
    }
    resources = template.data["resources"]
    assert isinstance(resources, dict)
    assert resources["Value"] == {
        "type": "OS::Heat::Value",
        "condition": "Small",
        "deletion_policy": "Retain",
        "metadata": {"get_param": "Size"},
        "properties": {
            "type": "json",
            "value": {
                "join": {"list_join": ["-", [{"get_param": "Zone"}, "x"]]},
                "map": {"get_param": ["Zones", {"get_param": "Zone"}, "image"]},
                "first": {"get_param": ["Names", 0]},
                "second": {"get_param": "Zone"},
                "part": {"str_split": [",", "p,q", 1]},
                "text": {"str_replace": {"template": "hello $who", "params": {"$who": {"get_param": "Zone"}}}},
                "if": {"if": ["Small", {"get_param": "OS::stack_name"}, "other"]},
            },
        },
    }
    assert resources["Other"]["properties"] == {"value": {"get_attr": ["Third", "value"]}}
    assert analyze(Source(template), knowledge).diagnostics == ()


def test_conversion_round_trip_is_the_same(knowledge: Knowledge) -> None:
    text = CFN.replace("second: {'Fn::Select': [1, [a, {Ref: Zone}]]}", "second: {Ref: Zone}")
    text = text.replace("{'Fn::Base64': {'Fn::Replace': [{$who: {Ref: Zone}}, hello $who]}}", "plain")
    text = text.replace("  Zones: {east: {image: fedora, 7: seven}, west: {image: centos}}", "  None: {}")
    text = text.replace("{'Fn::FindInMap': [Zones, {Ref: Zone}, image]}", "plain")
    before = parse_template(text).data
    _, hot = converted(text, knowledge)
    _, back = converted(hot.text, knowledge)
    for section in ("Conditions", "Outputs"):
        assert back.data[section] == before[section]
    after = json.dumps(back.data["Resources"])
    assert after.replace('"0"', "0") == json.dumps(before["Resources"]).replace('"0"', "0")


@pytest.mark.parametrize(
    ("cfn", "path", "construct"),
    [
        ("{'Fn::GetAZs': ''}", ("Fn::GetAZs",), "Fn::GetAZs"),
        ("{'Fn::Select': [0, {'Fn::GetAtt': [a, private_key]}]}", ("Fn::Select",), "Fn::Select"),
        ("{'Fn::MemberListToMap': [Name, Value, []]}", ("Fn::MemberListToMap",), "Fn::MemberListToMap"),
        ("{get_param: x}", ("get_param",), "get_param"),
    ],
)
def test_constructs_without_a_hot_equivalent_are_kept_and_reported(
    knowledge: Knowledge, cfn: str, path: tuple[str, ...], construct: str
) -> None:
    head = "HeatTemplateFormatVersion: '2012-12-12'\nResources:\n"
    text = f"{head}  a: {{Type: OS::Nova::KeyPair, Properties: {{name: {cfn}}}}}\n"
    conversion, template = converted(text, knowledge)
    (remark,) = conversion.remarks
    assert (remark.path, remark.construct) == (("Resources", "a", "Properties", "name", *path), construct)
    assert remark.lost
    left = at(template, "resources", "a", "properties", "name")
    assert isinstance(left, dict)
    assert list(left) == [construct]


@pytest.mark.parametrize(
    ("selected", "attribute"),
    [
        ("[mac, {'Fn::GetAtt': [a, fixed_ips]}]", None),
        ("[0, {'Fn::GetAtt': [a, fixed_ips]}]", ["fixed_ips", 0]),
        ("[ip_address, {'Fn::Select': ['0', {'Fn::GetAtt': [a, fixed_ips]}]}]", ["fixed_ips", 0, "ip_address"]),
        ("[0, {'Fn::Select': [ip_address, {'Fn::Select': [0, {'Fn::GetAtt': [a, fixed_ips]}]}]}]", None),
        ("[any, {'Fn::Select': [any, {'Fn::GetAtt': [a, show]}]}]", ["show", "any", "any"]),
    ],
)
def test_nested_selections_from_attributes_become_a_path(
    selected: str, attribute: list[object] | None, knowledge: Knowledge
) -> None:
    cfn = "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  a: {Type: OS::Neutron::Port, Properties: {network: n}}\n"
    cfn += f"Outputs: {{o: {{Value: {{'Fn::Select': {selected}}}}}}}\n"
    conversion, template = converted(cfn, knowledge)
    lost = [remark.construct for remark in conversion.remarks if remark.lost]
    assert lost == (["Fn::Select"] if attribute is None else [])
    if attribute is not None:
        assert at(template, "outputs", "o", "value") == {"get_attr": ["a", *attribute]}
        (remark,) = conversion.remarks
        assert remark.message == "Without such an item, or before it exists, CFN returns '' and HOT null."


def test_lists_that_are_joined_together_become_one(knowledge: Knowledge) -> None:
    hot = "heat_template_version: 2021-04-16\nparameters: {p: {type: string}}\nresources:\n  a:\n"
    join = "{list_join: [',', [a, {get_param: p}], [b]]}"
    conversion, template = converted(f"{hot}    {{type: OS::Heat::Value, properties: {{value: {join}}}}}\n", knowledge)
    assert conversion.remarks == ()
    assert at(template, "Resources", "a", "Properties", "value") == {"Fn::Join": [",", ["a", {"Ref": "p"}, "b"]]}


@pytest.mark.parametrize(
    ("split", "is_sure"),
    [("[0, {'Fn::Split': ['-', {Ref: t}]}]", True), ("[1, {'Fn::Split': ['-', {Ref: t}]}]", False)],
)
def test_selecting_a_part_that_may_be_missing_is_reported(split: str, is_sure: bool, knowledge: Knowledge) -> None:
    cfn = "AWSTemplateFormatVersion: 2010-09-09\nParameters: {t: {Type: String}}\nResources:\n  a:\n"
    cfn += f"    {{Type: OS::Heat::Value, Properties: {{value: {{'Fn::Select': {split}}}}}}}\n"
    conversion, template = converted(cfn, knowledge)
    assert at(template, "resources", "a", "properties", "value") == {
        "str_split": ["-", {"get_param": "t"}, int(split[1])]
    }
    assert [(remark.construct, remark.lost) for remark in conversion.remarks] == [("Fn::Select", False)][is_sure:]


def test_unsupported_sections_and_keys_are_reported(knowledge: Knowledge) -> None:
    text = (
        "AWSTemplateFormatVersion: '2010-09-09'\nTransform: x\nParameters: {p: {Type: Text, Foo: 1}}\n"
        "Resources: {a: {Type: OS::Heat::Value, CreationPolicy: {}, Properties: {value: {Ref: 'AWS::Region'}}}}\n"
    )
    conversion, _ = converted(text, knowledge)
    reported = {remark.construct: remark.lost for remark in conversion.remarks}
    assert reported == {"Transform": True, "Text": True, "Foo": True, "CreationPolicy": True, "AWS::Region": False}


def test_ref_in_the_oldest_hot_version_names_pseudo_parameters(knowledge: Knowledge) -> None:
    text = "heat_template_version: 2013-05-23\nresources:\n  a: {type: OS::Heat::Value, properties: {value: %s}}\n"
    values = "[{Ref: OS::stack_id}, {Ref: OS::project_id}, {Ref: OS::stack_name}, {Ref: a}]"
    conversion, template = converted(text % values, knowledge)
    assert {remark.construct: remark.lost for remark in conversion.remarks} == {
        "OS::stack_id": False,
        "OS::project_id": True,
    }
    assert at(template, "Resources", "a", "Properties", "value") == [
        {"Ref": "AWS::StackId"},
        {"Ref": "OS::project_id"},
        {"Ref": "AWS::StackName"},
        {"Ref": "a"},
    ]


def test_constructs_with_another_meaning_are_reported(knowledge: Knowledge) -> None:
    head = "heat_template_version: 2021-04-16\nresources:\n  a:\n"
    hot = head + "    type: OS::Heat::Value\n    deletion_policy: {if: [true, delete, Retain]}\n"
    hot += "    properties: {value: {get_param: OS::stack_id}}\n  b: {type: child.yaml}\n"
    conversion, _ = converted(hot, knowledge)
    reported = {remark.construct: remark.lost for remark in conversion.remarks}
    assert reported == {"deletion_policy": False, "OS::stack_id": False, "child.yaml": True}
    cfn = "AWSTemplateFormatVersion: 2010-09-09\nResources:\n  a:\n    Type: OS::Heat::Value\n"
    cfn += "    Properties: {value: [{Ref: 'AWS::StackId'}, {Ref: 'AWS::Region'}]}\n"
    conversion, template = converted(cfn, knowledge)
    assert {remark.construct: remark.lost for remark in conversion.remarks} == {
        "AWS::StackId": False,
        "AWS::Region": False,
    }
    values = at(template, "resources", "a", "properties", "value")
    assert values == [{"get_param": "OS::stack_id"}, "ap-southeast-1"]


@pytest.mark.parametrize(
    ("value", "construct"),
    [
        ("{list_join: ['-', [a, [b]]]}", "list_join"),
        ("{list_join: ['-', {str_split: [',', '', 0]}]}", "list_join"),
        ("{list_join: ['-', [{get_param: map}]]}", "list_join"),
        ("{str_replace: {template: a, params: {a: {b: c}}}}", "str_replace"),
        ("{list_join: ['-', [{if: [true, a, [b]]}]]}", "list_join"),
        ("{list_join: ['-', {if: [true, 0, [b]]}]}", "list_join"),
        ("{str_replace: {template: a, params: {a: {get_attr: [random, show]}}}}", "str_replace"),
        ("{if: [true, a]}", "if"),
        ("{get_param: [text, 0]}", "Fn::Select"),
        ("{get_attr: [random, value, 0]}", "Fn::Select"),
        ("{if: [{equals: [{get_param: [map, a]}, b]}, 1, 2]}", "Fn::Select"),
        ("{list_join: ['-', [a, {get_param: text}]]}", ""),
        ("{list_join: ['-', [a], [{get_param: map}]]}", "list_join"),
        ("{list_join: ['-', [a, {get_param: text}], [b]]}", ""),
        ("{get_attr: [random, show, a]}", ""),
        ("{get_param: [map, a]}", ""),
    ],
)
def test_values_that_cfn_cannot_insert_or_select_are_reported(value: str, construct: str, knowledge: Knowledge) -> None:
    hot = "heat_template_version: 2021-04-16\nparameters:\n  text: {type: string, default: a}\n"
    hot += "  map: {type: json, default: {a: b}}\nresources:\n  random: {type: OS::Heat::RandomString}\n"
    conversion, _ = converted(f"{hot}  a: {{type: OS::Heat::Value, properties: {{value: {value}}}}}\n", knowledge)
    assert [remark.construct for remark in conversion.remarks] == [construct][: len(construct)]


def test_functions_of_conditions_are_plain_data_elsewhere(knowledge: Knowledge) -> None:
    plain = "{x: {and: [a, b]}, y: {'Fn::And': [a, b]}, z: {if: [{not: c}, {not: c}, 2]}}"
    hot = "heat_template_version: 2021-04-16\nconditions: {c: {not: true}}\nresources:\n  a:\n"
    hot += f"    type: OS::Heat::Value\n    condition: {{or: [c, c]}}\n    properties: {{value: {plain}}}\n"
    _, template = converted(hot, knowledge)
    assert at(template, "Conditions") == {"c": {"Fn::Not": [True]}}
    assert at(template, "Resources", "a", "Condition") == {"Fn::Or": ["c", "c"]}
    assert at(template, "Resources", "a", "Properties", "value") == {
        "x": {"and": ["a", "b"]},
        "y": {"Fn::And": ["a", "b"]},
        "z": {"Fn::If": [{"Fn::Not": ["c"]}, {"not": "c"}, 2]},
    }


def test_resource_precedes_a_parameter_of_the_same_name(knowledge: Knowledge) -> None:
    text = (
        "HeatTemplateFormatVersion: '2012-12-12'\nParameters: {a: {Type: String}}\n"
        "Resources: {a: {Type: OS::Heat::Value}, b: {Type: OS::Heat::Value, Properties: {value: {Ref: a}}}}\n"
    )
    _, template = converted(text, knowledge)
    assert at(template, "resources", "b", "properties") == {"value": {"get_resource": "a"}}


def test_invalid_templates_are_not_converted(knowledge: Knowledge) -> None:
    for text in ("", "a: [", "heat_template_version: 1999-01-01\n"):
        assert convert(parse_template(text), knowledge) is None


def test_templates_of_the_corpus_convert_to_valid_templates(knowledge: Knowledge, shared: Path) -> None:
    count = 0
    for path in sorted((shared / "corpus" / "files").rglob("*.yaml"))[::20]:
        conversion = convert(parse_template(path.read_text("utf-8", "replace")), knowledge)
        if conversion is not None:
            template = parse_template(conversion.text)
            assert template.complete, path
            assert template.dialect == conversion.dialect, path
            count += 1
    assert count > 100


def test_engine_reads_the_same(knowledge: Knowledge, shared: Path, tmp_path: Path, engine: Engine) -> None:
    """The environment variable HEAT_PYTHON names the Python with the engine."""
    pairs = [*_pairs(knowledge, shared, tmp_path), *_pair(CFN, knowledge, tmp_path / "own")]
    answers = engine.ask([(verb, str(path)) for pair in pairs for path in pair for verb in ("validate", "resolve")])
    assert len(pairs) > 20
    for number, (before, _) in enumerate(pairs):
        old_verdict, old, new_verdict, new = answers[4 * number : 4 * number + 4]
        assert bool(old_verdict.get("all")) == bool(new_verdict.get("all")), before
        if "resources" in old:  # the client parses some texts as JSON that Heat itself accepts
            assert _properties(old) == _properties(new), before


def _pairs(knowledge: Knowledge, shared: Path, folder: Path) -> list[tuple[Path, Path]]:
    """Return the CFN templates of the corpus that convert without remarks, with their conversions."""
    found: list[tuple[Path, Path]] = []
    mutants = shared / "corpus" / "files" / "mutants"
    for number, path in enumerate(sorted((shared / "corpus" / "files").rglob("*.yaml"))):
        text = path.read_text("utf-8", "replace")
        if mutants not in path.parents and "FormatVersion" in text and ".yaml" not in text:
            found += _pair(text, knowledge, folder / str(number))
    return found


def _pair(text: str, knowledge: Knowledge, place: Path) -> list[tuple[Path, Path]]:
    template = parse_template(text)
    conversion = convert(template, knowledge)
    if conversion is None or template.is_json or conversion.remarks or template.dialect.is_hot:
        return []
    before, after = place.with_suffix(".before.yaml"), place.with_suffix(".after.yaml")
    before.write_text(text, encoding="utf-8")
    after.write_text(conversion.text, encoding="utf-8")
    return [(before, after)]


def _properties(answer: dict[str, object]) -> object:
    """Return the values of all properties that have one."""
    resources = answer.get("resources")
    assert isinstance(resources, dict)
    return {
        name: {key: one["value"] for key, one in entry["properties"].items() if "value" in one}
        for name, entry in resources.items()
        if isinstance(entry, dict) and "value" in str(entry.get("properties"))
    }


def test_overlong_cycle_is_reported_and_shortened(knowledge: Knowledge) -> None:
    text = "heat_template_version: 2021-04-16\nparameters: {p: {type: json}}\n" + (
        f"outputs: {{o: {{value: {{get_param: [p, {'a, ' * 5_000}]}}}}}}\n"
    )
    conversion, template = converted(text, knowledge)
    assert [remark.message for remark in conversion.remarks] == ["Too many keys to select."]
    assert template.problems == ()

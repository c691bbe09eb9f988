"""Members of groups, and nested stacks: what Heat rejects at once, and what it fails on when it creates the member.

An error is rejected at once, a warning ends in CREATE_FAILED. The recorded cases of a real Heat give the verdicts where
they exist; Heat's source gives the others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, analyze
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.text import Severity, apply_edits
from tests.advice import without_advice
from tests.load import load_source

HOT = "heat_template_version: 2018-08-31\n"
MEMBER = """
parameters: {size: {type: number}}
resources: {r: {type: OS::Heat::Value, properties: {value: {get_param: size}}}}
"""
READ_IN_CONDITION = """
parameters: {size: {type: number}}
conditions: {large: {equals: [{get_param: size}, 3]}, not_large: {not: large}}
"""
USED = "outputs: {o: {value: {if: [not_large, a, b]}}}\n"
DEFAULTS = "parameters: {num: {type: number, default: 1}, agree: {type: boolean, default: false}}\n"
RESOURCE_GROUP = "type: OS::Heat::ResourceGroup, properties: {resource_def: {MEMBER}}"
SCALING_GROUP = "type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 2, resource: {MEMBER}}"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def check(folder: Path, knowledge: Knowledge, text: str, environment: str = "", **files: str) -> Analysis:
    """Return the analysis of a template beside other templates."""
    for name, content in {"main": text, **files}.items():
        (folder / f"{name}.yaml").write_text(HOT + content, encoding="utf-8")
    (folder / "env.yaml").write_text(environment, encoding="utf-8")
    environments = [folder / "env.yaml"] if environment else []
    return without_advice(analyze(load_source(folder / "main.yaml", environments), knowledge))


def codes(analysis: Analysis) -> list[tuple[str, Severity]]:
    return [(one.code, one.severity) for one in analysis.diagnostics]


@pytest.mark.parametrize("group", [RESOURCE_GROUP, SCALING_GROUP])
@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ("type: member.yaml", ("missing-property", Severity.WARNING)),
        ("type: member.yaml, properties: {size: x}", ("wrong-value-type", Severity.WARNING)),
        ("type: member.yaml, properties: {size: 1, sise: 2}", ("unknown-property", Severity.ERROR)),
        ("type: OS::Heat::TestResource, properties: {value: {a: 1}}", ("wrong-value-type", Severity.WARNING)),
        (
            "type: OS::Heat::TestResource, properties: {action_wait_secs: {a: 1}}",
            ("unknown-property", Severity.WARNING),
        ),
        ("type: OS::Neutron::Net, properties: {shared: maybe}", ("wrong-value-type", Severity.WARNING)),
        ("type: OS::Neutron::Subnet, properties: {network: n, cidr: c}", ("refused-value", Severity.WARNING)),
        ("type: OS::Neutron::Subnet, properties: {network: n}", ("property-group", Severity.ERROR)),
        ("type: OS::Neutron::Port, properties: {network_id: n}", ("property-support", Severity.WARNING)),
        ("type: My::Server", ("unknown-type", Severity.INFORMATION)),
        ("type: OS::Nova::NoThing", ("unknown-type", Severity.ERROR)),
    ],
)
def test_definition_is_checked_like_a_resource(
    group: str, member: str, expected: tuple[str, Severity], tmp_path: Path, knowledge: Knowledge
) -> None:
    text = f"resources:\n  group: {{{group.replace('MEMBER', member)}}}\n"
    analysis = check(tmp_path, knowledge, text, member=MEMBER)
    assert codes(analysis) == [expected]
    (found,) = analysis.diagnostics
    is_late = found.severity is Severity.WARNING and found.code != "property-support"
    assert found.message.endswith("Would fail when Heat creates it.") is is_late
    assert found.code == "missing-property" or analysis.template.text.index(member) <= found.span.start


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ("OS::Heat::RandomString, properties: {length: {get_param: size}}", "Length property cannot be smaller"),
        ("OS::Heat::ResourceGroup, properties: {count: -1, resource_def: {type: OS::Heat::None}}", "-1 is too small"),
        (
            "OS::Heat::ResourceChain, properties: {concurrent: x, resources: [OS::Heat::None, OS::Heat::None]}",
            "Expected true or false",
        ),
    ],
)
def test_values_that_heat_reads_to_validate_a_member_must_fit(
    inner: str, message: str, tmp_path: Path, knowledge: Knowledge
) -> None:
    """Heat validates a nested template with an empty value in place of an invalid one."""
    member = f"parameters: {{size: {{type: number, default: 9}}}}\nresources: {{r: {{type: {inner}}}}}\n"
    group = RESOURCE_GROUP.replace("MEMBER", "type: member.yaml, properties: {size: x}")
    found = check(tmp_path, knowledge, f"resources: {{a: {{{group}}}}}\n", member=member).diagnostics
    (refused,) = [one for one in found if one.severity is Severity.ERROR]
    assert message in refused.message or message in refused.heat


def test_typed_value_is_checked_when_it_is_created(tmp_path: Path, knowledge: Knowledge) -> None:
    read = "parameters: {items: {type: comma_delimited_list}}\nresources:\n  group: {GROUP}\n  r: {VALUE}\n"
    group = RESOURCE_GROUP.replace("MEMBER", "type: OS::Heat::RandomString")
    for value, severity in (("get_attr: [group, refs]", Severity.WARNING), ("get_param: items", Severity.ERROR)):
        typed = f"type: OS::Heat::Value, properties: {{type: boolean, value: {{{value}}}}}"
        text = read.replace("GROUP", group).replace("VALUE", typed)
        assert codes(check(tmp_path, knowledge, text)) == [("property-group", severity)]


def test_list_with_a_reference_is_no_map(tmp_path: Path, knowledge: Knowledge) -> None:
    member = "parameters: {map: {type: json}}\nresources: {r: {RESOURCE}}\n".replace(
        "RESOURCE", "type: OS::Heat::TestResource, properties: {action_wait_secs: {get_param: map}}"
    )
    text = (
        "resources: {net: {type: OS::Neutron::Net}, a: {type: member.yaml, properties: {map: [{get_resource: net}]}}}"
    )
    assert codes(check(tmp_path, knowledge, f"{text}\n", member=member)) == [("nested-template", Severity.WARNING)]


def test_only_numbered_groups_create_members_without_null_properties(tmp_path: Path, knowledge: Knowledge) -> None:
    """Heat accepts a null for a required property."""
    member = "type: OS::Heat::Value, properties: {value: null}"
    chain = (
        "type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::Value], resource_properties: {value: null}}"
    )
    for owner in (member, SCALING_GROUP.replace("MEMBER", member), chain):
        assert codes(check(tmp_path, knowledge, f"resources: {{a: {{{owner}}}}}\n")) == []
    group = RESOURCE_GROUP.replace("MEMBER", member)
    found = codes(check(tmp_path, knowledge, f"resources: {{a: {{{group}}}}}\n"))
    assert found == [("missing-property", Severity.WARNING)]


def test_launch_configuration_must_be_one(tmp_path: Path, knowledge: Knowledge) -> None:
    group = "OS::Heat::InstanceGroup, properties: {AvailabilityZones: [a], Size: 1, LaunchConfigurationName: CONF}"
    conf = "AWS::AutoScaling::LaunchConfiguration, properties: {ImageId: i, InstanceType: t}"
    for kind, expected in ((conf, []), ("OS::Heat::RandomString", [("nested-template", Severity.ERROR)])):
        text = f"resources: {{c: {{type: {kind}}}, g: {{type: {group.replace('CONF', '{get_resource: c}')}}}}}\n"
        assert codes(check(tmp_path, knowledge, text)) == expected


def test_index_is_part_of_the_value(tmp_path: Path, knowledge: Knowledge) -> None:
    for value, count in {"%index%": 0, "x%index%": 1}.items():
        member = f"type: member.yaml, properties: {{size: '{value}'}}"
        text = f"resources: {{group: {{{RESOURCE_GROUP.replace('MEMBER', member)}}}}}\n"
        assert (
            codes(check(tmp_path, knowledge, text, member=MEMBER)) == [("wrong-value-type", Severity.WARNING)] * count
        )


def test_fix_of_a_hidden_property_keeps_functions(tmp_path: Path, knowledge: Knowledge) -> None:
    text = """
parameters: {net: {type: string, default: n}}
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Heat::ResourceGroup
        properties:
          resource_def:
            type: OS::Neutron::Port
            properties: {network_id: {get_param: net}, fixed_ips: [{subnet_id: s}]}
"""
    analysis = check(tmp_path, knowledge, text)
    assert codes(analysis) == [("property-support", Severity.WARNING)] * 2
    edits = [edit for one in analysis.diagnostics for fix in analysis.fixes(one)[:1] for edit in fix.edits]
    fixed = HOT + text.replace("network_id", "network").replace("subnet_id", "subnet")
    assert apply_edits(analysis.template.text, edits) == fixed


@pytest.mark.parametrize(("count", "severity"), [(1, Severity.ERROR), (0, Severity.INFORMATION)])
def test_problems_of_an_empty_group_are_latent(
    count: int, severity: Severity, tmp_path: Path, knowledge: Knowledge
) -> None:
    group = f"type: OS::Heat::ResourceGroup, properties: {{count: {count}, resource_def: {{type: OS::Nova::NoThing}}}}"
    assert codes(check(tmp_path, knowledge, f"resources: {{group: {{{group}}}}}\n")) == [("unknown-type", severity)]


def test_each_type_of_a_chain_is_checked(tmp_path: Path, knowledge: Knowledge) -> None:
    chain = "resources: [OS::Heat::RandomString, My::Type, My::Member], resource_properties: {size: 1}"
    text = f"resources: {{chain: {{type: OS::Heat::ResourceChain, properties: {{{chain}}}}}}}\n"
    analysis = check(tmp_path, knowledge, text, "resource_registry: {'My::Member': member.yaml}\n", member=MEMBER)
    assert codes(analysis) == [("unknown-type", Severity.INFORMATION), ("unknown-property", Severity.ERROR)]
    assert analysis.template.text[analysis.diagnostics[0].span.start :].startswith("My::Type")


@pytest.mark.parametrize("owner", ["type: member.yaml", RESOURCE_GROUP.replace("MEMBER", "type: member.yaml")])
def test_condition_of_a_nested_template_needs_its_parameter_at_once(
    owner: str, tmp_path: Path, knowledge: Knowledge
) -> None:
    text = f"resources: {{a: {{{owner}}}}}\n"
    missing, refused = ("missing-property", Severity.WARNING), ("nested-template", Severity.ERROR)
    for more in (USED, "resources: {r: {type: OS::Heat::Value, condition: {equals: [{get_param: size}, 3]}}}\n"):
        assert sorted(codes(check(tmp_path, knowledge, text, member=READ_IN_CONDITION + more))) == [missing, refused]
    assert codes(check(tmp_path, knowledge, text, member=READ_IN_CONDITION)) == [missing]  # nothing uses the conditions
    given = "parameter_defaults: {size: 2}\n"
    assert codes(check(tmp_path, knowledge, text, given, member=READ_IN_CONDITION + USED)) == []


@pytest.mark.parametrize(
    ("inner", "severity"),
    [
        ("resources: {r: {type: OS::Heat::TestResource, properties: {value: {a: 1}}}}", Severity.WARNING),
        ("resources: {r: {type: OS::Heat::Value}}", Severity.WARNING),
        ("resources: {r: {type: OS::Heat::Value, properties: {value: {get_param: p}}}}", Severity.WARNING),
        ("resources: {r: {type: member.yaml, properties: {size: x}}}", Severity.WARNING),
        ("resources: {r: {type: OS::Heat::RandomString, properties: {lenght: 1}}}", Severity.ERROR),
    ],
)
def test_nested_templates_are_checked_at_each_level(
    inner: str, severity: Severity, tmp_path: Path, knowledge: Knowledge
) -> None:
    middle = "resources: {r: {type: inner.yaml}}\n"
    text = "resources: {a: {type: middle.yaml}}\n"
    found = check(tmp_path, knowledge, text, middle=middle, inner=inner, member=MEMBER)
    assert codes(found) == [("nested-template", severity)]


@pytest.mark.parametrize("value", ["{num: abc}", "{num: {a: 1}}", "{agree: maybe}"])
def test_default_of_the_wrong_type_is_reported_in_the_environment(
    value: str, tmp_path: Path, knowledge: Knowledge
) -> None:
    environment = f"parameter_defaults: {value}\n"
    (found,) = check(
        tmp_path,
        knowledge,
        "resources: {a: {type: member.yaml}, b: {type: member.yaml}}\n",
        environment,
        member=DEFAULTS,
    ).diagnostics
    assert found.severity is Severity.WARNING
    assert "member.yaml: " in found.message
    where = found.elsewhere
    assert where is not None
    assert environment[where.span.start : where.span.end] in value


@pytest.mark.parametrize(
    ("kind", "code"), [("'file:///elsewhere/lb.yaml'", "outside-folder"), ("My::Server", "unknown-type")]
)
def test_parts_that_are_not_checked_are_reported_in_groups_and_nested_templates(
    kind: str, code: str, tmp_path: Path, knowledge: Knowledge
) -> None:
    inner = f"resources: {{r: {{type: {kind}}}}}\n"
    group = f"resources: {{r: {{{RESOURCE_GROUP.replace('MEMBER', f'type: {kind}')}}}}}\n"
    assert codes(check(tmp_path, knowledge, inner)) == [(code, Severity.INFORMATION)]
    assert codes(check(tmp_path, knowledge, group)) == [(code, Severity.INFORMATION)]
    for nested in (inner, group):
        found = check(tmp_path, knowledge, "resources: {r: {type: nested.yaml}}\n", nested=nested)
        assert codes(found) == [("nested-template", Severity.INFORMATION)]
        assert "not checked" in found.diagnostics[0].message


def test_file_url_inside_the_folder_is_read(tmp_path: Path, knowledge: Knowledge) -> None:
    text = f"resources: {{r: {{type: '{tmp_path.as_uri()}/member.yaml', properties: {{size: x}}}}}}\n"
    assert codes(check(tmp_path, knowledge, text, member=MEMBER)) == [("wrong-value-type", Severity.ERROR)]


REMOTE = """parameters: {w: {type: number}}
resources: {r: {type: OS::Heat::Value, properties: {value: {get_param: w}}}}
"""


@pytest.mark.parametrize(
    ("properties", "template", "expected"),
    [
        ("parameters: {w: 1}", REMOTE, []),
        ("parameters: {w: 1, nope: 1}", REMOTE, [Severity.ERROR]),
        ("parameters: {w: abc}", REMOTE, [Severity.WARNING]),
        ("parameters: {w: null}", REMOTE, [Severity.WARNING]),
        ("parameters: {w: {get_attr: [made, value]}}", REMOTE, []),
        ("parameters: {w: {list_join: ['', [{get_resource: made}]]}}", REMOTE, []),
        ("parameters: {}", REMOTE, [Severity.WARNING]),
        ("parameters: {}", "resources: {r: {type: OS::Nova::NoThing}}\n", [Severity.ERROR]),
        ("context: {region_name: other}", "resources: {r: {type: OS::Nova::NoThing}}\n", [Severity.WARNING]),
        ("parameters: {}", "resources: {r: {type: OS::Heat::Value}}\n", [Severity.WARNING]),
        (
            "parameters: {}",
            "resources: {r: {type: OS::Neutron::Subnet, properties: {network: n}}}\n",
            [Severity.WARNING],
        ),
        ("parameters: {}", "resources: {r: {type: elsewhere.yaml}}\n", []),
    ],
)
def test_template_and_parameters_of_a_remote_stack_are_checked(
    properties: str, template: str, expected: list[Severity], tmp_path: Path, knowledge: Knowledge
) -> None:
    """Heat sends both to `template-validate`, which looks at names only; `made` exists before the stack is created."""
    (tmp_path / "remote.txt").write_text(HOT + template, encoding="utf-8")
    stack = f"type: OS::Heat::Stack, properties: {{template: {{get_file: remote.txt}}, {properties}}}"
    text = f"resources: {{s: {{{stack}}}, made: {{type: OS::Heat::RandomString}}}}\n"
    found = codes(check(tmp_path, knowledge, text, elsewhere=MEMBER))
    assert found == [("nested-template", severity) for severity in expected]


@pytest.mark.parametrize(("value", "is_told"), [("{get_resource: net}", False), ("null", True)])
def test_remote_stack_of_a_member_gets_later_values(
    value: str, is_told: bool, tmp_path: Path, knowledge: Knowledge
) -> None:
    """A group leaves out null values, such as the IDs of networks before Neutron creates them."""
    (tmp_path / "remote.txt").write_text(HOT + REMOTE, encoding="utf-8")
    stack = f"{{type: OS::Heat::Stack, properties: {{template: {{get_file: remote.txt}}, parameters: {{w: {value}}}}}}}"
    group = f"{{type: OS::Heat::AutoScalingGroup, properties: {{min_size: 1, max_size: 2, resource: {stack}}}}}"
    text = f"resources: {{net: {{type: OS::Neutron::Net}}, g: {group}}}\n"
    assert bool(codes(check(tmp_path, knowledge, text, elsewhere=MEMBER))) is is_told


TYPED = """
parameters: {p: {type: string, default: abc}}
resources:
  r: {type: OS::Heat::Value, properties: {value: x}}
  group: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Heat::RandomString}}}
outputs:
  word: {value: {get_param: p}}
  number: {value: 5}
  items: {value: [1]}
  read: {value: {get_attr: [r, show]}}
  each: {value: {get_attr: [group, value]}}
  first: {value: {get_attr: [group, resource.0, value]}}
"""
SOURCES = """
resources:
  random: {type: OS::Heat::RandomString}
  map: {type: OS::Heat::Value, properties: {value: {a: 1, b: [x]}}}
  text: {type: OS::Heat::Value, properties: {value: {get_attr: [other, value]}}}
  other: {type: OS::Heat::Value, properties: {value: abc}}
  number: {type: OS::Heat::Value, properties: {type: number, value: 12}}
  nested: {type: nested.yaml}
  group: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Heat::RandomString}}}
  groups:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: nested.yaml}}}
  reader: {type: OS::Heat::RandomString, properties: {PROPERTY}}
"""


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("salt: {list_join: [',', {get_attr: [random, value]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', [{get_attr: [random, value]}]]}", ""),
        ("salt: {list_join: [',', {get_attr: [nested, word]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', {get_attr: [nested, number]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', {get_attr: [nested, read]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', {get_attr: [nested, items]}]}", ""),
        ("salt: {list_join: [',', {get_attr: [group, value]}]}", ""),
        ("salt: {get_attr: [group, value]}", "wrong-value-type"),
        ("salt: {get_attr: [group, attributes, value]}", "wrong-value-type"),
        ("salt: {get_attr: [group, resource.0.value]}", ""),
        ("salt: {list_join: [',', {get_attr: [nested, each]}]}", ""),
        ("salt: {list_join: [',', {get_attr: [nested, each, 0]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', {get_attr: [nested, first]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', {get_attr: [nested, resource.group, value]}]}", ""),
        ("salt: {list_join: [',', {get_attr: [nested, resource.group.resource.0, value]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', {get_attr: [groups, resource.0, word]}]}", ""),
        ("salt: {list_join: [',', {get_attr: [groups, resource.0.resource.1.each]}]}", ""),
        ("salt: {list_join: [',', {get_attr: [groups, resource.0, resource.1.word]}]}", "unresolvable-value"),
        ("salt: {get_attr: [groups, resource.0.word]}", "wrong-value-type"),
        ("salt: {get_attr: [map, value, b, 0]}", ""),
        ("salt: {get_attr: [map, value, b]}", "wrong-value-type"),
        ("length: {get_attr: [map, value]}", "wrong-value-type"),
        ("length: {get_attr: [text, value]}", "wrong-value-type"),
        ("length: {get_attr: [number, value]}", ""),
        ("length: {get_attr: [map, value, a]}", ""),
        ("salt: {str_split: [',', {get_attr: [group, refs]}, 0]}", "unresolvable-value"),
        ("salt: {str_split: [',', {get_attr: [group, refs, 0]}, 0]}", ""),
        ("salt: {list_join: [',', {list_concat: [[a], {get_attr: [random, value]}]}]}", "unresolvable-value"),
        ("salt: {list_join: [',', {list_concat: [[a], {get_attr: [group, refs]}]}]}", ""),
    ],
)
def test_attribute_of_a_known_type_must_fit(written: str, code: str, tmp_path: Path, knowledge: Knowledge) -> None:
    """Heat accepts them, since attributes are null before the creation, which then fails."""
    analysis = check(tmp_path, knowledge, SOURCES.replace("{PROPERTY}", f"{{{written}}}"), nested=TYPED)
    assert codes(analysis) == ([(code, Severity.WARNING)] if code else [])
    for found in analysis.diagnostics:
        assert found.message.endswith("Would fail when Heat creates it.")
        for fix in analysis.fixes(found):
            fixed = apply_edits(analysis.template.text, fix.edits)
            assert codes(check(tmp_path, knowledge, fixed.removeprefix(HOT), nested=TYPED)) == []


@pytest.mark.parametrize(
    ("taker", "items", "is_wrong"),
    [
        ("OS::Heat::RandomString, properties: {length: TEXT}", "[a, UNKNOWN]", True),
        ("OS::Heat::RandomString, properties: {length: TEXT}", "['+1', UNKNOWN]", False),
        ("OS::Heat::RandomString, properties: {length: TEXT}", "['1.', UNKNOWN]", True),
        ("OS::Heat::TestResource, properties: {update_replace: TEXT}", "[x, UNKNOWN]", True),
        ("OS::Heat::TestResource, properties: {update_replace: TEXT}", "[Tr, UNKNOWN]", False),
        ("member.yaml, properties: {size: TEXT}", "[x, UNKNOWN]", True),
        ("member.yaml, properties: {size: TEXT}", "['1.', UNKNOWN]", False),
        ("member.yaml, properties: {size: TEXT}", "[UNKNOWN, nity]", False),
    ],
)
def test_string_with_a_part_that_no_number_contains(
    taker: str, items: str, is_wrong: bool, tmp_path: Path, knowledge: Knowledge
) -> None:
    text = f"{{list_join: ['', {items}]}}".replace("UNKNOWN", "{get_param: word}")
    resource = f"  r: {{type: {taker.replace('TEXT', text)}}}\n"
    found = check(tmp_path, knowledge, f"parameters: {{word: {{type: string}}}}\nresources:\n{resource}", member=MEMBER)
    assert codes(found) == ([("wrong-value-type", Severity.ERROR)] if is_wrong else [])


READ = """
resources:
  group: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Heat::RandomString}}}
  groups:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: nested.yaml}}}
  strings:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Heat::AutoScalingGroup
        properties: {min_size: 1, max_size: 1, resource: {type: OS::Heat::RandomString}}
  scaled:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 1, max_size: 1, resource: {type: OS::Heat::RandomString}}
  nested: {type: nested.yaml}
  reader: {type: OS::Heat::Value, properties: {value: {get_attr: [PATH]}}}
"""


@pytest.mark.parametrize(
    ("path", "severity"),
    [
        ("group, resource.0, valu", Severity.ERROR),
        ("group, resource.1, valu", Severity.WARNING),
        ("group, resource.1.valu", Severity.WARNING),
        ("group, resource.1, value", None),
        ("groups, word", None),
        ("groups, wrod", Severity.WARNING),
        ("groups, resource.0, resource.1, word", None),
        ("groups, resource.0, resource.7, word", Severity.WARNING),
        ("groups, resource.0.resource.1.group, value", Severity.WARNING),
        ("groups, resource.0.resource.1.resource.group, value", None),
        ("groups, resource.0.resource.1.resource.group, valu", Severity.WARNING),
        ("strings, outputs_list, value", None),
        ("strings, outputs_list, valu", Severity.ERROR),
        ("strings, resource.0, outputs, valu", Severity.ERROR),
        ("strings, resource.1, outputs, valu", Severity.WARNING),
        ("strings, resource.0, valu", Severity.WARNING),
        ("scaled, valu", Severity.WARNING),
        ("scaled, resource.1.value", Severity.WARNING),
        ("scaled, resource.1.unlike", Severity.ERROR),
        ("scaled, resource.0, show", None),
        ("nested, nope", Severity.WARNING),
        ("nested, resource.nope", Severity.WARNING),
        ("nested, resource.group, valu", Severity.WARNING),
        ("nested, resource.group.resource.5.value", Severity.WARNING),
        ("nested, resource.r, value", None),
    ],
)
def test_absent_attribute_is_found_at_any_depth(
    path: str, severity: Severity | None, tmp_path: Path, knowledge: Knowledge
) -> None:
    analysis = check(tmp_path, knowledge, READ.replace("PATH", path), nested=TYPED)
    assert codes(analysis) == ([("member-attribute", severity)] if severity is not None else [])
    for found in analysis.diagnostics:
        assert found.message.endswith("Would fail when Heat creates it.") is (severity is Severity.WARNING)
        for fix in analysis.fixes(found):
            fixed = apply_edits(analysis.template.text, fix.edits)
            assert codes(check(tmp_path, knowledge, fixed.removeprefix(HOT), nested=TYPED)) == []


def test_size_of_a_scaling_group_in_a_group_is_checked_at_once(tmp_path: Path, knowledge: Knowledge) -> None:
    member = "{type: OS::Heat::RandomString}"
    scaling = f"type: OS::Heat::AutoScalingGroup, properties: {{min_size: -1, max_size: 1, resource: {member}}}"
    alone = check(tmp_path, knowledge, f"resources: {{a: {{{scaling}}}}}\n")
    assert codes(alone) == [("refused-value", Severity.ERROR)]
    text = f"resources: {{a: {{{RESOURCE_GROUP.replace('MEMBER', scaling)}}}}}\n"
    assert ("property-group", Severity.ERROR) in codes(check(tmp_path, knowledge, text))


def test_attribute_with_items_that_are_no_strings_cannot_be_joined(tmp_path: Path, knowledge: Knowledge) -> None:
    member = "parameters: {list: {type: comma_delimited_list}}\n"
    kind = "type: member.yaml, properties: {list: {get_attr: [map, value, b]}}"
    for owner in (kind, RESOURCE_GROUP.replace("MEMBER", kind), SCALING_GROUP.replace("MEMBER", kind)):
        text = f"resources: {{map: {{type: OS::Heat::Value, properties: {{value: {{b: [1, y]}}}}}}, a: {{{owner}}}}}\n"
        assert codes(check(tmp_path, knowledge, text, member=member)) == [("nested-template", Severity.WARNING)]


def test_character_of_a_string_is_explained(tmp_path: Path, knowledge: Knowledge) -> None:
    text = """parameters: {addresses: {type: string}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: n, fixed_ips: [{ip_address: {get_param: [addresses, 0]}}]}}
"""
    analysis = check(tmp_path, knowledge, text)
    (found,) = analysis.diagnostics
    assert found.message == "This is one character of `addresses`, which is a string, not a list."
    (fix,) = analysis.fixes(found)
    fixed = apply_edits(analysis.template.text, fix.edits)
    assert codes(check(tmp_path, knowledge, fixed.removeprefix(HOT))) == []


@pytest.mark.parametrize("value", ["{get_resource: net}", "{get_attr: [net, name]}"])
def test_constraint_is_not_checked_before_the_value_exists(value: str, tmp_path: Path, knowledge: Knowledge) -> None:
    member = """parameters: {lan: {type: string, constraints: [{length: {min: 1}, description: Not empty.}]}}
resources: {r: {type: OS::Neutron::Port, properties: {network: {get_param: lan}}}}
"""
    kind = f"type: member.yaml, properties: {{lan: {value}}}"
    for owner in (kind, RESOURCE_GROUP.replace("MEMBER", kind)):
        text = f"resources: {{net: {{type: OS::Neutron::Net, properties: {{name: lan}}}}, a: {{{owner}}}}}\n"
        assert codes(check(tmp_path, knowledge, text, member=member)) == []


@pytest.mark.parametrize("length", ["{get_resource: net}", "{get_attr: [net, show, x]}"])
def test_values_of_members_are_those_of_the_creation(length: str, tmp_path: Path, knowledge: Knowledge) -> None:
    """A parameter that is null before the creation does not have its default when Heat creates the member."""
    member = """parameters: {size: {type: string, default: none}}
resources: {r: {type: OS::Neutron::Net, properties: {shared: {get_param: size}}}}
"""
    for owner in (
        "type: member.yaml, properties: P",
        RESOURCE_GROUP.replace("MEMBER", "type: member.yaml, properties: P"),
    ):
        text = "resources: {net: {type: OS::Neutron::Net}, a: {OWNER}}\n".replace("{OWNER}", f"{{{owner}}}")
        assert [one for _, one in codes(check(tmp_path, knowledge, text.replace("P}", "{}}"), member=member))]
        assert codes(check(tmp_path, knowledge, text.replace("P}", f"{{size: {length}}}}}"), member=member)) == []


def test_place_of_an_error_is_the_call_that_raised_it(tmp_path: Path, knowledge: Knowledge) -> None:
    member = "type: OS::Heat::Value, properties: {value: {list_join: [x, [a, {list_join: [y, [1]]}]]}}"
    for owner in (member, RESOURCE_GROUP.replace("MEMBER", member)):
        analysis = check(tmp_path, knowledge, f"resources: {{a: {{{owner}}}}}\n")
        (found,) = analysis.diagnostics
        assert analysis.template.text[found.span.start : found.span.end] == "1"


def test_part_of_a_parameter_is_named(tmp_path: Path, knowledge: Knowledge) -> None:
    text = """
parameters: {route: {type: json, default: {destination: '', nexthop: 10.0.0.1}}}
resources:
  r: {type: OS::Neutron::Subnet, properties: {network: n, cidr: 10.0.0.0/24, host_routes: [{get_param: route}]}}
"""
    (found,) = check(tmp_path, knowledge, text).diagnostics
    assert found.message.startswith("`host_routes[0].destination` (from parameter `route`): An empty string")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("\"{'a': 1}\"", "Expected a map, not `{'a': 1}`."),
        ("'{specs}'", "Expected a map, not `{specs}`."),
        ("[x]", "Expected a map, not a list."),
    ],
)
def test_string_that_begins_with_a_brace_is_no_map(
    value: str, message: str, tmp_path: Path, knowledge: Knowledge
) -> None:
    text = f"resources: {{n: {{type: OS::Neutron::Net, properties: {{value_specs: {value}}}}}}}\n"
    assert [one.message for one in check(tmp_path, knowledge, text).diagnostics] == [message]


def test_type_that_an_environment_beside_the_template_maps_is_no_error(tmp_path: Path, knowledge: Knowledge) -> None:
    (tmp_path / "other.env").write_text("resource_registry: {'OS::Nova::Mine': member.yaml}\n", encoding="utf-8")
    for kind, severity in (("OS::Nova::Mine", Severity.INFORMATION), ("OS::Nova::Yours", Severity.ERROR)):
        text = f"resources: {{r: {{type: '{kind}'}}}}\n"
        assert codes(check(tmp_path, knowledge, text, member=MEMBER)) == [("unknown-type", severity)]


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("OS::Nova::VmxRe", ""),
        ("OS::Heat::Docker", ""),
        ("OS::Nova::Sever", "OS::Nova::Server"),
        ("O::Nova::Server", "OS::Nova::Server"),
    ],
)
def test_suggested_types_share_the_last_part(kind: str, meant: str, tmp_path: Path, knowledge: Knowledge) -> None:
    (found,) = check(tmp_path, knowledge, f"resources: {{r: {{type: '{kind}'}}}}\n").diagnostics
    assert found.message.endswith(f"Did you mean `{meant}`?") if meant else "Did you mean" not in found.message


@pytest.mark.parametrize("group", [RESOURCE_GROUP, SCALING_GROUP])
def test_missing_template_of_a_member_is_reported_once(tmp_path: Path, knowledge: Knowledge, group: str) -> None:
    analysis = check(tmp_path, knowledge, f"resources: {{g: {{{group.replace('MEMBER', 'type: absent.yaml')}}}}}\n")
    assert codes(analysis) == [("unknown-file", Severity.ERROR)]

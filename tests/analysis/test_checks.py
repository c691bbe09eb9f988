"""Small templates for each diagnostic code: `# <- code` ends each line on which a diagnostic of that code starts."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from heatstudio.analysis import Analysis, analyze
from heatstudio.analysis.pages import pages
from heatstudio.analysis.scope import Diagnostic
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Applicability, CheckFamily, Severity, apply_edits
from tests.load import load_source

MARK = re.compile(r"# <- ([a-z -]+)$")
HOT = "heat_template_version: 2018-08-31\n"


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def look(text: str, knowledge: Knowledge) -> Analysis:
    return analyze(Source(parse_template(text)), knowledge)


def found(analysis: Analysis, text: str) -> list[tuple[int, str]]:
    """Return the lines and codes of diagnostics, without advice that the text does not mark."""
    codes = {code for _, code in marked(text)}
    shown = (one for one in analysis.diagnostics if one.family is not CheckFamily.ADVICE or one.code in codes)
    return sorted((text.count("\n", 0, each.span.start) + 1, each.code) for each in shown)


def marked(text: str) -> list[tuple[int, str]]:
    lines = enumerate(text.splitlines(), 1)
    return sorted((number, code) for number, line in lines if (m := MARK.search(line)) for code in m[1].split())


TEMPLATES = {
    "nothing to say": HOT
    + """
parameters:
  size: {type: number, default: 1}
resources:
  random: {type: OS::Heat::RandomString, properties: {length: {get_param: size}}}
""",
    "attributes of the members of groups": HOT
    + """
resources:
  group: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Heat::RandomString}}}
  none: {type: OS::Heat::ResourceGroup, properties: {count: 0, resource_def: {type: OS::Heat::RandomString}}}
  chain: {type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::RandomString, OS::Heat::Delay]}}
  scaled:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 1, max_size: 2, resource: {type: OS::Heat::RandomString}}
  reader:
    type: OS::Heat::Value
    properties:
      value:
        - {get_attr: [group, value]}
        - {get_attr: [group, vaule]}  # <- member-attribute
        - {get_attr: [group, attributes, valeu]}  # <- member-attribute
        - {get_attr: [group, resource.0.values]}  # <- member-attribute
        - {get_attr: [group, resource.1.values]}  # <- member-attribute
        - {get_attr: [group, resource.0, values]}  # <- member-attribute
        - {get_attr: [group, refs]}
        - {get_attr: [none, anything]}
        - {get_attr: [chain, show]}
        - {get_attr: [chain, refs_map]}  # <- member-attribute
        - {get_attr: [scaled, outputs, value]}
        - {get_attr: [scaled, outputs_list, valu]}  # <- member-attribute
        - {get_attr: [scaled, current_size]}
outputs:
  one: {value: {get_attr: [group, name]}}  # <- member-attribute
""",
    "members that a group does not have": HOT
    + """
parameters: {size: {type: number}}
conditions: {never: false}
resources:
  group: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: &def {type: OS::Heat::RandomString}}}
  none: {type: OS::Heat::ResourceGroup, properties: {count: 0, resource_def: *def}}
  any: {type: OS::Heat::ResourceGroup, properties: {count: {get_param: size}, resource_def: *def}}
  skipping:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, removal_policies: [{resource_list: ['0', 7]}], resource_def: *def}
  chain: {type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::RandomString, OS::Heat::Delay]}}
  scaled:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 0, max_size: 4, desired_capacity: 2, resource: *def}
  reader:
    type: OS::Heat::Value
    properties:
      value:
        - {get_attr: [group, resource.1]}
        - {get_attr: [group, resource.2]}  # <- member-attribute
        - {get_attr: [group, resource.2.value]}  # <- member-attribute
        - {get_attr: [group, resource.2, value]}  # <- member-attribute
        - {get_attr: [group, resource.first]}  # <- member-attribute
        - {if: [never, {get_attr: [group, resource.2]}, 1]}  # <- member-attribute
        - {get_attr: [none, resource.0]}  # <- member-attribute
        - {get_attr: [none, resource.0.value]}
        - {get_attr: [any, resource.9]}
        - {get_attr: [skipping, resource.0]}  # <- member-attribute
        - {get_attr: [skipping, resource.2]}
        - {get_attr: [chain, resource.1]}
        - {get_attr: [chain, resource.2.value]}  # <- member-attribute
        - {get_attr: [scaled, resource.1.value]}
        - {get_attr: [scaled, resource.-1.value]}
        - {get_attr: [scaled, resource.2.value]}  # <- member-attribute
    metadata: {of: {get_attr: [group, resource.2]}}  # <- member-attribute
  disabled: {type: OS::Heat::Value, condition: never, properties: {value: {get_attr: [any, resource.2]}}}
outputs:
  one: {value: {get_attr: [group, resource.2]}}  # <- member-attribute
""",
    "conditions that are wrong at their definition": HOT
    + """
parameters: {flag: {type: string, default: ""}, map: {type: json, default: {fast: null}}}
conditions:
  empty: {get_param: flag}  # <- invalid-condition
  none: {get_param: [map, fast]}  # <- invalid-condition
  unused: {get_param: flag}
  negated: {not: empty}
resources:
  a: {type: OS::Heat::RandomString, condition: empty}
  b: {type: OS::Heat::RandomString, condition: negated}
  c: {type: OS::Heat::Value, properties: {value: {if: [none, 1, 2]}}}
outputs:
  o: {value: {if: [empty, 1, 2]}, condition: none}
""",
    "calls without brackets": HOT
    + """
parameters:
  map: {type: json, default: {a: {b: c}}}
  computed: {type: string, default: {get_param: map}}  # <- misspelled-function
  listed: {type: json, default: [{list_join: ["", [a]]}]}  # <- misspelled-function
  plain: {type: json, default: {if: [a, b, c]}}
resources:
  text: {type: OS::Heat::RandomString, properties: {salt: {get_param: map, a, b}}}  # <- misspelled-function
  data: {type: OS::Heat::Value, properties: {value: {x: {get_param: map, a, b}}}}  # <- misspelled-function
  keys: {type: OS::Heat::Value, properties: {value: [{digest: a, b}, {get_param: [map, a]}, {if: 1, else: 2}]}}
  beside: {type: OS::Heat::Value, properties: {value: {a: 1, get_param: map}}}  # <- misspelled-function
  path: {type: OS::Heat::Value, properties: {value: {get_param: [map, a], b}}}  # <- misspelled-function
outputs:
  o: {value: {get_attr: data, value, x}}  # <- misspelled-function
""",
    "outputs that a config does not declare": HOT
    + """
parameters: {id: {type: string}}
resources:
  config: {type: OS::Heat::SoftwareConfig, properties: {outputs: [{name: result}]}}
  open: {type: OS::Heat::SoftwareConfig, properties: {outputs: [{name: {get_param: id}}]}}
  a: {type: OS::Heat::SoftwareDeployment, properties: {server: s, config: {get_resource: config}}}
  b: {type: OS::Heat::StructuredDeployment, properties: {server: s, config: {get_resource: open}}}
  c: {type: OS::Heat::SoftwareDeployment, properties: {server: s, config: {get_param: id}}}
  d: {type: OS::Heat::SoftwareDeployment, properties: {server: s}}
  reader:
    type: OS::Heat::Value
    properties:
      value:
        - {get_attr: [a, result]}
        - {get_attr: [a, deploy_stdout]}
        - {get_attr: [a, reslt]}  # <- member-attribute
        - {get_attr: [b, any]}
        - {get_attr: [c, any]}
        - {get_attr: [d, any]}
outputs:
  one: {value: {get_attr: [a, code]}}  # <- member-attribute
""",
    "the id of a stack that does not exist yet": HOT
    + """
parameters: []
resources:
  named: {type: OS::Neutron::Net, properties: {name: {get_param: 'OS::stack_id'}}}
  open: {type: OS::Neutron::Net, properties: {shared: {get_param: 'OS::stack_id'}}}  # <- wrong-value-type
  listed: {type: OS::Neutron::Net, properties: {tags: {get_param: 'OS::stack_id'}}}  # <- wrong-value-type
  placed:
    type: OS::Neutron::Port
    properties:
      network: a
      mac_address: {get_param: 'OS::stack_id'}  # <- refused-value
""",
    "the text of a template": HOT
    + """
parameters: {unknown: {type: string}}
resources:
  fine: {type: OS::Heat::Stack, properties: {template: "{heat_template_version: 2018-08-31}"}}
  hidden: {type: OS::Heat::Stack, properties: {template: {get_param: unknown}}}
  text: {type: OS::Heat::Stack, properties: {template: abc}}  # <- nested-template
  old: {type: OS::Heat::Stack, properties: {template: "{heat_template_version: 2012-01-01}"}}  # <- nested-template
  empty: {type: OS::Heat::Stack, properties: {template: ""}}  # <- nested-template
""",
    "four mistakes": HOT
    + """
resources:
  server:
    type: OS::Nova::Server
    properties:
      flavour: m1.small  # <- unknown-property
      image: cirros
  net:
    type: OS::Neutron::Net
    properties:
      nam: private  # <- unknown-property
      shared: maybe  # <- wrong-value-type
  random:
    type: OS::Heat::RandomString
    properties:
      lenght: 8  # <- unknown-property
""",
    "a wrong value under an old name": HOT
    + """
resources:
  old:
    type: OS::Neutron::Subnet
    properties:
      cidr: 10.0.0.0/24
      network_id: {resource: net}  # <- property-support wrong-value-type
  new:
    type: OS::Neutron::Subnet
    properties:
      cidr: 10.0.1.0/24
      network: {resource: net}  # <- wrong-value-type
""",
    "definitions of members": HOT
    + """
parameters:
  members: {type: json}
resources:
  typeless:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 0
      max_size: 0
      resource: {properties: {length: 8}}  # <- nested-template
  shapeless:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 0
      max_size: 0
      resource:
        type: OS::Heat::RandomString
        deletion_policy: Keep  # <- nested-template
        anything: ignored
  later:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 0, max_size: 0, resource: {get_param: members}}
  chain:
    type: OS::Heat::ResourceChain
    properties:
      resources:
        - OS::Heat::RandomString
        - [OS::Heat::RandomString]  # <- nested-template
        - member.yaml  # <- nested-template
""",
    "resource that is there already": HOT
    + """
resources:
  a: {type: OS::Neutron::Net, external_id: {get_param: nothing}}  # <- unknown-parameter
""",
    "types that do nothing": HOT
    + """
resources:
  a: {type: OS::Heat::None, properties: {any: {make_url: {port: 99999}}}}
  b: {type: OS::Heat::None, properties: {any: {str_replace: none}}}  # <- invalid-function
  c: {type: OS::Heat::Value, properties: {value: {make_url: {port: 99999}}}}  # <- invalid-function
""",
    "version": "heat_template_version: 2015-04-31  # <- unknown-version\n",
    "section": HOT + "resource: {}  # <- unknown-section\n",
    "section of the wrong kind": HOT + "resources: [a]  # <- invalid-section\n",
    "parameter": HOT
    + """
parameters:
  size: {type: number, default: many}  # <- invalid-parameter
  color: {type: string, default: red, constraints: [{allowed_values: [blue]}]}  # <- invalid-parameter
""",
    "parameter of no type": HOT
    + """
parameters:
  size: {type: int}  # <- invalid-parameter
""",
    "parameter group": HOT
    + """
parameter_groups:
  - parameters: [nobody]  # <- invalid-parameter-group
""",
    "conditions": HOT
    + """
conditions:
  no: {equals: [1, 2]}
resources:
  one: {type: OS::Heat::RandomString, condition: nowhere}  # <- invalid-condition
  two: {type: OS::Heat::Value, properties: {value: {if: [false, {get_attr: one}, 1]}}}  # <- invalid-function
""",
    "names": HOT
    + """
parameters:
  same: {type: string, default: a}
resources:
  same: {type: OS::Heat::RandomString}  # <- duplicate-name
  with/slash: {type: OS::Heat::RandomString}  # <- invalid-resource
""",
    "circle": HOT
    + """
resources:
  a: {type: OS::Heat::RandomString, depends_on: b}  # <- circular-dependency
  b: {type: OS::Heat::Value, properties: {value: {get_resource: a}}}
""",
    "missing names": HOT
    + """
resources:
  a:
    type: OS::Heat::Value
    depends_on: nobody  # <- unknown-resource
    properties:
      value: [{get_param: nothing}, {get_resource: none}]  # <- unknown-parameter unknown-resource
outputs:
  b: {value: {get_param: nothing}}  # <- unknown-parameter
""",
    "shape of a resource": HOT
    + """
resources:
  a: {Type: OS::Heat::Value}  # <- invalid-resource
  b: {type: OS::Heat::RandomString, deletion_policy: Keep}  # <- invalid-resource
""",
    "disabled": HOT
    + """
conditions:
  never: {equals: [1, 2]}
resources:
  a: {type: OS::Nova::Sever, condition: never, properties: {value: {get_attr: [b, none]}}}  # <- unknown-type
  b: {condition: never}  # <- invalid-resource
  c: {type: OS::Heat::Value, condition: never, properties: {value: {get_attr: bb}}}  # <- invalid-function
""",
    "properties by a function": HOT
    + """
resources:
  a:
    type: OS::Heat::RandomString
    properties: {get_resource: nobody}  # <- invalid-resource unknown-resource
  b: {type: OS::Heat::None, properties: {get_param: OS::stack_name}}
""",
    "policies": HOT
    + """
resources:
  a:
    type: OS::Heat::RandomString
    deletion_policy: Snapshot  # <- invalid-policy
    update_policy:
      rolling_update: {}  # <- invalid-policy
""",
    "types": HOT
    + """
resources:
  a: {type: OS::Nova::Sever}  # <- unknown-type
  b: {type: Vendor::Own::Thing, properties: {anything: 1}}  # <- unknown-type
  c: {type: OS::Designate::Domain, properties: {whatever: 1}}  # <- type-support
""",
    "properties": HOT
    + """
resources:
  port:
    type: OS::Neutron::Port
    properties:  # <- missing-property
      mac_address: nonsense  # <- refused-value
  old:
    type: OS::Neutron::Port
    properties:
      network_id: a  # <- property-support
  both:
    type: OS::Neutron::Port
    properties:
      network_id: a  # <- property-support
      network: b  # <- conflicting-properties
  unjoined:
    type: OS::Heat::Value
    properties:
      value: {list_join: [",", {a: 1}]}  # <- unresolvable-value
""",
    "groups": HOT
    + """
resources:
  interface:
    type: OS::Neutron::RouterInterface
    properties:
      router: r
      subnet: s  # <- property-group
      port: p
""",
    "attributes": HOT
    + """
resources:
  server: {type: OS::Nova::Server, properties: {flavor: f, image: i, networks: [{network: n}]}}
  value: {type: OS::Heat::Value, properties: {value: {get_attr: [server, nothing]}}}  # <- invalid-function
outputs:
  a: {value: {get_attr: [server, first_address]}}  # <- attribute-support
  b: {}  # <- invalid-output
""",
    "functions that are none": HOT
    + """
parameters:
  size: {type: number}
resources:
  a: {type: OS::Heat::Value, properties: {value: {get_parm: size}}}  # <- misspelled-function
  b: {type: OS::Heat::RandomString, properties: {length: {get_parm: size}}}  # <- misspelled-function
  c: {type: OS::Heat::Value, properties: {value: {repeat: 1, until: 2}}}
  d: {type: OS::Heat::Value, properties: {value: {get_size: size}}}
""",
    "external": HOT
    + """
resources:
  a: {type: OS::Neutron::Net, external_id: abc, properties: {nonsense: 1}}
  b: {type: OS::Neutron::Net, external_id: abc, depends_on: a}  # <- invalid-resource
""",
    "members of a group": HOT
    + """
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Heat::RandomString
        properties:
          lenght: 3  # <- unknown-property
  empty:
    type: OS::Heat::ResourceGroup
    properties: {count: 0, resource_def: {type: OS::Nova::NoThing}}  # <- unknown-type
""",
    "values that take too long": HOT
    + f"""
parameters:
  slow:
    type: string
    constraints: [{{allowed_pattern: '(a|aa)+c'}}]
    default: {"a" * 60}b  # <- not-checked
  quick:
    type: string
    constraints: [{{allowed_pattern: '(a|b)+c'}}]
    default: {"ab" * 30}c
resources:
  replaced:
    type: OS::Heat::Value
    properties:
      value: {"{str_replace: {template: aa, params: {a: " * 25}aa{"}}}" * 25}  # <- not-checked
  matched:
    type: OS::Heat::Value
    properties:
      value: {{yaql: {{expression: $.data =~ '(a|aa)+c', data: {"a" * 60}b}}}}  # <- not-checked
  random:
    type: OS::Heat::Value
    properties:
      value: {{yaql: {{expression: random(), data: {{}}}}}}
""",
    "shapes of parameters": HOT
    + """
parameters:
  text: {type: string}
  items: {type: comma_delimited_list}
resources:
  a: {type: OS::Heat::RandomString, properties: {length: {get_param: items}}}  # <- wrong-value-type
  b:
    type: OS::Neutron::Port
    properties:
      network: n
      fixed_ips:
        - ip_address: {get_param: [items, 0]}
        - ip_address: {get_param: [text, 0]}  # <- refused-value
""",
}


WORDS = {Applicability.SAFE: "safe", Applicability.UNSAFE: "your review", Applicability.DECISION: "decision"}
ANNOTATED = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("annotated/*.yaml")}
TEMPLATES |= ANNOTATED


@pytest.mark.parametrize("name", TEMPLATES)
def test_problems_are_at_the_marked_positions(name: str, knowledge: Knowledge) -> None:
    text = TEMPLATES[name]
    assert found(look(text, knowledge), text) == marked(text)


@pytest.mark.parametrize("name", TEMPLATES)
def test_page_says_how_safe_the_fixes_are(name: str, knowledge: Knowledge) -> None:
    analysis = look(TEMPLATES[name], knowledge)
    for diagnostic in analysis.diagnostics:
        safety = pages()[diagnostic.code].partition("\n## Safety of the fix\n")[2].partition("\n## ")[0]
        for fix in analysis.fixes(diagnostic):
            assert WORDS[fix.applicability] in " ".join(safety.split())
            assert "No fix is offered" not in safety


@pytest.mark.parametrize("name", ANNOTATED)
def test_fix_removes_its_problem_and_adds_none(name: str, knowledge: Knowledge) -> None:
    def reported(text: str) -> list[Diagnostic]:
        return [one for one in look(text, knowledge).diagnostics if one.family is not CheckFamily.ADVICE]

    text = ANNOTATED[name]
    analysis, before = look(text, knowledge), Counter(one.message for one in reported(text))
    for diagnostic in reported(text):
        for fix in analysis.fixes(diagnostic):
            rest = Counter(one.message for one in reported(apply_edits(text, fix.edits)))
            assert rest <= before - Counter([diagnostic.message]), fix.title


def test_user_data_is_too_long_for_nova(knowledge: Knowledge) -> None:
    server = "resources: {a: {type: OS::Nova::Server, properties: {flavor: f, image: i, networks: [{network: n}], %s}}}"
    for size, most in ((49_149, 0), (49_150, 1)):
        for text in ("x" * size, "\u00e9" * (size // 2) + "x" * (size % 2)):
            found = look(HOT + server % f"user_data_format: RAW, user_data: {text}", knowledge).diagnostics
            assert [one.code for one in found] == ["user-data"] * most
    unknown = "{list_join: ['', [" + "x" * 49_150 + ", {get_param: 'OS::stack_id'}]]}"
    (found_one,) = look(HOT + server % f"user_data: {unknown}", knowledge).diagnostics
    assert "65,536 bytes" in found_one.message


def test_errors_and_warnings_are_distinguished(knowledge: Knowledge) -> None:
    analysis = look(TEMPLATES["missing names"], knowledge)
    severities = [each.severity for each in analysis.diagnostics if each.code == "unknown-parameter"]
    assert severities == [Severity.ERROR, Severity.WARNING]
    strays = look(TEMPLATES["functions that are none"], knowledge).diagnostics
    assert [each.severity for each in strays] == [Severity.WARNING, Severity.ERROR]
    (plugin,) = (each for each in look(TEMPLATES["types"], knowledge).diagnostics if "Vendor" in each.message)
    assert plugin.severity is Severity.INFORMATION


@pytest.mark.parametrize(
    ("template", "code", "after"),
    [
        ("four mistakes", "unknown-property", "flavor: m1.small"),
        ("types", "unknown-type", "type: OS::Nova::Server"),
        ("functions that are none", "misspelled-function", "get_param: size"),
        ("properties", "missing-property", "network: "),
    ],
)
def test_the_preferred_fix_is_the_expected_one(template: str, code: str, after: str, knowledge: Knowledge) -> None:
    text = TEMPLATES[template]
    analysis = look(text, knowledge)
    diagnostic = next(each for each in analysis.diagnostics if each.code == code)
    fix = next(fix for fix in analysis.fixes(diagnostic) if fix.preferred)
    changed = apply_edits(text, fix.edits)
    assert after in changed
    still = [each.code for each in look(changed, knowledge).diagnostics]
    assert still.count(code) == [each.code for each in analysis.diagnostics].count(code) - 1


def test_files_of_a_template(tmp_path: Path, knowledge: Knowledge) -> None:
    (tmp_path / "here.sh").write_text("true")
    (tmp_path / "port.yaml").write_text(
        HOT + "parameters: {p: {type: string}}\nresources: {r: {type: OS::Nova::NoThing}}\n"
    )
    (tmp_path / "self.yaml").write_text(HOT + "resources: {again: {type: self.yaml}}\n")
    text = (
        HOT
        + """
resources:
  a: {type: OS::Heat::Value, properties: {value: {get_file: here.sh}}}
  b: {type: OS::Heat::Value, properties: {value: {get_file: gone.sh}}}  # <- unknown-file
  c: {type: OS::Heat::Value, properties: {value: {get_file: ../../outside.sh}}}  # <- outside-folder
  d: {type: port.yaml, properties: {p: x}}  # <- nested-template
  e: {type: gone.yaml}  # <- unknown-file
  f: {type: self.yaml}  # <- unknown-file
  g: {type: port.yaml}  # <- missing-property nested-template
"""
    )
    path = tmp_path / "main.yaml"
    path.write_text(text)
    analysis = analyze(load_source(path), knowledge)
    assert found(analysis, text) == marked(text)
    files = [each.message for each in analysis.diagnostics if each.code == "unknown-file"]
    assert files[0] == "File not found: gone.sh."
    assert "self.yaml contains itself" in files[2]
    nested = [each.message for each in analysis.diagnostics if each.code == "nested-template"]
    assert "port.yaml, `r`: Unknown resource type `OS::Nova::NoThing`" in nested[0]


def test_file_without_read_permission(tmp_path: Path, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    path, closed = tmp_path / "main.yaml", tmp_path.resolve() / "closed.sh"
    closed.write_text("")
    names = "[{get_file: closed.sh}, {get_file: ./closed.sh}]"
    path.write_text(HOT + f"resources: {{a: {{type: OS::Heat::Value, properties: {{value: {names}}}}}}}\n")
    opened = Path.open

    def refuse(one: Path, mode: str) -> object:
        if one == closed:
            raise PermissionError(13, "Permission denied")
        return opened(one, mode)

    monkeypatch.setattr(Path, "open", refuse)
    messages = [each.message for each in analyze(load_source(path), knowledge).diagnostics]
    reason = "permission denied; check the permissions, or choose another location."
    assert messages == [f"Cannot read closed.sh: {reason}"] * 2


def test_parameter_defaults_of_an_environment_apply_to_nested_templates(tmp_path: Path, knowledge: Knowledge) -> None:
    (tmp_path / "port.yaml").write_text(HOT + "parameters: {p: {type: string}}\n")
    path, environment = tmp_path / "main.yaml", tmp_path / "env.yaml"
    path.write_text(HOT + "resources: {a: {type: port.yaml}}\n")
    environment.write_text("parameter_defaults: {p: x}\n")
    assert [each.severity for each in analyze(load_source(path), knowledge).diagnostics] == [Severity.WARNING]
    assert not analyze(load_source(path, [environment]), knowledge).diagnostics


def test_environment_that_maps_to_unknown_types(tmp_path: Path, knowledge: Knowledge) -> None:
    path, environment = tmp_path / "main.yaml", tmp_path / "env.yaml"
    path.write_text(HOT + "resources: {a: {type: My::Server}, b: {type: My::Other}}\n")
    environment.write_text("resource_registry: {My::Server: OS::Nova::Servr, My::Other: Vendor::Server}\n")
    severities = [each.severity for each in analyze(load_source(path, [environment]), knowledge).diagnostics]
    assert severities == [Severity.ERROR, Severity.INFORMATION]


def test_template_replaces_a_type_of_heat(tmp_path: Path, knowledge: Knowledge) -> None:
    (tmp_path / "value.yaml").write_text(HOT + "parameters: {value: {type: string, default: a}}\n")
    path, environment = tmp_path / "main.yaml", tmp_path / "env.yaml"
    path.write_text(HOT + "resources: {a: {type: OS::Heat::RandomString}}\n")
    environment.write_text("resource_registry: {OS::Heat::RandomString: value.yaml}\n")
    diagnostics = analyze(load_source(path, [environment]), knowledge).diagnostics
    assert {each.code for each in diagnostics} == {"facade-mismatch"}
    assert any(
        d.heat.endswith("Attribute value for facade OS::Heat::RandomString missing in provider") for d in diagnostics
    )


def test_every_code_has_a_page() -> None:
    for code, page in pages().items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert page.startswith("# "), code


def test_dependents_of_a_missing_value_are_not_errors(knowledge: Knowledge) -> None:
    text = (
        HOT
        + """
parameters:
  open: {type: string%s}
conditions:
  is_open: {equals: [{get_param: open}, yes please]}
resources:
  net: {type: OS::Neutron::Net, condition: is_open, properties: {nam: x, shared: maybe}}
  first: {type: OS::Heat::None, condition: is_open, depends_on: second}
  second: {type: OS::Heat::None, depends_on: first}
  open: {type: OS::Heat::None, condition: is_open, metadata: {a: {get_attr: first}}}
outputs:
  name: {value: {get_attr: [net, nam]}, condition: is_open}
"""
    )

    def severities(default: str) -> dict[str, Severity]:
        return {each.code: each.severity for each in look(text % default, knowledge).diagnostics}

    always = {"invalid-function": Severity.ERROR}
    hanging = ("unknown-property", "wrong-value-type", "circular-dependency", "duplicate-name", "invalid-output")
    assert severities("") == always | dict.fromkeys(hanging, Severity.WARNING)
    assert severities(", default: yes please") == always | dict.fromkeys(hanging, Severity.ERROR)
    assert severities(", default: never") == always | dict.fromkeys(hanging, Severity.INFORMATION)


@pytest.mark.parametrize(
    ("reference", "title", "made"),
    [
        ("properties: {network: {get_resource: gone}}", "(OS::Neutron::Net)", {"type": "OS::Neutron::Net"}),
        (
            "properties: {network: n, fixed_ips: [{subnet: {get_resource: gone}}]}",
            "(OS::Neutron::Subnet)",
            {"type": "OS::Neutron::Subnet"},
        ),
        ("depends_on: [gone]\n    properties: {network: n}", "(OS::Heat::None)", {"type": "OS::Heat::None"}),
    ],
)
def test_a_missing_resource_can_be_created(knowledge: Knowledge, reference: str, title: str, made: object) -> None:
    text = f"{HOT}resources:\n  port:\n    type: OS::Neutron::Port\n    {reference}\n"
    analysis = look(text, knowledge)
    (finding,) = [one for one in analysis.diagnostics if one.code == "unknown-resource"]
    (fix, *_) = analysis.fixes(finding)
    assert fix.title == f"Create resource `gone` {title}"
    assert fix.preferred
    after = look(apply_edits(text, fix.edits), knowledge)
    assert "unknown-resource" not in {one.code for one in after.diagnostics}
    resources = after.template.data["resources"]
    assert isinstance(resources, dict)
    assert {key: value for key, value in resources["gone"].items() if key == "type"} == made


def test_disabled_resource_is_not_created_again(knowledge: Knowledge) -> None:
    text = (
        f"{HOT}conditions: {{c: false}}\nresources:\n  net: {{type: OS::Neutron::Net, condition: c}}\n"
        "  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}\n"
    )
    analysis = look(text, knowledge)
    titles = [fix.title for one in analysis.diagnostics for fix in analysis.fixes(one)]
    assert not any(title.startswith("Create") for title in titles)


def test_nested_stack_is_rejected_for_values_that_plugins_cannot_read(tmp_path: Path, knowledge: Knowledge) -> None:
    """Heat does not check the property types of nested stacks, but a plug-in's own checks read some values."""
    inner = """
parameters: {value: {type: string, default: text}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: a, %s: {get_param: value}}}
"""
    path = tmp_path / "main.yaml"
    path.write_text(HOT + "resources: {a: {type: inner.yaml}}\n")
    for name, severity in {"fixed_ips": Severity.ERROR, "allowed_address_pairs": Severity.WARNING}.items():
        (tmp_path / "inner.yaml").write_text(HOT + inner % name)
        (found,) = analyze(load_source(path), knowledge).diagnostics
        assert (found.code, found.severity) == ("nested-template", severity)


def test_cyclic_type_mapping_is_reported_at_its_use(tmp_path: Path, knowledge: Knowledge) -> None:
    path, environment = tmp_path / "main.yaml", tmp_path / "environment.yaml"
    path.write_text(f"{HOT}resources: {{a: {{type: My::Server}}}}\n")
    start = "The environment maps `My::Server` "
    for registry, reported in {
        "{My::Server: Your::Server, Your::Server: My::Server}": ["in a cycle: My::Server → Your::Server → My::Server"],
        "{'My::*': 'My::My::*'}": ["to too many types: My::Server → My::My::Server → My::My::My::Server → …"],
        "{My::Server: OS::Heat::None, Your::Server: Your::Server}": [],
    }.items():
        environment.write_text(f"resource_registry: {registry}\n")
        found = analyze(load_source(path, [environment]), knowledge).diagnostics
        assert [(each.code, each.severity, each.message.removeprefix(start).rstrip(".")) for each in found] == [
            ("unknown-type", Severity.ERROR, way) for way in reported
        ]


@pytest.mark.parametrize(
    ("properties", "names"),
    [
        (
            "type: OS::Neutron::Router, properties: {l3_agent_ids: [a, b], l3_agent_id: c}",
            ("l3_agent_ids", "l3_agent_id"),
        ),
        ("type: OS::Neutron::Router, properties: {l3_agent_ids: a, l3_agent_id: c}", ("l3_agent_ids", "l3_agent_id")),
        (
            "type: OS::Heat::RandomString, properties: {character_classes: [{class: digits}], sequence: digits}",
            ("character_classes", "sequence"),
        ),
    ],
)
def test_conflicting_property_is_reported_once_in_plain_words(
    properties: str, names: tuple[str, str], knowledge: Knowledge
) -> None:
    text = f"{HOT}resources:\n  one: {{{properties}}}\n"
    (problem,) = [one for one in look(text, knowledge).diagnostics if one.code == "conflicting-properties"]
    new, old = names
    assert problem.message == f"`{new}` and `{old}` cannot both be set."
    assert text[problem.span.start : problem.span.end] == new
    assert problem.heat.startswith("Incorrect translation rule")


def test_message_names_the_type_as_in_the_template(knowledge: Knowledge) -> None:
    text = f"{HOT}resources:\n  alarm: {{type: OS::Ceilometer::Alarm, properties: {{meter_name: cpu, threshold: 5}}}}\n"
    (problem,) = look(text, knowledge).diagnostics
    assert problem.message.startswith("OS::Ceilometer::Alarm (OS::Aodh::Alarm) has been deprecated since 10.0.0")


def test_group_broken_by_a_default_names_the_default_and_can_be_fixed(knowledge: Knowledge) -> None:
    text = f"{HOT}resources:\n  type: {{type: OS::Cinder::VolumeType, properties: {{name: a, projects: [p]}}}}\n"
    analysis = look(text, knowledge)
    (problem,) = analysis.diagnostics
    assert problem.message == "With `projects`, `is_public` must be false; `is_public` is true by default."
    (fix,) = [fix for fix in analysis.fixes(problem) if fix.title == "Set `is_public` to false"]
    assert look(apply_edits(text, fix.edits), knowledge).diagnostics == ()


def test_parameter_of_an_external_id_is_not_needed_in_cfn(knowledge: Knowledge) -> None:
    entry = "{Type: OS::Heat::RandomString, ExternalId: {Ref: nope}}"
    analysis = look(f"AWSTemplateFormatVersion: 2010-09-09\nResources:\n  a: {entry}\n", knowledge)
    assert [one.severity for one in analysis.diagnostics if one.code == "unknown-parameter"] == [Severity.WARNING]


def test_half_typed_key_lacks_its_colon(knowledge: Knowledge) -> None:
    """The word on its line is marked, whichever check expects a map there."""
    for words in (
        "resources:\n  res",
        "resources:\n  a:\n    ty",
        "resources:\n  a:\n    type: OS::Neutron::Net\n    properties:\n      na",
        "resources:\n  a: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\noutputs:\n  o:\n    va",
        "parameters:\n  par",
        "parameters:\n  p:\n    type: string\n    constraints:\n      - allowed_va",
        "conditions:\n  con",
    ):
        text = f"{HOT}{words}"
        (problem,) = look(text, knowledge).diagnostics
        word = re.split(r"[ \n]", text)[-1]
        assert problem.message == f"A colon is missing after `{word}`."
        assert text[problem.span.start : problem.span.end] == word
    for words in ("resources:\n  a: OS::Nova::Server", "resources: [a]", "resources:\n  a:\n    two words"):
        (problem,) = look(f"{HOT}{words}", knowledge).diagnostics
        assert "must be a map" in problem.message


def test_resource_outside_the_resources_is_moved(knowledge: Knowledge) -> None:
    server = "server: {type: OS::Heat::RandomString, properties: {length: 8}}"
    for words in (
        f"{server}\n",
        f"description:\n  {server}\n",
        f"parameters:\n  {server}\n",
        f"resources:\n{server}\n",
    ):
        analysis = look(f"{HOT}{words}", knowledge)
        problem = next(one for one in analysis.diagnostics if "resource" in one.message)
        (fix,) = analysis.fixes(problem)
        assert fix.title == "Move `server` to `resources`"
        assert apply_edits(f"{HOT}{words}", fix.edits).rstrip() == f"{HOT}resources:\n  {server}"
    for words in (f"resources: [a]\n{server}\n", f"resources:\n  {server}\n{server}\n", "server: {type: string}\n"):
        messages = [one.message for one in look(f"{HOT}{words}", knowledge).diagnostics]
        assert "Unknown section `server`." in messages


def test_long_values_are_cut_in_a_comparison(knowledge: Knowledge) -> None:
    names = f"conditions:\n  a: {{equals: [{{get_param: size}}, {'x' * 100}]}}\n"
    found = look(f"{HOT}parameters: {{size: {{type: number}}}}\n{names}", knowledge).diagnostics
    message = f"`size` is a number, which never equals the string `{'x' * 60}...`."
    assert message in [one.message for one in found]


def test_boolean_is_quoted_as_it_is_written(knowledge: Knowledge) -> None:
    text = f"{HOT}parameters: {{flag: {{type: string}}}}\nconditions:\n  a: {{equals: [{{get_param: flag}}, no]}}\n"
    analysis = look(text, knowledge)
    (found,) = (one for one in analysis.diagnostics if one.code == "never-equal")
    assert found.message == "`flag` is a string, which never equals the boolean `no`."
    (fix,) = analysis.fixes(found)
    assert "flag}, 'no']" in apply_edits(text, fix.edits).replace('"', "'")

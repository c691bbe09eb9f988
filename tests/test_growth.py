"""Linear growth: twice the text takes at most twice the work to parse, analyze and query.

Work is the number of calls and executed Python lines, so that the load of the machine does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from heatstudio.analysis import analyze
from heatstudio.analysis.assist.completion import complete
from heatstudio.stack.conversion.convert import convert
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.registry import ResourceRegistry
from heatstudio.template import Template, parse_environment, parse_template
from heatstudio.update.plan_update import plan_update
from tests.sampling import sample
from tests.work import assert_at_most_twice, count_steps

SAMPLE = 6
HEAD = "heat_template_version: 2021-04-16\n"
RESOURCES = f"{HEAD}resources:\n"
CFN = "AWSTemplateFormatVersion: 2010-09-09\n"
KNOWLEDGE = load_knowledge()


def joined(start: str, each: Callable[[int], str], end: str = "") -> Callable[[int], str]:
    return lambda count: start + "".join(map(each, range(count))) + end


def value(text: str, name: str = "a") -> str:
    return f"  {name}: {{type: OS::Heat::Value, properties: {{value: {text}}}}}\n"


def conditions_of_p(count: int) -> str:
    each = "".join(f"  c{i}: {{equals: [{{get_param: p}}, {i}]}}\n" for i in range(count))
    return f"{HEAD}parameters: {{p: {{type: number}}}}\nconditions:\n{each}"


TEXTS: dict[str, Callable[[int], str]] = {
    "resources": joined(RESOURCES, lambda i: value(str(i), f"r{i}")),
    "resources in one line": joined(f"{HEAD}resources: {{", lambda i: f"r{i}: {{type: OS::Heat::None}}, ", "}\n"),
    "resources in JSON": joined(
        '{"heat_template_version": "2021-04-16", "resources": {', lambda i: f'"r{i}": {{"type": "OS::Heat::None"}}, ',
        '"z": {}}}',
    ),
    "equal keys": joined(RESOURCES, lambda _: "  a:\n"),
    "equal keys in one line": joined(
        f"{RESOURCES}  a: {{type: OS::Heat::Value, properties: {{", lambda _: "value: 1, ", "}}\n"
    ),
    "equal keys of a resource": joined(f"{RESOURCES}  a:\n    type: OS::Heat::Value\n", lambda _: "    metadata: {}\n"),
    "equal sections": joined(HEAD, lambda _: "outputs: {}\n"),
    "codes in one comment": joined(f"{RESOURCES}{value('1')}# heatstudio: ignore[", lambda i: f"c{i}, ", "x]\n"),
    "comments in front of a line": joined(RESOURCES, lambda i: f"  # heatstudio: ignore[c{i}]\n", value("1")),
    "comments with one code": joined(
        RESOURCES, lambda i: f"  # heatstudio: ignore[unknown-type]\n  r{i}: {{type: No::Such}}\n"
    ),
    "unknown properties": joined(
        f"{RESOURCES}  a:\n    type: OS::Nova::Server\n    properties:\n", lambda i: f"      flavr{i}: 1\n"
    ),
    "unknown keys": joined(f"{RESOURCES}  a:\n    type: OS::Heat::None\n", lambda i: f"    propertis{i}: 1\n"),
    "unknown sections": joined(HEAD, lambda i: f"resorces{i}: {{}}\n"),
    "unknown types": joined(RESOURCES, lambda i: f"  r{i}: {{type: OS::Nova::Servr{i}}}\n"),
    "unknown parameters": joined(RESOURCES, lambda i: value(f"{{get_param: p{i}}}", f"r{i}")),
    "unknown functions": joined(RESOURCES, lambda i: value(f"{{get_parm{i}: x}}", f"r{i}")),
    "unknown attributes": joined(RESOURCES, lambda i: value("{get_attr: [r0, vale]}", f"r{i}")),
    "parameters": joined(f"{HEAD}parameters:\n", lambda i: f"  p{i}: {{type: string, default: x}}\n"),
    "wrong parameters": joined(f"{HEAD}parameters:\n", lambda i: f"  p{i}: {{type: strng, defalt: 1}}\n"),
    "constraints": joined(
        f"{HEAD}parameters:\n  p: {{type: string, default: a, constraints: [", lambda _: "{length: {min: 0}}, ", "]}\n"
    ),
    "parameter groups": joined(f"{HEAD}parameter_groups:\n", lambda i: f"- {{label: a, parameters: [p{i}]}}\n"),
    "conditions": joined(
        f"{HEAD}parameters: {{p: {{type: boolean}}}}\nconditions:\n", lambda i: f"  c{i}: {{get_param: p}}\n"
    ),
    "conditions of resources": joined(
        f"{HEAD}parameters: {{p: {{type: boolean}}}}\nconditions: {{c: {{get_param: p}}}}\nresources:\n",
        lambda i: f"  r{i}: {{type: OS::Heat::None, condition: c}}\n",
    ),
    "conditions of their own": lambda count: (
        conditions_of_p(count)
        + f"resources:\n{''.join(value(f'{{if: [c{i}, 1, 2]}}', f'r{i}') for i in range(count))}"
    ),
    "resources with conditions of their own that need each other": lambda count: (
        conditions_of_p(count)
        + "resources:\n"
        + "".join(
            f"  r{i}: {{type: OS::Heat::Value, condition: c{i}, properties: {{value: {{get_resource: r{i + 1}}}}}}}\n"
            for i in range(count)
        )
    ),
    "a chain of resources": joined(RESOURCES, lambda i: f"  r{i}: {{type: OS::Heat::None, depends_on: r{i + 1}}}\n"),
    "a chain of references": joined(RESOURCES, lambda i: value(f"{{get_attr: [r{i + 1}, value]}}", f"r{i}")),
    "one resource depended on often": joined(
        f"{RESOURCES}  b: {{type: OS::Heat::None}}\n  a: {{type: OS::Heat::None, depends_on: [", lambda _: "b, ", "]}\n"
    ),
    "outputs": joined(f"{HEAD}outputs:\n", lambda i: f"  o{i}: {{value: {i}}}\n"),
    "outputs of resources": joined(
        f"{RESOURCES}{value('1', 'r')}outputs:\n", lambda i: f"  o{i}: {{value: {{get_attr: [r, value]}}}}\n"
    ),
    "servers": joined(
        RESOURCES,
        lambda i: f"  r{i}:\n    type: OS::Nova::Server\n    properties:\n      flavor: f\n      networks:\n"
        f"        - port: {{get_resource: p{i}}}\n"
        f"  p{i}: {{type: OS::Neutron::Port, properties: {{network: n}}}}\n",
    ),
    "networks of one server": joined(
        f"{RESOURCES}  a: {{type: OS::Nova::Server, properties: {{flavor: x, networks: [",
        lambda _: "{network: n}, ",
        "]}}\n",
    ),
    "deprecated properties": joined(
        RESOURCES, lambda i: f"  r{i}: {{type: OS::Neutron::Port, properties: {{network_id: n}}}}\n"
    ),
    "aliases": joined(f"{RESOURCES}  a: &a {{type: OS::Heat::None}}\n", lambda i: f"  r{i}: *a\n"),
    "anchors": joined(f"{RESOURCES}  a:\n", lambda i: f"  - &a{i} 1\n"),
    "merge keys": joined(f"{RESOURCES}  a: &a {{type: OS::Heat::None}}\n", lambda i: f"  r{i}: {{<<: *a}}\n"),
    "merge keys that multiply": joined(
        f"{RESOURCES}  l0: &l0 {{a: 1}}\n", lambda i: f"  l{i + 1}: &l{i + 1} {{<<: [*l{i}, *l{i}, *l{i}]}}\n"
    ),
    "aliases that multiply": joined(f"{RESOURCES}  l0: &l0 x\n", lambda i: f"  l{i + 1}: &l{i + 1} [*l{i}, *l{i}]\n"),
    "merge keys in a text with an error": joined(
        f"{RESOURCES}  l0: &l0 {{a: 1}}\n", lambda i: f"  l{i + 1}: &l{i + 1} {{<<: [*l{i}, *l{i}]}}\n", "  b: c: d\n"
    ),
    "errors": joined(RESOURCES, lambda i: f"  r{i}: a: b\n"),
    "tabs": joined(RESOURCES, lambda i: f"\tr{i}: 1\n"),
    "open brackets": joined(RESOURCES, lambda i: f"  r{i}: [\n"),
    "comments": joined(HEAD, lambda _: "# a\n"),
    "a long text": joined(f"{HEAD}description: |\n", lambda _: "  a b c\n"),
    "text replaced in itself": joined(
        f"{RESOURCES}  a: {{type: OS::Heat::Value, properties: {{value: {{str_replace: {{template: abab, params: {{",
        lambda i: f"k{i}: v, ",
        "}}}}}\n",
    ),
    "lists joined": joined(
        f"{RESOURCES}  a: {{type: OS::Heat::Value, properties: {{value: {{list_join: ['', [", lambda _: "x, ", "]]}}}\n"
    ),
    "choices": joined(
        f"{HEAD}parameters: {{p: {{type: boolean}}}}\nconditions: {{c: {{get_param: p}}}}\nresources:\n",
        lambda i: value("{if: [c, 1, 2]}", f"r{i}"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sample(TEXTS, SAMPLE))
def test_twice_the_text_is_twice_the_work(name: str) -> None:
    def analyze_text(text: str) -> None:
        analyze(Source(parse_template(text)), KNOWLEDGE)

    assert_at_most_twice(lambda count: partial(analyze_text, TEXTS[name](count)))


@pytest.mark.parametrize("name", sample(TEXTS, SAMPLE))
def test_twice_the_text_is_twice_the_work_of_an_edit(name: str) -> None:
    def change(count: int) -> Callable[[], object]:
        text = TEXTS[name](count)
        return partial(parse_template, f"{text}# changed\n", parse_template(text))

    assert_at_most_twice(change)


ENVIRONMENTS = {
    "parameters": joined("parameters:\n", lambda i: f"  p{i}: 1\n"),
    "registry": joined("resource_registry:\n", lambda i: f"  OS::A{i}: OS::Heat::None\n"),
    "unknown sections": joined("", lambda i: f"unknwn{i}: 1\n"),
}


@pytest.mark.parametrize("name", sample(ENVIRONMENTS, SAMPLE))
def test_twice_the_environment_is_twice_the_work(name: str) -> None:
    assert_at_most_twice(lambda count: partial(parse_environment, ENVIRONMENTS[name](count)))


def test_twice_the_patterns_and_types_are_twice_the_work() -> None:
    """Most types match no pattern; the lookup does not compare them with every pattern."""

    def find(count: int) -> Callable[[], object]:
        def find_all() -> None:
            registry = ResourceRegistry({f"A{i}::*": "B::C" for i in range(count)}, set())
            assert all(registry.target(f"Own::Type{i}") is None for i in range(count))

        return find_all

    assert_at_most_twice(find)


def test_exponential_expansion_of_type_patterns_is_stopped() -> None:
    steps = range(10, 50)
    twice = {f"q{i}::*": f"q{i + 1}::a*" for i in steps} | {f"q{i}:*": f"q{i + 1}::b*" for i in steps}
    registry = ResourceRegistry(twice, set())
    assert count_steps(lambda: registry.circle("q10::x")) < 20_000
    assert registry.circle("q10::x")[0] == "q10::x"
    assert registry.target("q10::x") is None


PASSES: dict[str, Callable[[Template], object]] = {
    "completion": lambda template: complete(
        analyze(Source(template), KNOWLEDGE), template.text.index("value: ") + len("value: "), explicit=True
    ),
    "conversion": lambda template: convert(template, KNOWLEDGE),
    "update plan": lambda template: plan_update(Source(template), Source(template), KNOWLEDGE),
}
SERVERS = joined(
    RESOURCES,
    lambda i: (
        f"  r{i}: {{type: OS::Heat::Value, depends_on: [q{i}], properties: {{value: {{get_attr: [q{i}, value]}}}}}}\n"
        f"  q{i}: {{type: OS::Heat::Value, properties: {{value: {i}}}}}\n"
    ),
)


@pytest.mark.parametrize("name", sample(PASSES, SAMPLE))
def test_twice_the_text_is_twice_the_work_of_a_pass(name: str) -> None:
    assert_at_most_twice(lambda count: partial(PASSES[name], parse_template(SERVERS(count))))


def few(text: Callable[[int], str]) -> Callable[[int], str]:
    """Return a text of half as many items, which is below the 200 items that Heat lets an expression iterate over."""
    return lambda count: text(count // 2)


FUNCTIONS: dict[str, Callable[[int], str]] = {
    "list_join": joined("{list_join: ['', [", lambda _: "x, ", "]]}"),
    "list_concat": joined("{list_concat: [[", lambda _: "x, ", "], [a]]}"),
    "list_concat_unique": joined("{list_concat_unique: [[", lambda i: f"x{i}, ", "], [a]]}"),
    "map_merge": joined("{map_merge: [", lambda i: f"{{k{i}: v}}, ", "]}"),
    "map_replace": joined("{map_replace: [{a: b}, {keys: {", lambda i: f"k{i}: v, ", "}}]}"),
    "repeat": joined("{repeat: {for_each: {'%a%': [", lambda i: f"x{i}, ", "]}, template: '%a%'}}"),
    "str_split": joined("{str_split: [',', '", lambda _: "x,", "']}"),
    "filter": joined("{filter: [[a], [", lambda i: f"x{i}, ", "]]}"),
    "contains": joined("{contains: [a, [", lambda i: f"x{i}, ", "]]}"),
    "digest": joined("{digest: [sha512, '", lambda _: "xy", "']}"),
    "str_replace": joined("{str_replace: {params: {a: b}, template: '", lambda _: "xy a ", "'}}"),
    "str_replace of many": joined("{str_replace: {template: abab, params: {", lambda i: f"k{i}: v, ", "}}}"),
    "yaql over a list": few(joined("{yaql: {expression: '$.data.select($)', data: [", lambda i: f"x{i}, ", "]}}")),
    "yaql over a map": few(joined("{yaql: {expression: '$.data.keys()', data: {", lambda i: f"k{i}: v, ", "}}}")),
    "yaql in order": few(joined("{yaql: {expression: '$.data.orderBy($)', data: [", lambda i: f"x{i}, ", "]}}")),
    "yaql over too long a list": joined("{yaql: {expression: '$.data.select($)', data: [", lambda i: f"x{i}, ", "]}}"),
    "a long yaql": few(joined("{yaql: {data: 1, expression: 'list(0", lambda _: ", 1", ")'}}")),
    "if with a long branch": joined("{if: [true, [", lambda i: f"x{i}, ", "], b]}"),
    "if with a long branch that is not taken": joined("{if: [false, [", lambda i: f"{{get_param: p{i}}}, ", "], b]}"),
    "many if": joined("[", lambda _: "{if: [true, a, b]}, ", "]"),
    "make_url with a query": joined("{make_url: {host: h, query: {", lambda i: f"k{i}: v, ", "}}}"),
    "make_url with a path": joined("{make_url: {host: h, path: '", lambda _: "/a", "'}}"),
}
CFN_FUNCTIONS: dict[str, Callable[[int], str]] = {
    "Fn::Join": joined("{Fn::Join: ['', [", lambda _: "x, ", "]]}"),
    "Fn::Split": joined("{Fn::Split: [',', '", lambda _: "x,", "']}"),
    "Fn::Select in a list": joined("{Fn::Select: [0, [", lambda i: f"x{i}, ", "]]}"),
    "Fn::Select in a map": joined("{Fn::Select: [k0, {", lambda i: f"k{i}: v, ", "}]}"),
    "Fn::Replace in a text": joined("{Fn::Replace: [{a: b}, '", lambda _: "xy a ", "']}"),
    "Fn::Replace of many": joined("{Fn::Replace: [{", lambda i: f"k{i}: v, ", "}, abab]}"),
    "Fn::Base64": joined("{Fn::Base64: '", lambda _: "xy", "'}"),
    "Fn::MemberListToMap": joined(
        "{Fn::MemberListToMap: [n, v, [", lambda i: f"'.member.{i}.n=k{i}', '.member.{i}.v=v', ", "]]}"
    ),
    "Fn::FindInMap": joined("[", lambda i: f"{{Fn::FindInMap: [m, k{i}, v]}}, ", "]"),
    "Fn::If": joined("{Fn::If: [c, [", lambda i: f"x{i}, ", "], b]}"),
    "Fn::GetAtt": joined("[", lambda _: "{Fn::GetAtt: [b, value]}, ", "]"),
    "Ref": joined("[", lambda i: f"{{Ref: p{i}}}, ", "]"),
    "Ref of one resource": joined("[", lambda _: "{Ref: b}, ", "]"),
}
CONDITIONS: dict[str, tuple[str, Callable[[int], str]]] = {
    "and": (HEAD, joined("conditions: {c: {and: [", lambda _: "true, ", "]}}\n")),
    "or": (HEAD, joined("conditions: {c: {or: [", lambda _: "false, ", "]}}\n")),
    "equals": (HEAD, joined("conditions: {c: {equals: [[", lambda i: f"x{i}, ", "], []]}}\n")),
    "contains": (HEAD, joined("conditions: {c: {contains: [a, [", lambda i: f"x{i}, ", "]]}}\n")),
    "yaql": (
        HEAD,
        few(joined("conditions: {c: {yaql: {expression: $.data.len() > 1, data: [", lambda _: "x, ", "]}}}\n")),
    ),
    "a chain": (HEAD, joined("conditions:\n", lambda i: f"  c{i}: {{not: c{i + 1}}}\n")),
    "Fn::And": (CFN, joined("Conditions: {c: {Fn::And: [", lambda _: "{Fn::Equals: [a, a]}, ", "]}}\n")),
    "Fn::Equals": (CFN, joined("Conditions: {c: {Fn::Equals: [[", lambda i: f"x{i}, ", "], []]}}\n")),
    "a chain of Fn::Not": (CFN, joined("Conditions:\n", lambda i: f"  c{i}: {{Fn::Not: [c{i + 1}]}}\n")),
}


def cfn(count: int, function: Callable[[int], str]) -> str:
    """Return a CFN template that calls a function, with the mappings, parameters and resources it can refer to."""
    entries = "".join(f"    k{i}: {{v: x}}\n" for i in range(count))
    parameters = "".join(f"  p{i}: {{Type: String, Default: x}}\n" for i in range(count))
    asked = f"{{Type: OS::Heat::Value, Properties: {{value: {function(count)}}}}}"
    resources = f"  b: {{Type: OS::Heat::RandomString}}\n  a: {asked}\n"
    sections = f"Conditions: {{c: true}}\nMappings:\n  m:\n{entries}Parameters:\n{parameters}Resources:\n{resources}"
    return CFN + sections


def assert_linear(text: Callable[[int], str]) -> None:
    """Fail if the analysis of a text that is twice as long takes more than twice the work."""
    assert_at_most_twice(lambda count: partial(analyze, Source(parse_template(text(count))), KNOWLEDGE))


@pytest.mark.parametrize("name", sample(FUNCTIONS, SAMPLE))
def test_twice_the_argument_is_twice_the_work_of_a_function(name: str) -> None:
    assert_linear(lambda count: f"{RESOURCES}{value(FUNCTIONS[name](count))}")


@pytest.mark.parametrize("name", sample(CFN_FUNCTIONS, SAMPLE))
def test_twice_the_argument_is_twice_the_work_of_a_cfn_function(name: str) -> None:
    assert_linear(lambda count: cfn(count, CFN_FUNCTIONS[name]))


@pytest.mark.parametrize("name", sample(CONDITIONS, SAMPLE))
def test_twice_the_conditions_are_twice_the_work(name: str) -> None:
    head, conditions = CONDITIONS[name]
    assert_linear(lambda count: head + conditions(count))

"""Properties of all functions: they are total and bounded, and unknown values stay unknown."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heatstudio.stack.definition.definition_problems import output_problems, parameter_problems, resource_problems
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.functions import yaql_function
from heatstudio.stack.functions.examine import dep_attrs, dependencies, validate
from heatstudio.stack.functions.function import OMITTED, FunctionError, parse, resolve
from heatstudio.stack.unknown import Unknown, freeze, same
from tests.stack.languages import language
from tests.work import count_calls

HOT = language()
CFN = language("2010-09-09", "AWSTemplateFormatVersion")
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.floats(), st.sampled_from(["", "a", "p", "r", ","])
)
NAMES = st.sampled_from([*HOT.functions, *CFN.functions, "a", "template", "params", "for_each", "expression", "data"])
DATA = st.recursive(
    SCALARS,
    lambda children: st.one_of(
        st.lists(children, max_size=3),
        st.dictionaries(NAMES, children, max_size=2),
        st.builds(lambda name, child: {name: child}, NAMES, children),
    ),
    max_leaves=12,
)


def stack(data: dict[str, object] | None = None, *, cfn: bool = False) -> StackDefinition:
    words = {"resources": {"r": {"type": "T"}}, "parameters": {"p": {"type": "string"}}}
    if cfn:
        words = {"Resources": {"r": {"Type": "T"}}, "Parameters": {"p": {"Type": "String"}}}
    return StackDefinition({**words, **(data or {})}, CFN if cfn else HOT)


def value(data: object, **sections: object) -> object:
    defined = stack(sections)
    return resolve(parse(data, HOT, ("resources", "x", "properties", "v")), defined, nullable=True)


@settings(max_examples=400, deadline=None)
@given(DATA, st.booleans())
def test_snippets_raise_only_function_errors(data: object, cfn: bool) -> None:
    defined = stack(cfn=cfn)
    parsed = parse(data, defined.language, ("resources", "x", "properties"))
    list(validate(parsed, defined))
    list(dependencies(parsed, defined))
    list(dep_attrs(parsed, defined))
    with suppress(FunctionError):
        first, second = resolve(parsed, defined), resolve(parsed, defined)
        assert same(first, second) is not False or "nan" in repr(first)


@settings(max_examples=100, deadline=None)
@given(DATA)
def test_definitions_raise_nothing(data: object) -> None:
    raw = dict.fromkeys(("resources", "parameters", "outputs", "conditions", "parameter_groups"), data)
    for sections in (raw, {section: {"one": data} for section in raw}):
        defined = StackDefinition(sections, HOT)
        list(parameter_problems(defined))
        list(defined.conditions.problems(defined))
        for name in defined.all_resource_names:
            list(resource_problems(defined, name))
            defined.required_resource_names(name)
        for name in defined.output_names:
            list(output_problems(defined, name))


@pytest.mark.parametrize(
    "data",
    [
        {"repeat": {"template": "%a%", "for_each": {f"%{name}%": ["x"] * 50 for name in "abcdefgh"}}},
        {"yaql": {"expression": "range(200).select(range(200).select(range(200).sum()))", "data": {}}},
        {"yaql": {"expression": "pow(9, 999999999)", "data": {}}},
        {"yaql": {"expression": "$.data.text =~ '^(a|aa)+$'", "data": {"text": "a" * 60 + "!"}}},
        {"yaql": {"expression": "regex('(a|aa)+$').search($.data.text)", "data": {"text": "a" * 60 + "!"}}},
        {"yaql": {"expression": "$.data.text.replace(regex('(a|aa)+$'), x)", "data": {"text": "a" * 60 + "!"}}},
        {"yaql": {"expression": "$.data.text.split(regex('(a|aa)+$'))", "data": {"text": "a" * 60 + "!"}}},
        {"yaql": {"expression": "1" + " + 1" * 20_000, "data": {}}},
        {"yaql": {"expression": "random()", "data": {}}},
        *({"yaql": {"expression": one, "data": {}}} for one in ("sequence().len()", "[1].cycle().len()")),
    ],
)
def test_too_large_or_unforeseeable_values_are_unknown(data: object) -> None:
    assert isinstance(value(data), Unknown)


@pytest.mark.parametrize(
    ("expression", "length"),
    [("range(1000).len()", 1000), ("[1, 2].len()", 2), ("len([1, 2])", 2), ("abc.len()", 3), ("{a => 1}.len()", 1)],
)
def test_lengths_in_yaql_are_those_of_the_library(expression: str, length: int) -> None:
    assert value({"yaql": {"expression": expression, "data": {}}}) == length


YAQL_PATTERNS = """
regex('a.c').matches(abc)
regex('A.c', ignoreCase => true).matches(abc)
regex('^b', multiLine => true).search($.data.text)
regex('a.b', dotAll => true).search($.data.text)
abc.matches('a.c')
'a'.matches(regexp => 'a')
abc =~ 'a.c'
abc =~ regex('a.c')
abc !~ regex('a.c')
abc !~ 'a.c'
regex('a(.)c').search(cabc, $2.value)
regex('a.c').searchAll(abcadc)
regex('a.c').searchAll(abcadc, $)
regex('a.').split(abcadc, maxSplit => 1)
abcadc.split(regex('a.'))
regex('a.').replace(abcadc, xx, count => 1)
abcadc.replace(regex('a.'), xx)
regex('a.c').replaceBy(abcadc, switch($.value = abc => xx, $.value = adc => yy))
abcadc.replaceBy(regex('a.c'), switch($.value = abc => xx, $.value = adc => yy))
isRegex(regex('a'))
isRegex(a)
abc.matches('(')
regex('(')
abc.matches(1)
regex(1)
1 =~ a
null =~ a
regex('a').search(null)
abc.replace(b, x)
abc.replace({b => x})
abc.split(b)
regex('(a|b)*c').replace('ababcab', '-')
[ab, cd].where($ =~ '(a|c)+.')
""".strip().splitlines()


def test_time_of_an_expression_starts_with_its_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    known, now = yaql_function._functions(), 0.0

    def load_slowly() -> object:
        nonlocal now
        now += 2 * yaql_function.LONGEST_RUN
        return known

    monkeypatch.setattr(yaql_function, "_functions", load_slowly)
    monkeypatch.setattr("time.thread_time", lambda: now)
    assert value({"yaql": {"expression": "$.data.v.select($ + 1)", "data": {"v": [1, 2]}}}) == [2, 3]


@pytest.mark.parametrize("expression", YAQL_PATTERNS)
def test_patterns_in_yaql_match_as_in_the_library(expression: str) -> None:
    data = {"text": "a\nb"}
    call = {"yaql": {"expression": expression, "data": data}}
    statement = yaql_function._parsed(expression)
    assert not isinstance(statement, str)
    library = yaql_function._library().create_context()
    reported = ""
    try:
        expected = statement.evaluate({"data": data}, library.create_child_context())
    except (import_module("yaql.language.exceptions").YaqlException, re.error) as error:
        reported = str(error)
    if not reported:
        assert value(call) == expected
        return
    with pytest.raises(FunctionError) as found:
        value(call)
    assert found.value.message == reported


def test_deeply_nested_replacements_become_unknown() -> None:
    nest: object = "a"
    for _ in range(30):
        nest = {"str_replace": {"template": nest, "params": {"a": "aaaaaaaaaa"}}}
    assert isinstance(value(nest), Unknown)


def test_too_deep_nesting_is_reported() -> None:
    nest: object = "a"
    for _ in range(400):
        nest = [nest]
    problems = list(validate(parse(nest, HOT, ("resources", "x")), stack()))
    assert [problem.message for problem in problems] == ["maximum recursion depth exceeded"]


def test_expansion_of_aliases_is_limited() -> None:
    def work(depth: int) -> int:
        bomb: object = "x"
        for _ in range(depth):
            bomb = [bomb, bomb]
        return count_calls(lambda: parse(bomb, HOT, ("resources", "x")))

    assert work(80) < 2 * work(40)


def test_parameter_without_value_is_unknown_with_its_name_as_key() -> None:
    first, second = value({"get_param": "p"}), value({"get_param": "p"})
    assert isinstance(first, Unknown)
    assert first == second
    assert first.origins == {"parameter:p"}


def test_unknown_values_inside_data_are_kept() -> None:
    merged = value({"map_merge": [{"a": {"get_param": "p"}}, {"b": 1}]})
    assert isinstance(merged, dict)
    assert isinstance(merged["a"], Unknown)
    assert merged["b"] == 1


def test_unknown_results_are_equal_only_for_equal_arguments() -> None:
    def joined(text: str) -> object:
        return value({"list_join": [",", [{"get_param": "p"}, text]]})

    assert joined("a") == joined("a")
    assert joined("a") != joined("b")


def test_errors_next_to_unknown_values_are_reported() -> None:
    with pytest.raises(FunctionError, match="Items to join must be string"):
        value({"list_join": [",", [{"get_param": "p"}, 1]]})


def test_unused_placeholder_makes_nothing_unknown() -> None:
    assert value({"str_replace": {"template": "x", "params": {"$y": {"get_param": "p"}}}}) == "x"


def test_an_attribute_is_unknown_until_the_resource_has_data() -> None:
    attribute = value({"get_attr": ["r", "any", "path"]})
    assert isinstance(attribute, Unknown)
    assert attribute.origins == {"resource:r"}


def test_omitted_value_omits_its_item() -> None:
    assert value([1, {"if": [False, 2]}, {"a": {"if": [False, 2]}}]) == [1, {}]
    assert value({"if": [False, 2]}) is OMITTED


def test_branch_that_is_not_chosen_has_no_problems() -> None:
    parsed = parse({"if": [True, 1, {"get_attr": {}}]}, HOT, ("resources", "x", "properties"))
    assert list(validate(parsed, stack())) == []


def test_references_in_both_branches_count_while_the_condition_is_unknown() -> None:
    conditions = {"c": {"equals": [{"get_param": "p"}, "x"]}}
    parsed = parse(
        {"if": ["c", {"get_resource": "r"}, {"get_resource": "gone"}]}, HOT, ("resources", "x", "properties")
    )
    found = list(dependencies(parsed, stack({"conditions": conditions})))
    assert [(reference.resource, reference.uncertain) for reference in found] == [("r", True), ("gone", True)]


def test_frozen_values_differ_if_functions_can_distinguish_the_values() -> None:
    assert len({freeze(one) for one in (1, 1.0, True, "1", None, [1], {"1": 1})}) == 7


@pytest.mark.parametrize("last", ["", ", [$[0], $[1].flatten()]"])
def test_groups_of_yaql_have_a_key_and_a_list(last: str) -> None:
    data = [{"role": "web", "port": 80}, {"role": "web", "port": 443}, {"role": "db", "port": 3306}]
    expression = f"dict($.data.groupBy($.role, $.port{last}))"
    assert value({"yaql": {"expression": expression, "data": data}}) == {"web": [80, 443], "db": [3306]}

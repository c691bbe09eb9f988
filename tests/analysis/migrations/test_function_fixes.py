from __future__ import annotations

import pytest

from heatstudio.analysis.migrations.fix_all import fix_all
from heatstudio.analysis.migrations.function_fixes import function_fixes
from heatstudio.analysis.scope import Finding, Place
from heatstudio.analysis.scope.calls import calls
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import DataFix, Template, TreePath, parse_template
from heatstudio.text import Applicability, Severity
from tests.analysis.migrations.migrating import knowledge

HOT = """\
heat_template_version: {version}
parameters:
  text: {{type: string}}
  parts: {{type: comma_delimited_list}}
  tree: {{type: json}}
resources:
  server:
    type: OS::Nova::Server
    properties:
      # kept
      user_data: {call}  # kept too
"""
CFN = """\
AWSTemplateFormatVersion: '2010-09-09'
Resources:
  server:
    Type: OS::Nova::Server
    Properties:
      user_data: {call}
"""


def fixes(template: Template, path: TreePath) -> tuple[DataFix, ...]:
    stack, _ = define(Source(template), knowledge())
    return function_fixes(stack, knowledge(), path, at(template.data, path))


def found(template: Template) -> list[Finding]:
    findings = []
    for _, _, path in calls(template.data, ()):
        ways = fixes(template, path)
        if ways:
            findings.append(Finding("This is missing.", Place(path), Severity.ERROR, "function", fixes=ways))
    return findings


def rewritten(text: str, least: Applicability = Applicability.SAFE) -> str:
    migration = fix_all(parse_template(text), found, least)
    assert migration.refusals == ()
    return migration.template.text


def ways(text: str) -> list[DataFix]:
    return [fix for finding in found(parse_template(text)) for fix in finding.fixes]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{Ref: text}", "{get_param: text}"),
        ("{Ref: server}", "{get_resource: server}"),
        ('{"Ref": OS::stack_name}', '{"get_param": OS::stack_name}'),
        ("{Ref: AWS::StackName}", "{get_param: OS::stack_name}"),
        ("{'Fn::Join': ['', [{Ref: text}, b]]}", "{'list_join': ['', [{get_param: text}, b]]}"),
        ("{'Fn::Split': [',', 'a,b']}", "{'str_split': [',', 'a,b']}"),
        ("{'Fn::Replace': [{$a: 1}, a$a]}", "{'str_replace': {template: a$a, params: {$a: 1}}}"),
        ("{'Fn::Base64': {Ref: text}}", "{get_param: text}"),
        ("{'Fn::ResourceFacade': DeletionPolicy}", "{'resource_facade': deletion_policy}"),
        ("{'Fn::Select': [1, [a, {Ref: text}]]}", "{get_param: text}"),
        ("{'Fn::Select': [a, {a: 1, b: 2}]}", "1"),
        ("{'Fn::Select': ['1', {Ref: parts}]}", None),
        ("{'Fn::Select': [a, {get_param: tree}]}", None),
    ],
)
def test_cfn_functions_in_hot(before: str, after: str | None) -> None:
    text = rewritten(HOT.format(version="2018-08-31", call=before))
    if after is not None:
        assert text == HOT.format(version="2018-08-31", call=after)
    assert found(parse_template(text)) == []
    assert "Fn::" not in text


def test_select_from_a_parameter_becomes_a_path() -> None:
    template = parse_template(rewritten(HOT.format(version="2018-08-31", call="{'Fn::Select': ['1', {Ref: parts}]}")))
    assert list(calls(template.data["resources"], ()))[-1][1] == ["parts", 1]
    text = HOT.format(version="2018-08-31", call="{'Fn::Select': ['1', {get_param: [tree, a]}]}")
    (fix,) = ways(text)
    assert fix.title == "Replace `Fn::Select` with a path in `get_param` (strings would not be parsed as JSON)"
    template = parse_template(rewritten(text, Applicability.UNSAFE))
    assert list(calls(template.data["resources"], ()))[-1][1] == ["tree", "a", "1"]


@pytest.mark.parametrize(
    "call",
    [
        "{'Fn::GetAZs': ''}",
        "{'Fn::MemberListToMap': [a, b, []]}",
        "{Ref: nothing}",
        "{Ref: [text]}",
        "{'Fn::Select': ['1', {Ref: text}]}",
        "{'Fn::Select': [7, [a]]}",
        "{'Fn::Select': a}",
        "{'Fn::Replace': [a]}",
        "{'Fn::Base64': [a]}",
        "{'Fn::ResourceFacade': Other}",
        "{get_param: text}",
        "{any: thing}",
    ],
)
def test_calls_without_a_certain_replacement_have_no_safe_fix(call: str) -> None:
    text = HOT.format(version="2018-08-31", call=call)
    assert all(
        fix.applicability is not Applicability.SAFE for fix in ways(text.replace("{Ref: text}", "{get_param: text}"))
    )


def test_path_into_an_attribute_is_null_for_missing_elements() -> None:
    text = HOT.format(version="2018-08-31", call="{'Fn::Select': [0, {get_attr: [server, networks, a]}]}")
    (fix,) = ways(text)
    assert fix.applicability is Applicability.UNSAFE
    assert fix.title == "Replace `Fn::Select` with a path in `get_attr` (missing values would be null instead of '')"
    template = parse_template(rewritten(text, Applicability.UNSAFE))
    assert list(calls(template.data["resources"], ()))[-1][1] == ["server", "networks", "a", 0]


def test_functions_that_are_plain_data_in_hot() -> None:
    (fix,) = ways(HOT.format(version="2018-08-31", call="{'Fn::GetAtt': [server, name]}"))
    assert fix.title == "Replace `Fn::GetAtt` with `get_attr` (Heat currently treats the call as data)"
    assert fix.applicability is Applicability.UNSAFE


def test_functions_of_a_later_version() -> None:
    text = HOT.format(version="2014-10-16", call="{str_split: [',', a]}")
    (fix,) = ways(text)
    assert fix.title.startswith(
        "Raise the template version to 2015-10-15 (`str_split` was added in 2015-10-15, Liberty"
    )
    assert fix.applicability is Applicability.UNSAFE
    assert rewritten(text) == text
    assert rewritten(text, Applicability.UNSAFE) == text.replace("2014-10-16", "2015-10-15")


def test_later_version_without_a_used_function_needs_a_decision() -> None:
    text = HOT.format(version="2014-10-16", call="{'Fn::Select': [{get_param: text}, {str_split: [',', a]}]}")
    (fix,) = ways(text)
    assert fix.applicability is Applicability.DECISION
    assert "that version has no `Fn::Select`" in fix.title


def test_replacement_only_in_a_later_version() -> None:
    text = HOT.format(version="'2014-10-16'", call="{'Fn::Split': [',', a]}")
    (fix,) = ways(text)
    assert fix.applicability is Applicability.UNSAFE
    expected = text.replace("2014-10-16", "2015-10-15").replace("Fn::Split", "str_split")
    assert rewritten(text, Applicability.UNSAFE) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{get_param: a}", "{Ref: a}"),
        ("{get_attr: [server, name]}", "{Fn::GetAtt: [server, name]}"),
        ("{'list_join': ['', [a]]}", "{'Fn::Join': ['', [a]]}"),
    ],
)
def test_hot_functions_in_cfn(before: str, after: str) -> None:
    text = CFN.format(call=before)
    assert {fix.applicability for fix in ways(text)} == {Applicability.UNSAFE}
    assert rewritten(text, Applicability.UNSAFE) == CFN.format(call=after)


def test_functions_in_conditions() -> None:
    text = HOT.format(version="2018-08-31", call="a") + "conditions:\n  c: {Fn::Not: [{Fn::Equals: [1, 1]}]}\n"
    expected = HOT.format(version="2018-08-31", call="a") + "conditions:\n  c: {not: {equals: [1, 1]}}\n"
    assert rewritten(text, Applicability.UNSAFE) == expected


@pytest.mark.parametrize("path", [(), ("resources",), ("resources", "nothing", "x"), ("resources", 3)])
def test_every_path_is_accepted(path: tuple[str | int, ...]) -> None:
    template = parse_template(HOT.format(version="2018-08-31", call="{Ref: text}"))
    assert fixes(template, path) == ()

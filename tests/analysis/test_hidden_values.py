"""Texts for the user do not quote the values of hidden parameters, wherever these values come from."""

from __future__ import annotations

import pytest

from heatstudio.analysis.analyze_environment import Consumer, analyze_file
from heatstudio.analysis.assist.hover import hover
from heatstudio.analysis.assist.inline_hints import value_hints
from heatstudio.analysis.scope import Options
from heatstudio.stack.definition.secrets import Secrets, find_secrets, secrets_of
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_template
from heatstudio.text import Span
from tests.analysis.semantic_models import knowledge

TEMPLATE = """\
heat_template_version: 2021-04-16
parameters:
  pw: {type: string, hidden: true, constraints: [{length: {max: 2}}]}
  other: {type: string, default: x-hunter2x-y, description: not hunter2x}
resources:
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_param: pw}, cidr: {get_param: other}}}
"""


def source(text: str, values: dict[str, object] | None = None, environment: str = "") -> Source:
    data = parse_template(environment).data if environment else {}
    files = (EnvironmentFile("e.yaml", {str(key): value for key, value in data.items()}, environment),)
    return Source(parse_template(text), files if environment else (), parameter_values=values or {})


@pytest.mark.parametrize("is_given", [True, False])
def test_messages_hovers_and_hints_are_masked(is_given: bool) -> None:
    environment = "" if is_given else "parameters: {pw: hunter2x}\n"
    analysis = analyze_file(source(TEMPLATE, {"pw": "hunter2x"} if is_given else {}, environment), knowledge())
    assert len(analysis.diagnostics) == 2
    assert "`x-******-y` is not a CIDR" in str(analysis.diagnostics)
    shown = [str(hover(analysis, offset)) for offset in range(len(TEMPLATE))]
    hints = value_hints(analysis, Span(0, len(TEMPLATE)))
    assert len(hints) == 2
    assert not any("hunter2x" in text for text in (*shown, str(hints), str(analysis.diagnostics)))
    unmasked = analyze_file(analysis.source, knowledge(), Options(shows_hidden=True))
    assert "hunter2x" in str(unmasked.diagnostics)


def test_problems_of_an_environment_are_masked() -> None:
    text = "parameters: {pw: hunter2x}\n"
    owner = Consumer(source(TEMPLATE, {}, text), "e.yaml")
    analysis = analyze_file(Source(parse_template(text)), knowledge(), owner=owner)
    assert "invalid-environment" in {one.code for one in analysis.diagnostics}
    assert "hunter2x" not in str([(one.message, one.heat) for one in analysis.diagnostics])


@pytest.mark.parametrize(
    ("hidden", "text", "shown"),
    [
        ("hunter2x", "a hunter2x, b'hunter2x'c", "a ******, b'******'c"),
        ("hunter2x", "xhunter2xx", "x******x"),
        ("abc", "abcd 'abc' abc", "abcd '******' ******"),
        ("ab", "ab", "ab"),
        ("true", "true", "true"),
        (4711, "4711 14711", "****** 14711"),
        ("a long secret text that is cut short", "'a long secret text that is…'", "'******…'"),
        ("line one\nline two", "line two of line one", "****** of ******"),
        ('q"uo\\te', "'q\"uo\\\\te' q\\\"uo\\\\te", "'******' ******"),
        ("one  two\tthree", "one two three, one  two\tthree", "******, ******"),
        ("first1,second2", "second2, not in the list", "******, not in the list"),
        ({"token": ["in-json"]}, "in-json", "******"),
        ('{"token": "in-json"}', "in-json", "******"),
    ],
)
def test_hidden_text_is_found_in_other_texts(hidden: object, text: str, shown: str) -> None:
    assert secrets_of(hidden).mask(text) == shown


def test_values_contain_hidden_texts_or_parts_of_them() -> None:
    secrets = secrets_of("ab", "hunter2x-and-more", 4711)
    assert all(
        map(secrets.hides, ("ab", "u:hunter2x-and-more", {"k": ["hunter2x-and-more"]}, {"hunter2x-and-more": 1}))
    )
    assert all(map(secrets.hides, (4711, "hunter2x")))
    assert not any(map(secrets.hides, ("abc", "hunte", 471, True, None, {}, [])))
    assert secrets.masked({"a": ["u:hunter2x-and-more", 4711, 1], "b": True}) == {
        "a": ["u:******", "******", 1],
        "b": True,
    }
    assert not Secrets().hides("x")


def test_names_stay_visible() -> None:
    text = TEMPLATE.replace("hidden: true", "hidden: true, default: subnet").replace("  pw:", "  pw_of_subnet:")
    secrets = find_secrets(source(text))
    assert secrets.mask("pw_of_subnet, subnet, my-subnet-x") == "pw_of_subnet, subnet, my-******-x"


@pytest.mark.parametrize(("written", "is_hidden"), [("true", True), ("'no'", True), ("false", False), ("''", False)])
def test_hot_hides_by_truth(written: str, is_hidden: bool) -> None:
    """Heat takes any value that Python counts as true (heat/engine/hot/parameters.py)."""
    text = TEMPLATE.replace("hidden: true", f"hidden: {written}, default: hunter2x")
    assert bool(find_secrets(source(text)).texts) is is_hidden

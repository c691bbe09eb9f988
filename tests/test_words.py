"""The wording of the program: plain technical English, and headlines that fit at the end of a line."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import pytest

from heatstudio.analysis import analyze
from heatstudio.analysis.pages import pages
from heatstudio.catalog.headlines import LONGEST
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Severity
from tests.sources import TOP, trees

SHOWN = ("analysis", "cli", "cloud", "service", "stack", "template", "text", "ui", "update")
NEVER = re.compile(
    r"\b(told|tells of|mends?|mended|whoever|somebody|nobody|desk|ways? out|by the habit|takes? (it|them) back"
    r"|taken back|(?<!There )is no (?!longer |name$)[a-z]+|beside each other|meanwhile|leads nowhere|old side"
    r"|new side|in a circle|switched off|is needed|are needed|proposals?|anew|caret|forgotten|by its id|refuses?"
    r"|refused|looked up|nothing fits|let it write)\b",
    re.IGNORECASE,
)
"""Words to avoid: private jargon, and pronouns that hide a noun."""
HEADLINES = """
heat_template_version: 2021-04-16
parameters:
  one: {type: int, defualt: 3}
  two: {type: number, default: 7, constraints: [{range: {max: 5}}]}
  three: {default: x}
parameter_groups: [{parameters: [four]}]
conditions: {five: {and: [true]}}
resource: {}
outputs:
  six: {get_attr: [port, name]}
  seven: {value: {get_attr: port, x: y}}
  eight: {value: {get_attr: [port, nope]}}
resources:
  disk: {type: OS::Cinder::Volume, condition: nine}
  kept: {type: OS::Heat::Value, deletion_policy: Keep, dependson: port, properties: }
  rule: {type: OS::Heat::Value, depends_on: nothing, properties: {value: {list_join: [",", {a: b}]}}}
  name: {type: OS::Heat::Value, properties: {value: {str_replace: {template: x}}}, update_policy: {x: 1}}
  volume: {type: OS::Cinder::Volume, properties: {size: 0, nam: x}}
  port: {type: OS::Neutron::Port, properties: {network_id: n, admin_state_up: perhaps, allowed_address_pairs: 3}}
  subnet: {type: OS::Neutron::Subnet, properties: {ip_version: 5, cidr: {get_param: gone}}}
  text: {type: OS::Heat::RandomString, properties: {length: many, salt: [a]}}
  group: {type: OS::Nova::ServerGroup, properties: {policies: [friendly]}}
  unknown: {type: OS::Nova::Servr}
"""
CODES = {
    *("missing-property", "property-support", "refused-value", "unknown-parameter", "unknown-property"),
    *("unknown-type", "wrong-value-type", "invalid-parameter", "invalid-parameter-group", "invalid-condition"),
    *("invalid-output", "invalid-function", "invalid-resource", "invalid-policy", "unknown-section"),
    *("unknown-resource", "property-group"),
}
OURS = {"property-support"}
"""Codes of problems that Heat does not report."""


def shown_texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of the string literals that contain a space, without docstrings and f-string fields."""
    bodies = [body for node in ast.walk(tree) if isinstance(body := getattr(node, "body", None), list)]
    notes = {id(part.value) for body in bodies for part in body if isinstance(part, ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and id(node) not in notes
        ):
            yield node.lineno, node.value


def values_of(data: object) -> Iterator[str]:
    """Yield the strings in JSON data, without the keys."""
    if isinstance(data, str):
        yield data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from values_of(value)


@pytest.mark.parametrize("folder", SHOWN)
def test_no_string_literal_has_a_word_to_avoid(folder: str) -> None:
    found = [
        f"{module}:{line}: {text}"
        for module, tree in trees().items()
        if module.startswith(f"heatstudio.{folder}")
        for line, text in shown_texts(tree)
        if NEVER.search(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    "name",
    [
        "cloud_errors.json",
        "commands.json",
        "functions.json",
        "keywords.json",
        "messages.json",
        "update/rules.json",
        "yaml_errors.json",
    ],
)
def test_no_bundled_text_has_a_word_to_avoid(name: str) -> None:
    texts = list(values_of(json.loads((TOP / "resources" / name).read_text("utf-8"))))
    assert texts
    assert [text for text in texts if NEVER.search(text)] == []


def test_no_explanation_page_has_a_word_to_avoid() -> None:
    assert [(code, found[0]) for code, page in pages().items() if (found := NEVER.search(page.replace(code, "")))] == []


def test_headlines_are_short_and_separate_from_heats_message() -> None:
    diagnostics = analyze(Source(parse_template(HEADLINES)), load_knowledge()).diagnostics
    assert {one.code for one in diagnostics} >= CODES
    assert [one.message for one in diagnostics if len(one.message) > LONGEST] == []
    heats = [one for one in diagnostics if one.code in CODES - OURS and one.severity is Severity.ERROR]
    assert [one.code for one in heats if not one.heat] == []

"""YAQL expressions: why they fail, in words of the template's author."""

from __future__ import annotations

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.definition.source import Source
from heatstudio.stack.functions.budget import HEAT_LIMITS, YaqlLimits
from heatstudio.template import parse_template
from tests.analysis.semantic_models import knowledge

TEMPLATE = """heat_template_version: 2018-08-31
resources:
  a:
    type: OS::Heat::Value
    properties:
      value: {yaql: {expression: "%s", data: %s}}
"""
MEMORY = "YAQL: more memory than the cloud's `memory_quota` ([yaql] in heat.conf)."


def problems(expression: str, data: str, limits: YaqlLimits = HEAT_LIMITS) -> list[tuple[str, str]]:
    """Return the messages about an expression, each with that of Heat."""
    source = Source(parse_template(TEMPLATE % (expression, data)))
    analysis = analyze(source, knowledge().with_yaql_limits(limits))
    return [(one.message, one.heat) for one in analysis.diagnostics]


@pytest.mark.parametrize(
    ("expression", "data", "words"),
    [
        ("$.data[0] + '=' + $.data[1]", "[a, 3]", "`+` does not take a string and an integer; convert with"),
        ("$.data.items().select($[0] + $[1])", "{a: true}", "`+` does not take a string and a boolean"),
        ("$.data + 1.5", "null", "`+` does not take null and a number."),
        ("$.data < 3", "[1]", "`<` does not take a list and an integer."),
        ("$.data - 1", "{a: 1}", "`-` does not take a map and an integer."),
    ],
)
def test_types_that_an_operator_does_not_take_are_named(expression: str, data: str, words: str) -> None:
    ((message, heat),) = problems(expression, data)
    assert message.startswith(f"YAQL's {words}")
    assert heat.startswith('No function "#operator_')


def test_limits_are_those_of_the_cloud() -> None:
    expression = "range(0, 500).select($ * 2).toList()"
    ((message, heat),) = problems(expression, "{}")
    assert message == "YAQL: more than 200 items, the cloud's `limit_iterators` ([yaql] in heat.conf)."
    assert heat == "Collection length exceeds 200 elements"
    assert problems(expression, "{}", YaqlLimits(1000)) == []
    assert [message for message, _ in problems("'x' * 20000", "{}")] == [MEMORY]
    assert problems("'x' * 20000", "{}", YaqlLimits(memory=100_000)) == []

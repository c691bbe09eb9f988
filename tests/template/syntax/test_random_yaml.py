from __future__ import annotations

from random import SystemRandom

import pytest

from heatstudio.template import parse_template
from tests.sampling import EVERYTHING
from tests.template.syntax.random_yaml import difference, find_difference

TEXTS = 3000 if EVERYTHING else 1000
"""The number of random texts in one test run; `python -m tests.template.syntax.random_yaml` makes more."""
VERSION = "heat_template_version: rocky\n"


def test_random_texts_are_parsed_as_in_heat_and_its_client() -> None:
    seed = SystemRandom().getrandbits(48)
    assert find_difference(seed, TEXTS) is None, f"seed {seed}"


@pytest.mark.parametrize(
    "text",
    [
        "a: |\n  \tx\n  y\n",
        "a: >\n \tx\n",
        "a: 1\n\t",
        "a: 1\n  \t\n",
        "a: {flavor:, image: x}\n",
        "a: [b:]\n",
        "a: [?]\n",
        "a: [? ]\n",
        "a: 1\n\ufeffb: 2\n",
        "a:\n\ufeff  b: 2\n",
        '{"a": 1,}',
        "{a: 1}",
        "\ufeff{a: 1}",
        ' {"a": 1} ',
        "  a: 1\n  b: 2\n",
        "\n  a: 1\n",
        "a: |\n  b\n\n",
        "a: |+\n  b\n\n",
        "5: a\non: b\n~: c\n1.5: d\n",
        "1: a\ntrue: b\n",
        "a:\n  1: a\n  true: b\n",
        "a: {1: x, '1': y}\n",
        "<<: {on: a, 1: b}\n",
        "<<: [{<<: {1: x}}, {on: y}]\n",
        "a:\n  <<: [{1: x}, {true: y}]\n",
        "&x k: a\n*x : b\n",
        "a: !!set {b, c}\n",
        "a: !!binary aGk=\n",
        "a: {!!binary aGk=: b}\n",
        "a: !\n",
    ],
)
def test_text_is_parsed_as_in_heat_and_its_client(text: str) -> None:
    assert difference(text) is None
    assert difference(VERSION + text) is None


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ('{"heat_template_version": "rocky", "resources": {},}', ","),
        ('{"heat_template_version": "rocky", "outputs": [1, ], "resources": {}}', ","),
        ('{"heat_template_version": "rocky", resources: {}}', "r"),
        ("\n  heat_template_version: rocky\n  resources: {}\n", "  "),
    ],
)
def test_error_of_the_client_is_located(text: str, marked: str) -> None:
    (problem,) = parse_template(text).problems
    assert problem.code == "client-syntax"
    assert text[problem.span.start : problem.span.end] == marked

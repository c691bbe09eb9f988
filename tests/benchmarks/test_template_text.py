"""Sizes of the templates for benchmarks."""

from __future__ import annotations

import pytest
import yaml

from tests.benchmarks.engine import EDITS, edits
from tests.benchmarks.template_text import template_text


@pytest.mark.parametrize("resources", [1, 8, 9, 100])
def test_template_has_the_given_number_of_resources(resources: int) -> None:
    template = yaml.safe_load(template_text(resources))
    assert len(template["resources"]) == resources
    assert len(template.get("outputs", {})) == resources // 8


def test_each_edit_adds_one_character_in_another_line() -> None:
    text = template_text(100)
    edited = list(edits(text))
    assert len(set(edited)) == len(edited) >= EDITS
    assert {len(other) - len(text) for other in edited} == {1}

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.analysis.assist.environment import complete_environment
from tests.analysis.semantic_models import HOT, marked, model_of

TEMPLATE = HOT + (
    "parameters:\n  size: {type: number, default: 1}\n  kind: {type: string, constraints: [{allowed_values: [a, b]}]}\n"
    "  on: {type: boolean}\nresources:\n  thing:\n    type: My::Thing\n"
)


def labels(text: str) -> list[str]:
    plain, offset = marked(text)
    return [one.label for one in complete_environment(model_of(TEMPLATE, {"thing.yaml": HOT}), plain, offset)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("‸", ["parameters", "resource_registry", "parameter_defaults"]),
        ("parameters:\n  ‸", ["kind", "true", "size"]),
        ("parameters:\n  kind: a\n  s‸\n", ["true", "size"]),
        ("parameter_defaults:\n  kind: ‸\n", ["a", "b"]),
        ("parameter_merge_strategies:\n  kind: ‸\n", ["overwrite", "merge", "deep_merge"]),
        ("resource_registry:\n  ‸", ["resources", "My::Thing"]),
        ("resource_registry:\n  My::Thing: ‸", ["thing.yaml"]),
        ("resource_registry:\n  resources:\n    ‸", ["thing"]),
        ("resource_registry:\n  resources:\n    thing:\n      ‸", ["My::Thing", "hooks", "restricted_actions"]),
        ("resource_registry:\n  resources:\n    thing:\n      hooks: ‸", ["pre-create", "pre-update"]),
        ("resource_registry:\n  resources:\n    thing:\n      restricted_actions: [‸]", ["update", "replace"]),
    ],
)
def test_environment(text: str, first: list[str]) -> None:
    assert labels(text)[: len(first)] == first


@given(st.text(max_size=40), st.integers(-2, 50))
def test_any_text(text: str, offset: int) -> None:
    complete_environment(model_of(TEMPLATE), text, offset)

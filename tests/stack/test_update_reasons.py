"""The sentences of reasons tell what they name, however they begin."""

from __future__ import annotations

import pytest

from heatstudio.stack.update.update_reasons import subject_of


@pytest.mark.parametrize(
    ("reason", "kind", "name"),
    [
        ("parameter `size` changed", "parameter", "size"),
        ("Parameter `a `b` c` changed", "parameter", "a `b` c"),
        ("condition `big` changed", "condition", "big"),
        ("its condition `big` holds now", "condition", "big"),
        ("Its condition `big` does not hold any more", "condition", "big"),
        ("file `run.sh` changed", "file", "run.sh"),
        ("mapping `Zones` changed", "mapping", "Zones"),
        ("`network` is replaced", "resource", "network"),
        ("`network` is updated in place", "resource", "network"),
    ],
)
def test_a_reason_names_something(reason: str, kind: str, name: str) -> None:
    assert subject_of(reason) == (kind, name)


@pytest.mark.parametrize("reason", ["", "its condition holds now", "the environment maps `A::B` to something else"])
def test_a_reason_may_name_nothing_that_a_template_defines(reason: str) -> None:
    assert subject_of(reason) is None

"""The work for the picture of a graph is linear in the size of the graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from heatstudio.ui.graph.graph_layout import lay_out
from tests.work import assert_at_most_twice

GRAPHS: dict[str, Callable[[int], dict[str, list[str]]]] = {
    "alone": lambda count: {f"r{i}": [] for i in range(count)},
    "pairs": lambda count: {f"r{i}": [f"r{i + 1}"] if i % 2 else [] for i in range(count)},
    "a star": lambda count: {f"r{i}": ["r0"] if i else [] for i in range(count)},
}


@pytest.mark.parametrize("name", GRAPHS)
def test_twice_the_graph_is_twice_the_work_of_its_picture(name: str) -> None:
    assert_at_most_twice(lambda count: partial(lay_out, GRAPHS[name](count)))

"""The values of parameters, as functions read them (heat/engine/parameters.py)."""

from __future__ import annotations

import pytest

from heatstudio.stack.inputs.parameters import Parameters
from tests.stack.languages import language


@pytest.mark.parametrize(
    ("kind", "default", "value"),
    [
        ("comma_delimited_list", [80, 443], ["80", "443"]),
        ("comma_delimited_list", "a, b ,c,", ["a", " b ", "c", ""]),
        ("comma_delimited_list", "", []),
        ("boolean", "on", True),
        ("number", "08", 8),
        ("json", '["x", 1, {"y": null}]', ["x", 1, {"y": None}]),
    ],
)
def test_default_is_converted_to_the_type(kind: str, default: object, value: object) -> None:
    parameters = Parameters({"p": {"type": kind, "default": default}}, language())
    assert parameters.value("p") == value

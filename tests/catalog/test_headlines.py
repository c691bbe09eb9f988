"""Headlines: Heat's messages in the terms of a template's author."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.headlines import LONGEST, headline

CASES = Path(__file__).parents[1] / "cases" / "functions_cases.jsonl"
PLACE = re.compile(r"^[\w.:\[\]-]+\.[\w.:\[\]-]+: ")
"""The prefix of an engine message: the path of the value."""
FIELD = re.compile(r"\{(\w+)\}")


def engine_messages() -> list[str]:
    """Return the recorded engine messages about functions and parameters, sorted and without the path prefix."""
    cases = map(json.loads, CASES.read_text("utf-8").splitlines())
    errors = [case[key] for case in cases for key in ("error", "resolve_error") if isinstance(case.get(key), dict)]
    return sorted({PLACE.sub("", error["message"]) for error in errors})


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("The Parameter (size) was not provided.", "Parameter `size` has no value."),
        ("Resource my server metadata type must be object", "`metadata` must be a map; remove it if it is empty."),
        (
            "Resource my server condition type must be a",
            "`condition` must be a condition name, a condition function, true or false.",
        ),
        ("The Referenced Attribute (my server nope) is incorrect.", "`my server` has no attribute `nope`."),
        ("1 is out of range (min: 5, max: None)", "1 is too small; the minimum is 5."),
        ('"{a}" is not an allowed value ["a"]', "`{a}` is not an allowed value; use `a`."),
        ('["a", "c"] is not an allowed value ["a", "b"]', "`c` is not an allowed value; use `a` or `b`."),
        ("\"'[a]'\" is not a list", "Expected a list, not `[a]`."),
        ("Value must be a string; got {'a': 1}", "Expected a string, not a map."),
        ("Value must be a string; got None", "Expected a string, not null."),
        ("Error validating value '{x}'", "`{x}` is not valid."),
        ("Invalid condition \"{'Condition': 'c'}\"", "Heat has no function `Condition`; write only the name `c`."),
        ('Unknown method "items" for receiver None', "YAQL has no method `items` for null."),
        ("length (1) is out of range (min: 5, max: None)", "A length of 1 is too short; the minimum is 5."),
        (
            "Parameter 'size' is invalid: Invalid default 9 (9 is out of range (min: None, max: 5))",
            "Invalid default of `size`: 9 is too large; the maximum is 5.",
        ),
        ("Parameter 'size' is invalid: Choose wisely", "Invalid value of `size`: Choose wisely"),
        ('"c" is not an allowed value ["a", "b"]', "`c` is not an allowed value; use `a` or `b`."),
        (
            '"" is not an allowed value ["0", "1", "2", "3", "4", "5", "tcp", "udp"]',
            "An empty string is not an allowed value; use `tcp`, `udp` or others.",
        ),
        (
            "The definition of condition \"c\" is invalid: ['a', 1]",
            "Condition `c` must be true, false, or a condition function, not a list.",
        ),
        ("Output definitions must be a map. Found a NoneType instead", "An output must be a map, not null."),
        (
            "Error validating value '10.0.0.0/33': Invalid net cidr x ",
            "`10.0.0.0/33` is not a CIDR such as `10.0.0.0/24`.",
        ),
    ],
)
def test_headlines(message: str, words: str) -> None:
    assert headline(message) == words


def test_long_value_and_long_list_of_values_are_shortened() -> None:
    assert headline(f"The Parameter ({'x' * 200}) was not provided.") == f"Parameter `{'x' * 39}…` has no value."
    many = ", ".join(f'"value-{number}"' for number in range(30))
    assert headline(f'"x" is not an allowed value [{many}]').startswith("`x` is not an allowed value; use `value-0`, ")
    assert len(headline(f'"x" is not an allowed value [{many}]')) <= LONGEST


@pytest.mark.parametrize("message", ["", "{", "Choose a flavor of your own.", "The Parameter (", "length ("])
def test_unknown_message_is_unchanged(message: str) -> None:
    assert headline(message) == message


def test_engine_messages_have_short_headlines() -> None:
    messages = engine_messages()
    assert len(messages) > 100
    assert [one for one in messages if headline(one) == one or len(headline(one)) > LONGEST] == []


def test_headline_uses_only_fields_of_heats_message() -> None:
    messages = read_data(resource_path("messages.json"), dict[str, str])
    assert [heat for heat, words in messages.items() if not set(FIELD.findall(words)) <= set(FIELD.findall(heat))] == []

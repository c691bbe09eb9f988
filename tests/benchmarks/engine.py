"""Rows about reading and checking templates; the reference is libyaml, which only reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import yaml

from tests.benchmarks.measure import Row, milliseconds, piece
from tests.benchmarks.template_text import template_text

SIZES = (100, 1000, 5000)
EDITED = 1000
EDITS = 60


def compose(text: str) -> object:
    """What any program that reads YAML has to do at least."""
    return yaml.compose(text, Loader=yaml.CSafeLoader)


def parse(text: str) -> Any:
    """The template as the program reads it for the first time."""
    return piece("heatstudio.template", "parse_template")(text)


def define(text: str) -> object:
    """The stack that the template defines."""
    return piece("heatstudio.stack", "define")(parse(text))


def analyze(text: str) -> object:
    """All findings of the template."""
    return piece("heatstudio.analysis", "analyze")(parse(text), catalog())


@cache
def catalog() -> object:
    """The facts about all resource types, which are loaded once."""
    return piece("heatstudio.catalog", "load_catalog")()


def against_libyaml(verb: str, action: Callable[[str], object], goals: dict[int, float]) -> Iterator[Row]:
    """The action at every size, as a multiple of composing the same text, and how it grows."""
    times: dict[int, float] = {}
    for size in SIZES:
        text = template_text(size)
        action(text)
        times[size] = milliseconds(partial(action, text))
        floor = milliseconds(partial(compose, text))
        yield Row(f"{verb} {size} resources", times[size], times[size] / floor, "times yaml.compose", goals.get(size))
    small, large = min(SIZES), max(SIZES)
    growth = math.log(times[large] / times[small]) / math.log(
        template_text(large).count("\n") / template_text(small).count("\n")
    )
    yield Row(f"{verb}: growth from {small} to {large} resources", times[large], growth, "exponent of lines", 1.15)


def edits(text: str) -> Iterator[str]:
    """The text with one more character, each time in another line, spread over the whole."""
    starts = [offset + 1 for offset, character in enumerate(text) if character == "\n"][:-1]
    for start in starts[:: max(1, len(starts) // EDITS)]:
        end = text.index("\n", start)
        yield f"{text[:end]}x{text[end:]}"


def keystrokes(verb: str, step: Callable[[Any, str], object], goal: float) -> Iterator[Row]:
    """One character typed into a template that is known already, as a part of the first reading."""
    text = template_text(EDITED)
    before = parse(text)
    first = milliseconds(partial(parse, text))
    times = sorted(milliseconds(partial(step, before, edited), 0.0) for edited in edits(text))
    for word, time in (("median", times[len(times) // 2]), ("slowest", times[-1])):
        name = f"{verb} one character more at {EDITED} resources, {word}"
        yield Row(name, time, time / first, "times the first reading", goal if word == "median" else None)


def reading() -> Iterator[Row]:
    """Text to template."""
    yield from against_libyaml("Read", parse, {1000: 1.5})


def defining() -> Iterator[Row]:
    """Text to the definition of a stack."""
    yield from against_libyaml("Define", define, {1000: 3.0})


def checking() -> Iterator[Row]:
    """Text to findings."""
    yield from against_libyaml("Check", analyze, {})


def typing() -> Iterator[Row]:
    """A keystroke to template."""
    parse_template = piece("heatstudio.template", "parse_template")
    yield from keystrokes("Read", lambda before, edited: parse_template(edited, before), 0.1)


def typing_and_checking() -> Iterator[Row]:
    """A keystroke to findings."""
    parse_template = piece("heatstudio.template", "parse_template")
    analyze_template = piece("heatstudio.analysis", "analyze")
    facts = catalog()
    yield from keystrokes("Check", lambda before, edited: analyze_template(parse_template(edited, before), facts), 1.0)

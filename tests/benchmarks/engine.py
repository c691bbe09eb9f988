"""Rows for parsing, stack definition, checks and preview; the reference is libyaml, which only parses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial

import yaml

from heatstudio.analysis import Analysis, analyze
from heatstudio.stack.definition.dependency_graph import dependency_graph
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.template import Template, parse_template
from heatstudio.update.plan_update import plan_update
from tests.benchmarks.measure import Row, milliseconds
from tests.benchmarks.template_text import template_text

SIZES = (100, 1000, 3500)
GROWTH = 1.1
EDITED = 1000
EDITS = 60


def compose(text: str) -> object:
    """Return the node graph of a YAML text: the minimal work of any program that reads YAML."""
    return yaml.compose(text, Loader=yaml.CSafeLoader)


@cache
def knowledge() -> Knowledge:
    """Return the knowledge of Heat, which is loaded once."""
    return load_knowledge()


def define_all(text: str) -> object:
    """Define the stack of a template: parameters, resources, outputs, and the dependency graph."""
    stack, types = define(Source(parse_template(text)), knowledge(), not_created=True)
    for name in stack.output_names:
        stack.output_definition(name)
    return dependency_graph(stack, types)


def analyze_text(text: str) -> Analysis:
    """Return the analysis of a template that has just been opened."""
    return analyze(Source(parse_template(text)), knowledge())


def against_libyaml(verb: str, action: Callable[[str], object], goals: dict[int, float]) -> Iterator[Row]:
    """Yield the time of the action at each size, as a multiple of yaml.compose, and the exponent of its growth."""
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
    yield Row(f"{verb}: growth from {small} to {large} resources", times[large], growth, "exponent of lines", GROWTH)


def edits(text: str) -> Iterator[str]:
    """Yield copies of the text with one more character, each in another line, spread over the whole text."""
    starts = [offset + 1 for offset, character in enumerate(text) if character == "\n"][:-1]
    for start in starts[:: max(1, len(starts) // EDITS)]:
        end = text.index("\n", start)
        yield f"{text[:end]}x{text[end:]}"


def keystrokes(verb: str, first: float, step: Callable[[str], object]) -> Iterator[Row]:
    """Yield the time after one typed character, relative to the time of the first pass."""
    times = sorted(milliseconds(partial(step, edited), 0.0) for edited in edits(template_text(EDITED)))
    for word, time in (("median", times[len(times) // 2]), ("slowest", times[-1])):
        name = f"{verb} one character more at {EDITED} resources, {word}"
        yield Row(name, time, time / first, "times the first time", 0.1 if word == "median" else None)


def reading() -> Iterator[Row]:
    """Yield the rows for parsing a text."""
    yield from against_libyaml("Read", parse_template, {1000: 1.5})


def defining() -> Iterator[Row]:
    """Yield the rows for defining the stack of a text."""
    yield from against_libyaml("Define", define_all, {1000: 3.0})


def checking() -> Iterator[Row]:
    """Yield the rows for analyzing a text."""
    yield from against_libyaml("Check", analyze_text, {})


def typing() -> Iterator[Row]:
    """Yield the rows for parsing after a keystroke."""
    text = template_text(EDITED)
    before: Template = parse_template(text)
    first = milliseconds(partial(parse_template, text))
    yield from keystrokes("Read", first, lambda edited: parse_template(edited, before))


def typing_and_checking() -> Iterator[Row]:
    """Yield the rows for analyzing after a keystroke."""
    text = template_text(EDITED)
    before = analyze_text(text)
    first = milliseconds(partial(analyze_text, text))

    def step(edited: str) -> Analysis:
        return analyze(Source(parse_template(edited, before.template)), knowledge(), previous=before)

    yield from keystrokes("Check", first, step)


def drawing() -> Iterator[Row]:
    """Yield the row for the layout of a dependency graph."""
    from heatstudio.ui.graph.graph_layout import lay_out  # needs Qt

    text = template_text(EDITED)
    stack, types = define(Source(parse_template(text)), knowledge(), not_created=True)
    graph = dependency_graph(stack, types)
    time = milliseconds(lambda: lay_out(graph))
    yield Row(f"Lay out {EDITED} resources", time, time / milliseconds(partial(compose, text)), "times yaml.compose")


def previewing() -> Iterator[Row]:
    """Yield the row for the update preview of the whole stack after a keystroke."""
    text = template_text(EDITED)
    old = Source(parse_template(text))
    first = milliseconds(partial(analyze_text, text))
    edited = list(edits(text))[EDITS // 2]
    new = Source(parse_template(edited, old.template))
    time = milliseconds(lambda: plan_update(old, new, knowledge()))
    yield Row(f"Preview of {EDITED} resources with one edit", time, time / first, "times the first check")

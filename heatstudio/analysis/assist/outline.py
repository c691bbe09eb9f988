"""The outline of a template: sections and entries."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.functions.function import FunctionError
from heatstudio.template import Dialect, Template
from heatstudio.template.syntax.nodes import Section, ShiftedEntry
from heatstudio.text import Span, checkpoint


class OutlineItem(Struct, frozen=True):
    """A section or an entry."""

    name: str
    kind: str
    """The kind: section, resource, parameter, output, condition, mapping or entry."""
    detail: str
    span: Span
    """The span of key and value."""
    key_span: Span
    children: tuple[OutlineItem, ...] = ()


def outline(template: Template, stack: StackDefinition | None = None) -> tuple[OutlineItem, ...]:
    """Return the sections in text order; the stack adds the current values of conditions."""
    return tuple(_section(section, template.dialect, stack) for section in template.sections.values())


def _section(section: Section, words: Dialect, stack: StackDefinition | None) -> OutlineItem:
    key = Span(section.key.start, section.key.end).shifted(section.shift)
    span = Span(section.start, max(section.end, key.end))
    children = tuple(_entries(section, words, stack))
    detail = str(len(children)) if children else _short(section.data)
    return OutlineItem(str(section.name), "section", detail, span, key, children)


def _entries(section: Section, words: Dialect, stack: StackDefinition | None) -> Iterator[OutlineItem]:
    kinds = {
        words.resources: "resource",
        words.parameters: "parameter",
        words.outputs: "output",
        words.conditions: "condition",
        words.mappings: "mapping",
    }
    kind = kinds.get(str(section.name), "entry")
    for placed in section.placed:
        checkpoint()
        key = Span(placed.entry.key.start, placed.entry.key.end).shifted(placed.shift)
        detail = _detail(placed, kind, words, stack)
        yield OutlineItem(str(placed.entry.name), kind, detail, Span(placed.start, max(placed.end, key.end)), key)


def _detail(placed: ShiftedEntry, kind: str, words: Dialect, stack: StackDefinition | None) -> str:
    data = placed.entry.data
    if kind in {"resource", "parameter"} and isinstance(data, dict):
        return _short(data.get(words.type))
    if kind == "output" and isinstance(data, dict):
        return _short(data.get(words.description))
    if kind == "condition":
        return "" if stack is None else condition_now(stack, str(placed.entry.name))
    return ""


def condition_now(stack: StackDefinition, name: str) -> str:
    """Return a condition's current value as a word; empty if it is unknown."""
    try:
        holds = stack.condition(name)
    except (ValueError, FunctionError):
        return ""
    return str(holds).lower() if isinstance(holds, bool) else ""


def _short(value: object) -> str:
    if not isinstance(value, str | int | float):
        return ""
    first = str(value).strip().split("\n", 1)[0]
    return first if len(first) <= 60 else first[:59] + "…"

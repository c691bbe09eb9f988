"""What is in a template: its sections and their entries, with the text of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from heatstudio.text import Span

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.template import Template
    from heatstudio.template.nodes import Key


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A section or an entry of a template."""

    name: str
    kind: str
    """`section`, `resource`, `parameter`, `output`, `condition` or `property`."""
    detail: str
    """The type, where there is one."""
    span: Span
    children: tuple[OutlineItem, ...] = ()


def contents(template: Template) -> tuple[OutlineItem, ...]:
    """The sections in the order of the text."""
    return tuple(
        OutlineItem(str(name), "section", "", _span(template, str(name)), _entries(template, name))
        for name in template.sections
    )


def _entries(template: Template, section: Key) -> tuple[OutlineItem, ...]:
    words = template.dialect
    kinds = {
        words.resources: "resource",
        words.parameters: "parameter",
        words.outputs: "output",
        words.conditions: "condition",
    }
    type_words = {words.resources: words.type, words.parameters: "type" if words.is_hot else "Type"}
    kind, type_word = kinds.get(str(section), "property"), type_words.get(str(section))
    items = []
    for name, entry in template.entries(section).items():
        detail = entry.data.get(type_word) if isinstance(entry.data, dict) and type_word else None
        span = _span(template, str(section), str(name))
        items.append(OutlineItem(str(name), kind, detail if isinstance(detail, str) else "", span))
    return tuple(items)


def _span(template: Template, *path: str) -> Span:
    from heatstudio.template import Part

    return template.locate(path, Part.PAIR)

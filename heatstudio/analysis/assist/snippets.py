"""Snippets: a resource of a type, as text with tab stops or as an edit of a template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from heatstudio.analysis.assist.layout import escaped
from heatstudio.analysis.assist.starter import example, starter_properties
from heatstudio.catalog import PropertySchema, ResourceType, Status
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.groups.group_places import at
from heatstudio.template import (
    AddEntry,
    CannotEditError,
    Change,
    Dialect,
    Part,
    Path,
    SetValue,
    Template,
    parse_template,
    render,
)
from heatstudio.template.nodes import Scalar
from heatstudio.template.scalar_text import scalar_text
from heatstudio.text import Span, TextEdit, apply_edits

_STOP = re.compile(r"\\(.)|\$(\d+)|\$\{(\d+)(?::((?:[^}\\]|\\.)*))?\}", re.DOTALL)
_STEP = "  "


def minimal_snippet(
    resource_type: ResourceType, dialect: Dialect, indent: str = "", knowledge: Knowledge | None = None
) -> str:
    """A resource with its required properties and one member of each group that needs one, as a snippet.

    The first tab stop is its name, the others are the values.
    """
    return "\n".join(f"{indent}{line}" for line in _Lines(dialect).resource(resource_type, knowledge))


def full_snippet(
    resource_type: ResourceType, dialect: Dialect, indent: str = "", knowledge: Knowledge | None = None
) -> str:
    """The minimal snippet, with every other property that is still supported as a comment behind it."""
    lines = list(_Lines(dialect).resource(resource_type, knowledge))
    given = starter_properties(resource_type, knowledge)
    others = [schema for name, schema in resource_type.properties.items() if name not in given and _is_shown(schema)]
    if others and not given:
        lines.append(f"{_STEP}{dialect.properties}: {{}}")
    lines += [f"{_STEP * 2}# {line}" for schema in others for line in _comment(schema)]
    return "\n".join(f"{indent}{line}" for line in lines)


def snippet_text(source: str) -> str:
    """The text of a snippet with its tab stops as they are filled in beforehand."""
    return _STOP.sub(lambda found: found[1] or snippet_text(found[4] or ""), source)


def name_for(resource_type: ResourceType, dialect: Dialect) -> str:
    """A name for a resource of a type, in the style of the language."""
    last = re.split(r"::|/", resource_type.name)[-1].rsplit(".", 1)[0]
    if not dialect.is_hot:
        return re.sub(r"\W", "", last) or "Resource"
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", last)
    return re.sub(r"\W+", "_", words).strip("_").lower() or "resource"


def unique_name(template: Template, base: str) -> str:
    """The name, with a number where a resource or a parameter has it already."""
    words = template.dialect
    taken = {str(name) for section in (words.resources, words.parameters) for name in _entries(template, section)}
    separator = "_" if words.is_hot else ""
    number, name = 1, base
    while name in taken:
        number += 1
        name = f"{base}{separator}{number}"
    return name


def _entries(template: Template, section: str) -> Mapping[object, object]:
    found = template.data.get(section)
    return found if isinstance(found, Mapping) else {}


def insertion_for(
    template: Template, offset: int, resource_type: ResourceType, knowledge: Knowledge | None = None
) -> TextEdit | None:
    """The edit that adds a resource of a type, behind the one at an offset; None where the text cannot be read."""
    words = template.dialect
    if not template.text.strip("\ufeff \t\r\n"):
        return _first_resource(template, resource_type, knowledge)
    name = unique_name(template, name_for(resource_type, words))
    properties = starter_properties(resource_type, knowledge)
    data: dict[str, object] = {words.type: resource_type.name}
    if properties:
        data[words.properties] = properties
    change: Change
    if words.resources not in template.data:
        change = AddEntry((), words.resources, {name: data})
    elif not _entries(template, words.resources):
        change = SetValue((words.resources,), {name: data})
    else:
        change = AddEntry((words.resources,), name, data, after=_entry_before(template, offset))
    try:
        edits = render(template, (change,))
    except CannotEditError:
        return None
    return _joined(template.text, edits)


def _first_resource(template: Template, resource_type: ResourceType, knowledge: Knowledge | None) -> TextEdit:
    """A whole template for an empty text."""
    words = template.dialect
    resource = snippet_text(minimal_snippet(resource_type, words, _STEP, knowledge))
    head = f"{words.version_key}: {scalar_text(words.version)}\n\n{words.resources}:\n"
    return TextEdit(Span(len(template.text), len(template.text)), f"{head}{resource}\n")


def snippet_insertion_for(
    template: Template, offset: int, resource_type: ResourceType, knowledge: Knowledge | None = None
) -> TextEdit | None:
    """The same edit with a snippet as its text: the name and each example value are tab stops."""
    edit = insertion_for(template, offset, resource_type, knowledge)
    if edit is None:
        return None
    after = parse_template(apply_edits(template.text, [edit]))
    section = after.dialect.resources
    known = _entries(template, section)
    name = next((str(name) for name in _entries(after, section) if name not in known), "")
    spans = [after.locate((section, name), Part.KEY)]
    properties: Path = (section, name, after.dialect.properties)
    spans += [after.locate(path) for path in _leaves(at(after.data, properties), properties)]
    pieces: list[str] = []
    done = edit.span.start
    for number, span in enumerate(sorted(spans), 1):
        pieces += (escaped(after.text[done : span.start]), _stop(number, after.text[span.start : span.end]))
        done = span.end
    pieces.append(escaped(after.text[done : edit.span.start + len(edit.text)]))
    return TextEdit(edit.span, "".join(pieces))


def _leaves(data: object, path: Path) -> Iterator[Path]:
    """The paths of all scalars in plain data."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _leaves(value, (*path, name))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _leaves(value, (*path, index))
    elif data is not None:
        yield path


def _stop(number: int, text: str) -> str:
    inside = escaped(text).replace("}", "\\}")
    return f"${{{number}:{inside}}}"


def _entry_before(template: Template, offset: int) -> str | None:
    """The resource at an offset, or the last one before it."""
    section = template.sections.get(template.dialect.resources)
    if section is None or not section.start <= offset <= section.end:
        return None
    before = [placed.entry.name for placed in section.placed if placed.start <= offset]
    return str(before[-1]) if before else None


def _joined(text: str, edits: tuple[TextEdit, ...]) -> TextEdit | None:
    """Several edits as one."""
    if not edits:
        return None
    start, end = edits[0].span.start, edits[-1].span.end
    pieces: list[str] = []
    at = start
    for edit in edits:
        pieces += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    return TextEdit(Span(start, end), "".join(pieces))


def _is_shown(schema: PropertySchema) -> bool:
    return schema.implemented and schema.support_status.status not in (Status.HIDDEN, Status.DEPRECATED)


def _comment(schema: PropertySchema) -> Iterator[str]:
    value = scalar_text(_one_line(example(schema)), flow=True) if not isinstance(example(schema), dict | list) else ""
    kind = str(schema.type)
    yield escaped(f"{schema.name}: {value}  # {kind}" if value else f"{schema.name}:  # {kind}")


def _one_line(value: object) -> Scalar:
    return value if value is None or isinstance(value, str | int | float) else str(value)


class _Lines:
    """Writes a resource line by line, counting its tab stops."""

    def __init__(self, dialect: Dialect) -> None:
        self._words = dialect
        self._stops = 0

    def resource(self, resource_type: ResourceType, knowledge: Knowledge | None) -> Iterator[str]:
        words = self._words
        yield f"{self._stop(name_for(resource_type, words))}:"
        yield f"{_STEP}{words.type}: {escaped(scalar_text(resource_type.name))}"
        properties = starter_properties(resource_type, knowledge)
        if properties:
            yield f"{_STEP}{words.properties}:"
            yield from (_STEP * 2 + line for line in self._pairs(properties))

    def _pairs(self, data: Mapping[str, object]) -> Iterator[str]:
        for name, value in data.items():
            key = escaped(scalar_text(name, key=True))
            if isinstance(value, dict) and value:
                yield f"{key}:"
                yield from (_STEP + line for line in self._pairs({str(below): item for below, item in value.items()}))
            elif isinstance(value, list) and value:
                yield f"{key}:"
                yield from (_STEP + line for item in value for line in self._item(item))
            else:
                yield f"{key}: {self._value(value)}"

    def _item(self, value: object) -> Iterator[str]:
        if isinstance(value, dict) and value:
            lines = self._pairs({str(name): item for name, item in value.items()})
            for index, line in enumerate(lines):
                yield f"{'  ' if index else '- '}{line}"
        else:
            yield f"- {self._value(value)}"

    def _value(self, value: object) -> str:
        if isinstance(value, dict | list):
            return "{}" if isinstance(value, dict) else "[]"
        return self._stop(scalar_text(_one_line(value)))

    def _stop(self, text: str) -> str:
        self._stops += 1
        return _stop(self._stops, text)

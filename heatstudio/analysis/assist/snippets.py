"""Insertion of a new resource, as a snippet or as an edit."""

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.assist.layout import escaped
from heatstudio.analysis.assist.name_suggestions import fitting_parameters, fitting_resources
from heatstudio.analysis.assist.semantic_model import SemanticModel, names_in
from heatstudio.analysis.assist.starter import starter_properties
from heatstudio.analysis.scope.calls import GET_PARAM, GET_RESOURCE, REF
from heatstudio.catalog import PropertySchema, ResourceType
from heatstudio.catalog.schema import ANY_ELEMENT
from heatstudio.stack.groups.group_places import at
from heatstudio.template import AddEntry, Dialect, Part, Path, Template, parse_template, render
from heatstudio.template.editing.scalar_text import scalar_text
from heatstudio.text import Span, TextEdit, apply_edits


def name_for(resource_type: ResourceType, dialect: Dialect) -> str:
    """Return a name for a new resource of a type, in the style of the language."""
    last = re.split(r"::|/", resource_type.name)[-1].rsplit(".", 1)[0]
    if not dialect.is_hot:
        return re.sub(r"\W", "", last) or "Resource"
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", last)
    return re.sub(r"\W+", "_", words).strip("_").lower() or "resource"


def unique_name(template: Template, base: str) -> str:
    """Return the name, with a number appended if a resource or parameter already has the name."""
    words = template.dialect
    taken = {name for section in (words.resources, words.parameters) for name in names_in(template, section)}
    separator = "_" if words.is_hot else ""
    number, name = 1, base
    while name in taken:
        number += 1
        name = f"{base}{separator}{number}"
    return name


def insertion_for(model: SemanticModel, offset: int, resource_type: ResourceType) -> TextEdit:
    """Return the edit that adds a resource after the resource at an offset; raise CannotEditError.

    Properties refer to resources and parameters that fit.
    """
    template = model.template
    words, text = template.dialect, template.text
    if not text.strip("\ufeff \t\r\n"):
        start = f"{words.version_key}: {scalar_text(words.version)}\n\n{words.resources}:\n"
        first = insertion_for(replace(model, template=parse_template(start)), 0, resource_type)
        return TextEdit(Span(len(text), len(text)), apply_edits(start, [first]))
    name = unique_name(template, name_for(resource_type, words))
    example = starter_properties(resource_type, model.knowledge)
    properties = {key: _wired(model, resource_type.properties.get(key), one) for key, one in example.items()}
    data: dict[str, object] = {words.type: resource_type.name}
    if properties:
        data[words.properties] = properties
    change = AddEntry((words.resources,), name, data, after=_entry_before(template, offset))
    return _joined(text, render(template, (change,)))


def _wired(model: SemanticModel, schema: PropertySchema | None, value: object) -> object:
    """Return an example value with references to resources and parameters instead of names, where any fit."""
    inside = schema.children if schema is not None else {}
    if isinstance(value, dict):
        return {key: _wired(model, inside.get(key), one) for key, one in value.items()}
    if isinstance(value, list):
        return [_wired(model, inside.get(ANY_ELEMENT), one) for one in value]
    if schema is None or not isinstance(value, str):
        return value
    calls = (GET_RESOURCE, GET_PARAM) if model.template.dialect.is_hot else (REF, REF)
    for call, names in zip(calls, (fitting_resources(model, schema), fitting_parameters(model, schema)), strict=True):
        if names:
            return {call: names[0]}
    return value


def snippet_insertion_for(model: SemanticModel, offset: int, resource_type: ResourceType) -> TextEdit:
    """Return the edit that adds a resource as a snippet: the name and each example value are tab stops.

    Raise CannotEditError if the resource cannot be added.
    """
    template = model.template
    edit = insertion_for(model, offset, resource_type)
    after = parse_template(apply_edits(template.text, [edit]))
    section = after.dialect.resources
    known = names_in(template, section)
    name = next((name for name in names_in(after, section) if name not in known), "")
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
    """Yield the paths of all scalars in plain data."""
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
    """Return the name of the resource at an offset or the last one before the offset, or None."""
    section = template.sections.get(template.dialect.resources)
    if section is None or not section.start <= offset <= section.end:
        return None
    before = [placed.entry.name for placed in section.placed if placed.start <= offset]
    return str(before[-1]) if before else None


def _joined(text: str, edits: tuple[TextEdit, ...]) -> TextEdit:
    """Combine edits into one."""
    start, end, after = edits[0].span.start, edits[-1].span.end, apply_edits(text, edits)
    return TextEdit(Span(start, end), after[start : len(after) - (len(text) - end)])

"""Insertion of a new resource, as a snippet or as an edit."""

import re
from collections.abc import Mapping

from heatstudio.analysis.assist.available import Available, resource_to_wait_for
from heatstudio.analysis.assist.layout import escaped
from heatstudio.analysis.assist.starter import full_properties, starter_properties, wired_properties
from heatstudio.analysis.scope.calls import GET_RESOURCE, REF, calls, values
from heatstudio.analysis.scope.semantic_model import SemanticModel, names_in
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import AddEntry, Dialect, Part, Template, TreePath, parse_template, render
from heatstudio.template.editing.writer import scalar_text
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

    Properties refer to the nearest resources and parameters that fit.
    """
    template = model.template
    words, text = template.dialect, template.text
    before = entry_before(template, offset)
    properties = wired_properties(resource_type, Available.at(model, before or "", is_below=True), model.knowledge)
    data = {words.type: resource_type.name, **({words.properties: properties} if properties else {})}
    named = [str(name) for call, name, _ in calls(properties, ()) if call in (GET_RESOURCE, REF)]
    if other := resource_to_wait_for(model, resource_type.name, properties, named):
        data[words.depends_on] = other
    start = text
    if not text.strip("\ufeff \t\r\n"):
        start = _start(words)
        template = parse_template(start)
    change = AddEntry((words.resources,), unique_name(template, name_for(resource_type, words)), data, after=before)
    edit = _joined(start, render(template, (change,)))
    return edit if start is text else TextEdit(Span(len(text), len(text)), apply_edits(start, [edit]))


def _start(words: Dialect) -> str:
    return f"{words.version_key}: {scalar_text(words.version)}\n\n{words.resources}:\n"


def snippet_insertion_for(model: SemanticModel, offset: int, resource_type: ResourceType) -> TextEdit:
    """Return the edit that adds a resource as a snippet: the name and each example value are tab stops.

    Raise CannotEditError if the resource cannot be added.
    """
    template = model.template
    edit = insertion_for(model, offset, resource_type)
    after = parse_template(apply_edits(template.text, [edit]), template)
    section = after.dialect.resources
    known = names_in(template, section)
    name = next((name for name in names_in(after, section) if name not in known), "")
    return TextEdit(edit.span, _with_stops(after, name, Span(edit.span.start, edit.span.start + len(edit.text))))


def properties_lines(model: SemanticModel, resource_type: ResourceType, place: str) -> tuple[str, ...]:
    """Return the initial properties of the resource `place` as the lines of a snippet, relative to their map."""
    words = model.words
    properties = wired_properties(resource_type, Available.at(model, place), model.knowledge)
    text = _entry_text(words, "a", {words.type: resource_type.name, words.properties: properties}, with_stops=True)
    return tuple(line[4:] for line in text.splitlines()[3:]) if properties else ()


def resource_text(resource_type: ResourceType, words: Dialect, knowledge: Knowledge, *, is_full: bool) -> str:
    """Return a resource with its initial properties as YAML text, or with all supported ones if `is_full`."""
    properties = starter_properties(resource_type, knowledge)
    if is_full:
        properties |= full_properties(resource_type.properties)
    data = {words.type: resource_type.name, **({words.properties: properties} if properties else {})}
    return _entry_text(words, name_for(resource_type, words), data)


def _entry_text(words: Dialect, name: str, data: Mapping[str, object], *, with_stops: bool = False) -> str:
    """Return a resource as YAML text, or as a snippet."""
    start = parse_template(_start(words))
    after = parse_template(apply_edits(start.text, render(start, (AddEntry((words.resources,), name, data),))))
    span = Span(len(start.text), len(after.text))
    text = _with_stops(after, name, span) if with_stops else after.text[span.start : span.end]
    return "".join(line.removeprefix("  ") for line in text.splitlines(keepends=True))


def _with_stops(template: Template, name: str, span: Span) -> str:
    """Return a span of a text as a snippet, in which the name and the scalars of a resource are tab stops."""
    text, section = template.text, template.dialect.resources
    properties: TreePath = (section, name, template.dialect.properties)
    spans = [template.locate((section, name), Part.KEY)]
    written = values(at(template.data, properties), properties)
    spans += [template.locate(path) for one, path in written if one is not None and not isinstance(one, (dict, list))]
    pieces: list[str] = []
    done = span.start
    for number, stop in enumerate(sorted(spans), 1):
        inside = escaped(text[stop.start : stop.end]).replace("}", "\\}")
        pieces += (escaped(text[done : stop.start]), f"${{{number}:{inside}}}")
        done = stop.end
    return "".join((*pieces, escaped(text[done : span.end])))


def entry_before(template: Template, offset: int) -> str | None:
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

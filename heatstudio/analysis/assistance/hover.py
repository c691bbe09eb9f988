"""Hover: what the word under the mouse means."""

from __future__ import annotations

from msgspec import Struct

from heatstudio.analysis.assistance.desk import Desk, found_type, language_of, map_at, value_at, written_type
from heatstudio.analysis.assistance.expectation import Expectation, Role, expectation_at
from heatstudio.analysis.assistance.keywords import keyword_sentence
from heatstudio.analysis.assistance.outline import condition_now
from heatstudio.analysis.assistance.sentences import (
    attribute_lines,
    constraint_words,
    lookup_line,
    property_lines,
    property_title,
    rich_text,
    status_line,
    type_lines,
    value_words,
    versions_line,
)
from heatstudio.analysis.assistance.signature import signatures
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.types import Origin
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Part, Path
from heatstudio.text import LineIndex, Span

MASK = "••••••"
"""Stands for the value of a hidden parameter."""


class Hover(Struct, frozen=True):
    """What there is to say of one word."""

    title: str
    lines: tuple[str, ...]
    """Plain text; what is written in templates is in backticks."""
    span: Span

    @property
    def html(self) -> str:
        """The same as rich text."""
        return rich_text(self.title, self.lines)


def hover(desk: Desk, offset: int) -> Hover | None:
    """What the word at an offset means; None if there is nothing to say."""
    place = desk.template.path_at(offset)
    if place.node is None or not place.path:
        return None
    said = _key(desk, place.path) if place.part is Part.KEY else _value(desk, place.path)
    if said is None:
        return None
    title, lines = said
    return Hover(title, tuple(line for line in lines if line), place.span)


def name_lines(desk: Desk, section: str, name: str) -> tuple[str, tuple[str, ...]] | None:
    """The title and the lines for a parameter or a resource; None if there is none."""
    return _parameter(desk, name) if section == desk.template.dialect.parameters else _resource(desk, name)


_PROPERTIES = (Role.PROPERTY, Role.MEMBER, Role.TYPES)
_Said = tuple[str, tuple[str, ...]]


def _key(desk: Desk, path: Path) -> _Said | None:
    words = desk.template.dialect
    here = expectation_at(desk, path)
    name = path[-1]
    if here.call is not None and here.call.path == path:
        signature = here.call.signature
        shape = f"`{signature.name}: {signature.arguments}`"
        catalog = desk.knowledge.catalog
        return f"{signature.name} · function", (signature.summary, shape, versions_line(signature.name, catalog))
    if here.role in _PROPERTIES and here.schema is not None and len(path) > 3:
        return _property(desk, here, path)
    match path:
        case (words.resources, str(resource)):
            return _resource(desk, resource)
        case (words.parameters, str(parameter)):
            return _parameter(desk, parameter)
        case (words.conditions, str(condition)) if words.has_conditions:
            return _condition(desk, condition)
        case _:
            sentence = keyword_sentence(expectation_at(desk, path[:-1]).role, str(name))
            return (str(name), (sentence,)) if sentence else _removed(desk, name, path)


def _removed(desk: Desk, name: object, path: Path) -> _Said | None:
    """A function that other versions know."""
    signature = signatures().get(str(name))
    above = expectation_at(desk, path[:-1])
    siblings = map_at(desk.template, path[:-1])
    if signature is None or not above.takes_functions or len(siblings) != 1:
        return None
    known = versions_line(signature.name, desk.knowledge.catalog)
    dialect = desk.template.dialect
    line = f"Not a function in `{dialect.version_key}` {dialect.version}."
    return f"{signature.name} · function of other versions", (line, known)


def _property(desk: Desk, here: Expectation, path: Path) -> _Said | None:
    if here.schema is None or not isinstance(path[-1], str):
        return None
    groups = desk.knowledge.groups(here.owner.type) if here.owner is not None else ()
    inner = path[len(here.owner.path) :] if here.owner is not None else path[-1:]
    names = tuple(step for step in inner if isinstance(step, str))
    rules = here.owner.type.translation_rules if here.owner is not None else ()
    lines = property_lines(here.schema, groups, ".".join(names))
    return property_title(here.schema), (*lines, lookup_line(rules, names))


def _value(desk: Desk, path: Path) -> _Said | None:
    value = value_at(desk.template, path)
    here = expectation_at(desk, path)
    if not isinstance(value, str):
        return _scalar(desk, here, path)
    match here.role:
        case Role.TYPE:
            return _type(desk, value, here.resource)
        case Role.RESOURCE_NAME | Role.DEPENDS_ON:
            return _resource(desk, value)
        case Role.PARAMETER:
            return _parameter(desk, value)
        case Role.NAME:
            return _resource(desk, value) or _parameter(desk, value)
        case Role.CONDITION:
            return _condition(desk, value)
        case Role.ATTRIBUTE if here.call is not None:
            return _attribute(desk, value_at(desk.template, (*here.call.path, 0)), value)
        case Role.FILE:
            return _file(desk, value)
        case Role.VERSION:
            dialect = desk.template.dialect
            return f"{dialect.version_key} {value}", (f"Of OpenStack {dialect.release} ({dialect.version}).",)
        case _:
            return _scalar(desk, here, path)


def _scalar(desk: Desk, here: Expectation, path: Path) -> _Said | None:
    """A plain value of a property: what the property is."""
    if here.role is Role.PROPERTY and here.schema is not None and len(path) > 3 and isinstance(path[-1], str):
        return _property(desk, here, path)
    return None


def _type(desk: Desk, name: str, resource: str) -> _Said | None:
    found = desk.types.find(name, resource)
    mapped = f"Mapped to `{found.target}` by the environment." if found.target != name else ""
    match found.origin:
        case Origin.CATALOG if found.type is not None:
            return name, (*type_lines(found.type), mapped)
        case Origin.TEMPLATE if found.type is not None:
            text = found.template.data.get(found.template.dialect.description) if found.template is not None else None
            return name, (str(text or ""), "A template of yours.", mapped, *type_lines(found.type))
        case Origin.UNREAD_TEMPLATE if found.type is not None:
            return name, ("A template that Heat brings with it.", mapped, *type_lines(found.type))
        case Origin.UNREAD_TEMPLATE:
            return name, ("A template that was not read.", mapped)
        case Origin.MISSING_TEMPLATE:
            return name, ("A template that is not there.", mapped)
        case Origin.BROKEN_TEMPLATE:
            return name, ("A template that cannot be read.", mapped)
        case Origin.CIRCULAR:
            return name, (f"Mapped in a circle by the environment: {found.target}.",)
        case Origin.PLUGIN:
            return name, ("A type of a plug-in of which nothing is known here.", mapped)
        case _:
            return name, (f"Heat {desk.knowledge.catalog.heat_version} has no such type.",)


def _resource(desk: Desk, name: str) -> _Said | None:
    template = desk.template
    section = template.dialect.resources
    if name not in map_at(template, (section,)):
        return None
    line = LineIndex(template.text).position(template.locate((section, name), Part.KEY).start).line + 1
    found = found_type(desk, name)
    status = status_line(found.type.support_status) if found is not None and found.type is not None else ""
    description = value_at(template, (section, name, template.dialect.description))
    kind = written_type(template, name) or "no type"
    absent = _why_absent(desk, name)
    return f"{name} · {kind}", (f"Resource in line {line}.", absent, str(description or ""), status)


def _why_absent(desk: Desk, name: str) -> str:
    """That the stack does not have a resource with the values there are now; empty if it has, or nobody can tell."""
    try:
        is_absent = desk.stack.is_enabled(name) is False
    except KeyError:  # the stack is that of a text shortly before
        return ""
    words = desk.template.dialect
    condition = value_at(desk.template, (words.resources, name, words.condition)) if is_absent else None
    if condition is None:
        return ""
    named = f"condition `{condition}`" if isinstance(condition, str) else "condition"
    return f"Left out of the stack now: its {named} is false with the present values."


def _parameter(desk: Desk, name: str) -> _Said | None:
    words = desk.template.dialect
    if name in language_of(desk).pseudo_parameters:
        return f"{name} · pseudo parameter", ("Heat gives its value.",)
    data = map_at(desk.template, (words.parameters,)).get(name)
    if data is None:
        return None
    schema = desk.stack.parameters.schema(name)
    hidden = at(data, (words.hidden,)) in (True, "true", "True")
    title = f"{name} · {at(data, (words.type,)) or 'no type'}" + (" · hidden" if hidden else "")
    description = str(at(data, (words.description,)) or "")
    constraints = "; ".join(constraint_words(one) for one in schema.constraints) if schema is not None else ""
    immutable = "Updates that change it fail." if at(data, (words.immutable,)) is True else ""
    return title, (description, constraints, immutable, _effective(desk, name, hidden=hidden))


def _effective(desk: Desk, name: str, *, hidden: bool) -> str:
    """The value that counts now, and where it comes from."""
    given = desk.stack.parameters.given(name)
    if given is None:
        return "It has no value: give it one in an environment, or a default."
    value = desk.stack.parameters.value(name) if name in desk.stack.parameters.names else given.value
    shown = MASK if hidden else value_words(given.value if isinstance(value, Unknown) else value)
    words = desk.template.dialect
    if given.file is not None:
        source = f"`{given.path[0]}` of `{given.file}`"
    elif given.path[-1:] == (words.default,):
        source = "its default"
    else:
        source = "the values given"
    return f"Value `{shown}`, from {source}."


def _condition(desk: Desk, name: str) -> _Said | None:
    words = desk.template.dialect
    if not words.has_conditions or name not in map_at(desk.template, (words.conditions,)):
        return None
    now = condition_now(desk.stack, name)
    return f"{name} · condition", (f"Now `{now}`." if now else "Nobody can tell yet whether it holds.",)


def _attribute(desk: Desk, resource: object, name: str) -> _Said | None:
    found = found_type(desk, resource) if isinstance(resource, str) else None
    if found is None:
        return None
    if found.type is None:
        return f"{name} · attribute", (f"Of `{found.name}` nothing is known here.",)
    schema = found.type.attributes.get(name)
    if schema is None:
        return None
    text = ""
    if found.template is not None:
        words = found.template.dialect
        text = str(value_at(found.template, (words.outputs, name, words.description)) or "")
    return f"{name} · {schema.type or 'Any'} · attribute of {found.name}", (text, *attribute_lines(schema))


def _file(desk: Desk, name: str) -> _Said | None:
    content = desk.types.files.get(name)
    if content is None:
        return f"{name} · file", ("There is no such file.",)
    if isinstance(content, Unknown):
        return f"{name} · file", ("Nobody looked whether it is there.",)
    lines = content.count("\n") + (not content.endswith("\n") and bool(content))
    return f"{name} · file", (f"{len(content.encode('utf-8', 'replace'))} bytes, {lines} lines.",)

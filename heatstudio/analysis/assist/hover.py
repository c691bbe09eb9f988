"""Hover: an explanation of the word at a position."""

from msgspec import Struct

from heatstudio.analysis.assist import sentences
from heatstudio.analysis.assist.expectation import EnclosingCall, Expectation, Role, expectation_at
from heatstudio.analysis.assist.outline import condition_now
from heatstudio.analysis.assist.signature import signatures
from heatstudio.analysis.attribute_path import MEMBER_PREFIX, Attributes, follow
from heatstudio.analysis.scope.branches import switched_off
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, value_at, written_type
from heatstudio.stack.definition.files import is_encoded
from heatstudio.stack.definition.types import Origin
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.parameter_schema import is_hidden
from heatstudio.stack.path import dotted
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Part, TreePath
from heatstudio.template.syntax.construct import loaded_key
from heatstudio.template.syntax.nodes import Node, ScalarNode
from heatstudio.text import LineIndex, Span, counted

MASK = "••••••"
"""The mask of a hidden parameter's value."""


class Hover(Struct, frozen=True):
    """The explanation of one word."""

    title: str
    lines: tuple[str, ...]
    """Plain text with code in backticks."""
    span: Span


def hover(model: SemanticModel, offset: int) -> Hover | None:
    """Return the hover at an offset; None if there is none."""
    place = model.template.path_at(offset)
    if place.node is None or not place.path:
        return None
    if place.part is Part.KEY:
        return _hover(model, _key(model, place.path), place.span)
    said, number = _value(model, place.path), _number(place.node)
    title, lines = said or (number, ())
    return _hover(model, (title, (*lines, f"Heat gets {number}.")) if number else said, place.span)


def _number(node: Node) -> str:
    """Return the number that YAML reads in a plain scalar, if it is written in another way."""
    is_plain = isinstance(node, ScalarNode) and not node.style and node.tag is None
    value = loaded_key(node) if is_plain else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"the number `{value}`" if is_number and isinstance(node, ScalarNode) and str(value) != node.value else ""


def hover_of_name(model: SemanticModel, section: str, name: str, span: Span) -> Hover | None:
    """Return the hover of a parameter or resource that another file names at `span`; None if it does not exist."""
    is_parameter = section == model.words.parameters
    return _hover(model, _parameter(model, name) if is_parameter else _resource(model, name), span)


_PROPERTIES = (Role.PROPERTY, Role.MEMBER, Role.TYPES)
_Said = tuple[str, tuple[str, ...]]


def _hover(model: SemanticModel, said: _Said | None, span: Span) -> Hover | None:
    if said is None:
        return None
    return Hover(said[0], tuple(model.secrets.mask(line) for line in said[1] if line), span)


def _key(model: SemanticModel, path: TreePath) -> _Said | None:
    words = model.words
    here = expectation_at(model, path)
    name = path[-1]
    if here.call is not None and here.call.path == path:
        return sentences.function_documentation(here.call.signature, model.knowledge.catalog)
    documented = _property(model, here, path) if here.role in _PROPERTIES else None
    if documented is not None:
        return documented
    match path:
        case (words.resources, str(resource)):
            return _resource(model, resource)
        case (words.parameters, str(parameter)):
            return _parameter(model, parameter)
        case (words.conditions, str(condition)) if words.has_conditions:
            return _condition(model, condition)
        case _:
            sentence = sentences.keyword_sentence(expectation_at(model, path[:-1]).role, str(name))
            return (str(name), (sentence,)) if sentence else _removed(model, name, path)


def _removed(model: SemanticModel, name: object, path: TreePath) -> _Said | None:
    """Return the explanation of a function that exists only in other versions, or None."""
    signature = signatures().get(str(name))
    above = expectation_at(model, path[:-1])
    siblings = map_at(model.template, path[:-1])
    if signature is None or not above.takes_functions or len(siblings) != 1:
        return None
    known = sentences.versions_line(signature.name, model.knowledge.catalog)
    dialect = model.words
    line = f"Not a function in `{dialect.version_key}` {dialect.version}."
    return f"{signature.name} · function in other versions", (line, known)


def _property(model: SemanticModel, here: Expectation, path: TreePath) -> _Said | None:
    if here.schema is None or len(path) <= 3 or not isinstance(path[-1], str):
        return None
    inner = path[len(here.owner.path) :] if here.owner is not None else path[-1:]
    names = tuple(step for step in inner if isinstance(step, str))
    return sentences.property_documentation(model, here.owner, here.schema, names)


def _value(model: SemanticModel, path: TreePath) -> _Said | None:
    value = value_at(model.template, path)
    here = expectation_at(model, path)
    if here.role in (Role.ATTRIBUTE, Role.ATTRIBUTE_KEY) and here.call is not None:
        return _attribute(model, here.call, path)
    if here.role is Role.PROPERTY or not isinstance(value, str):
        return _property(model, here, path) if here.role is Role.PROPERTY else None
    match here.role:
        case Role.TYPE:
            return _type(model, value, here.resource)
        case Role.RESOURCE_NAME | Role.DEPENDS_ON:
            return _resource(model, value)
        case Role.PARAMETER:
            return _parameter(model, value)
        case Role.NAME:
            return _resource(model, value) or _parameter(model, value)
        case Role.CONDITION:
            return _condition(model, value)
        case Role.FILE:
            return _file(model, value)
        case Role.VERSION:
            dialect = model.words
            return f"{dialect.version_key} {value}", (f"OpenStack {dialect.release} ({dialect.version}).",)
        case _:
            return None


def _type(model: SemanticModel, name: str, resource: str) -> _Said | None:
    found = model.types.find(name, resource)
    mapped = f"Mapped to `{found.target}` by the environment." if found.target != name else ""
    match found.origin:
        case Origin.CATALOG if found.type is not None:
            return name, (*sentences.type_lines(found.type), mapped)
        case Origin.TEMPLATE if found.type is not None:
            text = found.template.data.get(found.template.dialect.description) if found.template is not None else None
            return name, (str(text or ""), "A local template.", mapped, *sentences.type_lines(found.type))
        case Origin.UNREAD_TEMPLATE if found.type is not None:
            return name, ("A template that comes with Heat.", mapped, *sentences.type_lines(found.type))
        case Origin.UNREAD_TEMPLATE:
            return name, ("The template was not loaded.", mapped)
        case Origin.MISSING_TEMPLATE:
            return name, ("The template does not exist.", mapped)
        case Origin.BROKEN_TEMPLATE:
            return name, ("Heat cannot read the template.", mapped)
        case Origin.CIRCULAR:
            return name, (f"The environment maps it {found.target}.",)
        case Origin.PLUGIN:
            return name, ("An unknown plug-in type.", mapped)
        case _:
            return name, (f"Heat {model.knowledge.catalog.heat_version} has no such type.",)


def _resource(model: SemanticModel, name: str) -> _Said | None:
    template = model.template
    section = template.dialect.resources
    if name not in map_at(template, (section,)):
        return None
    line = LineIndex(template.text).position(template.locate((section, name), Part.KEY).start).line + 1
    found = model.type_of(name)
    status = sentences.status_line(found.support_status) if found is not None else ""
    description = value_at(template, (section, name, template.dialect.description))
    kind = written_type(template, name) or "no type"
    absent = _why_absent(model, name)
    return f"{name} · {kind}", (f"Resource on line {line}.", absent, str(description or ""), status)


def _why_absent(model: SemanticModel, name: str) -> str:
    """Return why the resource is disabled with the current values; empty if it is enabled or that is unknown."""
    try:
        is_absent = model.stack.is_enabled(name) is False
    except KeyError:  # the stack may be of a slightly older text
        return ""
    return switched_off(model.stack.resource_condition(name), truth=False) if is_absent else ""


def _parameter(model: SemanticModel, name: str) -> _Said | None:
    words = model.words
    if name in model.language.pseudo_parameters:
        return f"{name} · pseudo parameter", ("Set by Heat.",)
    data = map_at(model.template, (words.parameters,)).get(name)
    if data is None:
        return None
    schema = model.stack.parameters.schema(name)
    title = f"{name} · {at(data, (words.type,)) or 'no type'}" + (" · hidden" if _is_hidden(model, name) else "")
    description = str(at(data, (words.description,)) or "")
    constraints = "; ".join(sentences.constraint_words(one) for one in schema.constraints) if schema is not None else ""
    immutable = "Immutable: an update that changes it fails." if at(data, (words.immutable,)) is True else ""
    return title, (description, constraints, immutable, _effective(model, name))


def _is_hidden(model: SemanticModel, name: str) -> bool:
    words = model.words
    return is_hidden(value_at(model.template, (words.parameters, name)), words)


def parameter_value(model: SemanticModel, name: str) -> str:
    """Return the effective value of a parameter in one line; masked if hidden, empty if there is none."""
    given = model.stack.parameters.given(name)
    if given is None:
        return ""
    value = model.stack.parameters.value(name) if name in model.stack.parameters.names else given.value
    value = given.value if isinstance(value, Unknown) else value
    return MASK if _is_hidden(model, name) or model.secrets.hides(value) else sentences.value_words(value)


def _effective(model: SemanticModel, name: str) -> str:
    """Return the effective value of a parameter and its source."""
    given = model.stack.parameters.given(name)
    if given is None:
        return "No value. Set one in an environment, or add a default."
    words = model.words
    if given.file is not None:
        source = f"`{given.path[0]}` of `{given.file}`"
    elif given.path[-1:] == (words.default,):
        source = "its default"
    else:
        source = "the given parameter values"
    return f"Value `{parameter_value(model, name)}`, from {source}."


def _condition(model: SemanticModel, name: str) -> _Said | None:
    words = model.words
    if not words.has_conditions or name not in map_at(model.template, (words.conditions,)):
        return None
    now = condition_now(model.stack, name)
    return f"{name} · condition", (f"Now `{now}`." if now else "The value is not known yet.",)


def _attribute(model: SemanticModel, call: EnclosingCall, path: TreePath) -> _Said | None:
    """Return the explanation of a step of `get_attr`."""
    arguments = value_at(model.template, call.path)
    resource, *steps = arguments[: int(path[-1]) + 1] if isinstance(arguments, list) else [None]
    owner = model.attributes_at(resource) if isinstance(resource, str) else None
    if owner is None or not steps:
        return None
    *above, step = steps
    outer, node = follow(owner, above), follow(owner, steps)
    if isinstance(outer, Attributes):
        return _attribute_of(outer, str(step))
    if node is None or isinstance(node, Attributes):
        return None
    place = dotted(tuple(one if isinstance(one, (str, int)) else "..." for one in steps))
    keys = ", ".join(f"`{name}`" for name in node.keys)
    return f"{place} · {node.kind}", (f"Part of an attribute of `{resource}`.", f"Keys: {keys}." if keys else "")


def _attribute_of(owner: Attributes, name: str) -> _Said | None:
    found, kind = owner.found, owner.found.type
    if kind is None:
        return f"{name} · attribute", (f"The attributes of `{found.name}` are not known.",)
    schema = kind.attributes.get(name)
    if schema is not None:
        text = ""
        if found.template is not None:
            words = found.template.dialect
            text = str(value_at(found.template, (words.outputs, name, words.description)) or "")
        return f"{name} · {schema.type or 'Any'} · attribute of {found.name}", (
            text,
            *sentences.attribute_lines(schema),
        )
    inner, _, attribute = name.removeprefix(MEMBER_PREFIX).partition(".")
    if name.startswith(MEMBER_PREFIX):
        member = owner.inner(inner)
        if attribute and member is not None:
            return _attribute_of(member, attribute)
        return f"{name} · {member.found.name}" if member is not None else name, ("The reference ID of this member.",)
    member = owner.member if owner.rule is not None and owner.rule.passes_on else None
    return _attribute_of(member, name) if member is not None else None


def _file(model: SemanticModel, name: str) -> _Said | None:
    content = model.types.files.get(name)
    if content is None:
        return f"{name} · file", ("File not found.",)
    if isinstance(content, Unknown):
        return f"{name} · file", ("Heat Studio has not checked whether this file exists.",)
    if is_encoded(content):
        return f"{name} · file", ("Not UTF-8: the file is sent to Heat as base64.",)
    lines = content.count("\n") + (not content.endswith("\n") and bool(content))
    return f"{name} · file", (f"{counted(len(content.encode('utf-8', 'replace')), 'byte')}, {counted(lines, 'line')}.",)

"""Suggestions for keys of the template language and for properties."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.assist.completion_context import CaretContext
from heatstudio.analysis.assist.expectation import Expectation, Role
from heatstudio.analysis.assist.sentences import keyword_documentation, property_documentation
from heatstudio.analysis.assist.snippet_library import named_snippets
from heatstudio.analysis.assist.snippets import properties_lines
from heatstudio.analysis.assist.starter import needed_by_groups, renamed
from heatstudio.analysis.assist.suggestion import Form, Key, Suggestion
from heatstudio.analysis.assist.usage import usage_of
from heatstudio.analysis.scope.semantic_model import map_at, value_at
from heatstudio.catalog.release import Status
from heatstudio.catalog.schema import PropertySchema, PropertyType
from heatstudio.template import TreePath
from heatstudio.template.dialect import VERSION_KEYS

_LISTS = frozenset({"constraints", "parameter_groups", "allowed_values", "AllowedValues", "tags", "parameters"})
_CONSTRAINTS = {
    "length": Key("length", value="{min: ${1:1}, max: ${2:255}}"),
    "range": Key("range", value="{min: ${1:1}, max: ${2:10}}"),
    "modulo": Key("modulo", value="{step: ${1:2}, offset: ${2:0}}"),
    "allowed_values": Key("allowed_values", Form.LIST),
    "allowed_pattern": Key("allowed_pattern", value="${1:'[a-z]+'}"),
    "custom_constraint": Key("custom_constraint"),
    "description": Key("description"),
}
REQUIRED, NEEDED, OTHER, DEPRECATED = 0, 1, 2, 8
MOST = 9999
"""The order of a property that no public template uses."""


def keys_for(writing: CaretContext, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield the keys that may be added to the map being written."""
    maker = _MAKERS.get(expectation.role)
    keys = maker(writing, expectation) if maker else _ordered(_keys_of(writing, expectation), writing.present)
    for suggestion in keys:
        if suggestion.document is not None:
            yield suggestion
        else:
            yield replace(suggestion, document=partial(keyword_documentation, expectation.role, suggestion.label))
    call = expectation.call
    if call is not None and call.place is None and call.path == writing.path:
        yield from _ordered(map(Key, call.signature.keys), writing.present)


def _ordered(keys: Iterable[Key], present: frozenset[str]) -> Iterator[Suggestion]:
    for order, key in enumerate(keys):
        if key.name not in present:
            yield Suggestion(key.name, key, "property", rank=2, order=order)


def _sections(writing: CaretContext, _expectation: Expectation) -> Iterator[Suggestion]:
    words = writing.model.words
    if not writing.present.intersection(VERSION_KEYS):
        for order, key in enumerate(VERSION_KEYS):
            yield Suggestion(key, Key(key), "section", rank=1, order=order)
    known = [name for name in words.section_order if name in words.sections and name not in VERSION_KEYS]
    for order, name in enumerate(known):
        if name not in writing.present:
            shape = Form.VALUE if name == words.description else Form.LIST if name in _LISTS else Form.MAP
            if name == words.parameters:
                shape = Form.MAP
            yield Suggestion(name, Key(name, shape), "section", rank=2, order=order)


def _resource_keys(writing: CaretContext, _expectation: Expectation) -> Iterator[Suggestion]:
    words = writing.model.words
    maps = (words.properties, words.metadata, words.update_policy)
    for order, name in enumerate(words.resource_keys):
        if name in writing.present:
            continue
        lines: tuple[str, ...] = ()
        if name == words.properties:
            resource = str(writing.path[1])
            kind = writing.model.type_of(resource)
            lines = properties_lines(writing.model, kind, resource) if kind is not None else ()
        detail = _names_of(lines)
        key = Key(name, Form.MAP if name in maps else Form.VALUE, lines=lines)
        yield Suggestion(name, key, "property", detail, rank=1 if name == words.type else 2, order=order)


def properties_below(writing: CaretContext, expectation: Expectation) -> Suggestion | None:
    """Return the initial properties of a resource, to insert below its type; None unless the type is complete."""
    words, path = writing.model.words, writing.path
    kind = writing.model.knowledge.catalog.get(writing.prefix) if expectation.role is Role.TYPE else None
    is_alone = writing.before.strip() == f"{words.type}:" and not writing.behind.strip() and not writing.is_json
    if kind is None or not is_alone or path[:1] != (words.resources,) or len(path) != 3:
        return None
    if words.properties in map_at(writing.model.template, path[:-1]):
        return None
    lines = properties_lines(writing.model, kind, str(path[1]))
    key = Key(words.properties, Form.MAP, lines=lines)
    return Suggestion(words.properties, key, "property", _names_of(lines), rank=0, follows=True) if lines else None


def _names_of(lines: Iterable[str]) -> str:
    """Return the names of the properties that the lines of a snippet set."""
    return ", ".join(line.partition(":")[0] for line in lines if line[:1].isalnum())


def _shape(name: str) -> Form:
    if name in _LISTS:
        return Form.LIST
    return Form.MAP if name == "schema" else Form.VALUE


def _entry_snippets(writing: CaretContext, _expectation: Expectation) -> Iterator[Suggestion]:
    template = writing.model.template
    if writing.path == (template.dialect.resources,):
        yield from named_snippets(writing.model, writing.replace.start)


def _keys_of(writing: CaretContext, expectation: Expectation) -> Iterable[Key]:
    words = writing.model.words
    match expectation.role:
        case Role.PARAMETER_ENTRY:
            return (Key(name, _shape(name)) for name in words.parameter_keys)
        case Role.OUTPUT:
            return map(Key, sorted(words.output_keys, key=lambda name: name != words.value))
        case Role.CONSTRAINT:
            kinds = writing.model.language.parameter_constraints if not writing.present - {"description"} else ()
            return (_CONSTRAINTS.get(kind, Key(kind)) for kind in (*kinds, "description"))
        case Role.PARAMETER_GROUP:
            return (Key("label"), Key("description"), Key("parameters", Form.LIST))
        case Role.MEMBER:
            return (Key("type"), Key("properties", Form.MAP), Key("metadata", Form.MAP))
        case Role.REPLACEMENTS:
            return (Key("keys", Form.MAP), Key("values", Form.MAP))
        case Role.LIMITS:
            return map(Key, expectation.words)
        case _:
            return ()


def property_keys(writing: CaretContext, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield the properties that may be added to a map, ranked: required, required by a property group, others."""
    model, owner = writing.model, expectation.owner
    given = writing.present
    needed: list[str] = []
    inner: TreePath = ()
    if owner is not None:
        inner = writing.path[len(owner.path) :]
        given |= {new for old, new in renamed(owner.type).items() if old in given and not inner}
        written = value_at(model.template, owner.path)
        needed = needed_by_groups(owner.type, written, inner, model.knowledge, model.language.functions)
    children = expectation.children.values()
    required = [schema.name for schema in children if schema.required and schema.name not in given]
    names = tuple(step for step in inner if isinstance(step, str))
    used = usage_of(owner.type.name).properties if owner is not None else {}
    for schema in children:
        status = schema.support_status.status
        if schema.name in writing.present or status is Status.HIDDEN:
            continue
        rank, order = OTHER, MOST - used.get(".".join((*names, schema.name)), 0)
        if status is Status.DEPRECATED or not schema.implemented:
            rank = DEPRECATED
        elif schema.name in required:
            rank, order = REQUIRED, required.index(schema.name)
        elif schema.name in needed:
            rank, order = NEEDED, needed.index(schema.name)
        yield Suggestion(
            schema.name,
            key_of(schema),
            "property",
            _detail(schema, rank),
            rank,
            order,
            deprecated=status is Status.DEPRECATED,
            document=partial(property_documentation, model, owner, schema, (*names, schema.name)),
        )


def key_of(schema: PropertySchema) -> Key:
    """Return the key of a property with the start of its value."""
    if schema.type is PropertyType.MAP:
        required = [name for name, child in schema.children.items() if child.required]
        lines = tuple(f"{name}: ${{{number}}}" for number, name in enumerate(required, 1))
        return Key(schema.name, Form.MAP, lines=lines)
    return Key(schema.name, Form.LIST if schema.type is PropertyType.LIST else Form.VALUE)


def _detail(schema: PropertySchema, rank: int) -> str:
    words = {REQUIRED: "required", NEEDED: "required unless an alternative is set", DEPRECATED: "deprecated"}
    return ", ".join(part for part in (str(schema.type), words.get(rank, "")) if part)


_MAKERS: Mapping[Role, Callable[[CaretContext, Expectation], Iterator[Suggestion]]] = {
    Role.TEMPLATE: _sections,
    Role.ENTRIES: _entry_snippets,
    Role.RESOURCE: _resource_keys,
    Role.PROPERTY: property_keys,
}

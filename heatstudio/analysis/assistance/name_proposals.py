"""Proposals for names: of resources, attributes, parameters, conditions, mappings, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.assistance.completion_context import Writing
from heatstudio.analysis.assistance.desk import Desk, found_type, language_of, map_at, names_in, value_at, written_type
from heatstudio.analysis.assistance.expectation import Call, Expectation, Role
from heatstudio.analysis.assistance.proposal import Proposal, Raw, Value
from heatstudio.analysis.assistance.sentences import attribute_lines, rich_text
from heatstudio.catalog import ANY_ELEMENT, CustomConstraint, PropertySchema, ResourceType, Status
from heatstudio.stack.files import Listing
from heatstudio.stack.groups.group_places import at
from heatstudio.template import Path
from heatstudio.template.nodes import Scalar


def names_for(writing: Writing, expectation: Expectation) -> Iterator[Proposal]:
    """The names that may stand for a value."""
    desk, call = writing.desk, expectation.call
    match expectation.role:
        case Role.DEPENDS_ON:
            yield from resource_names(desk, None, {*_listed(writing), expectation.resource})
        case Role.RESOURCE_NAME:
            yield from resource_names(desk, _wanted(expectation), {expectation.resource})
        case Role.PARAMETER:
            is_group = writing.path[:1] == (desk.template.dialect.parameter_groups,)
            yield from parameter_names(desk, _wanted(expectation), with_pseudo=not is_group)
        case Role.NAME:
            yield from parameter_names(desk, _wanted(expectation))
            if not expectation.in_condition:
                yield from resource_names(desk, _wanted(expectation), {expectation.resource})
        case Role.CONDITION:
            yield from _conditions(writing)
        case Role.FILE:
            yield from file_names(desk)
        case _ if call is not None:
            yield from _argument_names(writing, expectation.role, call)


def _argument_names(writing: Writing, role: Role, call: Call) -> Iterator[Proposal]:
    """The names that depend on the other arguments of a function."""
    desk = writing.desk
    match role:
        case Role.ATTRIBUTE:
            yield from _attributes(desk, call)
        case Role.ATTRIBUTE_KEY:
            yield from _attribute_keys(desk, call, writing.path)
        case Role.PARAMETER_KEY:
            yield from _parameter_keys(desk, call, writing.path)
        case Role.MAPPING:
            for name in names_in(desk.template, desk.template.dialect.mappings):
                yield Proposal(name, Value(name), "property", "mapping", rank=1)
        case Role.MAPPING_KEY:
            yield from _mapping_keys(desk, call)
        case _:
            return


def _listed(writing: Writing) -> set[str]:
    """The items of the list that is being written."""
    path = writing.path[:-1] if isinstance(writing.path[-1], int) else writing.path
    items = value_at(writing.desk.template, path)
    return {str(item) for item in items} if isinstance(items, list) else set()


def _conditions(writing: Writing) -> Iterator[Proposal]:
    """The conditions but the one that is being defined."""
    template = writing.desk.template
    words = template.dialect
    for name in names_in(template, words.conditions) if words.has_conditions else ():
        if writing.path[:2] != (words.conditions, name):
            yield Proposal(name, Value(name), "condition", "condition", rank=1)


def _wanted(expectation: Expectation) -> PropertySchema | None:
    """The property whose value a call is to give."""
    return expectation.outer.schema if expectation.outer is not None else None


def entity_of(schema: PropertySchema | None) -> frozenset[str]:
    """What a property names, such as `neutron.network`, by its custom constraints."""
    if schema is None:
        return frozenset()
    return frozenset(one.name.rstrip("s") for one in schema.constraints if isinstance(one, CustomConstraint))


def makes(resource_type: ResourceType | None, wanted: frozenset[str]) -> bool:
    """Whether resources of a type are what is wanted."""
    if resource_type is None or not resource_type.entity:
        return False
    return f"{resource_type.client_plugin}.{resource_type.entity}".rstrip("s") in wanted


def fitting_resources(desk: Desk, schema: PropertySchema) -> list[str]:
    """The resources of the template that a property may refer to."""
    wanted = entity_of(schema)
    if not wanted:
        return []
    names = names_in(desk.template, desk.template.dialect.resources)
    return [name for name in names if (found := found_type(desk, name)) is not None and makes(found.type, wanted)]


def resource_names(desk: Desk, schema: PropertySchema | None, without: set[str]) -> Iterator[Proposal]:
    """The resources, those first that fit a property."""
    fitting = set(fitting_resources(desk, schema)) if schema is not None else set()
    for order, name in enumerate(names_in(desk.template, desk.template.dialect.resources)):
        if name not in without:
            detail = written_type(desk.template, name)
            yield Proposal(name, Value(name), "resource", detail, rank=0 if name in fitting else 1, order=order)


def parameter_names(
    desk: Desk, schema: PropertySchema | None = None, *, with_pseudo: bool = True
) -> Iterator[Proposal]:
    """The parameters, those first whose constraint is that of a property; then the pseudo parameters."""
    words = desk.template.dialect
    wanted = entity_of(schema)
    for order, (name, data) in enumerate(map_at(desk.template, (words.parameters,)).items()):
        kind = str(at(data, (words.type,)) or "")
        fits = bool(wanted) and bool(wanted.intersection(_constraints_of(data)))
        yield Proposal(str(name), Value(str(name)), "parameter", kind, rank=0 if fits else 1, order=order)
    for name in language_of(desk).pseudo_parameters if with_pseudo else ():
        yield Proposal(name, Value(name), "parameter", "pseudo parameter", rank=4)


def fitting_parameters(desk: Desk, schema: PropertySchema) -> list[str]:
    """The parameters that have the custom constraint of a property."""
    wanted = entity_of(schema)
    found = map_at(desk.template, (desk.template.dialect.parameters,))
    return [str(name) for name, data in found.items() if wanted.intersection(_constraints_of(data))]


def _constraints_of(data: object) -> set[str]:
    listed = at(data, ("constraints",))
    names = (at(item, ("custom_constraint",)) for item in (listed if isinstance(listed, list) else ()))
    return {name.rstrip("s") for name in names if isinstance(name, str)}


def _called_resource(desk: Desk, call: Call) -> str:
    name = value_at(desk.template, (*call.path, 0))
    return name if isinstance(name, str) else ""


def _attributes(desk: Desk, call: Call) -> Iterator[Proposal]:
    resource = _called_resource(desk, call)
    found = found_type(desk, resource)
    if found is None:
        return
    if found.type is None:
        label = f"attributes of {found.name} are not known here"
        yield Proposal(label, Raw(""), "attribute", "unknown type", rank=0)
        return
    for schema in found.type.attributes.values():
        status = schema.support_status.status
        if status is Status.HIDDEN:
            continue
        yield Proposal(
            schema.name,
            Value(schema.name),
            "attribute",
            str(schema.type) if schema.type is not None else "",
            rank=1,
            deprecated=status is Status.DEPRECATED,
            document=partial(_attribute_text, f"{schema.name} · {schema.type or 'Any'}", attribute_lines(schema)),
        )


def _attribute_text(title: str, lines: tuple[str, ...]) -> str:
    return rich_text(title, lines)


def _attribute_keys(desk: Desk, call: Call, path: Path) -> Iterator[Proposal]:
    """The keys below an attribute: those of a nested template's output, or of the property of the same name."""
    found = found_type(desk, _called_resource(desk, call))
    arguments = value_at(desk.template, call.path)
    if found is None or not isinstance(arguments, list):
        return
    steps: Path = tuple(item for item in arguments[1 : _position(path, call)] if isinstance(item, str | int))
    if not steps:
        return
    if found.template is not None:
        words = found.template.dialect
        yield from _keys_of(value_at(found.template, (words.outputs, steps[0], words.value, *steps[1:])))
    elif found.type is not None:
        schema = found.type.properties.get(str(steps[0]))
        for step in steps[1:]:
            schema = schema.children.get(ANY_ELEMENT if isinstance(step, int) else step) if schema is not None else None
        for child in schema.children.values() if schema is not None else ():
            if child.name == ANY_ELEMENT:
                yield Proposal("0", Value(0), "value", "first item", rank=1)
            elif child.support_status.status is not Status.HIDDEN:
                yield Proposal(child.name, Value(child.name), "attribute", str(child.type), rank=1)


def _parameter_keys(desk: Desk, call: Call, path: Path) -> Iterator[Proposal]:
    words = desk.template.dialect
    arguments = value_at(desk.template, call.path)
    if not isinstance(arguments, list):
        return
    steps: Path = tuple(item for item in arguments[: _position(path, call)] if isinstance(item, str | int))
    if steps:
        yield from _keys_of(value_at(desk.template, (words.parameters, steps[0], words.default, *steps[1:])))


def _position(path: Path, call: Call) -> int:
    place = path[len(call.path)] if len(path) > len(call.path) else 0
    return place if isinstance(place, int) else 0


def _keys_of(value: object) -> Iterator[Proposal]:
    if isinstance(value, Mapping):
        for name in value:
            yield Proposal(str(name), Value(str(name)), "attribute", rank=1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield Proposal(str(index), Value(index), "value", str(item)[:40], rank=1, order=index)


def _mapping_keys(desk: Desk, call: Call) -> Iterator[Proposal]:
    words = desk.template.dialect
    arguments = value_at(desk.template, call.path)
    if not isinstance(arguments, list) or not isinstance(call.place, int):
        return
    section = map_at(desk.template, (words.mappings,))
    steps: tuple[Scalar, ...] = tuple(item for item in arguments[: call.place] if isinstance(item, str | int))
    value: object = section
    for count in range(call.place):
        step = steps[count] if count < len(steps) else None
        choices = list(value.values()) if isinstance(value, Mapping) else []
        value = value.get(step) if isinstance(value, Mapping) and step in value else (choices[0] if choices else None)
    yield from _keys_of(value)


def file_names(desk: Desk, endings: tuple[str, ...] = ()) -> Iterator[Proposal]:
    """The files beside the template, as far as anybody can list them."""
    files = desk.types.files
    if isinstance(files, Listing):
        for name in files.names():
            if not endings or name.endswith(endings):
                yield Proposal(name, Value(name), "section", "file", rank=2)

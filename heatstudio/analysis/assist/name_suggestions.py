"""Completion of names: resources, attributes, parameters, conditions, mappings, files."""

from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.assist.available import Available
from heatstudio.analysis.assist.completion_context import CaretContext
from heatstudio.analysis.assist.expectation import EnclosingCall, Expectation, Role
from heatstudio.analysis.assist.sentences import Documentation, attribute_lines
from heatstudio.analysis.assist.suggestion import Raw, Suggestion, Value
from heatstudio.analysis.attribute_path import MEMBER_PREFIX, Attributes, follow, other_names
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, names_in, value_at, written_type
from heatstudio.catalog.attribute_shape import ANY, AttributeKind
from heatstudio.catalog.release import Status
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import TreePath


def names_for(writing: CaretContext, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield the names that may be the value."""
    model, call = writing.model, expectation.call
    match expectation.role:
        case Role.DEPENDS_ON:
            yield from resource_names(model, None, {*_listed(writing), expectation.resource})
        case Role.RESOURCE_NAME:
            yield from resource_names(model, expectation, {expectation.resource})
        case Role.PARAMETER:
            is_group = writing.path[:1] == (model.words.parameter_groups,)
            yield from parameter_names(model, expectation, with_pseudo=not is_group)
        case Role.NAME:
            yield from parameter_names(model, expectation)
            if not expectation.in_condition:
                yield from resource_names(model, expectation, {expectation.resource})
        case Role.CONDITION:
            yield from _conditions(writing)
        case Role.FILE:
            yield from file_names(model)
        case _ if call is not None:
            yield from _argument_names(writing, expectation.role, call)


def _argument_names(writing: CaretContext, role: Role, call: EnclosingCall) -> Iterator[Suggestion]:
    """Yield the names that depend on the other arguments of a function."""
    model = writing.model
    match role:
        case Role.ATTRIBUTE:
            yield from _attributes(writing, call)
        case Role.ATTRIBUTE_KEY:
            yield from _attribute_keys(model, call)
        case Role.PARAMETER_KEY:
            yield from _parameter_keys(model, call)
        case Role.MAPPING:
            for name in names_in(model.template, model.words.mappings):
                yield Suggestion(name, Value(name), "property", "mapping", rank=1)
        case Role.MAPPING_KEY:
            yield from _mapping_keys(model, call)
        case _:
            return


def _listed(writing: CaretContext) -> set[str]:
    """Return the items of the list that is being written."""
    path = writing.path[:-1] if isinstance(writing.path[-1], int) else writing.path
    items = value_at(writing.model.template, path)
    return {str(item) for item in items} if isinstance(items, list) else set()


def _conditions(writing: CaretContext) -> Iterator[Suggestion]:
    """Yield the conditions, except for the condition being defined."""
    template = writing.model.template
    words = template.dialect
    for name in names_in(template, words.conditions) if words.has_conditions else ():
        if writing.path[:2] != (words.conditions, name):
            yield Suggestion(name, Value(name), "condition", "condition", rank=1)


def fitting_names(model: SemanticModel, expectation: Expectation | None) -> tuple[list[str], list[str]]:
    """Return the resources and the parameters that fit an expected property, the most likely first."""
    if expectation is None or expectation.schema is None:
        return [], []
    available = Available.at(model, expectation.resource)
    owner = expectation.owner.type.name if expectation.owner is not None else ""
    return available.resources_for(expectation.schema, owner), available.parameters_for(expectation.schema)


def resource_names(model: SemanticModel, call: Expectation | None, without: set[str]) -> Iterator[Suggestion]:
    """Yield the names of resources, starting with those that fit the property to which a call belongs."""
    fitting, _ = fitting_names(model, call.outer if call is not None else None)
    names = dict.fromkeys((*fitting, *names_in(model.template, model.words.resources)))
    for order, name in enumerate(names):
        if name not in without:
            detail = written_type(model.template, name)
            yield Suggestion(name, Value(name), "resource", detail, rank=0 if order < len(fitting) else 1, order=order)


def parameter_names(
    model: SemanticModel, call: Expectation | None = None, *, with_pseudo: bool = True
) -> Iterator[Suggestion]:
    """Yield the names of parameters, starting with those that fit a call's property, then of pseudo parameters."""
    words = model.words
    _, fitting = fitting_names(model, call.outer if call is not None else None)
    declared = map_at(model.template, (words.parameters,))
    for order, name in enumerate(dict.fromkeys((*fitting, *map(str, declared)))):
        kind = str(at(declared.get(name), (words.type,)) or "")
        yield Suggestion(name, Value(name), "parameter", kind, rank=0 if order < len(fitting) else 1, order=order)
    for name in model.language.pseudo_parameters if with_pseudo else ():
        yield Suggestion(name, Value(name), "parameter", "pseudo parameter", rank=4)


def _called_resource(model: SemanticModel, call: EnclosingCall) -> str:
    name = value_at(model.template, (*call.path, 0))
    return name if isinstance(name, str) else ""


def _attributes(writing: CaretContext, call: EnclosingCall) -> Iterator[Suggestion]:
    """Yield the attributes of a resource, of the members of a group, and of a nested template's resources."""
    model, resource = writing.model, _called_resource(writing.model, call)
    owner = model.attributes_at(resource)
    if owner is None:
        return
    if owner.found.type is None:
        label = f"attributes of {owner.found.name} are not known here"
        yield Suggestion(label, Raw(""), "attribute", "unknown type", rank=0)
        return
    known = _known_attributes(owner)
    yield from known
    for name in owner.declared or ():
        yield Suggestion(name, Value(name), "attribute", "declared output", rank=1)
    rule, member = owner.rule, owner.member
    if rule is not None and rule.passes_on and member is not None:
        names = {one.label for one in known}
        yield from (one for one in _known_attributes(member, " of each member", rank=2) if one.label not in names)
    for name in owner.inner_names():
        inner, label = owner.inner(name), MEMBER_PREFIX + name
        kind = inner.found.name if inner is not None else ""
        yield Suggestion(label, Value(label), "resource", kind, rank=3)
        if inner is not None and writing.prefix.startswith(f"{label}."):
            yield from _known_attributes(inner, prefix=f"{label}.", rank=2)


def _known_attributes(owner: Attributes, detail: str = "", prefix: str = "", rank: int = 1) -> list[Suggestion]:
    kind = owner.found.type
    return [
        Suggestion(
            prefix + schema.name,
            Value(prefix + schema.name),
            "attribute",
            f"{schema.type or ''}{detail}".strip(),
            rank=rank,
            deprecated=schema.support_status.status is Status.DEPRECATED,
            document=partial(Documentation, f"{schema.name} · {schema.type or 'Any'}", attribute_lines(schema)),
        )
        for schema in (kind.attributes.values() if kind is not None else ())
        if schema.support_status.status is not Status.HIDDEN
    ]


def _attribute_keys(model: SemanticModel, call: EnclosingCall) -> Iterator[Suggestion]:
    """Yield the next steps of an attribute path."""
    owner = model.attributes_at(_called_resource(model, call))
    steps = _arguments_before(model, call)[1:]
    node = follow(owner, steps) if owner is not None and steps else None
    if isinstance(node, Attributes):
        yield from _known_attributes(node)
    elif node is not None and node.kind is AttributeKind.LIST:
        for index, item in enumerate(node.items or (ANY,)):
            detail = "first item" if node.items is None else str(item.kind)
            yield Suggestion(str(index), Value(index), "value", detail, rank=1, order=index)
    elif node is not None and owner is not None:
        for name in dict.fromkeys(other_names(owner, node)):
            yield Suggestion(name, Value(name), "attribute", str(node.item.kind) if node.item else "", rank=1)
        for name, shape in node.keys.items():
            yield Suggestion(name, Value(name), "attribute", str(shape.kind), rank=1)


def _parameter_keys(model: SemanticModel, call: EnclosingCall) -> Iterator[Suggestion]:
    """Yield the next steps of a path into the default of a parameter."""
    words = model.words
    steps: TreePath = tuple(item for item in _arguments_before(model, call) if isinstance(item, str | int))
    if steps:
        yield from _keys_of(value_at(model.template, (words.parameters, steps[0], words.default, *steps[1:])))


def _arguments_before(model: SemanticModel, call: EnclosingCall) -> list[object]:
    """Return the arguments before the one that is being written."""
    arguments, place = value_at(model.template, call.path), call.place if isinstance(call.place, int) else 0
    return arguments[:place] if isinstance(arguments, list) else []


def _keys_of(value: object) -> Iterator[Suggestion]:
    if isinstance(value, Mapping):
        for name in value:
            yield Suggestion(str(name), Value(str(name)), "attribute", rank=1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield Suggestion(str(index), Value(index), "value", str(item)[:40], rank=1, order=index)


def _mapping_keys(model: SemanticModel, call: EnclosingCall) -> Iterator[Suggestion]:
    """Yield the keys of a mapping at its next level; the first entry stands for one that is not known."""
    value: object = map_at(model.template, (model.words.mappings,))
    for step in _arguments_before(model, call):
        entries = value if isinstance(value, Mapping) else {}
        is_key = isinstance(step, str | int) and step in entries
        value = entries[step] if is_key else next(iter(entries.values()), None)
    yield from _keys_of(value)


def file_names(model: SemanticModel, endings: tuple[str, ...] = ()) -> Iterator[Suggestion]:
    """Yield the names of the files next to the template, if the files can be listed."""
    for name in model.types.files.names():
        if not endings or name.endswith(endings):
            yield Suggestion(name, Value(name), "section", "file", rank=2)

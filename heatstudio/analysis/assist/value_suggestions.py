"""Completion of values: types, versions, allowed values, functions."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.assist.available import parameter_name
from heatstudio.analysis.assist.completion_context import CaretContext
from heatstudio.analysis.assist.expectation import Expectation, Role
from heatstudio.analysis.assist.extract import declaration
from heatstudio.analysis.assist.layout import escaped
from heatstudio.analysis.assist.name_suggestions import file_names, fitting_names, names_for, resource_names
from heatstudio.analysis.assist.sentences import Documentation, function_documentation, type_lines
from heatstudio.analysis.assist.signature import signatures
from heatstudio.analysis.assist.snippets import unique_name
from heatstudio.analysis.assist.suggestion import CallText, Raw, Suggestion, Value
from heatstudio.analysis.assist.usage import by_usage
from heatstudio.analysis.scope.calls import GET_PARAM, GET_RESOURCE, REF
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, names_in, value_at, written_type
from heatstudio.catalog.release import Status
from heatstudio.catalog.schema import AllowedValues, CustomConstraint, PropertySchema, PropertyType, ResourceType
from heatstudio.stack.definition.types import OWN_NAMESPACES
from heatstudio.stack.functions.hot_functions import Forbidden, Removed, RemovedInCondition
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.parameter_schema import ParameterSchema
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.template import AddEntry, CannotEditError, render
from heatstudio.template.dialect import accepted_versions
from heatstudio.template.syntax.nodes import Scalar
from heatstudio.text import TextEdit

_REFERENCES = ("get_param", "get_resource", "get_attr", "Ref", "Fn::GetAtt", "if")
"""The most frequently used functions, in the order of the completion list."""


def values_for(writing: CaretContext, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield the values that are expected."""
    model = writing.model
    yield from names_for(writing, expectation)
    match expectation.role:
        case Role.VERSION:
            yield from _versions(str(writing.path[0]))
        case Role.TYPE:
            yield from types(model)
        case Role.PROPERTY if expectation.schema is not None:
            yield from _schema_values(writing, expectation.schema)
            is_item = isinstance(writing.path[-1], int) and expectation.schema.type is not PropertyType.MAP
            if (is_item or not writing.is_key) and not writing.quote:
                yield from _fitting_calls(model, expectation)
                yield from _new_parameter(writing, expectation.schema)
        case Role.BOOLEAN:
            yield from choices((True, False))
        case Role.PARAMETER_DEFAULT:
            yield from parameter_values(model, str(writing.path[1]))
        case Role.CUSTOM_CONSTRAINT:
            yield from choices(tuple(model.knowledge.catalog.custom_constraints))
        case Role.COMPARED:
            yield from _compared(model, expectation)
        case Role.CONDITION | Role.CONDITION_DEFINITION:
            yield from choices((True, False), rank=6)
        case _:
            yield from choices(expectation.words)
    yield from _whole_lists(writing, expectation)


def _versions(key: str) -> Iterator[Suggestion]:
    """Yield the dated versions, newest first, then the named versions."""
    versions = sorted(accepted_versions(key), reverse=True)
    for order, version in enumerate(sorted(versions, key=lambda name: not name[:1].isdigit())):
        yield Suggestion(version, Value(version), "value", rank=1, order=order)


def functions_for(writing: CaretContext, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield the functions of the version, if Heat evaluates them here and the map is still empty."""
    if not expectation.takes_functions or (writing.is_key and writing.present):
        return
    language = writing.model.language
    known = language.condition_functions if expectation.in_condition else language.functions
    catalog = writing.model.knowledge.catalog
    for name, kind in known.items():
        signature = signatures().get(name)
        if signature is None or kind in (Removed, RemovedInCondition, Forbidden):
            continue
        yield Suggestion(
            name,
            CallText(signature),
            "function",
            signature.arguments,
            rank=6 if name in _REFERENCES else 7,
            order=_REFERENCES.index(name) if name in _REFERENCES else 0,
            document=partial(function_documentation, signature, catalog),
        )


def _whole_lists(writing: CaretContext, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield whole lists of arguments that start with a resource."""
    call = expectation.call
    if call is None or call.place is not None or call.path != writing.path or writing.is_json:
        return
    if call.signature.role(0) == Role.RESOURCE_NAME:
        for suggestion in resource_names(writing.model, None, {expectation.resource}):
            yield replace(suggestion, body=Raw(f"[{escaped(suggestion.label)}, ${{1}}]"))


def choices(values: tuple[Scalar, ...], rank: int = 1) -> Iterator[Suggestion]:
    """Yield values in their order."""
    for order, value in enumerate(values):
        label = str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)
        word = value == "true" if value in ("true", "false") else value  # a boolean is written without quotes
        yield Suggestion(label, Value(word), "value", rank=rank, order=order)


def _schema_values(writing: CaretContext, schema: PropertySchema) -> Iterator[Suggestion]:
    """Yield the values that a schema suggests."""
    if schema.type is PropertyType.BOOLEAN:
        yield from choices((True, False))
    yield from _allowed(schema)
    yield from _of_cloud(writing.model, schema)
    if schema.type is PropertyType.LIST and writing.is_key and not writing.in_flow and not writing.prefix:
        yield Suggestion("-", Raw("- "), "value", "list item", rank=1)
    if isinstance(schema.default, str | int | float) and not isinstance(schema.default, bool) and schema.default != "":
        yield Suggestion(str(schema.default), Value(schema.default), "value", "default", rank=2)


def _of_cloud(model: SemanticModel, schema: PropertySchema | ParameterSchema) -> Iterator[Suggestion]:
    """Yield the connected cloud's objects of the kind that the constraints require."""
    cloud = model.knowledge.cloud
    for constraint in schema.constraints if cloud is not None else ():
        if cloud is not None and isinstance(constraint, CustomConstraint):
            for name in cloud.names.names(constraint.name):
                yield Suggestion(name, Value(name), "value", f"in {cloud.name}", rank=1)


def _allowed(schema: PropertySchema | ParameterSchema) -> Iterator[Suggestion]:
    for constraint in schema.constraints:
        if isinstance(constraint, AllowedValues):
            values = (one for one in constraint.values if one is None or isinstance(one, str | int | float))
            words_first = sorted(values, key=lambda one: not isinstance(one, str) or one.isdecimal())
            yield from choices(tuple(words_first))


def _fitting_calls(model: SemanticModel, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield references to resources and parameters that fit a property."""
    is_hot = model.words.is_hot
    calls = (("resource", GET_RESOURCE, 3), ("parameter", GET_PARAM, 4))
    for (kind, name, rank), names in zip(calls, fitting_names(model, expectation), strict=True):
        reference = signatures()[name if is_hot else REF]
        for order, one in enumerate(names):
            yield Suggestion(one, CallText(reference, escaped(one)), kind, reference.name, rank, order)


def _new_parameter(writing: CaretContext, schema: PropertySchema) -> Iterator[Suggestion]:
    """Yield a reference to a parameter that is declared with it, for a value that comes from outside the template."""
    template, language = writing.model.template, writing.model.language
    words = template.dialect
    is_reference = schema.entities or schema.refers or schema.external
    if not writing.is_readable or schema.type is PropertyType.LIST or not is_reference:
        return
    base = next(step for step in reversed(writing.path) if isinstance(step, str))
    name = unique_name(template, parameter_name(base, schema))
    change = AddEntry((words.parameters,), name, declaration(schema, None, words, language))

    def declare() -> tuple[TextEdit, ...]:
        try:
            return render(template, (change,))
        except CannotEditError:
            return ()

    call = CallText(signatures()[GET_PARAM if words.is_hot else REF], escaped(name))
    yield Suggestion(name, call, "parameter", "new parameter", rank=5, further=declare)


def parameter_values(model: SemanticModel, name: str) -> Iterator[Suggestion]:
    """Yield the values that a parameter accepts, if they can be listed."""
    words = model.words
    data = map_at(model.template, (words.parameters,)).get(name)
    if str(at(data, (words.type,))).lower() == "boolean":
        yield from choices((True, False))
    schema = model.stack.parameters.schema(name)
    if isinstance(schema, ParameterSchema):
        yield from _allowed(schema)
        yield from _of_cloud(model, schema)


def _compared(model: SemanticModel, expectation: Expectation) -> Iterator[Suggestion]:
    """Yield the values of the compared parameter."""
    if expectation.call is None:
        return
    arguments = value_at(model.template, expectation.call.path)
    for item in arguments if isinstance(arguments, list) else ():
        name = at(item, ("get_param",)) or at(item, ("Ref",))
        if isinstance(name, str):
            yield from parameter_values(model, name)


def types(model: SemanticModel) -> Iterator[Suggestion]:
    """Yield Heat's resource types, the types that the environment maps, and the templates in the same folder."""
    catalog, template = model.knowledge.catalog, model.template
    own, other = OWN_NAMESPACES if template.dialect.is_hot else reversed(OWN_NAMESPACES)
    written = {written_type(template, name) for name in names_in(template, template.dialect.resources)}
    for order, name in enumerate(by_usage(catalog.visible_names, written)):
        found = catalog.get(name)
        if found is not None:
            yield replace(_type(found, own, other), order=order)
    for name, target in _registered(model).items():
        if catalog.get(name) is None:
            yield Suggestion(name, Value(name), "type", target, rank=1)
    for suggestion in file_names(model, TEMPLATE_ENDINGS):
        content = model.file_text(suggestion.label)
        if content is None or "heat_template_version" in content or "TemplateFormatVersion" in content:
            yield Suggestion(suggestion.label, suggestion.body, "type", "nested template", rank=3)


def _type(found: ResourceType, own: str, other: str) -> Suggestion:
    status = found.support_status.status
    detail = "" if status is Status.SUPPORTED else str(status).lower()
    is_old = status is Status.DEPRECATED
    rank = 4 if status is Status.UNSUPPORTED else 2 if found.name.startswith(own) else 3
    is_foreign = found.name.startswith(other)

    def document() -> Documentation:
        return Documentation(found.name, type_lines(found))

    return Suggestion(
        found.name, Value(found.name), "type", detail, rank, deprecated=is_old, document=document, foreign=is_foreign
    )


def _registered(model: SemanticModel) -> dict[str, str]:
    """Return the types that the environment maps, with their targets."""
    names: dict[str, str] = {}
    for file in model.types.environment.files:
        registry = at(file.data, ("resource_registry",))
        items = registry.items() if isinstance(registry, dict) else ()
        mapped = {name: target for name, target in items if isinstance(name, str) and isinstance(target, str)}
        names |= {name: target for name, target in mapped.items() if not name.endswith("*")}
    return names

"""Extraction of a value into a parameter with the type and constraints of the property."""

import re

from heatstudio.analysis.assist.expectation import Expectation, Role, expectation_at
from heatstudio.analysis.assist.snippets import unique_name
from heatstudio.analysis.scope.calls import GET_PARAM, REF, values
from heatstudio.analysis.scope.semantic_model import SemanticModel, names_in
from heatstudio.catalog.facts import maps_in
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    PropertyType,
    Range,
)
from heatstudio.stack.conversion.convert import cfn_constraint
from heatstudio.stack.functions.language import Language
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.values.constraints import applies, violation
from heatstudio.template import AddEntry, Change, DataFix, Dialect, SetValue, TreePath
from heatstudio.text import Applicability

_OF_PROPERTY = {
    PropertyType.STRING: ParameterType.STRING,
    PropertyType.INTEGER: ParameterType.NUMBER,
    PropertyType.NUMBER: ParameterType.NUMBER,
    PropertyType.BOOLEAN: ParameterType.BOOLEAN,
    PropertyType.LIST: ParameterType.LIST,
    PropertyType.MAP: ParameterType.MAP,
}
_COMMON = frozenset({"name", "Name", "value", "type", "description", "size", "port", "key", "id"})
"""Property names that are too general for a parameter name."""


def extract_parameter(model: SemanticModel, offset: int, *, all_occurrences: bool = False) -> DataFix | str:
    """Return the fix that makes the value at an offset, or all equal values of similar properties, a parameter.

    Otherwise return the reason why it is refused.
    """
    template = model.template
    if not template.complete:
        return "The text has syntax errors; fix them first."
    path = _value_path(model, template.path_at(offset).path)
    if path is None:
        return "Place the cursor on a value of a property or output."
    value = at(template.data, path)
    language = model.language
    if value is None or any(len(one) == 1 and next(iter(one)) in language.functions for one in maps_in(value)):
        return "Only a literal value can become a parameter."
    here = expectation_at(model, path)
    words = template.dialect
    name = unique_name(template, _name(path, here, words))
    paths = _equal_values(model, path, value, here) if all_occurrences else [path]
    call = {GET_PARAM if words.is_hot else REF: name}
    changes: list[Change] = [SetValue(one, call) for one in paths]
    changes.append(AddEntry((words.parameters,), name, declaration(here.schema, value, words, language)))
    many = f" ({len(paths)} places)" if len(paths) > 1 else ""
    return DataFix(f"Extract parameter `{name}`{many}", tuple(changes), Applicability.UNSAFE)


def _value_path(model: SemanticModel, path: TreePath) -> TreePath | None:
    """Return the path if its value can become a parameter, else None."""
    words = model.words
    in_properties = path[:1] == (words.resources,) and path[2:3] in ((words.properties,), (words.metadata,))
    if not (in_properties and len(path) > 3) and not (path[:1] == (words.outputs,) and path[2:3] == (words.value,)):
        return None
    here = expectation_at(model, path)
    if here.role not in (Role.PROPERTY, Role.VALUE) or (here.call is not None and here.call.path == path):
        return None
    return path


def _name(path: TreePath, here: Expectation, words: Dialect) -> str:
    names = [step for step in path if isinstance(step, str)]
    last = names[-1]
    unsuitable = {*_COMMON, here.call.signature.name, *here.call.signature.keys} if here.call is not None else _COMMON
    if path[0] == words.outputs or last in unsuitable:
        last = f"{path[1]}_{last}" if words.is_hot else f"{path[1]}{last[:1].upper()}{last[1:]}"
    name = re.sub(r"\W+", "_" if words.is_hot else "", last).strip("_")
    return name or "parameter"


def _equal_values(model: SemanticModel, path: TreePath, value: object, here: Expectation) -> list[TreePath]:
    """Return the paths of equal values with the same type and constraints, the given path first."""
    words = model.words
    tops: list[TreePath] = [
        (words.resources, name, words.properties) for name in names_in(model.template, words.resources)
    ]
    found = (one for top in tops for one in values(at(model.template.data, top), top))
    equal = (other for one, other in found if type(one) is type(value) and one == value)
    alike = [other for other in equal if _is_alike(expectation_at(model, other), here, other, path)]
    return list(dict.fromkeys([path, *alike]))


def _is_alike(there: Expectation, here: Expectation, path: TreePath, first: TreePath) -> bool:
    if there.role is not here.role or there.role not in (Role.PROPERTY, Role.VALUE):
        return False
    if here.schema is None or there.schema is None:
        return here.schema is there.schema and path[-1] == first[-1]
    same = here.schema.type is there.schema.type and set(here.schema.constraints) == set(there.schema.constraints)
    return same and bool(here.schema.constraints or path[-1] == first[-1])


def declaration(schema: PropertySchema | None, value: object, words: Dialect, language: Language) -> dict[str, object]:
    """Return the declaration of a parameter for values of a property, with a default unless it is None."""
    kind = _type(schema, value)
    types = dict(zip(ParameterType, words.parameter_types, strict=True))
    declared: dict[str, object] = {words.type: types[kind]}
    if schema is not None and schema.description:
        declared[words.description] = schema.description.replace("`", "")
    if value is not None:
        declared[words.default] = value
    kept = [
        constraint
        for constraint in (schema.constraints if schema is not None else ())
        if applies(constraint, kind.property_type)
        and (value is None or violation(constraint, value, kind.property_type) is None)
    ]
    written = [data for constraint in kept if (data := _hot(constraint, language)) is not None]
    if words.is_hot:
        return declared | ({words.constraints: written} if written else {})
    return declared | {key: one for constraint in written for key, one in cfn_constraint(constraint)}


def _type(schema: PropertySchema | None, value: object) -> ParameterType:
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        return ParameterType.MAP
    if schema is not None and schema.type in _OF_PROPERTY:
        kind = _OF_PROPERTY[schema.type]
        fits = isinstance(value, dict | list) == (kind in (ParameterType.MAP, ParameterType.LIST))
        if fits:
            return kind
    match value:
        case bool():
            return ParameterType.BOOLEAN
        case int() | float():
            return ParameterType.NUMBER
        case list():
            return ParameterType.LIST
        case dict():
            return ParameterType.MAP
        case _:
            return ParameterType.STRING


def _hot(constraint: Constraint, language: Language) -> dict[str, object] | None:
    """Return a constraint as an item of `constraints`; None if the version does not support it."""
    described = {"description": constraint.description} if constraint.description else {}
    match constraint:
        case Range(minimum, maximum):
            return {"range": _limits(minimum, maximum), **described}
        case Length(minimum, maximum):
            return {"length": _limits(minimum, maximum), **described}
        case Modulo(step, offset):
            return {"modulo": {"step": step, "offset": offset}} if "modulo" in language.parameter_constraints else None
        case AllowedValues(values):
            return {"allowed_values": list(values), **described}
        case AllowedPattern(pattern):
            return {"allowed_pattern": pattern, **described}
        case CustomConstraint(name):
            return {"custom_constraint": name, **described}


def _limits(minimum: float | None, maximum: float | None) -> dict[str, object]:
    limits = {"min": minimum, "max": maximum}
    return {key: value for key, value in limits.items() if value is not None}

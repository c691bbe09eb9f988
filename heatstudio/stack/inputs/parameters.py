"""The parameters of a stack and their values (heat/engine/parameters.py)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from msgspec import Struct, structs

from heatstudio.catalog.schema import CustomConstraint
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.environment import NO_ENVIRONMENT, PARAMETER_DEFAULTS, PARAMETERS, Environment
from heatstudio.stack.inputs.parameter_schema import (
    ParameterSchema,
    ParameterType,
    SchemaError,
    declaration_faults,
    parse_parameter_schema,
)
from heatstudio.stack.numeric import boolean, number
from heatstudio.stack.path import dotted
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.unknown import UNREADABLE, Shape, Unknown, derived, has_unknown
from heatstudio.stack.values.constraints import applies, violation
from heatstudio.template import TreePath

_SHAPES = {
    ParameterType.STRING: Shape.TEXT,
    ParameterType.NUMBER: Shape.NUMBER,
    ParameterType.BOOLEAN: Shape.BOOLEAN,
    ParameterType.LIST: Shape.LIST,
}
STACK_NAMES = frozenset({"OS::stack_name", "AWS::StackName"})
STACK_ID = "OS::stack_id"
NO_MAP = "The parameters section must be a map."
REGION, DEFAULT_REGION = "AWS::Region", "ap-southeast-1"
"""The constant that Heat returns for the region in every cloud (heat/engine/cfn/parameters.py)."""
GROUPS = "parameter_groups"


class GivenValue(Struct, frozen=True):
    """The value of a parameter before its conversion, and the path and file of its source."""

    value: object
    path: TreePath
    file: str | None = None
    is_default: bool = False


def convert(value: object, kind: ParameterType) -> object:
    """Return the converted value of a parameter. Raise ValueError or TypeError with Heat's message."""
    if isinstance(value, Unknown):
        return replace(value, shape=_SHAPES.get(kind, Shape.ANY))
    if kind is ParameterType.STRING:
        return derived("string", value) if has_unknown(value) else str(value)
    if kind is ParameterType.NUMBER:
        return number(value)
    if kind is ParameterType.BOOLEAN:
        return boolean(value)
    return _items(value) if kind is ParameterType.LIST else _loaded(value)


def _items(value: object) -> list[object]:
    if isinstance(value, list):
        return [derived("string", item) if has_unknown(item) else str(item) for item in value]
    if not isinstance(value, str):
        problem = f"'{type(value).__name__}' object has no attribute 'split'"
        raise ValueError(f"Value must be a comma-delimited list string: {problem}")
    return list(value.split(",")) if value else []


def _loaded(value: object) -> object:
    if has_unknown(value):
        return value
    try:
        text = value if isinstance(value, str) else json.dumps(value)
        loaded: object = json.loads(text) if text else value
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"Value must be valid JSON: {error}") from None
    return loaded


class Parameters:
    """The declared parameters and the pseudo parameters of one stack.

    In a `nested` stack, `parameter_defaults` replace the declared defaults and also must satisfy the constraints
    (heat/engine/template.py, param_schemata).
    """

    def __init__(
        self,
        data: object,
        language: Language,
        environment: Environment = NO_ENVIRONMENT,
        *,
        values: Mapping[str, object] | None = None,
        pseudo: Mapping[str, object] | None = None,
        nested: bool = False,
        previous: Parameters | None = None,
    ) -> None:
        self._section = language.dialect.parameters
        self._default_key = language.dialect.default
        self._language = language
        self._raw: Mapping[str, object] = data if isinstance(data, Mapping) else {}
        self._is_wrong = bool(data) and not isinstance(data, Mapping)
        self._environment = environment
        self._values = values or {}
        self._pseudo = dict.fromkeys(language.pseudo_parameters) | dict(pseudo or {})
        self._nested = nested
        self._new_defaults = environment.parameter_defaults if nested else {}
        self._schemas = {name: self._schema(name, previous) for name in self._raw}
        self._cache: dict[str, object] = {}

    def _schema(self, name: str, previous: Parameters | None) -> ParameterSchema | SchemaError:
        is_replaced = name in self._new_defaults
        if previous is not None and not is_replaced and previous.is_same(name, self._raw[name], self._language):
            return previous.declared(name)
        try:
            schema = parse_parameter_schema(name, self._raw[name], self._language)
        except SchemaError as error:
            return error.with_traceback(None)  # the error is cached, and its frames would keep the stack alive
        return structs.replace(schema, default=self._new_defaults[name]) if is_replaced else schema

    def is_same(self, name: str, data: object, language: Language) -> bool:
        """Return whether the declaration of a parameter is the object `data` and its default is not replaced."""
        is_own = name in self._raw and name not in self._new_defaults
        return language is self._language and is_own and self._raw[name] is data

    def raw(self, name: str) -> object:
        """Return the data of the declaration of a parameter; None if it is not declared."""
        return self._raw.get(name)

    def declared(self, name: str) -> ParameterSchema | SchemaError:
        """Return the schema of a parameter, or its error. Raise KeyError if it is not declared."""
        return self._schemas[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The declared parameters, in the template's order."""
        return tuple(self._raw)

    @property
    def pseudo_names(self) -> tuple[str, ...]:
        """The pseudo parameters, which exist without a declaration."""
        return tuple(self._pseudo)

    def schema(self, name: str) -> ParameterSchema | None:
        """Return the schema of a parameter; None if it is not declared or the declaration is invalid."""
        schema = self._schemas.get(name)
        return schema if isinstance(schema, ParameterSchema) else None

    def given(self, name: str) -> GivenValue | None:
        """Return the value of a parameter from the source with the highest precedence; None if it has none."""
        if (value := self._values.get(name)) is not None:
            return GivenValue(value, (self._section, name))
        environment = self._environment
        sections = ((PARAMETERS, environment.parameters), (PARAMETER_DEFAULTS, environment.parameter_defaults))
        for section, values in sections:
            value, origin = values.get(name), environment.origin(section, name)
            if value is not None and origin is not None:
                return GivenValue(value, origin.path, origin.file, is_default=section == PARAMETER_DEFAULTS)
        schema = self.schema(name)
        return self._default(name, schema) if schema is not None else None

    def _default(self, name: str, schema: ParameterSchema) -> GivenValue | None:
        if schema.default is None:
            return None
        return GivenValue(schema.default, (self._section, name, self._default_key), is_default=True)

    def value(self, name: str) -> object:
        """Return the converted value; Unknown if missing or invalid. Raise KeyError if there is no such parameter."""
        if name not in self._cache:
            self._cache[name] = self._value(name)
        return self._cache[name]

    def submitted(self, name: str) -> object:
        """Return the value of a declared parameter as sent to Heat; a default is converted."""
        value, parameters = self._values.get(name), self._environment.parameters
        if value is None and name not in parameters:
            return self.value(name)
        value = parameters[name] if value is None else value
        return value if isinstance(value, (str, Unknown)) else _loaded(value)

    def _value(self, name: str) -> object:
        unknown = Unknown(("parameter", name), frozenset({f"parameter:{name}"}))
        if name not in self._schemas:
            return self._pseudo_value(name, unknown)
        schema, given = self.schema(name), self.given(name)
        if schema is None:
            return unknown
        if given is None:
            return Unknown(unknown.key, unknown.origins, _SHAPES.get(schema.type, Shape.ANY))
        try:
            return convert(given.value, schema.type)
        except (ValueError, TypeError) as error:
            # Heat rejects the outermost stack. In a nested stack it fails when a function reads the parameter.
            return Unknown((UNREADABLE, str(error)), unknown.origins) if self._nested else unknown

    def _pseudo_value(self, name: str, unknown: Unknown) -> object:
        value = self._pseudo[name]
        default = self._environment.parameter_defaults.get(name)
        if default is not None:
            return str(default)
        if value is None and name == REGION:
            return DEFAULT_REGION
        if value is None:
            return replace(unknown, shape=Shape.STACK_ID if name == STACK_ID else Shape.TEXT)
        return value

    def problems(self) -> Iterator[StackProblem]:
        """Yield the problems of declarations and values, including missing values."""
        if self._is_wrong:
            yield StackProblem(ProblemKind.SCHEMA, (self._section,), NO_MAP)
        yield from self._undefined()
        for name, schema in self._schemas.items():
            if isinstance(schema, SchemaError):
                faults, valid_part = declaration_faults(str(name), self._raw[name], self._language)
                for fault in faults:
                    yield StackProblem(ProblemKind.SCHEMA, (self._section, name, *fault.path), str(fault))
                if valid_part is not None:
                    found = self._problems_of(name, valid_part)
                    yield from (problem for problem in found if problem.kind is not ProblemKind.MISSING)
            else:
                yield from self._problems_of(name, schema)

    def _missing(self, name: str) -> StackProblem:
        """Return the problem of a parameter without a value, located in the environment that sets it to null."""
        message = f"The Parameter ({name}) was not provided."
        for section in (PARAMETERS, PARAMETER_DEFAULTS) if not self._nested else ():
            origin = self._environment.origin(section, name)
            if origin is not None:
                return StackProblem(ProblemKind.VALUE, origin.path, message, origin.file)
        return StackProblem(ProblemKind.MISSING, (self._section, name), message)

    def _undefined(self) -> Iterator[StackProblem]:
        for name in self._environment.parameters:
            origin = self._environment.origin(PARAMETERS, name)
            if name not in self._schemas and origin is not None:
                message = f"The Parameter ({name}) was not defined in template."
                yield StackProblem(ProblemKind.UNDEFINED, origin.path, message, origin.file)

    def _problems_of(self, name: str, schema: ParameterSchema) -> Iterator[StackProblem]:
        faults = tuple(schema_faults(schema))
        for words, path in faults:
            text = f"Parameter '{name}' is invalid: {words}"
            place = (self._default_key,) if path else ()
            yield StackProblem(ProblemKind.SCHEMA, (self._section, name, *place), text)
        has_default_fault = any(path for _, path in faults)
        given = None if has_default_fault else self.given(name) or self._default(name, schema)
        if given is None and not faults:
            yield self._missing(name)
        message = refusal(schema, given.value) if given is not None else None
        if given is not None and message is not None:
            text = f"Parameter '{name}' is invalid: {message}"
            yield StackProblem(ProblemKind.VALUE, given.path, text, given.file)


def schema_faults(schema: ParameterSchema) -> Iterator[tuple[str, TreePath]]:
    """Yield the faults of a parsed declaration: constraints that do not apply to its type, and an invalid default."""
    applicable = [c for c in schema.constraints if applies(c, schema.type.property_type)]
    for constraint in schema.constraints:
        if constraint not in applicable:
            yield f"{type(constraint).__name__} constraint invalid for {schema.type_word}", ()
    default = schema.default
    if default is None:
        return
    if schema.type is ParameterType.LIST:
        try:
            default = _split_default(default)
        except AttributeError as error:
            yield f"Default must be a comma-delimited list string: {error}", ("default",)
            return
    for constraint in applicable:
        message = violation(constraint, default, schema.type.property_type)
        if message is not None and not isinstance(constraint, CustomConstraint):
            yield f"Invalid default {schema.default} ({message})", ("default",)
            return


def _split_default(default: object) -> list[object]:
    if isinstance(default, list):
        return list(map(str, default))
    if not isinstance(default, str):
        raise AttributeError(f"'{type(default).__name__}' object has no attribute 'split'")
    return list(default.split(","))


def refusal(schema: ParameterSchema, value: object) -> str | None:
    """Return the reason why Heat rejects a value, or None. As in Heat, constraints check scalars before conversion."""
    try:
        converted = convert(value, schema.type)
    except (ValueError, TypeError) as error:
        return str(error)
    checked = converted if schema.type in (ParameterType.LIST, ParameterType.MAP) else value
    messages = (violation(constraint, checked, schema.type.property_type) for constraint in schema.constraints)
    return next((message for message in messages if message is not None), None)


def group_problems(data: object, parameters: Parameters) -> Iterator[StackProblem]:
    """Yield the problems of the section `parameter_groups` of HOT templates (heat/engine/parameter_groups.py)."""
    if not data:
        return
    if not isinstance(data, list):
        yield _group_problem((GROUPS,), (GROUPS,), f"The {GROUPS} should be a list.")
        return
    known = {*parameters.names, *parameters.pseudo_names} - STACK_NAMES  # Heat checks groups before the stack exists
    grouped: list[object] = []
    for index, group in enumerate(data):
        path: TreePath = (GROUPS, index)
        if not isinstance(group, Mapping):
            message = f"'{type(group).__name__}' object has no attribute 'get'"
            yield StackProblem(ProblemKind.GROUP, path, message)
            continue
        place: TreePath = (GROUPS, str(group.get("label", "")))
        members = group.get(PARAMETERS)
        if members is None:
            yield _group_problem(path, place, f"The {PARAMETERS} must be provided for each parameter group.")
        elif not isinstance(members, list):
            yield _group_problem((*path, PARAMETERS), place, f"The {PARAMETERS} of parameter group should be a list.")
        else:
            yield from _member_problems(members, (*path, PARAMETERS), place, known, grouped)


def _member_problems(
    members: list[object], path: TreePath, place: TreePath, known: set[str], grouped: list[object]
) -> Iterator[StackProblem]:
    for index, member in enumerate(members):
        if member in grouped:
            message = f"The {member} parameter must be assigned to one parameter group only."
            yield _group_problem((*path, index), place, message)
            continue
        grouped.append(member)
        if not isinstance(member, str) or member not in known:
            message = f"The grouped parameter {member} does not reference a valid parameter."
            yield _group_problem((*path, index), place, message)


def _group_problem(path: TreePath, place: TreePath, message: str) -> StackProblem:
    return StackProblem(ProblemKind.GROUP, path, f"Parameter Groups error: {dotted(place).rstrip('.')}: {message}")

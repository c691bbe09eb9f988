"""The values of a resource's properties and their problems, computed as in Heat.

As in heat/engine/properties.py, functions are resolved, translation rules applied, values converted to their types and
defaults filled in. Heat stops at the first error; this module reports all errors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from heatstudio.catalog.schema import ANY_ELEMENT, PropertySchema, PropertyType, ResourceType
from heatstudio.stack.functions.function import OMITTED, Function, FunctionError, StackView, resolve
from heatstudio.stack.path import step
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.unknown import Unknown, has_unknown
from heatstudio.stack.values.constraints import violation
from heatstudio.stack.values.convert import convert_scalar, refuse_unknown, wrong_type
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault, PropertyProblem
from heatstudio.stack.values.translation import NO_TRANSLATION, Finder, Translation, active_rules
from heatstudio.template import TreePath

DESCRIPTION = "description"
Resolve = Callable[[object], object]
"""A function that resolves the functions in a value; OMITTED means to leave out the value. May raise FunctionError."""


def _as_written(value: object) -> object:
    return value


def _never(_value: object) -> bool:
    return False


class Properties:
    """The properties at one level of one resource, read with their schemas.

    `data` are the parsed values; `resolve` evaluates functions in them; `is_pending` returns whether a value
    depends on a resource that does not exist yet: Heat does not check constraints on such values. `description`
    is the description of the resource, which Heat uses for the property of that name if the property is updatable
    and not given.
    """

    def __init__(
        self,
        schema: Mapping[str, PropertySchema],
        data: Mapping[str, object],
        *,
        resolve: Resolve = _as_written,
        is_pending: Callable[[object], bool] = _never,
        translation: Translation = NO_TRANSLATION,
        description: str = "",
        path: TreePath = (),
        top: Properties | None = None,
    ) -> None:
        self._schema = schema
        self._data = data
        self._resolve = resolve
        self._is_pending = is_pending
        self._translation = translation
        self._description = description or None
        self._path: TreePath = path
        self._above = top
        self._concerned = translation.concerned(path)
        self._cache: dict[str | int, object] = {}

    @property
    def _top(self) -> Properties:
        """All properties of the resource; only lower levels store it, which avoids reference cycles."""
        return self if self._above is None else self._above

    def _below(self, schema: Mapping[str, PropertySchema], data: Mapping[str, object], path: TreePath) -> Properties:
        return Properties(schema, data, translation=self._translation, path=path, top=self._top)

    @property
    def given(self) -> Collection[str]:
        """The names of the given properties."""
        return self._data.keys()

    @property
    def names(self) -> Collection[str]:
        """The names of the properties in the schema."""
        return self._schema.keys()

    def __getitem__(self, name: str) -> object:
        """Return the value of a property. Raise PropertyError if it has no valid value."""
        if name not in self._cache:
            self._cache[name] = self.property_value(name, validate=False)
        return self._cache[name]

    def value(self, name: str) -> object:
        """Return the value of a property: None if it is required and missing, unknown if it is invalid."""
        try:
            return self[name]
        except PropertyError as error:
            if [(p.fault, p.path) for p in error.problems] == [(PropertyFault.MISSING, (name,))]:
                return None
            return Unknown(("invalid", *self._path, name), frozenset({"an invalid value"}))

    def values(self) -> dict[str, object]:
        """Return the values of all properties in the schema."""
        return {name: self.value(name) for name in self._schema}

    def problems(self) -> Iterator[PropertyProblem]:
        """Yield all errors of Heat's validation in the order of the text, then the missing properties."""
        for name in self._data:
            yield from self.problems_of((name,)) if name in self._schema else (self._unknown(name),)
        for name, schema in self._schema.items():
            may_be_missing = schema.required or self._has_translation(name)
            if may_be_missing and name not in self._data and not self._is_hidden(name):
                yield from self._problems_of(name)

    def problems_of(self, names: Iterable[str]) -> Iterator[PropertyProblem]:
        """Yield the errors of the given properties with these names."""
        for name in names:
            if name in self._schema and not self._is_hidden(name):
                yield from self._problems_of(name)

    def name_problems(self) -> Iterator[PropertyProblem]:
        """Yield the errors that depend only on the names of properties."""
        for name in self._data:
            if name not in self._schema:
                yield self._unknown(name)
            elif not self._schema[name].implemented:
                yield _not_implemented(name, self._schema[name])

    def _is_hidden(self, name: str) -> bool:
        return name in self._concerned and self._translation.hides((*self._path, name))

    def _has_translation(self, name: str | int) -> bool:
        concerned = isinstance(name, int) or name in self._concerned
        return concerned and self._translation.has_translation((*self._path, name))

    def _unknown(self, name: object) -> PropertyProblem:
        message = f"Unknown Property {name}"
        return PropertyProblem(PropertyFault.UNKNOWN, (step(name),), message, alternatives=tuple(self._schema))

    def _problems_of(self, name: str) -> Iterator[PropertyProblem]:
        schema = self._schema[name]
        try:
            self._cache[name] = self.property_value(name, validate=True)
        except PropertyError as error:
            yield from error.problems
        if not schema.implemented and name in self._data:
            yield _not_implemented(name, schema)

    def property_value(self, name: str, validate: bool) -> object:
        """Return the value of a property. Raise PropertyError if it is invalid; `validate` also checks constraints."""
        schema = self._schema[name]
        path = (*self._path, name)
        if name in self._data and not self._is_hidden(name):
            value = self._read(name, schema, self._data[name], path, validate)
            if value is not OMITTED:
                return value
        if self._has_translation(name):
            value = self._translated_value(name, schema, path, validate)
            if value is not OMITTED:
                return value
        if schema.default is not None:
            return self.converted(schema, None, path, validate=False)
        if schema.required:
            raise PropertyError.of(PropertyFault.MISSING, f"Property {name} not assigned", name, schema=schema)
        return self._description if name == DESCRIPTION and schema.update_allowed else None

    def _translate(self, path: TreePath, value: object, validate: bool) -> object:
        return self._translation.translate(path, value, self._data, self._top.property_value, validate=validate)

    def _read(self, name: str | int, schema: PropertySchema, written: object, path: TreePath, validate: bool) -> object:
        """Return a given value resolved, translated and converted; OMITTED if it resolves to OMITTED."""
        try:
            value = self._resolve(written)
            if value is OMITTED:
                return value
            if self._has_translation(name):
                value = self._translate(path, value, False)
            return self.converted(schema, value, path, validate=validate and not self._is_pending(written))
        except (PropertyError, FunctionError) as error:
            raise _at(name, error) from None

    def _translated_value(self, name: str, schema: PropertySchema, path: TreePath, validate: bool) -> object:
        """Return the value that translation rules set for a property that is not given; OMITTED if they set none."""
        try:
            value = self._translate(path, None, validate)
            if value is None and schema.default is None:
                return OMITTED
            return Properties({name: schema}, {}).converted(schema, value, path, validate=False)
        except (PropertyError, FunctionError) as error:
            raise _at(name, error) from None

    def converted(self, schema: PropertySchema, value: object, path: TreePath, *, validate: bool) -> object:
        """Return a value converted to its schema. Raise PropertyError, with paths relative to the value."""
        if isinstance(value, Unknown):
            refuse_unknown(schema, value, validate=validate)
            return value
        if schema.type is PropertyType.MAP:
            result = self._map(schema, value, path, validate)
        elif schema.type is PropertyType.LIST:
            result = self._list(schema, value, path, validate)
        else:
            result = convert_scalar(schema, value)
        if validate:
            for constraint in schema.constraints:
                message = violation(constraint, result, schema.type)
                if message is not None:
                    fault = PropertyFault.CONSTRAINT
                    raise PropertyError.of(fault, message, schema=schema, constraint=constraint, value=result)
        return result

    def _map(self, schema: PropertySchema, value: object, path: TreePath, validate: bool) -> object:
        if value is None:
            value = schema.default if schema.default is not None else {}
        if not isinstance(value, Mapping):
            if schema.allow_conversion and isinstance(value, str):
                return value
            if schema.allow_conversion and isinstance(value, list):
                return value if has_unknown(value) else convert_scalar(schema, value)
            raise wrong_type(schema, value, f'"{value}" is not a map')
        if not schema.children:
            return dict(value)
        child = self._below(schema.children, value, path)
        return child.all_values(tuple(schema.children), validate)

    def _list(self, schema: PropertySchema, value: object, path: TreePath, validate: bool) -> object:
        if value is None:
            value = schema.default or []
        if schema.allow_conversion and isinstance(value, str):
            value = value.split(",") if value else []
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise wrong_type(schema, value, f'"{value!r}" is not a list')
        element = schema.children.get(ANY_ELEMENT)
        if element is None:
            return list(value)
        return self._below({}, {}, path).all_elements(element, value, validate)

    def all_values(self, names: tuple[str, ...], validate: bool) -> dict[str, object]:
        """Return the values of all names. Raise PropertyError with all problems."""
        problems = list(self.problems()) if validate else []
        values: dict[str, object] = {}
        if not problems:
            for name in names:
                try:
                    values[name] = self[name]
                except PropertyError as error:
                    problems += error.problems
        if problems:
            raise PropertyError(tuple(problems))
        return values

    def all_elements(self, element: PropertySchema, written: Sequence[object], validate: bool) -> list[object]:
        """Return the values of all elements of a list. Raise PropertyError with all problems."""
        problems: list[PropertyProblem] = []
        values: list[object] = []
        for index, item in enumerate(written):
            try:
                values.append(self._read(index, element, item, (*self._path, index), validate))
            except PropertyError as error:
                problems += error.problems
            if validate and not element.implemented:
                problems.append(_not_implemented(index, element))
        if problems:
            raise PropertyError(tuple(problems))
        return values


def _at(name: str | int, error: PropertyError | FunctionError) -> PropertyError:
    """Return an error of a property's value, with paths that begin with the property."""
    if isinstance(error, PropertyError):
        return error.below(name)
    fault = PropertyFault.FUNCTION
    problem = PropertyProblem(
        fault,
        (name,),
        error.message,
        words=error.words,
        origin=error.path,
        argument=error.argument,
        missing=error.missing,
    )
    return PropertyError((problem,))


def _not_implemented(name: str | int, schema: PropertySchema) -> PropertyProblem:
    message = f"Property {name} not implemented yet"
    return PropertyProblem(PropertyFault.NOT_IMPLEMENTED, (name,), message, schema)


def resource_properties(
    definition: ResourceDefinition,
    resource_type: ResourceType,
    stack: StackView,
    *,
    finder: Finder | None = None,
    is_pending: Callable[[object], bool] | None = None,
) -> Properties:
    """Return the properties of a resource; for `finder` and `is_pending`, see Translation and Properties."""
    parsed = definition.properties
    if isinstance(parsed, Function):
        try:
            parsed = resolve(parsed, stack)
        except FunctionError:
            parsed = None
    data: Mapping[str, object] = parsed if isinstance(parsed, dict) else {}

    def read(value: object) -> object:
        return resolve(value, stack, nullable=True) if isinstance(value, (Function, dict, list)) else value

    rules = resource_type.translation_rules
    if any(rule.when_set is not None for rule in rules):
        plain = Properties(resource_type.properties, data, resolve=read)
        rules = active_rules(rules, lambda name: name in data and bool(plain.value(name)))
    return Properties(
        resource_type.properties,
        data,
        resolve=read,
        is_pending=is_pending if is_pending is not None else lambda _value: False,
        translation=Translation(rules, finder) if rules else NO_TRANSLATION,
        description=definition.description,
    )

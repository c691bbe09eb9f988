"""Definitions of resources and outputs, independent of the template's dialect (heat/engine/rsrc_defn.py, output.py)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from heatstudio.stack.functions.function import Function, FunctionError, StackView, parse, parse_condition, resolve
from heatstudio.stack.functions.language import Language
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Dialect, TreePath

EMPTY: Mapping[object, object] = {}


class DefinitionPlace(Struct, frozen=True):
    """The paths of a resource's definition, its type and its properties in the text that defines it."""

    path: TreePath
    type: TreePath
    properties: TreePath


class ResourceDefinition(Struct, frozen=True, eq=False):
    """The definition of one resource, with parsed but unresolved functions."""

    name: str
    data: object
    """The plain data of the entry; equal data mean equal definitions."""
    place: DefinitionPlace
    type: str = ""
    """The resource type as written; empty if it is missing."""
    properties: object = None
    """A parsed map or function; None if absent or invalid. The same applies to `metadata` and `update_policy`."""
    metadata: object = None
    depends_on: tuple[str, ...] = ()
    deletion_policy: object = None
    update_policy: object = None
    description: str = ""
    external_id: object = None
    condition: object = None
    """A condition name, a boolean or a condition function; None if there is no condition."""
    problems: tuple[StackProblem, ...] = ()


class OutputDefinition(Struct, frozen=True, eq=False):
    """The definition of one output."""

    name: str
    data: object
    value: object = None
    condition: object = None
    problems: tuple[StackProblem, ...] = ()


def define_resource(
    name: str, data: object, language: Language, place: DefinitionPlace | None = None
) -> ResourceDefinition:
    """Return the definition of a resource from the plain data of its entry, with its `problems`.

    `place` is the place of a group's member in the template of the group.
    """
    if place is None:
        path = (language.dialect.resources, name)
        place = DefinitionPlace(path, (*path, language.dialect.type), (*path, language.dialect.properties))
    return _ResourceReader(name, data, language, place).read()


def resolved_external_id(definition: ResourceDefinition, stack: StackView) -> object:
    """Return the external ID of a resource; None if it has none or Heat fails to compute it."""
    try:
        return resolve(definition.external_id, stack)
    except FunctionError:
        return None


def as_deletion_policy(value: object) -> object:
    """Return a deletion policy as Heat capitalizes it; newer versions accept `retain` (heat/engine/hot/template.py)."""
    return value.capitalize() if isinstance(value, str) else value


class _ResourceReader:
    def __init__(self, name: str, data: object, language: Language, place: DefinitionPlace) -> None:
        self._name = name
        self._data = data
        self._place = place
        self._entry: Mapping[object, object] = data if isinstance(data, Mapping) else EMPTY
        self._language = language
        self._words = language.dialect
        self._problems: list[StackProblem] = []

    def read(self) -> ResourceDefinition:
        self._problems += _structure_problems(self._place.path, self._data, self._language)
        words = self._words
        kind = self._field(words.type, (str,), "string") if self._entry.get(words.type) else ""
        conditional = "string_or_boolean" if self._language.is_hot else "string or boolean"
        return ResourceDefinition(
            self._name,
            self._data,
            self._place,
            kind if isinstance(kind, str) else "",
            properties=self._field(words.properties, (dict, Function), "object"),
            metadata=self._field(words.metadata, (dict, Function), "object"),
            depends_on=self._depends_on(),
            deletion_policy=self._deletion_policy(),
            update_policy=self._field(words.update_policy, (dict, Function), "object"),
            description=self._description(),
            external_id=self._field(words.external_id, (str, Function), "string"),
            condition=self._field(words.condition, (str, bool, Function), conditional),
            problems=tuple(self._problems),
        )

    def _path(self, key: str) -> TreePath:
        if key == self._words.properties:
            return self._place.properties
        return self._place.type if key == self._words.type else (*self._place.path, key)

    def _report(self, key: str, message: str) -> None:
        self._problems.append(StackProblem(ProblemKind.STRUCTURE, self._path(key), message))

    def _field(self, key: str, kinds: tuple[type, ...], expected: str) -> object:
        """Return the parsed value of a key; None if it is absent, unknown to the version or of the wrong type."""
        if key not in self._entry or key not in self._words.resource_keys:
            return None
        parser = parse_condition if key == self._words.condition else parse
        value = parser(self._entry[key], self._language, self._path(key))
        if isinstance(value, kinds):
            return value
        self._report(key, f"Resource {self._name} {key} type must be {expected}")
        return None

    def _depends_on(self) -> tuple[str, ...]:
        key = self._words.depends_on
        value = self._entry.get(key, [])
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list):
            self._report(key, f"Resource {self._name} {key} type must be list or string")
            return ()
        if not all(isinstance(item, str) for item in value):
            self._report(key, f"Resource {self._name} {key} must be a list of strings")
        return tuple(item for item in value if isinstance(item, str))

    def _deletion_policy(self) -> object:
        key = self._words.deletion_policy
        value = self._field(key, (str, Function), "string")
        if isinstance(value, str) and value not in self._words.deletion_policies:
            self._report(key, f'Invalid deletion policy "{value}"')
            return None
        return as_deletion_policy(value)

    def _description(self) -> str:
        key = self._words.description
        value = self._entry.get(key, "")
        if not isinstance(value, str):
            self._report(key, f"Resource {self._name} {key} type must be string")
            return ""
        return value


def _structure_problems(path: TreePath, data: object, language: Language) -> Iterator[StackProblem]:
    """Yield the problems of the keys of an entry (heat/engine/hot/template.py and template.py)."""
    words = language.dialect
    hot = language.is_hot
    missing = "Each resource must contain a type key." if hot else "Each Resource must contain a Type key."
    if not data:
        yield StackProblem(ProblemKind.STRUCTURE, path, missing)
    elif not isinstance(data, Mapping):
        form = '"resources" must contain a map of resource maps.' if hot else "Resources must contain Resource."
        yield StackProblem(ProblemKind.STRUCTURE, path, f"{form} Found a [{type(data)}] instead")
    else:
        for key in data:
            if hot and key not in words.resource_keys:
                first = f'"{key}" is not a valid keyword inside a resource definition'
                later = f"Invalid keyword(s) inside a resource definition: {key}"
                message = later if key in language.recognized_resource_keys else first
                yield StackProblem(ProblemKind.STRUCTURE, (*path, str(key)), message)
        if words.type not in data:
            yield StackProblem(ProblemKind.STRUCTURE, path, missing)
        elif not data[words.type]:
            yield StackProblem(ProblemKind.STRUCTURE, (*path, words.type), "Each Resource must contain a Type key.")


def define_output(name: str, data: object, language: Language) -> OutputDefinition:
    """Return the definition of an output from the plain data of its entry."""
    words = language.dialect
    path: TreePath = (words.outputs, name)
    error = "Output validation error: " + ".".join(map(str, path))
    if not isinstance(data, Mapping):
        message = f"{error}: Output definitions must be a map. Found a {type(data).__name__} instead"
        return OutputDefinition(name, data, problems=(StackProblem(ProblemKind.STRUCTURE, path, message),))
    if words.value not in data:
        message = f"{error}: Each output definition must contain a {words.value} key."
        return OutputDefinition(name, data, problems=(StackProblem(ProblemKind.STRUCTURE, path, message),))
    condition = data.get(words.condition) if words.condition in words.output_keys else None
    return OutputDefinition(
        name,
        data,
        value=parse(data[words.value], language, (*path, words.value)),
        condition=parse_condition(condition, language, (*path, words.condition)),
    )


def unknown_output_keys(data: object, words: Dialect) -> list[object]:
    """Return the unknown keys of an output in HOT, which Heat rejects in nested templates only.

    heat/engine/hot/template.py, validate_section; resources/template_resource.py, get_schemas.
    """
    return [key for key in data if key not in words.output_keys] if words.is_hot and isinstance(data, Mapping) else []

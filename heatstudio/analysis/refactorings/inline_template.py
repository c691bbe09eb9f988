"""Inline a nested template: its resources replace the resource that creates its stack."""

from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.assist.reference_index import SymbolKind
from heatstudio.analysis.assist.references import index_of
from heatstudio.analysis.assist.semantic_model import (
    SemanticModel,
    file_text,
    found_type,
    language_of,
    map_at,
    value_at,
)
from heatstudio.analysis.assist.snippets import unique_name
from heatstudio.analysis.attribute_path import MEMBER_PREFIX
from heatstudio.analysis.refactorings.copying import changed, copied
from heatstudio.analysis.refactorings.refactoring import Refactored, Refactoring, RefactoringKind, RefactoringPlace
from heatstudio.analysis.refactorings.references import (
    GET_ATT,
    GET_ATTR,
    ResourceRead,
    attribute_call,
    dependencies,
    reads_in,
    refuse_bound,
    refuse_facades,
    refuse_keys,
    with_dependencies,
)
from heatstudio.analysis.scope.calls import GET_PARAM, REF
from heatstudio.catalog import PropertyType
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType, SchemaError, parse_parameter_schema
from heatstudio.stack.inputs.parameters import convert
from heatstudio.template import (
    AddEntry,
    CannotEditError,
    Change,
    RenameKey,
    SetValue,
    Template,
    TreePath,
    parse_template,
)
from heatstudio.template.editing.rendering_plan import data_at
from heatstudio.text.line_edits import line_edits


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the inlining of the template of the resource at the cursor."""
    if len(place.resources) == 1:
        found = found_type(model, place.resources[0])
        if found is not None and found.template is not None:
            make = partial(_inline, model, place.resources[0])
            yield Refactoring(f"Inline `{found.target}`", RefactoringKind.INLINE, make)


def _inline(model: SemanticModel, owner: str) -> Refactored:
    """Return the edits that replace a resource with those of its template; raise CannotEditError."""
    found = found_type(model, owner)
    text = file_text(model, found.target) if found is not None else None
    if found is None or text is None:
        raise CannotEditError("The nested template cannot be read.")
    inner, outer = parse_template(text), model.template
    words = outer.dialect
    if inner.dialect != outer.dialect:
        raise CannotEditError(f"`{found.target}` has another template version.")
    refuse_bound(model, owner)
    kept = (words.type, words.properties, words.depends_on, words.condition)
    refuse_keys(model, owner, kept, "which would apply to no single resource")
    index = index_of(model, inner)
    if "/" in found.target and any(one.symbol.kind is SymbolKind.FILE for one in index.mentions):
        raise CannotEditError(f"`{found.target}` names files, which are relative to its own folder.")
    after = _Inlining(model, owner, inner).result()
    return Refactored(tuple(line_edits(outer.text, after.text)))


class _Inlining:
    """The inlining of the template `inner`."""

    def __init__(self, model: SemanticModel, owner: str, inner: Template) -> None:
        self._model = model
        self._outer = model.template
        self._words = model.template.dialect
        self._owner = owner
        self._path: TreePath = (self._words.resources, owner)
        self._inner = inner
        self._calls: dict[TreePath, str] = {}
        """The calls of the nested template that read parameters, with the names of these."""
        for mention in index_of(model, inner).mentions:
            is_read = mention.symbol.kind is SymbolKind.PARAMETER and not mention.is_definition
            if is_read and mention.path[0] != self._words.parameter_groups:
                call = mention.path[:-1] if isinstance(mention.path[-1], str) else mention.path[:-2]
                self._calls[call] = mention.symbol.name
        self._names = {
            section: self._free_names(section)
            for section in (self._words.resources, self._words.conditions, self._words.mappings)
        }

    def result(self) -> Template:
        """Return the outer template afterwards; raise CannotEditError."""
        words, resources = self._words, self._names[self._words.resources]
        if not resources:
            raise CannotEditError("The nested template has no resources.")
        inner = changed(self._inner, [*self._inner_changes()])
        outer_changes = [*self._outer_changes(inner)]
        for section in (words.conditions, words.mappings):  # with comments in the nested template, which stays
            new = self._names[section].values()
            outer_changes += (AddEntry((section,), name, data_at(inner.data, (section, name))) for name in new)
        outer_changes += with_dependencies(self._outer, {self._owner: [*resources.values()]})
        outer = changed(self._outer, outer_changes)
        for number, name in enumerate(resources.values()):
            outer = copied(inner, outer, (words.resources, name), self._path if number == 0 else None)
        return outer

    def _free_names(self, section: str) -> dict[str, str]:
        """Return the new names of the entries of a section of the nested template."""
        taken = {*map(str, self._outer.section(section)), *map(str, self._outer.section(self._words.parameters))}
        taken.discard(self._owner)
        names: dict[str, str] = {}
        for old in map(str, self._inner.section(section)):
            new = old if old not in taken else unique_name(self._outer, self._joined(self._owner, old))
            while new in taken:
                new = self._joined(new, old)
            names[old] = new
            taken.add(new)
        return names

    def _joined(self, first: str, second: str) -> str:
        return f"{first}_{second}" if self._words.is_hot else f"{first}{second}"

    def _inner_changes(self) -> Iterator[Change]:
        """Yield the changes of the nested template: new names, passed values, and what the owner had."""
        words, names = self._words, self._names
        entry = map_at(self._outer, self._path)
        for section, renamed in names.items():
            yield from (RenameKey((section, old), new) for old, new in renamed.items() if old != new)
        kinds = {
            SymbolKind.RESOURCE: names[words.resources],
            SymbolKind.CONDITION: names[words.conditions],
            SymbolKind.MAPPING: names[words.mappings],
        }
        for mention in index_of(self._model, self._inner).mentions:
            name, place = mention.symbol.name, mention.path
            new = kinds.get(mention.symbol.kind, {}).get(name, name)
            if new != name and not mention.is_definition and place[2:3] != (words.depends_on,):
                yield SetValue(place, new)
        for call, parameter in self._calls.items():
            if not any(call[:length] in self._calls for length in range(len(call))):
                value = self._value_of(parameter, call)
                if value != value_at(self._inner, call):
                    yield SetValue(call, value)
        yield from self._entry_changes(entry.get(words.condition))

    def _entry_changes(self, condition: object) -> Iterator[Change]:
        """Yield the changes that give the condition and dependencies of the owner to every resource."""
        words, renamed = self._words, self._names[self._words.resources]
        above = dependencies(self._outer, self._owner)
        for old in renamed:
            path: TreePath = (words.resources, old)
            entry = map_at(self._inner, path)
            refuse_facades(self._inner, path)
            if condition is not None and words.condition in entry:
                raise CannotEditError(f"`{old}` and `{self._owner}` both have a condition.")
            if condition is not None:
                yield AddEntry(path, words.condition, condition, after=words.type)
            inside = dependencies(self._inner, old)
            wanted = [*dict.fromkeys((*above, *(renamed.get(one, one) for one in inside)))]
            if wanted != inside:
                place: TreePath = (*path, words.depends_on)
                yield SetValue(place, wanted) if inside else AddEntry(path, words.depends_on, wanted)

    def _outer_changes(self, inner: Template) -> Iterator[Change]:
        """Yield the changes of what reads the owner."""
        for read in reads_in(self._model, self._outer):
            if read.resource == self._owner:
                yield SetValue(read.path, self._read_of(read, inner))

    def _read_of(self, read: ResourceRead, inner: Template) -> object:
        """Return what replaces a read of the owner; raise CannotEditError."""
        words = self._words
        if not read.attribute:
            raise CannotEditError(f"`{read.path[1]}` refers to the nested stack, which would not exist.")
        output = map_at(inner, (words.outputs, read.attribute))
        if words.value in output and words.condition not in output:
            return _with_path(output[words.value], read.rest, f"the output `{read.attribute}`")
        member, _, attribute = read.attribute.removeprefix(MEMBER_PREFIX).partition(".")
        name = self._names[words.resources].get(member)
        if not read.attribute.startswith(MEMBER_PREFIX) or name is None or (read.rest and not attribute):
            raise CannotEditError(f"`{read.path[1]}` reads `{read.attribute}`, which no resource would have.")
        return attribute_call(words, name, attribute, read.rest)

    def _value_of(self, parameter: str, call: TreePath) -> object:
        """Return what replaces a call that reads a parameter; raise CannotEditError."""
        words, language = self._words, language_of(self._model)
        arguments = next(iter(map_at(self._inner, call).values()), None)
        rest = arguments[1:] if isinstance(arguments, list) else []
        for index in range(len(rest)):
            place: TreePath = (*call, GET_PARAM, index + 1)
            if place in self._calls:
                rest[index] = self._value_of(self._calls[place], place)
        declared = value_at(self._inner, (words.parameters, parameter))
        try:
            schema = parse_parameter_schema(parameter, declared, language)
        except SchemaError as error:
            raise CannotEditError(f"The value of `{parameter}` depends on the nested stack.") from error
        given = map_at(self._outer, (*self._path, words.properties))
        defaults = self._model.types.environment.parameter_defaults
        value = given.get(parameter, defaults.get(parameter, schema.default))
        if value is None:
            raise CannotEditError(f"The parameter `{parameter}` of the nested template has no value.")
        if call[0] == words.conditions and any(
            name not in (GET_PARAM, REF) for name in _calls_below(value, language.functions)
        ):
            raise CannotEditError(f"A condition reads `{parameter}`, whose value contains a function.")
        converted = self._converted(schema, value)
        part = at(converted, tuple(rest)) if not any(_calls_below(value, language.functions)) else None
        return part if part is not None else _with_path(converted, rest, f"the parameter `{parameter}`")

    def _converted(self, schema: ParameterSchema, value: object) -> object:
        """Return a value as the parameter would give it; raise CannotEditError if only Heat knows its type."""
        functions = language_of(self._model).functions
        called = [*_calls_below(value, functions)]
        if not called:
            try:
                return convert(value, schema.type)
            except (ValueError, TypeError) as error:
                raise CannotEditError(f"The value of `{schema.name}` is invalid.") from error
        is_call = isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) in functions
        kind = self._type_of(value) if isinstance(value, Mapping) and is_call else None
        is_plain = not is_call and schema.type in (ParameterType.LIST, ParameterType.MAP)
        if is_plain or kind is schema.type or (kind is None and schema.type is ParameterType.STRING):
            return value
        raise CannotEditError(f"Heat may convert the value of `{schema.name}`, whose type is not known here.")

    def _type_of(self, call: Mapping[object, object]) -> ParameterType | None:
        """Return the type of the value of a call; None if it is unknown."""
        name, arguments = next(iter(call.items()))
        first = arguments[0] if isinstance(arguments, list) and arguments else arguments
        if not isinstance(first, str):
            return None
        words = self._words
        declared = value_at(self._outer, (words.parameters, first))
        if name in (GET_PARAM, REF) and declared is not None and not isinstance(arguments, list):
            try:
                return parse_parameter_schema(first, declared, language_of(self._model)).type
            except SchemaError:
                return None
        if name in (GET_ATTR, GET_ATT) and isinstance(arguments, list) and len(arguments) == 2:
            found = found_type(self._model, first)
            schema = (
                found.type.attributes.get(str(arguments[1])) if found is not None and found.type is not None else None
            )
            if schema is not None and schema.type in (PropertyType.LIST, PropertyType.MAP):
                return ParameterType.MAP
        return None


def _calls_below(value: object, functions: Mapping[str, object]) -> Iterator[str]:
    """Yield the names of the functions in a value."""
    if isinstance(value, Mapping):
        if len(value) == 1 and next(iter(value)) in functions:
            yield str(next(iter(value)))
        for item in value.values():
            yield from _calls_below(item, functions)
    elif isinstance(value, list):
        for item in value:
            yield from _calls_below(item, functions)


def _with_path(value: object, rest: object, subject: str) -> object:
    """Return the part of a value at a path; raise CannotEditError if a function would have to compute it."""
    if not rest:
        return value
    ((name, arguments),) = value.items() if isinstance(value, Mapping) and len(value) == 1 else (("", None),)
    if name in (GET_PARAM, GET_ATTR) and isinstance(rest, list | tuple):
        return {name: [*(arguments if isinstance(arguments, list) else [arguments]), *rest]}
    raise CannotEditError(f"A part of {subject} is read, which cannot be written in place.")

"""Inline a nested template: its resources replace the resource that creates its stack."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial

from heatstudio.analysis.assist.reference_index import SymbolKind, index_of
from heatstudio.analysis.attribute_path import MEMBER_PREFIX
from heatstudio.analysis.refactorings import references
from heatstudio.analysis.refactorings.refactoring import Refactored, Refactoring, RefactoringKind, RefactoringPlace
from heatstudio.analysis.refactorings.transplant import Transplant, changed
from heatstudio.analysis.scope.calls import GET_PARAM, OF_ATTRIBUTES, REF, attribute_call, calls
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, value_at
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType, SchemaError, parse_parameter_schema
from heatstudio.stack.inputs.parameters import convert
from heatstudio.template import AddEntry, CannotEditError, Change, SetValue, Template, TreePath, parse_template
from heatstudio.text.line_diff import line_edits

_MOST = 200
"""The maximum number of resources, each of which changes the whole text."""


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the inlining of the template of the resource at the cursor."""
    if len(place.resources) == 1:
        found = model.found_type(place.resources[0])
        if found is not None and found.template is not None:
            make = partial(_inline, model, place.resources[0])
            yield Refactoring(f"Inline `{found.target}`", RefactoringKind.INLINE, make)


def _inline(model: SemanticModel, owner: str) -> Refactored:
    """Return the edits that replace a resource with those of its template; raise CannotEditError."""
    found = model.found_type(owner)
    text = model.file_text(found.target) if found is not None else None
    if found is None or text is None:
        raise CannotEditError("The nested template cannot be read.")
    inner, outer = parse_template(text), model.template
    words = outer.dialect
    if inner.dialect != outer.dialect:
        raise CannotEditError(f"`{found.target}` has another template version.")
    references.refuse_bound(model, owner)
    kept = (words.type, words.properties, words.depends_on, words.condition)
    references.refuse_keys(model, owner, kept, "which would apply to no single resource")
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
        self._words = model.words
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
        names = map(str, inner.section(self._words.resources))
        self._transplant = Transplant(model, inner, [(self._words.resources, name) for name in names])

    def result(self) -> Template:
        """Return the outer template afterwards; raise CannotEditError."""
        transplant = self._transplant
        if not transplant.resources:
            raise CannotEditError("The nested template has no resources.")
        if len(transplant.resources) > _MOST:
            raise CannotEditError(f"The nested template has more than {_MOST} resources.")
        values: dict[TreePath, object] = {}
        for call, parameter in self._calls.items():
            if not any(call[:length] in self._calls for length in range(len(call))):
                value = self._value_of(parameter, call)
                if value != value_at(self._inner, call):
                    values[call] = value
        transplant.find_names(self._outer, values, self._owner)
        inner = transplant.adapted(values, self._entry_changes())
        changes = [*self._outer_changes(inner)]
        changes += references.with_dependencies(self._outer, {self._owner: [*transplant.resources.values()]})
        return transplant.copied(inner, changed(self._outer, changes), self._path)

    def _entry_changes(self) -> Iterator[Change]:
        """Yield the changes that give the condition and dependencies of the owner to every resource."""
        words, renamed = self._words, self._transplant.resources
        condition = map_at(self._outer, self._path).get(words.condition)
        above = references.dependencies(self._outer, self._owner)
        for old in renamed:
            path: TreePath = (words.resources, old)
            entry = map_at(self._inner, path)
            references.refuse_facades(self._inner, path)
            if condition is not None and words.condition in entry:
                raise CannotEditError(f"`{old}` and `{self._owner}` both have a condition.")
            if condition is not None:
                yield AddEntry(path, words.condition, condition, after=words.type)
            inside = references.dependencies(self._inner, old)
            wanted = [*dict.fromkeys((*above, *(renamed.get(one, one) for one in inside)))]
            if wanted != inside:
                place: TreePath = (*path, words.depends_on)
                yield SetValue(place, wanted) if inside else AddEntry(path, words.depends_on, wanted)

    def _outer_changes(self, inner: Template) -> Iterator[Change]:
        """Yield the changes of what reads the owner."""
        for read in references.reads_in(self._model, self._outer):
            if read.resource == self._owner:
                yield SetValue(read.path, self._read_of(read, inner))

    def _read_of(self, read: references.ResourceRead, inner: Template) -> object:
        """Return what replaces a read of the owner; raise CannotEditError."""
        words = self._words
        if not read.attribute:
            raise CannotEditError(f"`{read.path[1]}` refers to the nested stack, which would not exist.")
        output = map_at(inner, (words.outputs, read.attribute))
        if words.value in output and words.condition not in output:
            return _with_path(output[words.value], read.rest, f"the output `{read.attribute}`")
        member, _, attribute = read.attribute.removeprefix(MEMBER_PREFIX).partition(".")
        name = self._transplant.resources.get(member)
        if not read.attribute.startswith(MEMBER_PREFIX) or name is None or (read.rest and not attribute):
            raise CannotEditError(f"`{read.path[1]}` reads `{read.attribute}`, which no resource would have.")
        return attribute_call(words, name, attribute, read.rest)

    def _value_of(self, parameter: str, call: TreePath) -> object:
        """Return what replaces a call that reads a parameter; raise CannotEditError."""
        words, language = self._words, self._model.language
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
        called = [name for name, _, _ in calls(value, ()) if name in language.functions]
        if call[0] == words.conditions and not {GET_PARAM, REF}.issuperset(called):
            raise CannotEditError(f"A condition reads `{parameter}`, whose value contains a function.")
        converted = self._with_type(schema, value) if called else _converted(schema, value)
        part = at(converted, tuple(rest)) if not called else None
        return part if part is not None else _with_path(converted, rest, f"the parameter `{parameter}`")

    def _with_type(self, schema: ParameterSchema, value: object) -> object:
        """Return a value with calls if the parameter would not convert it; raise CannotEditError."""
        single = dict(value) if isinstance(value, Mapping) and len(value) == 1 else {}
        name, arguments = next(iter(single.items()), ("", None))
        is_call = name in self._model.language.functions
        kind = self._type_of(str(name), arguments) if is_call else None
        is_plain = not is_call and schema.type in (ParameterType.LIST, ParameterType.MAP)
        if is_plain or kind is schema.type or (kind is None and schema.type is ParameterType.STRING):
            return value
        raise CannotEditError(f"Heat may convert the value of `{schema.name}`, whose type is not known here.")

    def _type_of(self, name: str, arguments: object) -> ParameterType | None:
        """Return the type of the value of a call; None if it is unknown."""
        if name in OF_ATTRIBUTES and isinstance(arguments, list) and len(arguments) == 2:
            return references.attribute_type(self._model, str(arguments[0]), str(arguments[1]))
        declared = map_at(self._outer, (self._words.parameters,)).get(arguments) if isinstance(arguments, str) else None
        if name in (GET_PARAM, REF) and declared is not None:
            with suppress(SchemaError):
                return parse_parameter_schema(str(arguments), declared, self._model.language).type
        return None


def _converted(schema: ParameterSchema, value: object) -> object:
    """Return a literal value as a parameter would give it; raise CannotEditError if it is invalid."""
    try:
        return convert(value, schema.type)
    except (ValueError, TypeError) as error:
        raise CannotEditError(f"The value of `{schema.name}` is invalid.") from error


def _with_path(value: object, rest: object, subject: str) -> object:
    """Return the part of a value at a path; raise CannotEditError if a function would have to compute it."""
    if not rest:
        return value
    ((name, arguments),) = value.items() if isinstance(value, Mapping) and len(value) == 1 else (("", None),)
    if name in (GET_PARAM, OF_ATTRIBUTES[0]) and isinstance(rest, list | tuple):
        return {name: [*(arguments if isinstance(arguments, list) else [arguments]), *rest]}
    raise CannotEditError(f"A part of {subject} is read, which cannot be written in place.")

"""Move resources into a nested template: a new one, or one that a resource of the template already uses."""

import re
from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.assist.reference_index import Mention, SymbolKind
from heatstudio.analysis.assist.references import index_of
from heatstudio.analysis.assist.rename import FileEdit
from heatstudio.analysis.assist.semantic_model import SemanticModel, file_text, found_type, map_at, names_in
from heatstudio.analysis.assist.snippets import unique_name
from heatstudio.analysis.refactorings.copying import changed, copied, removed
from heatstudio.analysis.refactorings.refactoring import Refactored, Refactoring, RefactoringKind, RefactoringPlace
from heatstudio.analysis.refactorings.references import (
    ResourceRead,
    attribute_call,
    dependencies,
    reads_in,
    refuse_bound,
    refuse_facades,
    with_dependencies,
)
from heatstudio.analysis.scope.calls import GET_PARAM
from heatstudio.catalog import PropertyType
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.template import AddEntry, CannotEditError, Change, SetValue, Template, TreePath, parse_template
from heatstudio.template.editing.rendering_plan import data_at
from heatstudio.text import Span, TextEdit
from heatstudio.text.line_edits import line_edits

_INHERITED = "OS::project_id"
"""The pseudo parameter that has the same value in a nested stack."""
_MOST = 50
"""The maximum number of resources, each of which changes both texts."""
_TYPES = {
    PropertyType.STRING: ParameterType.STRING,
    PropertyType.INTEGER: ParameterType.NUMBER,
    PropertyType.NUMBER: ParameterType.NUMBER,
    PropertyType.BOOLEAN: ParameterType.BOOLEAN,
    PropertyType.LIST: ParameterType.MAP,
    PropertyType.MAP: ParameterType.MAP,
}
"""The types of parameters for attributes; a list of maps is only valid as JSON."""


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the extraction of the selected resources, and their move to each nested template of the folder."""
    names = place.resources
    if not names:
        return
    subject = f"`{names[0]}`" if len(names) == 1 else f"{len(names)} resources"
    title = f"Extract {subject} to a nested template"
    yield Refactoring(title, RefactoringKind.EXTRACT, partial(_extract, model, names))
    for owner in names_in(model.template, model.template.dialect.resources):
        found = found_type(model, owner)
        if found is not None and found.template is not None and owner not in names:
            title = f"Move {subject} to `{found.target}` of `{owner}`"
            yield Refactoring(title, RefactoringKind.REWRITE, partial(_move, model, names, owner))


def _extract(model: SemanticModel, names: tuple[str, ...]) -> Refactored:
    """Return the edits that move resources to a new file; raise CannotEditError."""
    template = model.template
    words, base = template.dialect, re.sub(r"[^\w.-]", "_", names[0])
    number, file = 1, f"{base}.yaml"
    while file_text(model, file) is not None:
        number += 1
        file = f"{base}_{number}.yaml"
    sections = (words.parameters, *([words.conditions] if words.has_conditions else []))
    sections += (*([words.mappings] if words.has_mappings else []), words.resources, words.outputs)
    head = f"{template.version_key}: {template.version}\n"
    start = parse_template(head + "".join(f"\n{section}:\n" for section in sections))
    owner = unique_name(template, f"{names[0]}_stack")
    if not words.is_hot:
        raise CannotEditError("Clients send no files for the types of a CloudFormation template. Convert it to HOT.")
    outer, inner = _Mover(model, names, owner, start, file).moved()
    text = inner.text
    for section in sections:
        if inner.data.get(section) is None:
            text = text.replace(f"\n{section}:\n", "", 1)
    text = text.replace(f"\n{words.resources}:\n\n", f"\n{words.resources}:\n", 1)
    made = FileEdit(file, (TextEdit(Span(0, 0), text),), is_new=True)
    return Refactored(tuple(line_edits(template.text, outer.text)), (made,))


def _move(model: SemanticModel, names: tuple[str, ...], owner: str) -> Refactored:
    """Return the edits that move resources to the template of a resource; raise CannotEditError."""
    template, found = model.template, found_type(model, owner)
    text = file_text(model, found.target) if found is not None else None
    if found is None or text is None or found.name != found.target or "/" in found.target:
        raise CannotEditError(f"The template of `{owner}` is not a file beside this template.")
    inner = parse_template(text)
    if template.text.count(found.name) > 1:
        raise CannotEditError(f"`{found.target}` is used more than once; each use would get the resources.")
    if inner.dialect != template.dialect:
        raise CannotEditError(f"`{found.target}` has another template version.")
    outer, after = _Mover(model, names, owner, inner, found.target).moved()
    change = FileEdit(found.target, tuple(line_edits(text, after.text)), text)
    return Refactored(tuple(line_edits(template.text, outer.text)), (change,))


class _Mover:
    """The move of resources into the template `inner`, whose stack the resource `owner` creates."""

    def __init__(self, model: SemanticModel, names: tuple[str, ...], owner: str, inner: Template, file: str) -> None:
        self._model = model
        self._outer = model.template
        self._words = model.template.dialect
        self._names = names
        self._owner = owner
        self._inner = inner
        self._file = file
        self._is_new = owner not in model.template.section(self._words.resources)
        self._copied: set[TreePath] = set()
        """The entries that came from the outer template."""
        self._passed: dict[str, object] = {}
        """The properties of the owner that pass values."""
        self._changes: list[Change] = []
        """The changes of the inner template after the copying."""
        self._parameters: dict[object, str] = {}
        """The parameters of the inner template, by what they pass."""
        self._outputs: dict[tuple[str, str], str] = {}

    def moved(self) -> tuple[Template, Template]:
        """Return both templates after the move; raise CannotEditError."""
        if len(self._names) > _MOST:
            raise CannotEditError(f"Select at most {_MOST} resources at once.")
        for name in self._names:
            refuse_bound(self._model, name)
            refuse_facades(self._outer, (self._words.resources, name))
            self._copy((self._words.resources, name))
        self._copy_conditions()
        for mention in index_of(self._model, self._inner).mentions:
            if (
                mention.symbol.kind is SymbolKind.PARAMETER
                and not mention.is_definition
                and self._is_moved(mention.path)
            ):
                self._pass_parameter(mention)
        for read in reads_in(self._model, self._inner):
            if self._is_moved(read.path) and read.resource not in self._inner.section(self._words.resources):
                self._pass_read(read)
        named = (one for name in self._names for one in dependencies(self._outer, name))
        outside = [one for one in dict.fromkeys(named) if one not in self._names]
        self._changes += with_dependencies(self._inner, dict.fromkeys(outside, ()))
        changes = [*self._owner_changes(outside), *self._read_from_outside()]
        changes += with_dependencies(self._outer, {name: [self._owner] for name in self._names})
        inner = changed(self._inner, self._changes)
        outer = changed(self._outer, changes)
        for name in self._names:
            outer = removed(outer, (self._words.resources, name))
        return outer, inner

    def _copy(self, path: TreePath) -> None:
        if path[1] in self._inner.section(path[0]):
            raise CannotEditError(f"`{self._file}` already has `{path[1]}` in `{path[0]}`.")
        if path[0] == self._words.resources:
            self._inner = copied(self._outer, self._inner, path)
        else:  # which stays in the outer template too, with its comments
            self._inner = changed(self._inner, [AddEntry(path[:1], str(path[1]), data_at(self._outer.data, path))])
        self._copied.add(path)

    def _copy_conditions(self) -> None:
        """Copy the conditions and mappings that the moved resources need, and those that these need."""
        sections = {SymbolKind.CONDITION: self._words.conditions, SymbolKind.MAPPING: self._words.mappings}
        while True:
            needed = {
                (sections[one.symbol.kind], one.symbol.name)
                for one in index_of(self._model, self._inner).mentions
                if one.symbol.kind in sections and not one.is_definition and self._is_moved(one.path)
            }
            new = sorted(path for path in needed - self._copied if path[1] in self._outer.section(path[0]))
            for path in new:
                self._copy(path)
            if not new:
                return

    def _is_moved(self, path: TreePath) -> bool:
        return path[:2] in self._copied

    def _pass_parameter(self, mention: Mention) -> None:
        """Pass a parameter under its own name if that is free; else change the calls."""
        name, words = mention.symbol.name, self._words
        declared = map_at(self._outer, (words.parameters, name)) or {words.type: str(ParameterType.STRING)}
        if name == _INHERITED:
            return
        new = self._parameter(name, name.rpartition("::")[2], {GET_PARAM: name}, declared)
        if new != name:
            self._changes.append(SetValue(mention.path, new))

    def _pass_read(self, read: ResourceRead) -> None:
        """Pass what a moved resource reads of one that stays."""
        words = self._words
        if read.resource == self._owner:
            raise CannotEditError(f"`{read.path[1]}` reads `{read.resource}`, of which it would become a part.")
        kind, rest = ParameterType.STRING, read.rest
        if read.attribute:
            found = found_type(self._model, read.resource)
            schema = found.type.attributes.get(read.attribute) if found is not None and found.type is not None else None
            if schema is None or schema.type not in _TYPES:
                raise CannotEditError(f"The type of the attribute `{read.attribute}` of `{read.resource}` is unknown.")
            kind = _TYPES[schema.type]
        base = _name_of(read)
        call = attribute_call(words, read.resource, read.attribute)
        name = self._parameter((read.resource, read.attribute), base, call, {words.type: str(kind)})
        argument: object = [name, *rest] if rest else name
        self._changes.append(SetValue(read.path, {GET_PARAM: argument}))

    def _parameter(
        self,
        key: object,
        base: str,
        call: Mapping[str, object],
        declared: Mapping[object, object] | Mapping[str, object],
    ) -> str:
        """Return the parameter of the inner template that gets the value of a call; declare it if necessary."""
        if key not in self._parameters:
            given = map_at(self._outer, (self._words.resources, self._owner, self._words.properties))
            same = next((str(name) for name, value in given.items() if value == call), None)
            taken = {*self._passed, *self._inner.section(self._words.outputs)}
            name = same or unique_name(self._inner, base)
            while same is None and name in taken:
                name += "_value"
            self._parameters[key] = name
            if same is None:
                self._passed[name] = call
                self._changes.append(AddEntry((self._words.parameters,), name, declared))
        return self._parameters[key]

    def _read_from_outside(self) -> Iterator[Change]:
        """Yield the changes of what reads the moved resources, and add the outputs that they read instead."""
        words = self._words
        for read in reads_in(self._model, self._outer):
            is_inside = read.path[0] == words.resources and read.path[1] in self._names
            if is_inside or read.resource not in self._names:
                continue
            if read.path[:2] == (words.resources, self._owner):
                raise CannotEditError(f"`{self._owner}` reads `{read.resource}`, which would become a part of it.")
            key = read.resource, read.attribute
            if key not in self._outputs:
                name, taken = _name_of(read), {*self._inner.section(words.outputs), *self._outputs.values()}
                while name in taken:
                    name += "_output"
                self._outputs[key] = name
                condition = map_at(self._outer, (words.resources, read.resource)).get(words.condition)
                output: dict[str, object] = {words.value: attribute_call(words, read.resource, read.attribute)}
                output |= {words.condition: condition} if condition is not None else {}
                self._changes.append(AddEntry((words.outputs,), name, output))
            yield SetValue(read.path, attribute_call(words, self._owner, self._outputs[key], read.rest))

    def _owner_changes(self, outside: list[str]) -> Iterator[Change]:
        """Yield the changes that create the owner, or that pass more values to it."""
        words = self._words
        path: TreePath = (words.resources, self._owner)
        if self._is_new:
            data: dict[str, object] = {words.type: self._file}
            data |= {words.properties: self._passed} if self._passed else {}
            data |= {words.depends_on: outside} if outside else {}
            yield AddEntry((words.resources,), self._owner, data, after=self._names[-1])
            return
        for name, call in self._passed.items():
            yield AddEntry((*path, words.properties), name, call)
        before = dependencies(self._outer, self._owner)
        new = [*dict.fromkeys((*before, *outside))]
        if outside and words.depends_on in map_at(self._outer, path):
            yield SetValue((*path, words.depends_on), new)
        elif outside:
            yield AddEntry(path, words.depends_on, new)


def _name_of(read: ResourceRead) -> str:
    """Return a name for a parameter or output with the value of a read."""
    return re.sub(r"\W+", "_", f"{read.resource}_{read.attribute}").strip("_")

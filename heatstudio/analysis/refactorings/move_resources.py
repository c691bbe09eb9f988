"""Move resources to another template: a new or existing nested one, or that of another stack."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from heatstudio.analysis.assist.reference_index import SymbolKind, index_of
from heatstudio.analysis.assist.rename import FileEdit
from heatstudio.analysis.assist.snippets import unique_name
from heatstudio.analysis.refactorings import references
from heatstudio.analysis.refactorings.refactoring import Refactored, Refactoring, RefactoringKind, RefactoringPlace
from heatstudio.analysis.refactorings.transplant import Transplant, changed, removed
from heatstudio.analysis.scope.calls import GET_PARAM, attribute_call
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, names_in, value_at, written_type
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.parent_templates import type_names
from heatstudio.template import AddEntry, CannotEditError, Change, SetValue, Template, TreePath, parse_template
from heatstudio.template.editing.rendering_plan import same_data
from heatstudio.text import Span, TextEdit
from heatstudio.text.line_diff import line_edits

_INHERITED = "OS::project_id"
"""The pseudo parameter that has the same value in a nested stack."""
_MOST = 50
"""The maximum number of resources, each of which changes both texts."""


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the extraction of the selected resources, and their move to each template of the folder."""
    names = place.resources
    if not names:
        return
    subject = f"`{names[0]}`" if len(names) == 1 else f"{len(names)} resources"
    title = f"Extract {subject} to a nested template"
    yield Refactoring(title, RefactoringKind.EXTRACT, partial(_extract, model, names))
    nested = {model.source.file}
    for owner in names_in(model.template, model.words.resources):
        found = model.found_type(owner)
        if found is not None and found.template is not None:
            nested.add(found.target)
            if owner not in names:
                title = f"Move {subject} to `{found.target}` of `{owner}`"
                yield Refactoring(title, RefactoringKind.MOVE, partial(_move, model, names, found.target, owner))
    for file in model.types.files.templates():
        if file not in nested:
            title = f"Move {subject} to the stack of `{file}`"
            yield Refactoring(title, RefactoringKind.MOVE, partial(_move, model, names, file, ""))


def _extract(model: SemanticModel, names: tuple[str, ...]) -> Refactored:
    """Return the edits that move resources to a new file; raise CannotEditError."""
    template, words = model.template, model.words
    if not words.is_hot:
        raise CannotEditError("Clients send no files for the types of a CloudFormation template. Convert it to HOT.")
    base = re.sub(r"[^\w.-]", "_", names[0])
    number, file = 1, f"{base}.yaml"
    while model.file_text(file) is not None:
        number += 1
        file = f"{base}_{number}.yaml"
    sections = words.parameters, *([words.conditions] if words.has_conditions else []), words.resources, words.outputs
    head = f"{template.version_key}: {template.version}\n"
    start = parse_template(head + "".join(f"\n{section}:\n" for section in sections))
    owner = unique_name(template, f"{names[0]}_stack")
    outer, inner = _NestedMove(model, names, start, file, owner).result()
    text = inner.text
    for section in sections:
        if inner.data.get(section) is None:
            text = text.replace(f"\n{section}:\n", "", 1)
    text = text.replace(f"\n{words.resources}:\n\n", f"\n{words.resources}:\n", 1)
    made = FileEdit(file, (TextEdit(Span(0, 0), text),), is_new=True)
    return Refactored(tuple(line_edits(template.text, outer.text)), (made,))


def _move(model: SemanticModel, names: tuple[str, ...], file: str, owner: str) -> Refactored:
    """Return the edits that move resources to the template of a resource or of another stack; raise CannotEditError."""
    template, text = model.template, model.file_text(file)
    if text is None or "/" in file or (owner and written_type(template, owner) != file):
        raise CannotEditError(f"`{file}` is not a readable file beside this template.")
    if owner and template.text.count(file) > 1:
        raise CannotEditError(f"`{file}` is used more than once; each use would get the resources.")
    target = parse_template(text)
    if target.dialect != template.dialect:
        raise CannotEditError(f"`{file}` has another template version. First set the same version in both.")
    _refuse_other_users(model, file)
    move = _NestedMove(model, names, target, file, owner) if owner else _StackMove(model, names, target, file)
    outer, after = move.result()
    change = FileEdit(file, tuple(line_edits(text, after.text)), text)
    return Refactored(tuple(line_edits(template.text, outer.text)), (change,), stack="" if owner else file)


def _refuse_other_users(model: SemanticModel, file: str) -> None:
    """Raise CannotEditError if another template beside this one nests a file: it would get the resources too."""
    for other in model.types.files.templates():
        text = model.types.files.peek(other) if other not in (file, model.source.file) else None
        if isinstance(text, str) and file in text and file in type_names(parse_template(text).data):
            reason = f"`{other}` uses `{file}` too, and would get the resources."
            raise CannotEditError(f"{reason} Copy the file first, and use the copy in one of them.")


class _ResourceMove(ABC):
    """The move of resources to the template `target`."""

    def __init__(self, model: SemanticModel, names: tuple[str, ...], target: Template, file: str) -> None:
        self._model = model
        self._template = model.template
        self._words = model.words
        self._names = names
        self._target = target
        self._file = file
        self._additions: list[Change] = []
        """The new parameters and outputs of the target."""
        self._parameters: dict[object, str] = {}
        """The parameters of the target, by what they pass."""

    def result(self) -> tuple[Template, Template]:
        """Return both templates after the move; raise CannotEditError."""
        words, names = self._words, self._names
        if len(names) > _MOST:
            raise CannotEditError(f"Select at most {_MOST} resources at once.")
        for name in names:
            references.refuse_bound(self._model, name)
            references.refuse_facades(self._template, (words.resources, name))
        paths = [*((words.resources, name) for name in names), *self._outputs_to_move()]
        transplant = Transplant(self._model, self._template, paths)
        inside: dict[TreePath, object] = {}
        """What replaces values in the moved entries."""
        for mention in transplant.mentions:
            if mention.symbol.kind is SymbolKind.PARAMETER:
                name = self._pass_parameter(mention.symbol.name)
                if name != mention.symbol.name:
                    inside[mention.path] = name
        outside, freed = self._linked(transplant, inside)
        target = changed(self._target, self._additions)
        transplant.find_names(target, inside)
        target = transplant.copied(transplant.adapted(inside, freed), target)
        outer = changed(self._template, outside)
        for path in paths:
            outer = removed(outer, path)
        return outer, target

    def _outputs_to_move(self) -> Iterable[TreePath]:
        """Return the outputs that move too."""
        return ()

    @abstractmethod
    def _pass_parameter(self, name: str) -> str:
        """Return the parameter of the target with the value of a parameter; declare it if necessary."""

    def _linked(self, transplant: Transplant, inside: dict[TreePath, object]) -> tuple[list[Change], list[Change]]:
        """Add what replaces reads of resources that stay; return the changes of what stays and of what moves."""
        return [], []


class _StackMove(_ResourceMove):
    """The move to the template of another stack, to which no value goes: references between both prevent it."""

    def _outputs_to_move(self) -> Iterator[TreePath]:
        """Yield the outputs that refer to moved resources only; refuse references between both stacks."""
        words, users = self._words, dict[TreePath, list[str]]()
        for mention in index_of(self._model).mentions:
            if mention.symbol.kind is SymbolKind.RESOURCE and not mention.is_definition:
                users.setdefault(mention.path[:2], []).append(mention.symbol.name)
        for path, used in users.items():
            is_moved = path[0] == words.resources and path[1] in self._names
            crossing = [name for name in used if (name in self._names) is not is_moved]
            if path[0] == words.outputs and len(crossing) == len(used):
                yield path
            elif crossing:
                raise CannotEditError(
                    f"`{path[1]}` refers to `{crossing[0]}`, which would be in another stack. "
                    "Select both, or replace the reference by a parameter."
                )

    def _pass_parameter(self, name: str) -> str:
        declared = map_at(self._template, (self._words.parameters, name))
        there = value_at(self._target, (self._words.parameters, name))
        if declared and there is not None and not same_data(there, declared):
            raise CannotEditError(f"`{self._file}` declares the parameter `{name}` in another way.")
        if declared and there is None and name not in self._parameters:
            self._parameters[name] = name
            self._additions.append(AddEntry((self._words.parameters,), name, declared))
        return name


class _NestedMove(_ResourceMove):
    """The move to the template of the stack that the resource `owner` creates.

    This stack gets the values that the resources read, and has outputs for what others read of them.
    """

    def __init__(self, model: SemanticModel, names: tuple[str, ...], target: Template, file: str, owner: str) -> None:
        super().__init__(model, names, target, file)
        self._owner = owner
        self._passed: dict[str, object] = {}
        """The properties of the owner that pass values."""
        self._outputs: dict[tuple[str, str], str] = {}

    def _linked(self, transplant: Transplant, inside: dict[TreePath, object]) -> tuple[list[Change], list[Change]]:
        names = self._names
        for read in references.reads_in(self._model, self._template):
            if read.path[:2] in transplant.entries and read.resource not in names:
                inside[read.path] = self._pass_read(read)
        named = dict.fromkeys(one for name in names for one in references.dependencies(self._template, name))
        staying = [one for one in named if one not in names]
        outside = [*self._reads_from_outside(transplant), *self._owner_changes(staying)]
        depends = references.with_dependencies(self._template, {name: [self._owner] for name in names})
        freed = references.with_dependencies(self._template, dict.fromkeys(staying, ()))
        outside += (one for one in depends if one.path[1] not in names)
        return outside, [one for one in freed if one.path[1] in names]

    def _pass_parameter(self, name: str) -> str:
        if name == _INHERITED:
            return name
        declared = map_at(self._template, (self._words.parameters, name))
        declared = declared or {self._words.type: str(ParameterType.STRING)}
        return self._parameter(name, name.rpartition("::")[2], {GET_PARAM: name}, declared)

    def _pass_read(self, read: references.ResourceRead) -> object:
        """Return the call that replaces a read of a resource that stays."""
        words = self._words
        if read.resource == self._owner:
            raise CannotEditError(f"`{read.path[1]}` reads `{read.resource}`, of which it would become a part.")
        kind = ParameterType.STRING
        if read.attribute:
            found = references.attribute_type(self._model, read.resource, read.attribute)
            if found is None:
                raise CannotEditError(f"The type of the attribute `{read.attribute}` of `{read.resource}` is unknown.")
            kind = found
        call = attribute_call(words, read.resource, read.attribute)
        name = self._parameter((read.resource, read.attribute), _name_of(read), call, {words.type: str(kind)})
        return {GET_PARAM: [name, *read.rest] if read.rest else name}

    def _parameter(self, key: object, base: str, call: Mapping[str, object], declared: Mapping[object, object]) -> str:
        """Return the parameter of the target that gets the value of a call; declare it if necessary."""
        if key not in self._parameters:
            given = map_at(self._template, (self._words.resources, self._owner, self._words.properties))
            same = next((str(name) for name, value in given.items() if value == call), None)
            taken = {*self._passed, *self._target.section(self._words.outputs)}
            name = same or unique_name(self._target, base)
            while same is None and name in taken:
                name += "_value"
            self._parameters[key] = name
            if same is None:
                self._passed[name] = call
                self._additions.append(AddEntry((self._words.parameters,), name, declared))
        return self._parameters[key]

    def _reads_from_outside(self, transplant: Transplant) -> Iterator[Change]:
        """Yield the changes of what reads the moved resources, and add the outputs that they read instead."""
        words = self._words
        for read in references.reads_in(self._model, self._template):
            if read.path[:2] in transplant.entries or read.resource not in self._names:
                continue
            if read.path[:2] == (words.resources, self._owner):
                raise CannotEditError(f"`{self._owner}` reads `{read.resource}`, which would become a part of it.")
            key = read.resource, read.attribute
            if key not in self._outputs:
                name, taken = _name_of(read), {*self._target.section(words.outputs), *self._outputs.values()}
                while name in taken:
                    name += "_output"
                self._outputs[key] = name
                condition = map_at(self._template, (words.resources, read.resource)).get(words.condition)
                output: dict[str, object] = {words.value: attribute_call(words, read.resource, read.attribute)}
                output |= {words.condition: condition} if condition is not None else {}
                self._additions.append(AddEntry((words.outputs,), name, output))
            yield SetValue(read.path, attribute_call(words, self._owner, self._outputs[key], read.rest))

    def _owner_changes(self, outside: list[str]) -> Iterator[Change]:
        """Yield the changes that create the owner, or that pass more values to it."""
        words = self._words
        path: TreePath = (words.resources, self._owner)
        entry = value_at(self._template, path)
        if entry is None:
            data: dict[str, object] = {words.type: self._file}
            data |= {words.properties: self._passed} if self._passed else {}
            data |= {words.depends_on: outside} if outside else {}
            yield AddEntry((words.resources,), self._owner, data, after=self._names[-1])
            return
        for name, call in self._passed.items():
            yield AddEntry((*path, words.properties), name, call)
        new = [*dict.fromkeys((*references.dependencies(self._template, self._owner), *outside))]
        if outside and words.depends_on in map_at(self._template, path):
            yield SetValue((*path, words.depends_on), new)
        elif outside:
            yield AddEntry(path, words.depends_on, new)


def _name_of(read: references.ResourceRead) -> str:
    """Return a name for a parameter or output with the value of a read."""
    return re.sub(r"\W+", "_", f"{read.resource}_{read.attribute}").strip("_")

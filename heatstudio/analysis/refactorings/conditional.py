"""Make a resource, an output or a property conditional, on a new condition or on one of the template's."""

from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.assist.expectation import expectation_at
from heatstudio.analysis.assist.reference_index import Symbol, SymbolKind, index_of
from heatstudio.analysis.assist.snippets import unique_name
from heatstudio.analysis.refactorings.refactoring import (
    Probe,
    Refactored,
    Refactoring,
    RefactoringKind,
    RefactoringPlace,
)
from heatstudio.analysis.scope.calls import IF
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, names_in, value_at
from heatstudio.template import (
    AddEntry,
    CannotEditError,
    Change,
    Existing,
    SetValue,
    Template,
    TreePath,
    parse_template,
    render,
)
from heatstudio.template.editing.container import reach
from heatstudio.text import apply_edits


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the conditions for the property, resource or output at the cursor."""
    words = model.words
    targets = [path for path in (_property_path(model, place.path), _entry_path(model, place.path)) if path is not None]
    for path in targets:
        kind = "property" if len(path) > 2 else "resource" if path[0] == words.resources else "output"
        subject = f"{kind} `{path[-1]}`"
        known = names_in(model.template, words.conditions) if words.has_conditions else []
        make = partial(_make, model, path)
        yield Refactoring(f"Make {subject} conditional", RefactoringKind.REWRITE, partial(make, None))
        for condition in known:
            title = f"Make {subject} conditional on `{condition}`"
            yield Refactoring(title, RefactoringKind.REWRITE, partial(make, condition))


def _entry_path(model: SemanticModel, path: TreePath) -> TreePath | None:
    """Return the path of the resource or output that has no condition yet."""
    words = model.words
    data = value_at(model.template, path[:2])
    is_entry = len(path) > 1 and path[:1] in ((words.resources,), (words.outputs,)) and isinstance(data, Mapping)
    return path[:2] if is_entry and isinstance(data, Mapping) and words.condition not in data else None


def _property_path(model: SemanticModel, path: TreePath) -> TreePath | None:
    """Return the path of the innermost property around a path, not inside the arguments of a function."""
    words, functions = model.words, model.language.functions
    found = None
    if path[:1] == (words.resources,) and path[2:3] == (words.properties,):
        for length in range(4, len(path) + 1):
            around = value_at(model.template, path[: length - 1])
            if isinstance(around, Mapping) and len(around) == 1 and path[length - 1] in functions:
                break
            if isinstance(path[length - 1], str) and isinstance(around, Mapping):
                found = path[:length]
    return found


def _make(model: SemanticModel, path: TreePath, known: str | None) -> Refactored:
    """Return the edits that make an entry or property conditional; raise CannotEditError."""
    template = model.template
    words = template.dialect
    function = IF[0] if words.is_hot else IF[1]
    if not words.has_conditions or function not in model.language.functions:
        raise CannotEditError(f"Version {words.version} of templates has no conditions. Change the version first.")
    condition, changes = (
        (known, []) if known is not None else _new_condition(model, str(path[1 if len(path) == 2 else -1]))
    )
    if len(path) > 2:
        schema = expectation_at(model, path).schema
        if schema is not None and schema.required:
            raise CannotEditError(f"`{path[-1]}` is required: without a value, Heat would fail to create `{path[1]}`.")
        changes.append(SetValue(path, {function: [condition, Existing(path), None]}))
    else:
        changes += _conditions(model, path, condition)
    edits = render(template, changes)
    after = apply_edits(template.text, edits)
    before = _disabled(template, condition) if known is not None else template.text
    where = f"where `{condition}` is false"
    return Refactored(edits, probe=Probe(before, _disabled(parse_template(after, template), condition), where))


def _disabled(template: Template, condition: str) -> str:
    """Return the text in which a condition is false."""
    words = template.dialect
    value: object = False if words.is_hot else {"Fn::Equals": ["true", "false"]}
    return apply_edits(template.text, render(template, (SetValue((words.conditions, condition), value),)))


def _conditions(model: SemanticModel, path: TreePath, condition: str) -> Iterator[Change]:
    """Yield the changes that give the condition to an entry and to those that depend on it; raise CannotEditError."""
    words = model.words
    for entry in _dependents(model, path, condition):
        other = map_at(model.template, entry).get(words.condition)
        if other is None:
            yield AddEntry(entry, words.condition, condition, after=words.type)
        elif other != condition:
            raise CannotEditError(f"`{entry[1]}` refers to `{path[1]}`, and has another condition.")


def _new_condition(model: SemanticModel, subject: str) -> tuple[str, list[Change]]:
    """Return the name of a new condition, and the changes that declare it with its parameter."""
    words = model.words
    base = f"with_{subject}" if words.is_hot else f"With{subject[:1].upper()}{subject[1:]}"
    parameter = unique_name(model.template, base)
    name, taken = parameter, names_in(model.template, words.conditions)
    while name in taken:
        name += "_" if words.is_hot else "C"
    if words.is_hot:
        declared: dict[str, object] = {words.type: "boolean", words.default: True}
        value: dict[str, object] = {"get_param": parameter}
    else:
        declared = {words.type: "String", words.default: "true", "AllowedValues": ["true", "false"]}
        value = {"Fn::Equals": [{"Ref": parameter}, "true"]}
    return name, [AddEntry((words.parameters,), parameter, declared), AddEntry((words.conditions,), name, value)]


def _dependents(model: SemanticModel, path: TreePath, condition: str) -> list[TreePath]:
    """Return the entry, and the entries that refer to it at any distance: Heat rejects a reference to nothing.

    `depends_on` may name a disabled resource, and so may the branch of the same condition.
    """
    words, index = model.words, index_of(model)
    found = [path]
    for entry in found:
        uses = index.of(Symbol(SymbolKind.RESOURCE, str(entry[1]))) if entry[0] == words.resources else ()
        for use in uses:
            is_free = use.path[2:3] == (words.depends_on,) or _is_guarded(model, use.path, condition)
            if use.is_definition or is_free:
                continue
            reach(model.template, use.path)  # a shared value may be used in other entries
            if use.path[:2] not in found:
                found.append(use.path[:2])
    return found


def _is_guarded(model: SemanticModel, path: TreePath, condition: str) -> bool:
    """Return whether a path is in the branch that Heat evaluates only if the condition is true."""
    return any(
        step in IF and path[at + 1 : at + 2] == (1,) and value_at(model.template, (*path[: at + 1], 0)) == condition
        for at, step in enumerate(path)
    )

"""Fixes of an unknown name: similar names, or a new definition of this name."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.nearest import nearest_element
from heatstudio.analysis.scope.scope import Scope
from heatstudio.stack.functions.examine import FunctionProblem
from heatstudio.stack.problem import StackProblem
from heatstudio.template import AddEntry, Change, DataFix, DeleteEntry, Existing, RenameKey, SetValue, TreePath
from heatstudio.text import Applicability


def with_names(finding: Finding, place: TreePath, name: str, known: Iterable[str], title: str = "Use `{}`") -> Finding:
    """Return the finding at the misspelled name, with a fix for each similar known name."""
    return meaning(replace(finding, place=Place(place)), nearest_element(name, known), title, partial(SetValue, place))


def with_allowed(finding: Finding, value: object, allowed: Sequence[object]) -> Finding:
    """Return the finding at the wrong value, or at the wrong items of a list, with fixes that use allowed values."""
    path = finding.place.path
    items = [((*path, index), item) for index, item in enumerate(value)] if isinstance(value, list) else [(path, value)]
    wrong = [(place, item) for place, item in items if item not in allowed]
    if not wrong:
        return finding
    places = tuple(Place(place) for place, _ in wrong)
    finding = replace(finding, place=places[0], also=places[1:])
    place, name = wrong[0]
    names = [one for one in allowed if isinstance(one, str)]
    return with_names(finding, place, name, names) if isinstance(name, str) else finding


def meaning(finding: Finding, names: Sequence[str], title: str, change: Callable[[str], Change]) -> Finding:
    """Return the finding with a suggested name and a fix for each of `names`, the most likely first."""
    fixes = name_fixes(names, title, change)
    return replace(finding, meant=names[0] if names else "", fixes=(*fixes, *finding.fixes))


def name_fixes(names: Sequence[str], title: str, change: Callable[[str], Change]) -> tuple[DataFix, ...]:
    """Return a fix for each name, the first one preferred; the name is inserted into the title."""
    return tuple(
        DataFix(title.format(name), (change(name),), Applicability.UNSAFE, preferred=name == names[0]) for name in names
    )


def of_other_kind(finding: Finding, kind: str, function: str) -> Finding:
    """Return the finding about a name that does not exist in its kind, but in another one, which a function reads."""
    message = f"{finding.message.removesuffix('.')}: this is a {kind}; use `{function}`."
    rename = RenameKey(finding.place.path, function)
    fix = DataFix.likely(f"Use `{function}`", rename)
    return replace(finding, message=message, fixes=(fix,))


def move_to_resources(scope: Scope, path: TreePath) -> DataFix | None:
    """Return the fix that moves the definition of a resource of a known type, written elsewhere, to the resources."""
    words, name, entry = scope.words, str(path[-1]), scope.data_at(path)
    kind = entry.get(words.type) if isinstance(entry, Mapping) else None
    section = scope.data_at((words.resources,))
    if not isinstance(kind, str) or not isinstance(section or {}, Mapping) or scope.view.names_resource(name):
        return None
    if scope.types.find(kind).type is None:
        return None
    changes = (AddEntry((words.resources,), name, Existing(path)), DeleteEntry(path, prune=True))
    return DataFix.likely(f"Move `{name}` to `{words.resources}`", *changes)


def is_in_definition(scope: Scope, problem: StackProblem | FunctionProblem) -> bool:
    """Return whether a problem, also one of a call or resource, is in the definition of a condition."""
    return problem.path[:1] == (scope.words.conditions,)


def of_missing_condition(finding: Finding, scope: Scope) -> Finding | None:
    """Return the finding at the name of an undefined condition; None for any other problem."""
    for path, name in _texts(scope, finding.place.path):
        if finding.message == f'Invalid condition "{name}"':
            words = scope.words
            known = scope.view.names(words.conditions)
            create = AddEntry((words.conditions,), name, value=True)
            preferred = not nearest_element(name, known)
            fix = DataFix(f"Declare condition `{name}`", (create,), Applicability.UNSAFE, preferred=preferred)
            fixes = (fix,) if words.has_conditions else ()
            return with_names(replace(finding, fixes=fixes), path, name, known)
    return None


def of_missing_attribute(finding: Finding, scope: Scope) -> Finding | None:
    """Return the finding at the name of an unknown attribute; None for any other problem."""
    arguments = [name for _, name in _texts(scope, finding.place.path)][:2]
    if len(arguments) < 2 or finding.message != "The Referenced Attribute ({} {}) is incorrect.".format(*arguments):
        return None
    resource, attribute = arguments
    known = scope.view.resource(resource).attribute_names or ()
    return with_names(finding, (*finding.place.path, 1), attribute, known)


def _texts(scope: Scope, path: TreePath) -> Iterator[tuple[TreePath, str]]:
    """Yield the string at a path, or the strings in the list at the path."""
    written = scope.data_at(path)
    found = [((*path, index), item) for index, item in enumerate(written)] if isinstance(written, list) else []
    for place, item in found or [(path, written)]:
        if isinstance(item, str):
            yield place, item

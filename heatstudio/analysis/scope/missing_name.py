"""Fixes of an unknown name: similar names, or a new object of this name."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import Scope
from heatstudio.stack.path import Path
from heatstudio.template import AddEntry, Change, Remedy, SetValue
from heatstudio.text import Applicability


def with_names(finding: Finding, place: Path, name: str, known: Iterable[str], title: str = "Use `{}`") -> Finding:
    """The finding at the misspelled name, with the names of those known that were probably meant."""
    return meaning(replace(finding, place=Place(place)), nearest(name, known), title, partial(SetValue, place))


def meaning(finding: Finding, names: Sequence[str], title: str, change: Callable[[str], Change]) -> Finding:
    """The finding with the names that were probably meant, the likeliest first, and a fix for each."""
    remedies = name_remedies(names, title, change)
    return replace(finding, meant=names[0] if names else "", remedies=(*remedies, *finding.remedies))


def name_remedies(names: Sequence[str], title: str, change: Callable[[str], Change]) -> tuple[Remedy, ...]:
    """A fix for each of some names, the first of them preferred; the name goes into the title."""
    return tuple(
        Remedy(title.format(name), (change(name),), Applicability.UNSAFE, preferred=name == names[0]) for name in names
    )


def of_missing_condition(finding: Finding, scope: Scope) -> Finding | None:
    """The finding at the name of a condition that is not there; None if something else is wrong."""
    for path, name in _texts(scope, finding.place.path):
        if finding.message == f'Invalid condition "{name}"':
            words = scope.words
            known = scope.view.names(words.conditions)
            create = AddEntry((words.conditions,), name, value=True)
            preferred = not nearest(name, known)
            remedy = Remedy(f"Declare condition `{name}`", (create,), Applicability.UNSAFE, preferred=preferred)
            remedies = (remedy,) if words.has_conditions else ()
            return with_names(replace(finding, remedies=remedies), path, name, known)
    return None


def of_missing_attribute(finding: Finding, scope: Scope) -> Finding | None:
    """The finding at the name of an attribute that the resource has not; None if something else is wrong."""
    arguments = [name for _, name in _texts(scope, finding.place.path)][:2]
    if len(arguments) < 2 or finding.message != "The Referenced Attribute ({} {}) is incorrect.".format(*arguments):
        return None
    resource, attribute = arguments
    known = scope.view.resource(resource).attribute_names or ()
    return with_names(finding, (*finding.place.path, 1), attribute, known)


def _texts(scope: Scope, path: Path) -> Iterator[tuple[Path, str]]:
    """The text at a path, or the texts of the list there."""
    written = scope.data_at(path)
    found = [((*path, index), item) for index, item in enumerate(written)] if isinstance(written, list) else []
    for place, item in found or [(path, written)]:
        if isinstance(item, str):
            yield place, item

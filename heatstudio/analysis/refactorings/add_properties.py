"""Add the required properties of a resource, or those that most templates set, with references where any fit."""

from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.assist.available import Available
from heatstudio.analysis.assist.starter import common_properties, wired_starter
from heatstudio.analysis.refactorings.refactoring import Refactoring, RefactoringKind, RefactoringPlace, edited
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at
from heatstudio.template import AddEntry, TreePath


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the additions to the resource at the cursor."""
    name = place.resources[0] if len(place.resources) == 1 else ""
    kind = model.type_of(name) if name else None
    if kind is None:
        return
    words = model.words
    path: TreePath = (words.resources, name, words.properties)
    written = {str(key): value for key, value in map_at(model.template, path).items()}
    available = Available.at(model, name)
    missing = {
        "required": wired_starter(kind, available, model.knowledge, written),
        "common": common_properties(kind, available, written),
    }
    for word, values in missing.items():
        new: Mapping[str, object] = {key: value for key, value in values.items() if key not in written}
        if new:
            changes = [AddEntry(path, key, value) for key, value in new.items()]
            title = f"Add {word} properties to `{name}`: {', '.join(new)}"
            yield Refactoring(title, RefactoringKind.REWRITE, partial(edited, model.template, changes))

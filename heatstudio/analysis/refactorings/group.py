"""Wrap a resource in an OS::Heat::ResourceGroup with one member."""

from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.assist.snippets import unique_name
from heatstudio.analysis.refactorings.refactoring import (
    Refactored,
    Refactoring,
    RefactoringKind,
    RefactoringPlace,
    edited,
)
from heatstudio.analysis.refactorings.references import reads_in, refuse_bound, refuse_keys, with_dependencies
from heatstudio.analysis.scope.calls import attribute_call
from heatstudio.analysis.scope.semantic_model import SemanticModel, value_at, written_type
from heatstudio.template import AddEntry, CannotEditError, Change, DeleteEntry, Existing, RenameKey, SetValue, TreePath

_GROUP = "OS::Heat::ResourceGroup"
_MEMBER = "resource.0"
_INDEX = "%index%"


def offers(model: SemanticModel, place: RefactoringPlace) -> Iterator[Refactoring]:
    """Yield the wrapping of the resource at the cursor."""
    if len(place.resources) == 1 and written_type(model.template, place.resources[0]):
        name = place.resources[0]
        yield Refactoring(f"Wrap `{name}` in a ResourceGroup", RefactoringKind.REWRITE, partial(_wrap, model, name))


def _wrap(model: SemanticModel, name: str) -> Refactored:
    """Return the edits that make a resource the only member of a new group; raise CannotEditError."""
    template = model.template
    words = template.dialect
    refuse_bound(model, name)
    kept = (words.type, words.properties, words.metadata, words.depends_on, words.condition, words.deletion_policy)
    refuse_keys(model, name, kept, "which the definition of a member cannot have")
    path: TreePath = (words.resources, name)
    span = template.locate(path)
    if _INDEX in template.text[span.start : span.end]:
        raise CannotEditError(f"`{name}` contains `{_INDEX}`, which a group replaces with the number of the member.")
    group = unique_name(template, f"{name}_group" if words.is_hot else f"{name}Group")
    properties: TreePath = (*path, words.properties)
    metadata: TreePath = (*path, words.metadata)
    definition: dict[str, object] = {"type": written_type(template, name)}
    changes: list[Change] = [RenameKey(path, group), SetValue((*path, words.type), _GROUP)]
    if value_at(template, properties) is not None:
        definition["properties"] = Existing(properties)
    if value_at(template, metadata) is not None:
        definition["metadata"] = Existing(metadata)
        changes.append(DeleteEntry(metadata))
    data = {"count": 1, "resource_def": definition}
    has_properties = template.find(properties) is not None
    changes.append(SetValue(properties, data) if has_properties else AddEntry(path, words.properties, data))
    for one in reads_in(model, template):
        if one.resource == name:
            attribute = f"{_MEMBER}.{one.attribute}" if one.attribute else _MEMBER
            changes.append(SetValue(one.path, attribute_call(words, group, attribute, one.rest)))
    changes += with_dependencies(template, {name: [group]})
    return edited(template, changes)

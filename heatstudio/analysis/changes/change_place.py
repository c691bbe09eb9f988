"""The position of a change of an update plan: in the template, a nested template, or a group's definition."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.analyze import Analysis
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.analysis.scope.inner_stack import InnerStack, inner_stack
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.resource_definition import DefinitionPlace
from heatstudio.template import Dialect, TreePath
from heatstudio.text import is_file
from heatstudio.update.plan.property_lines import leaves
from heatstudio.update.plan.update_plan import Action, Cause, ResourceChange, Subject, SubjectKind


class ChangePlace(Struct, frozen=True):
    """The position of a change in the text of a template."""

    path: TreePath
    """The path in the keywords of that template, whose last steps may not exist in the text."""
    file: str = ""
    """The path of the nested template; empty for the template itself, and for one without a file on disk."""
    name: str = ""
    """The name by which a template refers to the nested template; empty for the template itself."""
    text: str = ""
    """The text of the nested template."""


def part_of_cause(cause: Cause | None) -> TreePath:
    """Return the path of the only difference in a resource, or of all of them; empty without a cause."""
    found = leaves(cause) if cause is not None else []
    return found[0].path if len(found) == 1 else cause.path if cause is not None else ()


def path_of_part(words: Dialect, name: str, part: TreePath, place: DefinitionPlace | None = None) -> TreePath:
    """Return the path of a part of a resource; plans name the parts as in HOT."""
    spoken = {
        "type": words.type,
        "properties": words.properties,
        "metadata": words.metadata,
        "depends_on": words.depends_on,
        "deletion_policy": words.deletion_policy,
        "update_policy": words.update_policy,
    }
    if place is not None and part[:1] == ("properties",):
        return (*place.properties, *part[1:])
    first = (spoken.get(str(part[0])) or part[0],) if part else ()
    return (*(place.path if place is not None else (words.resources, name)), *first, *part[1:])


def place_of_change(analysis: Analysis, trail: Sequence[ResourceChange], cause: Cause | None = None) -> ChangePlace:
    """Return the position of a change in the current text; `trail` has its owners, outermost first, and itself."""
    scope = analysis.scope
    found = _place(scope, tuple(trail), part_of_cause(cause))
    return ChangePlace((scope.words.resources, trail[0].name)) if found.name and not found.file else found


def place_in_old(
    source: Source, knowledge: Knowledge, trail: Sequence[ResourceChange], cause: Cause | None = None
) -> ChangePlace:
    """Return the position of a change on the old side, in the old text of a nested template."""
    scope = TemplateScope(source, *define(source, knowledge), knowledge)
    return _place(scope, tuple(trail), part_of_cause(cause))


def place_of_subject(analysis: Analysis, trail: Sequence[ResourceChange], subject: Subject) -> ChangePlace | None:
    """Return the position of the element that a reason names, in the current text; None if there is none.

    The element may belong to an owner of the nested stack: the innermost template that defines the name counts.
    """
    for scope, here in reversed(list(_templates(analysis.scope, tuple(trail)))):
        if subject.kind is SubjectKind.FILE:
            path = scope.source.files.path(subject.name)
            if path is not None and is_file(path):
                return ChangePlace((), str(path), subject.name)
            continue
        section = _section(scope.words, subject.kind)
        if scope.template.find((section, subject.name)) is not None and (here.file or not here.name):
            return replace(here, path=(section, subject.name))
    return None


def _section(words: Dialect, kind: SubjectKind) -> str:
    """Return the section that defines elements of a kind; empty for files."""
    return {
        SubjectKind.PARAMETER: words.parameters,
        SubjectKind.CONDITION: words.conditions,
        SubjectKind.MAPPING: words.mappings,
        SubjectKind.RESOURCE: words.resources,
    }.get(kind, "")


def _place(scope: TemplateScope, trail: tuple[ResourceChange, ...], part: TreePath) -> ChangePlace:
    change, *inside = trail
    words, place = scope.source.template.dialect, scope.stack.inputs.places.get(change.name)
    if not inside:
        return ChangePlace(path_of_part(words, change.name, part, place))
    inner = _inner(scope, change)
    if inner is None:
        return ChangePlace(path_of_part(words, change.name, (), place))
    if inner.file:
        found = _place(inner.whole, tuple(inside), part)
        return found if found.name else replace(_whole_of(scope, inner), path=found.path)
    return _place_in_group(ResourceScope(scope, change.name), inner, tuple(inside), part)


def _inner(scope: TemplateScope, change: ResourceChange) -> InnerStack | None:
    """Return the nested stack of a resource; None if the template no longer defines the resource."""
    return inner_stack(ResourceScope(scope, change.name)) if scope.stack.names_resource(change.name) else None


def _whole_of(scope: TemplateScope, inner: InnerStack) -> ChangePlace:
    """Return the position of a nested template as a whole."""
    path = scope.source.files.path(inner.file)
    return ChangePlace((), str(path or ""), inner.file, inner.whole.template.text)


def _templates(scope: TemplateScope, trail: tuple[ResourceChange, ...]) -> Iterator[tuple[TemplateScope, ChangePlace]]:
    """Yield the templates along a trail, outermost first."""
    here = ChangePlace(())
    yield scope, here
    for change in trail[:-1]:
        inner = _inner(scope, _written(change, scope.stack.inputs.places))
        if inner is None:
            return
        if inner.file:
            here = _whole_of(scope, inner)
            yield inner.whole, here
        scope = inner.whole


def _written(member: ResourceChange, places: Mapping[str, object]) -> ResourceChange:
    """Return the member of a group whose definition applies, which may be the only one for all members."""
    return member if member.name in places else replace(member, name=next(iter(places), member.name))


def _place_in_group(
    owner: ResourceScope, inner: InnerStack, trail: tuple[ResourceChange, ...], part: TreePath
) -> ChangePlace:
    """Return the property of a group that defines a member, or its size for an added or deleted member."""
    rule = owner.member_rule
    member, *inside = trail
    comes_or_goes = member.action in (Action.ADDED, Action.DELETED)
    if rule is not None and rule.count and comes_or_goes and not inside:
        return ChangePlace((*owner.properties_path, rule.count[0]))
    return _place(inner.whole, (_written(member, inner.whole.stack.inputs.places), *inside), part)

"""Where a change of an update plan is written: in the template, in a nested one, or where a group defines members."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.analyze import Analysis
from heatstudio.analysis.inner_stack import InnerStack, inner_stack
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.stack.files import PlacedFiles
from heatstudio.stack.path import Path
from heatstudio.stack.update.plan_text import narrowed_path
from heatstudio.stack.update.update_plan import Action, Cause, ResourceChange
from heatstudio.template import Dialect


class ChangePlace(Struct, frozen=True):
    """A place in the text of a template."""

    path: Path
    """In the words of that template; it need not be written to its end."""
    file: str = ""
    """The nested template; empty for the template itself."""


def part_of_cause(cause: Cause | None) -> Path:
    """Which part of a resource differs, as deep as it can be told."""
    return (*cause.path, *narrowed_path(cause)) if cause is not None else ()


def path_of_part(words: Dialect, name: str, part: Path) -> Path:
    """Where a part of a resource stands; plans name the parts in the words of HOT."""
    spoken = {
        "type": words.type,
        "properties": words.properties,
        "metadata": words.metadata,
        "depends_on": words.depends_on,
        "deletion_policy": words.deletion_policy,
        "update_policy": words.update_policy,
    }
    first = (spoken.get(str(part[0])) or part[0],) if part else ()
    return (words.resources, name, *first, *part[1:])


def place_of_change(analysis: Analysis, trail: Sequence[ResourceChange], cause: Cause | None = None) -> ChangePlace:
    """Where the present text says what changes; `trail` leads from a resource of the template to the one inside."""
    scope = TemplateScope(analysis.source, analysis.stack, analysis.types, analysis.knowledge, analysis.settings)
    return _place(scope, tuple(trail), part_of_cause(cause))


def _place(scope: TemplateScope, trail: tuple[ResourceChange, ...], part: Path) -> ChangePlace:
    change, *inside = trail
    words = scope.source.template.dialect
    here = ChangePlace((words.resources, change.name))
    if not inside:
        return ChangePlace(path_of_part(words, change.name, part))
    if not scope.stack.names_resource(change.name):
        return here
    owner = ResourceScope(scope, change.name)
    inner = inner_stack(owner)
    if inner is None:
        return here
    if inner.file:
        files = scope.source.files
        path = files.path(inner.file) if isinstance(files, PlacedFiles) else None
        found = _place(inner.whole, tuple(inside), part)
        return here if path is None else replace(found, file=found.file or str(path))
    return _place_in_group(owner, inner, tuple(inside), part)


def _place_in_group(
    owner: ResourceScope, inner: InnerStack, trail: tuple[ResourceChange, ...], part: Path
) -> ChangePlace:
    """Members are written as a property of their group; how many there are is another one."""
    rule = owner.whole.knowledge.update_behavior(owner.type).members if owner.type is not None else None
    member, *inside = trail
    comes_or_goes = member.action in (Action.ADDED, Action.DELETED)
    if rule is not None and rule.count and comes_or_goes and not inside:
        return ChangePlace((*owner.properties_path, rule.count[0]))
    origins = inner.origins or {}
    written = member if member.name in origins else replace(member, name=next(iter(origins), member.name))
    found = _place(inner.whole, (written, *inside), part)
    return found if found.file else ChangePlace(inner.place(found.path) or owner.properties_path)

"""Apply the fixes of many diagnostics together, in rounds until none is left, and prove that they are safe."""

import json
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from heatstudio.analysis.scope import Finding
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.path import dotted
from heatstudio.template import (
    AddEntry,
    AddItem,
    CannotEditError,
    Change,
    DataFix,
    DeleteEntry,
    Existing,
    RenameKey,
    SetValue,
    Template,
    TreePath,
    parse_template,
    render,
)
from heatstudio.template.editing.rendering_plan import parts_in, with_parts
from heatstudio.text import Applicability, TextEdit, apply_edits
from heatstudio.update.plan.update_plan import Action, ResourceChange
from heatstudio.update.plan_update import plan_update

MOST_ROUNDS = 50
"""The maximum number of rounds, in case two fixes undo each other."""
_WITHOUT_EFFECT = (("properties",), ("type",), ("condition",))
"""The paths of causes that change only the notation of values, or the condition of a resource that stays."""


class Step(Struct, frozen=True):
    """One addition, replacement or deletion."""

    place: TreePath
    """The path of the changed map or list."""
    name: str
    sentence: str


class Migration(Struct, frozen=True):
    """The result of applying all fixes."""

    template: Template
    """The template after the fixes."""
    steps: tuple[Step, ...]
    refusals: tuple[str, ...]
    """The fixes that cannot be applied to the text, with the reasons."""


def fix_all(
    template: Template, find: Callable[[Template], Iterable[Finding]], least: Applicability = Applicability.SAFE
) -> Migration:
    """Apply the best fix of every finding if it is at least as applicable as `least`.

    `find` returns the findings of a template; it is called again after each round.
    """
    reported: list[Step] = []
    refusals: dict[str, str] = {}
    for _ in range(MOST_ROUNDS):
        offered: dict[str, DataFix] = {}
        for fix in _best(find(template), max(least, Applicability.UNSAFE)):
            if repr(fix.changes) not in refusals:
                offered.setdefault(repr(fix.changes), fix)
        if not offered:
            break
        made, edits = _together(template, list(offered.values()))
        if not made:
            key, fix = next(iter(offered.items()))
            refusals[key] = f"{fix.title}: {_reason(template, fix)}"
            continue
        reported += steps(change for fix in made for change in fix.changes)
        template = parse_template(apply_edits(template.text, edits), template)
    return Migration(template, tuple(reported), tuple(refusals.values()))


def _best(findings: Iterable[Finding], least: Applicability) -> Iterator[DataFix]:
    for finding in findings:
        best = max(finding.fixes, key=lambda fix: fix.applicability, default=None)
        if best is not None and best.applicability >= least:
            yield best


def _together(template: Template, fixes: list[DataFix]) -> tuple[list[DataFix], tuple[TextEdit, ...]]:
    """Return the first block of fixes, found by bisection, that can be applied together, with their edits."""
    try:
        return fixes, render(template, [change for fix in fixes for change in fix.changes])
    except CannotEditError:
        if len(fixes) == 1:
            return [], ()
    half = len(fixes) // 2
    made, edits = _together(template, fixes[:half])
    return (made, edits) if made else _together(template, fixes[half:])


def _reason(template: Template, fix: DataFix) -> str:
    try:
        render(template, fix.changes)
    except CannotEditError as error:
        return error.reason
    return "Conflicts with other changes."


def is_neutral(before: Source, after: Source, knowledge: Knowledge) -> bool:
    """Return whether a stack update from one source to the other changes no value of any resource."""
    return not disturbances(before, after, knowledge)


def disturbances(before: Source, after: Source, knowledge: Knowledge) -> tuple[ResourceChange, ...]:
    """Return the changes of a stack update that change values because of the differences between two sources."""
    disturbed = [change for change in plan_update(before, after, knowledge).changes if not _is_neutral(change)]
    if not disturbed:
        return ()
    # Some types are replaced by every update: ignore the changes of an update without differences.
    anyway = {change.name: change.action for change in plan_update(before, before, knowledge).changes}
    return tuple(change for change in disturbed if change.causes or anyway.get(change.name) is not change.action)


def _is_neutral(change: ResourceChange) -> bool:
    if change.action is Action.UNCHANGED:
        return True
    return change.action is Action.UPDATED and all(cause.path in _WITHOUT_EFFECT for cause in change.causes)


def steps(changes: Iterable[Change]) -> tuple[Step, ...]:
    """Return the steps of changes; a moved value is a replacement, not a deletion and an addition."""
    changes = tuple(changes)
    renamed = {change.path for change in changes if isinstance(change, RenameKey)}
    gone = [change.path for change in changes if isinstance(change, DeleteEntry)]
    reported: list[Step] = []
    moved: set[TreePath] = set()
    for change in changes:
        if isinstance(change, RenameKey):
            reported.append(_replacement(change.path[:-1], str(change.path[-1]), change.name))
        elif not isinstance(change, DeleteEntry) and change.path not in renamed:
            read = [part.path for part in parts_in(change.value, Existing)]
            sources = {path for path in read for above in gone if path[: len(above)] == above}
            moved |= sources
            reported += _steps_of(change, sorted(sources, key=str))
    emptied = [path for path in gone if not any(source[: len(path)] == path for source in moved)]
    return (*reported, *(_step(path, "is removed") for path in emptied))


def _steps_of(change: SetValue | AddEntry | AddItem, sources: list[TreePath]) -> Iterator[Step]:
    path = (*change.path, change.key) if isinstance(change, AddEntry) else change.path
    if not sources:
        shown = json.dumps(with_parts(change.value, Existing, lambda _part: "..."), default=str)
        yield _step(path, f"is set to `{shown}`" if isinstance(change, SetValue) else "is added")
    for source in sources:
        above = _common(source, path)
        yield _replacement(above, dotted(source[len(above) :]), dotted(path[len(above) :]))


def _step(path: TreePath, action: str) -> Step:
    return Step(path[:-1], str(path[-1]), f"`{path[-1]}` {action}.")


def _replacement(place: TreePath, old: str, new: str) -> Step:
    return Step(place, old, f"`{new}` replaces `{old}`.")


def _common(first: TreePath, second: TreePath) -> TreePath:
    length = 0
    while length < min(len(first), len(second)) - 1 and first[length] == second[length]:
        length += 1
    return first[:length]

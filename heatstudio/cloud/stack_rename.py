"""The rename of a resource, or its move to another stack, without a loss: stacks are abandoned, and adopted changed.

The plan with both versions of all data is on disk before anything changes. How far a rename has come is not stored: the
cloud shows it, so that a rename continues wherever the program, the network or Heat has stopped. All stacks are out of
Heat before the first one is adopted, so that no two stacks have the same resource.
"""

from collections.abc import Iterator
from enum import Enum
from itertools import count
from os.path import lexists
from pathlib import Path

from msgspec import Struct, json

from heatstudio.catalog.facts import part
from heatstudio.cloud.adoption import (
    abandon_nested,
    abandon_stack,
    adopt_stack,
    export_stack,
    has_snapshots,
    ids_of_data,
    ids_of_resources,
    losses,
    refuse_changed,
    wait_for,
    write_stack_data,
)
from heatstudio.cloud.changes import StackOptions, state_of
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.export import file_name
from heatstudio.cloud.stack_actions import stack_actions
from heatstudio.cloud.stacks import DELETED, StackSummary, find_stack, resources_of
from heatstudio.update.running_stack import RunningStack

_PLAN = "rename.plan"
"""The file of a plan, beside the data of the stacks."""
_SNAPSHOTS = "The stack has snapshots, which Heat would delete. Delete them first."


class RenameStage(Enum):
    """How far a rename has come."""

    BEFORE = "Heat has everything as it was."
    BUSY = "Heat is working."
    ABANDONED = "Out of Heat: the data are on disk, and the resources run on."
    RENAMED = "Back in Heat, with the change."
    FAILED = "Heat did not adopt everything. The data are on disk, and the resources run on."


class ChangedStack(Struct, frozen=True, forbid_unknown_fields=True):
    """A stack of a rename, with its data before and after."""

    stack: StackSummary
    """The stack before the rename."""
    data: dict[str, object]
    renamed: dict[str, object]
    options: StackOptions = StackOptions()

    def __repr__(self) -> str:
        """Return the name without the data, because some values are secret."""
        return f"ChangedStack({self.stack.name})"


class RenamePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a rename needs, also after a restart of the program."""

    cloud: str
    old: str
    new: str
    stacks: tuple[ChangedStack, ...]
    """The stack of the resource and, for a move, the one that the resource moves to."""

    @property
    def names(self) -> str:
        """The names of the stacks, for display."""
        return " and ".join(one.stack.name for one in self.stacks)

    @property
    def changed_lines(self) -> tuple[str, ...]:
        """The places in the data that the rename removes, adds or changes, without the values of added ones."""
        return tuple(
            line if len(self.stacks) == 1 else f"{line[:2]}{one.stack.name}: {line[2:]}"
            for one in self.stacks
            for line in _changed(one.data, one.renamed, "")
        )


def _changed(before: object, after: object, place: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            inner = f"{place}.{name}" if place else name
            if name not in after:
                yield f"- {inner}"
            elif name not in before:
                yield f"+ {inner}"
            else:
                yield from _changed(before[name], after[name], inner)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from _changed(*pair, f"{place}.{number}")
    elif before != after:
        yield f"- {place}: {before}"
        yield f"+ {place}: {after}"


def changed_stack(connection: Connection, stack: StackSummary) -> ChangedStack:
    """Return the data of a stack. Raise CloudError, also if none of its resources can be renamed without a loss."""
    data, state = export_stack(connection, stack), state_of(connection, stack)
    reason = stack_actions()["rename"].refusal(state.status)
    reason = reason or (_SNAPSHOTS if has_snapshots(connection, stack) else "") or losses(connection, stack, data)
    if reason:
        message = f"No resource of {stack.name} can be renamed without a loss. {reason}"
        raise CloudError(CloudErrorKind.REFUSED, message)
    return ChangedStack(stack, dict(data), {}, state.options)


def write_plan(plan: RenamePlan, folder: Path) -> None:
    """Write the data of each stack and the plan to a new folder. Raise CloudError."""
    try:
        folder.mkdir(0o700)
    except (OSError, ValueError) as error:
        message = f"Cannot make the folder {folder}: {getattr(error, 'strerror', None) or error}. Choose another one."
        raise CloudError(CloudErrorKind.BAD_CONFIGURATION, message) from None
    for one in plan.stacks:
        write_stack_data(one.data, folder / f"{file_name(one.stack.name)}.json")
    write_stack_data(json.decode(json.encode(plan)), folder / _PLAN)


def free_folder(folder: Path, name: str) -> Path:
    """Return the path of a folder that does not exist."""
    paths = (folder / f"{name}{f'-{number}' if number > 1 else ''}" for number in count(1))
    return next(path for path in paths if not lexists(path))


def read_plan(folder: Path) -> RenamePlan | None:
    """Return the plan in a folder; None if there is none."""
    try:
        return json.decode((folder / _PLAN).read_bytes(), type=RenamePlan)
    except (OSError, ValueError):
        return None


def stage_of(connection: Connection, plan: RenamePlan) -> tuple[RenameStage, tuple[StackSummary | None, ...]]:
    """Return how far a rename has come, and the stacks, None for one that is not in Heat. Raise CloudError."""
    stages, stacks = zip(*(_stage(connection, one) for one in plan.stacks), strict=True)
    if len({*stages}) == 1:
        return stages[0], stacks
    mixed = (stage for stage in (RenameStage.BUSY, RenameStage.FAILED) if stage in stages)
    return next(mixed, RenameStage.ABANDONED), stacks


def _stage(connection: Connection, one: ChangedStack) -> tuple[RenameStage, StackSummary | None]:
    found = _present(connection, one.stack.id) or _present(connection, one.stack.name)
    if found is None:
        return RenameStage.ABANDONED, None
    if found.status.endswith("IN_PROGRESS"):
        return RenameStage.BUSY, found
    if found.status == "ADOPT_FAILED":
        return RenameStage.FAILED, found
    names = resources_of(connection, found).keys()
    before, after = part(one.data, "resources").keys(), part(one.renamed, "resources").keys()
    is_renamed = after - before <= names and names.isdisjoint(before - after)
    return (RenameStage.RENAMED if is_renamed else RenameStage.BEFORE), found


def _present(connection: Connection, identity: str) -> StackSummary | None:
    found = find_stack(connection, identity)
    return found if found is not None and found.status != DELETED else None


def take_out(connection: Connection, plan: RenamePlan) -> None:
    """Abandon the stacks, unless the data of one differ from those in the plan. Raise CloudError."""
    for one in plan.stacks:
        refuse_changed(connection, one.stack, one.data)
    for one in plan.stacks:
        abandon_stack(connection, one.stack, expected=one.data)


def put_back(connection: Connection, plan: RenamePlan, *, renamed: bool) -> tuple[StackSummary, ...]:
    """Adopt the renamed or the original data, from whatever stage. Raise CloudError."""
    wanted = RenameStage.RENAMED if renamed else RenameStage.BEFORE
    found = [(one, *_stage(connection, one)) for one in plan.stacks]
    for one, stage, stack in found:
        if stage is RenameStage.BUSY:
            raise CloudError(CloudErrorKind.CONFLICT, f"Heat is working on {one.stack.name}. Try again in a moment.")
        if stack is not None and stack.id != one.stack.id:
            ids = {*ids_of_resources(resources_of(connection, stack)).values()} - {""}
            if ids and ids.isdisjoint({**ids_of_data(one.data), **ids_of_data(one.renamed)}.values()):
                raise CloudError(CloudErrorKind.CONFLICT, f"Another stack has the name {stack.name} now.")
    for one, stage, stack in found:
        if stage is not wanted:
            if stack is not None:
                abandon_stack(connection, stack, expected=one.data if stack.id == one.stack.id else None)
            abandon_nested(connection, one.data)
    return tuple(
        stack if stage is wanted and stack is not None else _adopted(connection, one, renamed=renamed)
        for one, stage, stack in found
    )


def _adopted(connection: Connection, one: ChangedStack, *, renamed: bool) -> StackSummary:
    data = one.renamed if renamed else one.data
    adopted = wait_for(connection, adopt_stack(connection, one.stack.name, data, one.options).id)
    if adopted is None:
        raise CloudError(CloudErrorKind.CONFLICT, f"The stack {one.stack.name} was deleted in the meantime.")
    return adopted


def differing_ids(one: ChangedStack, running: RunningStack) -> tuple[str, ...]:
    """Return the resources of a renamed stack whose physical IDs are not those of the data."""
    wanted, got = ids_of_data(one.renamed), ids_of_resources(running.resources)
    return tuple("/".join(name) for name in sorted({*wanted, *got}) if wanted.get(name) != got.get(name))

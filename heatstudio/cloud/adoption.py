"""Abandon and adopt: Heat gives up a stack and keeps its resources, and takes resources over into a new stack.

What Heat 27 does (`heat/engine/service.py`, `stack.py` and `resource.py`; tried on a running Heat):

- `export` returns the data of `abandon` and changes nothing; a cloud enables both or none.
- `abandon` keeps nested stacks as stacks without an owner, which could still delete their resources; therefore each is
  abandoned by its ID. It deletes snapshots, events, and the users that resources such as wait condition handles have.
- `adopt` takes only the parameters from the environment in the data; everything else must be in the request. A rollback
  of a failed adoption would delete the resources; therefore the rollback is always disabled.

A resource is renamed, or moved to another stack, without a loss if the stacks are abandoned, and adopted with changed
data. The plan with both versions of all data is on disk before anything changes. How far a rename has come is not
stored: the cloud shows it, so that a rename continues wherever the program, the network or Heat has stopped. All stacks
are out of Heat before the first one is adopted, so that no two stacks have the same resource.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from itertools import count
from os.path import lexists
from pathlib import Path

from msgspec import Struct, convert, to_builtins

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.facts import Facts, items, mapping, part, text, texts
from heatstudio.cloud.changes import NO_OPTIONS, StackOptions, change_stack, stack_actions, start_stack, state_of
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.cloud.export import file_name
from heatstudio.cloud.stacks import DELETED, StackSummary, find_stack, listed_resources, resources_of
from heatstudio.text import checkpoint
from heatstudio.update.running_stack import RunningResource, RunningStack

_GROUPS = read_data(resource_path("adoptable_groups.json"), dict[str, str])
"""The types with a nested stack that can be adopted, apart from templates; `numbered` if the members have numbers."""
_POLL = 0.5
_LONGEST = 600.0
"""The maximum time in seconds to wait for Heat."""
_TRIAL_NAME = "heatstudio_trial"
_NOT_COMPLETE = "its last operation did not succeed, or it is marked as unhealthy, which an adoption forgets."
_MOST_BYTES = 64 * 2**20
Ids = Mapping[tuple[str, ...], str]
"""The physical IDs of resources by their names, from the outermost nested stack to the resource."""
_PLAN = "rename.plan"
"""The file of a plan, beside the data of the stacks."""
_SNAPSHOTS = "The stack has snapshots, which Heat would delete. Delete them first."


def export_stack(connection: Connection, stack: StackSummary) -> Facts:
    """Return the data of a stack as `abandon` would. Raise CloudError, also if the cloud has disabled both."""
    with _explained(connection, "enable_stack_abandon"):
        return connection.facts(f"{stack.path}/export", "resources", "template", patience=LONG_PATIENCE)


@contextmanager
def _explained(connection: Connection, option: str) -> Iterator[None]:
    """Add the option of Heat's configuration to the error of an operation that the cloud has disabled."""
    try:
        yield
    except CloudError as error:
        if not error.message.endswith("is not supported."):
            raise
        message = f"`{connection.name}` has disabled this: {option} is off in its heat.conf. Heat says: {error.message}"
        raise CloudError(error.trouble, message) from None


def write_stack_data(data: object, path: Path) -> None:
    """Write data to a file that only the user can read, and read it again. Raise CloudError."""
    content = json.dumps(data, indent=1).encode()
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)
        beside.touch(0o600)
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        is_complete = path.read_bytes() == content
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        raise CloudError(CloudErrorKind.BAD_CONFIGURATION, f"Cannot write {path}: {reason}.") from None
    if not is_complete:
        raise CloudError(CloudErrorKind.BAD_CONFIGURATION, f"{path} does not have the data that was written.")


def read_stack_data(path: Path) -> Facts:
    """Return the data in a file of an abandoned stack. Raise CloudError."""
    try:
        with path.open("rb") as file:
            found = mapping(json.loads(file.read(_MOST_BYTES)))
    except (OSError, ValueError, RecursionError):
        found = {}
    if not isinstance(found.get("resources"), dict) or not isinstance(found.get("template"), dict):
        message = f"{path} is not the data of an abandoned stack."
        raise CloudError(CloudErrorKind.BAD_CONFIGURATION, message)
    return found


def nested_stacks(data: Facts) -> Iterator[Facts]:
    """Yield the data of all nested stacks, outer ones first."""
    for resource in map(mapping, part(data, "resources").values()):
        if "resources" in resource:
            yield resource
            yield from nested_stacks(resource)


def adoption_refusal(data: Facts) -> str:
    """Return the first reason why Heat cannot adopt data without a loss; empty if it can."""
    template, files = part(data, "template"), part(data, "files")
    written = part(template, "resources") or part(template, "Resources")
    registry = part(part(data, "environment"), "resource_registry")
    for name, resource in part(data, "resources").items():
        facts, definition = mapping(resource), part(written, name)
        kind = text(definition, "type") or text(definition, "Type")
        if "resources" in facts:
            is_template = kind in files or text(registry, kind) in files
            reason = ("" if is_template else _refusal_of_nested(kind, facts)) or adoption_refusal(facts)
            reason = reason or _refusal_of_status(facts)
        else:
            reason = _refusal_of(facts)
        if reason:
            return f"{name}: {reason}"
    return ""


def losses(connection: Connection, stack: StackSummary, data: Facts) -> str:
    """Return the first reason why a stack cannot come back as it is; empty if it can. Raise CloudError.

    The data of a nested stack do not tell whether the resource that owns it is marked as unhealthy.
    """
    failed = (one for one in listed_resources(connection, stack) if text(one, "resource_status").endswith("_FAILED"))
    found = next((f"{text(one, 'resource_name')}: {_NOT_COMPLETE}" for one in failed), "")
    return adoption_refusal(data) or found


def _refusal_of(resource: Facts) -> str:
    if not resource.get("resource_id"):
        return "Heat cannot adopt a resource without a physical ID."
    if "user_id" in part(resource, "resource_data"):
        return "Heat deletes the user that it has created for the signals of the resource."
    return _refusal_of_status(resource)


def _refusal_of_status(facts: Facts) -> str:
    return "" if text(facts, "status") == "COMPLETE" else _NOT_COMPLETE


def _refusal_of_nested(kind: str, nested: Facts) -> str:
    members = part(nested, "resources")
    if kind not in _GROUPS:
        return f"Heat cannot adopt resources of the type {kind}."
    if not members:
        return "Heat cannot adopt a group without members."
    if _GROUPS[kind] == "numbered" and members.keys() != {str(number) for number in range(len(members))}:
        return "members were removed from the group, so Heat would renumber the others."
    return ""


def ids_of_data(data: Facts, owners: tuple[str, ...] = ()) -> Ids:
    """Return the physical IDs in data; nested stacks have none, as Heat makes new ones."""
    found: dict[tuple[str, ...], str] = {}
    for name, resource in part(data, "resources").items():
        facts, place = mapping(resource), (*owners, name)
        found |= ids_of_data(facts, place) if "resources" in facts else {place: text(facts, "resource_id")}
    return found


def ids_of_resources(resources: Mapping[str, RunningResource], owners: tuple[str, ...] = ()) -> Ids:
    """Return the physical IDs of the resources of a running stack, as `ids_of_data` does."""
    found: dict[tuple[str, ...], str] = {}
    for name, resource in resources.items():
        place = (*owners, name)
        found |= ids_of_resources(resource.members, place) if resource.nested else {place: resource.physical_id or ""}
    return found


def try_adoption(connection: Connection, data: Facts) -> None:
    """Let Heat validate an adoption without effect. Raise CloudError, also if the cloud has disabled adoptions."""
    with _explained(connection, "enable_stack_adopt"):
        connection.ask("POST", "/stacks/preview", _body(data, _TRIAL_NAME, NO_OPTIONS), patience=LONG_PATIENCE)


def abandon_stack(
    connection: Connection, stack: StackSummary, path: Path | None = None, expected: Facts | None = None
) -> Facts:
    """Abandon a stack with its nested stacks, wait, and return its data. Raise CloudError.

    The data are written to `path` before anything changes. Nothing changes if they differ from the expected ones.
    """
    data = export_stack(connection, stack) if expected is None else refuse_changed(connection, stack, expected)
    if path is not None:
        write_stack_data(data, path)
    checkpoint()  # canceling after this point does not stop Heat
    change_stack(connection, stack, "DELETE", f"{stack.path}/abandon")
    wait_for(connection, stack.id)
    abandon_nested(connection, data)
    return data


def refuse_changed(connection: Connection, stack: StackSummary, expected: Facts) -> Facts:
    """Return the data of a stack. Raise CloudError, also if they differ from the expected ones."""
    data = export_stack(connection, stack)
    if data != expected:
        message = f"{stack.name} was changed in the meantime. Nothing was sent; begin again."
        raise CloudError(CloudErrorKind.CONFLICT, message)
    return data


def abandon_nested(connection: Connection, data: Facts) -> None:
    """Abandon the nested stacks that Heat has kept, those that still exist, and wait. Raise CloudError."""
    begun = [stack for one in nested_stacks(data) if (stack := find_stack(connection, text(one, "id"))) is not None]
    for stack in begun:
        if stack.status != DELETED:
            connection.ask("DELETE", f"{stack.path}/abandon", patience=LONG_PATIENCE)
    for stack in begun:
        wait_for(connection, stack.id)


def adopt_stack(connection: Connection, name: str, data: Facts, options: StackOptions = NO_OPTIONS) -> StackSummary:
    """Start the adoption of data as a stack. Raise CloudError."""
    return start_stack(connection, name, _body(data, name, options))


def _body(data: Facts, name: str, options: StackOptions) -> dict[str, object]:
    tags = options.tags or texts(data, "tags")
    return {
        **StackOptions(False, options.timeout, tags).body,
        "stack_name": name,
        "adopt_stack_data": json.dumps(data),
        "files": dict(part(data, "files")),
        "environment": {key: value for key, value in part(data, "environment").items() if value},
    }


def wait_for(connection: Connection, identity: str) -> StackSummary | None:
    """Wait until Heat no longer works on a stack; return the stack, None if it is gone. Raise CloudError."""
    end = time.monotonic() + _LONGEST
    while time.monotonic() < end:
        found = find_stack(connection, identity)
        if found is None or found.status == DELETED:
            return None
        if not found.status.endswith("IN_PROGRESS"):
            if found.status.endswith("FAILED"):
                raise CloudError(CloudErrorKind.REFUSED, f"{found.name}: {found.reason}")
            return found
        checkpoint()
        time.sleep(_POLL)
    raise CloudError(CloudErrorKind.SLOW, f"Heat has been working on the stack for {_LONGEST / 60:.0f} minutes.")


def has_snapshots(connection: Connection, stack: StackSummary) -> bool:
    """Return whether a stack has snapshots, which Heat deletes with it. Raise CloudError."""
    return bool(items(connection.facts(f"{stack.path}/snapshots", "snapshots"), "snapshots"))


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
    write_stack_data(to_builtins(plan), folder / _PLAN)


def free_folder(folder: Path, name: str) -> Path:
    """Return the path of a folder that does not exist."""
    paths = (folder / f"{name}{f'-{number}' if number > 1 else ''}" for number in count(1))
    return next(path for path in paths if not lexists(path))


def read_plan(folder: Path) -> RenamePlan | None:
    """Return the plan in a folder; None if there is none."""
    try:
        return convert(json.loads((folder / _PLAN).read_bytes()), RenamePlan)
    except (OSError, ValueError, RecursionError):
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

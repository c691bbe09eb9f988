"""The rename of a resource without a loss: the stack is abandoned, and adopted with other names.

The plan with both versions of the data is on disk before anything changes. How far the rename has come is not stored:
the cloud shows it, so that a rename continues wherever the program, the network or Heat has stopped.
"""

from enum import Enum
from itertools import count
from json import dumps
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, json

from heatstudio.cloud.adoption import (
    abandon_nested,
    abandon_stack,
    adopt_stack,
    ids_of_data,
    ids_of_resources,
    wait_for,
    write_stack_data,
)
from heatstudio.cloud.changes import StackOptions
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stacks import DELETED, StackSummary, find_stack, resources_of
from heatstudio.update.running_stack import RunningStack

ENDING = ".rename.json"
"""The ending of the file of a plan, beside the data."""


class RenameStage(Enum):
    """How far a rename has come."""

    BEFORE = "The stack is in Heat, with its old names."
    BUSY = "Heat is working on the stack."
    ABANDONED = "The stack is not in Heat. Its data are on disk, and its resources run on."
    RENAMED = "The stack is in Heat, with the new name."
    FAILED = "Heat did not adopt the stack completely. Its data are on disk, and its resources run on."


class RenamePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a rename needs, also after a restart of the program."""

    cloud: str
    stack: StackSummary
    """The stack before the rename."""
    old: str
    new: str
    data: dict[str, object]
    renamed: dict[str, object]
    options: StackOptions = StackOptions()

    @property
    def changed_lines(self) -> tuple[str, ...]:
        """The lines of the data that the rename changes, as removed and added lines."""
        before, after = (dumps(data, indent=1).splitlines() for data in (self.data, self.renamed))
        changed = (pair for pair in zip(before, after, strict=False) if pair[0] != pair[1])
        return tuple(f"{sign} {line.strip()}" for pair in changed for sign, line in zip("-+", pair, strict=True))

    def __repr__(self) -> str:
        """Return the names without the data, because some values are secret."""
        return f"RenamePlan({self.cloud}, {self.stack.name}, {self.old}, {self.new})"


def plan_file(data_file: Path) -> Path:
    """Return the file of the plan beside the file of the data."""
    return data_file.with_name(f"{data_file.stem}{ENDING}")


def write_plan(plan: RenamePlan, data_file: Path) -> None:
    """Write the data and the plan to new files. Raise CloudError."""
    for path in (data_file, plan_file(data_file)):
        if is_taken(path):
            raise CloudError(CloudErrorKind.CONFLICT, f"{path} already exists. Choose another file.")
    write_stack_data(plan.data, data_file)
    write_stack_data(json.decode(json.encode(plan)), plan_file(data_file))


def free_file(folder: Path, name: str) -> Path:
    """Return a file of a folder that does not exist, nor the plan beside it."""
    names = (folder / f"{name}{f'-{number}' if number > 1 else ''}.json" for number in count(1))
    return next(path for path in names if not is_taken(path) and not is_taken(plan_file(path)))


def is_taken(path: Path) -> bool:
    """Return whether a path has something, or cannot be looked at."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return True


def read_plan(path: Path) -> RenamePlan | None:
    """Return the plan in a file; None if there is none."""
    try:
        return json.decode(path.read_bytes(), type=RenamePlan)
    except (OSError, DecodeError, ValidationError):
        return None


def stage_of(connection: Connection, plan: RenamePlan) -> tuple[RenameStage, StackSummary | None]:
    """Return how far a rename has come, and the stack in Heat if there is one. Raise CloudError."""
    found = _present(connection, plan.stack.id) or _present(connection, plan.stack.name)
    if found is None:
        return RenameStage.ABANDONED, None
    if found.status.endswith("IN_PROGRESS"):
        return RenameStage.BUSY, found
    if found.status == "ADOPT_FAILED":
        return RenameStage.FAILED, found
    names = resources_of(connection, found)
    return (RenameStage.RENAMED if plan.new in names else RenameStage.BEFORE), found


def _present(connection: Connection, identity: str) -> StackSummary | None:
    found = find_stack(connection, identity)
    return found if found is not None and found.status != DELETED else None


def take_out(connection: Connection, plan: RenamePlan) -> None:
    """Abandon the stack, unless its data differ from those in the plan. Raise CloudError."""
    abandon_stack(connection, plan.stack, expected=plan.data)


def put_back(connection: Connection, plan: RenamePlan, *, renamed: bool) -> StackSummary:
    """Adopt the renamed or the original data, from whatever stage. Raise CloudError."""
    stage, found = stage_of(connection, plan)
    if found is not None:
        if stage is RenameStage.BUSY:
            raise CloudError(CloudErrorKind.CONFLICT, f"Heat is working on {found.name}. Try again in a moment.")
        if found.id == plan.stack.id:
            raise CloudError(CloudErrorKind.CONFLICT, f"The stack {found.name} is still in Heat as it was.")
        ids = {*ids_of_resources(resources_of(connection, found)).values()} - {""}
        if ids and ids.isdisjoint(ids_of_data(plan.data).values()):
            raise CloudError(CloudErrorKind.CONFLICT, f"Another stack has the name {found.name} now.")
        abandon_stack(connection, found)
    abandon_nested(connection, plan.data)
    data = plan.renamed if renamed else plan.data
    adopted = wait_for(connection, adopt_stack(connection, plan.stack.name, data, plan.options).id)
    if adopted is None:
        raise CloudError(CloudErrorKind.CONFLICT, f"The stack {plan.stack.name} was deleted in the meantime.")
    return adopted


def differing_ids(plan: RenamePlan, running: RunningStack) -> tuple[str, ...]:
    """Return the resources of the renamed stack whose physical IDs are not those of the data."""
    wanted, got = ids_of_data(plan.renamed), ids_of_resources(running.resources)
    return tuple("/".join(name) for name in sorted({*wanted, *got}) if wanted.get(name) != got.get(name))

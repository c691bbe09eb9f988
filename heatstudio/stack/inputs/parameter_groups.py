"""Parameter groups of HOT templates (heat/engine/parameter_groups.py)."""

from collections.abc import Iterator, Mapping

from heatstudio.stack.inputs.parameters import STACK_NAMES, Parameters
from heatstudio.stack.path import dotted
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import TreePath

GROUPS = "parameter_groups"
PARAMETERS = "parameters"


def group_problems(data: object, parameters: Parameters) -> Iterator[StackProblem]:
    """Yield the problems of the section `parameter_groups`."""
    if not data:
        return
    if not isinstance(data, list):
        yield _problem((GROUPS,), (GROUPS,), f"The {GROUPS} should be a list.")
        return
    known = {*parameters.names, *parameters.pseudo_names} - STACK_NAMES  # Heat checks groups before the stack exists
    grouped: list[object] = []
    for index, group in enumerate(data):
        path: TreePath = (GROUPS, index)
        if not isinstance(group, Mapping):
            message = f"'{type(group).__name__}' object has no attribute 'get'"
            yield StackProblem(ProblemKind.GROUP, path, message)
            continue
        place: TreePath = (GROUPS, str(group.get("label", "")))
        members = group.get(PARAMETERS)
        if members is None:
            yield _problem(path, place, f"The {PARAMETERS} must be provided for each parameter group.")
        elif not isinstance(members, list):
            yield _problem((*path, PARAMETERS), place, f"The {PARAMETERS} of parameter group should be a list.")
        else:
            yield from _member_problems(members, (*path, PARAMETERS), place, known, grouped)


def _member_problems(
    members: list[object], path: TreePath, place: TreePath, known: set[str], grouped: list[object]
) -> Iterator[StackProblem]:
    for index, member in enumerate(members):
        if member in grouped:
            message = f"The {member} parameter must be assigned to one parameter group only."
            yield _problem((*path, index), place, message)
            continue
        grouped.append(member)
        if not isinstance(member, str) or member not in known:
            message = f"The grouped parameter {member} does not reference a valid parameter."
            yield _problem((*path, index), place, message)


def _problem(path: TreePath, place: TreePath, message: str) -> StackProblem:
    return StackProblem(ProblemKind.GROUP, path, f"Parameter Groups error: {dotted(place).rstrip('.')}: {message}")

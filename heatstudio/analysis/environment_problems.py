"""Problems of environment files, reported while a template that uses them is checked."""

from collections.abc import Sequence

from heatstudio.analysis.scope import EnvironmentPlace, Finding, Place, TemplateScope, nearest
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Part
from heatstudio.text import Severity

NAMES = (ProblemKind.UNDEFINED, ProblemKind.UNUSED)
"""The kinds of problems that the name of a parameter causes."""


def similar_names(problem: StackProblem, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the parameters that the author may mean, for a problem with a name."""
    return tuple(nearest(str(problem.path[-1]), known)) if problem.kind in NAMES else ()


def part_of(problem: StackProblem) -> Part:
    """Return the part of the entry that is wrong: the key or the value."""
    return Part.KEY if problem.kind in NAMES else Part.VALUE


def severity_of(problem: StackProblem) -> Severity:
    """Return the severity of a problem of an invalid environment."""
    return Severity.WARNING if problem.kind is ProblemKind.IGNORED else Severity.ERROR


def environment_finding(scope: TemplateScope, severity: Severity, problem: StackProblem) -> Finding:
    """Return the finding at the template's parameters, with the position in the environment file if there is one."""
    names = similar_names(problem, scope.stack.parameters.names)
    where = None
    if problem.file is not None:
        where = EnvironmentPlace(problem.file, Place(problem.path, part_of(problem)))
    place = Place((scope.words.parameters,), Part.KEY)
    return Finding(problem.message, place, severity, meant=names[0] if names else "", environment=where)

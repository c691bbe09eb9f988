"""Problems of environment files, reported while a template that uses them is checked."""

from collections.abc import Sequence

from heatstudio.analysis.scope.finding import EnvironmentPlace, Finding, Place
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.template_scope import TemplateScope
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Part
from heatstudio.text import Severity

NAMES = (ProblemKind.UNDEFINED, ProblemKind.UNUSED)
"""The kinds of problems of which the name of a parameter is the cause."""


def similar_names(problem: StackProblem, known: Sequence[str]) -> tuple[str, ...]:
    """The parameters that may be meant."""
    return tuple(nearest(str(problem.path[-1]), known)) if problem.kind in NAMES else ()


def part_of(problem: StackProblem) -> Part:
    """What of the entry is wrong."""
    return Part.KEY if problem.kind in NAMES else Part.VALUE


def environment_finding(scope: TemplateScope, code: str, severity: Severity, problem: StackProblem) -> Finding:
    """The finding at its place in the environment file; at the template's parameters where there is no file."""
    names = similar_names(problem, scope.stack.parameters.names)
    where = None
    if problem.file is not None:
        where = EnvironmentPlace(problem.file, Place(problem.path, part_of(problem)))
    place = Place((scope.words.parameters,), Part.KEY)
    return Finding(code, severity, problem.message, place, meant=names[0] if names else "", environment=where)

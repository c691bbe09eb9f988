"""Problems of environment files, in the files themselves and in the templates that use them."""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope import EnvironmentPlace, Finding, Place, TemplateScope, meaning, nearest
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Part, RenameKey
from heatstudio.text import Severity

_NAMES = (ProblemKind.UNDEFINED, ProblemKind.UNUSED)
"""The kinds of problems that the name of a parameter causes."""
_SEVERITIES = {ProblemKind.IGNORED: Severity.WARNING, ProblemKind.UNUSED: Severity.INFORMATION}


def finding_in_environment(problem: StackProblem, parameters: Iterable[str]) -> Finding:
    """Return the finding in the environment, with fixes that use the names of similar parameters."""
    code = "unused-default" if problem.kind is ProblemKind.UNUSED else "invalid-environment"
    is_name = problem.kind in _NAMES
    place = Place(problem.path, Part.KEY if is_name else Part.VALUE)
    finding = Finding(problem.message, place, _SEVERITIES.get(problem.kind, Severity.ERROR), code)
    names = nearest(str(problem.path[-1]), parameters) if is_name else ()
    return meaning(finding, names, "Use `{}`", partial(RenameKey, problem.path))


def finding_in_template(problem: StackProblem, scope: TemplateScope) -> Finding:
    """Return the finding at the template's parameters, with the position in the environment file if there is one."""
    finding = finding_in_environment(problem, scope.stack.parameters.names)
    where = EnvironmentPlace(problem.file, finding.place) if problem.file is not None else None
    return replace(finding, place=Place((scope.words.parameters,), Part.KEY), fixes=(), environment=where)

"""An invalid parameter."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, Place, TemplateScope, meaning, nearest, template_check, with_names
from heatstudio.analysis.scope.missing_name import move_to_resources, with_allowed
from heatstudio.analysis.scope.template_scope import Stage
from heatstudio.catalog.schema import AllowedValues
from heatstudio.stack.definition.definition_problems import parameter_problems
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.parameter_schema import CONSTRAINT_KEYS
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Part, RenameKey
from heatstudio.text import Severity

CUSTOM = "custom_constraint"
_MOST = 100
"""Maximum number of keys tried as a misspelled `type`."""
DECLARED = 2
"""The length of the path of a declaration."""


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield each parameter that Heat rejects."""
    for problem in parameter_problems(scope.stack):
        is_own = problem.kind in (ProblemKind.SCHEMA, ProblemKind.VALUE) and problem.file is None
        if is_own and not _lacks_what_is_misspelled(scope, problem):
            finding = _with_fixes(scope, problem)
            if problem.kind is ProblemKind.SCHEMA or scope.strict:
                yield finding
            elif scope.stage is not Stage.VALIDATION:
                yield finding.late()
    yield from _foreign_constraints(scope)


def _foreign_constraints(scope: TemplateScope) -> Iterator[Finding]:
    """Yield unknown custom constraints; without the plug-in of a constraint, Heat rejects every value."""
    words, known = scope.words, scope.knowledge.catalog.custom_constraints
    for name, entry in scope.template.section(words.parameters).items():
        constraints = entry.get(words.constraints) if isinstance(entry, Mapping) else None
        for index, constraint in enumerate(constraints if isinstance(constraints, list) else ()):
            wanted = constraint.get(CUSTOM) if isinstance(constraint, Mapping) else None
            if isinstance(wanted, str) and wanted.strip() and wanted not in known:
                path = (words.parameters, str(name), words.constraints, index, CUSTOM)
                severity = Severity.WARNING if nearest(wanted, known) else Severity.INFORMATION
                message = f"Unknown custom constraint `{wanted}`. Without its plug-in, Heat rejects every value."
                yield with_names(Finding(message, Place(path), severity), path, wanted, known)


def _lacks_what_is_misspelled(scope: TemplateScope, problem: StackProblem) -> bool:
    """Return whether the type is missing because its key is misspelled, which is a problem of its own."""
    entry = at(scope.stack.data, problem.path)
    if not isinstance(entry, Mapping) or not problem.message.startswith("Missing parameter type"):
        return False
    words = scope.words
    return any(nearest(str(key), words.parameter_keys)[:1] == (words.type,) for key in islice(entry, _MOST))


def _with_allowed(scope: TemplateScope, finding: Finding) -> Finding:
    """Return the finding about a default, with fixes that use allowed values."""
    path = finding.place.path
    schema, default = scope.stack.parameters.schema(str(path[1])), at(scope.stack.data, path)
    for constraint in schema.constraints if schema is not None else ():
        if isinstance(constraint, AllowedValues) and "is not an allowed value [" in finding.message:
            return with_allowed(finding, default, constraint.values)
    return finding


def _with_fixes(scope: TemplateScope, problem: StackProblem) -> Finding:
    """Return the finding with fixes that correct a misspelled key or type."""
    words, path = scope.words, problem.path
    finding = Finding(problem.message, Place(path, Part.VALUE))
    if path[DECLARED:] == (words.default,):
        return _with_allowed(scope, finding)
    if problem.kind is not ProblemKind.SCHEMA or len(path) < DECLARED + 1:
        return finding
    written = at(scope.stack.data, path)
    move = move_to_resources(scope, path[:DECLARED]) if path[DECLARED:] == (words.type,) else None
    if move is not None:
        message = f"`{path[1]}` is a resource, not a parameter: it belongs in `{words.resources}`."
        return finding.reworded(message, move)
    if path[DECLARED:] == (words.type,) and isinstance(written, str):
        return with_names(finding, path, written, words.parameter_types)
    known = words.parameter_keys if len(path) == DECLARED + 1 else CONSTRAINT_KEYS
    key = path[-1]
    if not isinstance(key, str) or key in known:
        return finding
    names = nearest(key, known) if len(path) <= DECLARED + 3 else ()
    return meaning(replace(finding, place=Place(path, Part.KEY)), names, "Rename to `{}`", partial(RenameKey, path))

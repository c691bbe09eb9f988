"""A value that was not checked."""

from collections.abc import Iterable, Iterator

from heatstudio.analysis.scope import Diagnostic, Finding, Place, ResourceScope, TemplateScope
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.catalog.schema import AllowedPattern, Constraint
from heatstudio.stack.unknown import UNBOUNDED, unknowns
from heatstudio.stack.values.constraints import is_undecided
from heatstudio.text import Severity, Span

CODE = "not-checked"
_TOO_MUCH = "Not checked: computing this value takes too much time or memory."
_SHOWN = 50
"""Maximum length of a pattern in a message."""


@template_check(refuses=False, with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every parameter value whose pattern takes too long to match."""
    parameters = scope.stack.parameters
    for name in parameters.names:
        schema, given = parameters.schema(name), parameters.given(name)
        if schema is None or given is None:
            continue
        path = given.path if given.file is None else (scope.words.parameters, name)
        for message in _slow_patterns(schema.constraints, given.value):
            yield Finding(message, Place(path), Severity.WARNING)


@resource_check(refuses=False)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every property value that takes too long to compute or to match."""
    if scope.properties is None:
        return
    for written in scope.written:
        path = (*scope.properties_path, *written.path)
        values = [scope.properties.value(written.schema.name)] if len(written.path) == 1 else []
        keys = (one.key for one in unknowns(values))
        if any(isinstance(key, tuple) and key[:1] == (UNBOUNDED,) for key in keys):
            yield scope.finding(_TOO_MUCH, path, severity=Severity.WARNING)
        if any(isinstance(one, AllowedPattern) for one in written.schema.constraints):
            for message in _slow_patterns(written.schema.constraints, scope.value_now(written.value)):
                yield scope.finding(message, path, severity=Severity.WARNING)


def further(text: str, reason: str = "problems") -> Diagnostic:
    """Return the diagnostic that reports that the rest of a text is not checked."""
    return _of_file(text, Severity.WARNING, f"Not checked further: too many {reason}.")


def left_out(text: str) -> Diagnostic:
    """Return the diagnostic that reports that not all information is listed."""
    return _of_file(text, Severity.INFORMATION, "Not all information is listed, but all errors and warnings are.")


def _of_file(text: str, severity: Severity, message: str) -> Diagnostic:
    return Diagnostic(None, CODE, severity, message, Span(0, len(text.partition("\n")[0])))


def _slow_patterns(constraints: Iterable[Constraint], value: object) -> Iterator[str]:
    for constraint in constraints:
        if isinstance(constraint, AllowedPattern) and is_undecided(constraint, value):
            shown = constraint.pattern if len(constraint.pattern) <= _SHOWN else f"{constraint.pattern[:_SHOWN]}..."
            yield f"Not checked: matching `{shown}` may take too long."

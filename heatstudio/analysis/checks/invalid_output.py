"""An invalid output."""

from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.scope import Finding, Place, TemplateScope, name_fixes, nearest, template_check
from heatstudio.analysis.scope.missing_name import is_in_definition, of_missing_attribute, of_missing_condition
from heatstudio.stack.definition.definition_problems import output_problems
from heatstudio.stack.functions.examine import validate
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.resource_definition import unknown_output_keys
from heatstudio.template import Part, RenameKey
from heatstudio.text import Severity


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every invalid output."""
    stack = scope.stack
    for name in stack.output_names:
        for problem in output_problems(stack, name):
            if isinstance(problem, StackProblem) and problem.kind is ProblemKind.STRUCTURE:
                yield Finding(problem.message, Place(problem.path, Part.KEY))
        yield from _unknown_keys(scope, name)
    for output in scope.live_outputs:
        for fault in validate(output.value, stack):
            if fault.missing_resource is not None or is_in_definition(scope, fault):
                continue
            finding = Finding(fault.message, Place(fault.path, Part.KEY))
            yield of_missing_condition(finding, scope) or of_missing_attribute(finding, scope) or finding


def _unknown_keys(scope: TemplateScope, output: str) -> Iterator[Finding]:
    """Yield the unknown keys of an output, which are an error only in a nested template."""
    words, is_nested = scope.words, scope.stack.parent_resource is not None
    for key in unknown_output_keys(scope.stack.output_definition(output).data, words):
        path = (words.outputs, output, str(key))
        fixes = name_fixes(nearest(str(key), words.output_keys), "Rename to `{}`", partial(RenameKey, path))
        place = Place(path, Part.KEY)
        message = f"Unknown key `{key}` in an output{'' if is_nested else ': an error in a nested template'}."
        heat = f'"{key}" is not a valid keyword inside a output definition' if is_nested else ""
        severity = Severity.ERROR if is_nested else Severity.WARNING
        yield Finding(message, place, severity, fixes=fixes, heat=heat)

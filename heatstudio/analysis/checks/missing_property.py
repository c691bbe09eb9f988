"""A missing required property."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.example_values import example
from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.analysis.scope.referred import fitting_reference
from heatstudio.stack.definition.types import Origin
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import AddEntry, DataFix, Part
from heatstudio.text import Severity


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every missing required property."""
    for problem in scope.problems_of(PropertyFault.MISSING):
        if problem.path in scope.misspelled:
            continue
        container = (*scope.properties_path, *problem.path[:-1])
        name = str(problem.path[-1])
        fixes: tuple[DataFix, ...] = ()
        if problem.schema is not None:
            value = fitting_reference(scope, problem.schema) or example(problem.schema)
            fixes = (DataFix.likely(f"Add `{name}`", AddEntry(container, name, value)),)
        finding = scope.finding_of(problem, Part.KEY, message=f"Missing required property `{name}`.", fixes=fixes)
        is_nested = scope.found is not None and scope.found.origin is Origin.TEMPLATE
        if is_nested and name not in scope.view.names(scope.words.parameters):
            message = f"{finding.message} An environment can set it in `parameter_defaults`."
            finding = replace(finding, message=message, severity=Severity.WARNING)
        yield finding

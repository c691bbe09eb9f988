"""# A required property without a value

Heat refuses a resource when a property that its type requires has no value.

## Example

    type: OS::Neutron::Port
    properties: {}            # `network` is required
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.placeholder import placeholder
from heatstudio.analysis.scope import ResourceScope
from heatstudio.stack.property_problem import PropertyFault
from heatstudio.template import AddEntry, Part, Remedy
from heatstudio.text import Applicability

CODE = "missing-property"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every required property that is not there."""
    for problem in scope.problems_of(PropertyFault.MISSING):
        container = (*scope.properties_path, *problem.path[:-1])
        name = str(problem.path[-1])
        message = f"Property {name} not assigned: {scope.definition.type} requires it."
        finding = scope.finding(CODE, message, (*container, name), Part.KEY)
        if problem.schema is not None:
            add = AddEntry(container, name, placeholder(problem.schema))
            finding = replace(finding, remedies=(Remedy(f"Add `{name}`", (add,), Applicability.UNSAFE, preferred=True),))
        yield finding

"""# A value of the wrong type

Each property has a type. Heat converts where nothing is lost ("8" becomes 8) and refuses the rest.

## Example

    shared: maybe      # neither true nor false
    shared: true       # right
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.scope import ResourceScope
from heatstudio.stack.property_problem import PropertyFault

CODE = "wrong-value-type"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every value that cannot be converted to its type."""
    for problem in scope.problems_of(PropertyFault.TYPE):
        wanted = f" (`{problem.schema.name}` is a {problem.schema.type.value})" if problem.schema else ""
        yield scope.finding(CODE, f"{problem.message}{wanted}", (*scope.properties_path, *problem.path))

"""# A value of the wrong type

Each property has a type. Heat converts a value where nothing is lost ("8" becomes 8).

## Why

Heat refuses what it cannot convert.

## Example

    shared: maybe      # neither true nor false
    shared: true       # right

## The way out

Write a value of the type that the message names.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.scope import ResourceScope
from heatstudio.stack.values.property_problem import PropertyFault

CODE = "wrong-value-type"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every value that cannot be converted to its type, but for misspelled functions, which are told as such."""
    stray = {call.path[:-1] for call in scope.stray_calls}
    for problem in scope.problems_of(PropertyFault.TYPE):
        if (*scope.properties_path, *problem.path) in stray:
            continue
        wanted = f" (`{problem.schema.name}` is a {problem.schema.type.value})" if problem.schema else ""
        yield scope.finding(CODE, f"{problem.message}{wanted}", (*scope.properties_path, *problem.path))

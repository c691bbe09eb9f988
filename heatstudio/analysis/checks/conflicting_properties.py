"""# An old and a new name of one property, both with a value

A property that has a successor is written beside this successor.

## Why

Heat moves the value of an old property to its successor. When both have a value it does not choose, it refuses.

## Example

    network_id: private     # the old name
    network: private        # keep only this one

## The way out

Delete the old one, after a look at which of the two values is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.scope import ResourceScope
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import Part

CODE = "conflicting-properties"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every property that is given by its old and by its new name."""
    for problem in scope.problems_of(PropertyFault.CONFLICT):
        yield scope.finding(CODE, problem.message, (*scope.properties_path, *problem.path), Part.KEY)

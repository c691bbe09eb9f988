"""# Resources that need each other in a circle

Heat creates a resource after those that it refers to. In a circle none can be the first.

## Example

    a: needs b by get_resource
    b: needs a by depends_on
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.scope import TemplateScope
from heatstudio.stack.order import circles
from heatstudio.stack.path import Path
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "circular-dependency"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every circle once, where its first resource stands."""
    stack = scope.stack
    resources = scope.words.resources
    graph = {name: stack.required_resource_names(name) for name in stack.enabled_resource_names()}
    for circle in circles(graph):
        shown = " -> ".join((*circle, circle[0]))
        message = f"Circular Dependency Found: {shown}. Take one of these references away."
        places = [Place((resources, name), Part.KEY) for name in circle]
        edges = tuple(_edges(scope, circle))
        yield Finding(CODE, Severity.ERROR, message, places[0], circle[0], also=tuple(places[1:]), related=edges)


def _edges(scope: TemplateScope, circle: tuple[str, ...]) -> Iterator[tuple[str, Place]]:
    for name, needed in zip(circle, (*circle[1:], circle[0]), strict=True):
        path: Path = (scope.words.resources, name, scope.words.depends_on)
        for reference in scope.stack.references(name):
            if reference.resource == needed:
                path = reference.path
                break
        yield f"`{name}` needs `{needed}`", Place(path)

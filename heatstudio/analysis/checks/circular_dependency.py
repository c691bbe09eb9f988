"""A circular dependency."""

from collections.abc import Iterator
from itertools import islice

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.catalog.headlines import LONGEST
from heatstudio.stack.definition.dependency_graph import circle_graph
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.order import circles
from heatstudio.template import DataFix, DeleteEntry, Part, TreePath
from heatstudio.text import Applicability, Severity

_MOST_WAYS = 20


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield each cycle once, at its first resource."""
    resources = scope.words.resources
    for circle in circles(circle_graph(scope.stack, scope.types)):
        message = f"Circular dependency: {' -> '.join((*circle, circle[0]))}."
        if len(circle) == 1:
            message = f"Circular dependency: `{circle[0]}` depends on itself."
        elif len(message) > LONGEST:
            message = f"Circular dependency of {len(circle)} resources, starting at `{circle[0]}`."
        places = [Place((resources, name), Part.KEY) for name in circle]
        edges = tuple(_edges(scope, circle))
        certain = all(scope.stack.is_enabled(name) is True for name in circle)
        severity = Severity.ERROR if certain else Severity.WARNING
        fixes, also = tuple(islice(_fixes(scope, circle), _MOST_WAYS)), tuple(places[1:])
        yield Finding(message, places[0], severity, resource=circle[0], also=also, related=edges, fixes=fixes)


def _fixes(scope: TemplateScope, circle: tuple[str, ...]) -> Iterator[DataFix]:
    """Yield the fixes that remove a `depends_on` that is the only link between two resources of the cycle."""
    words, stack = scope.words, scope.stack
    for name, needed in _links(circle):
        if any(reference.resource == needed for reference in stack.references(name)):
            continue
        path: TreePath = (words.resources, name, words.depends_on)
        written = at(stack.data, path)
        if isinstance(written, list):
            paths: list[TreePath] = [(*path, index) for index, other in enumerate(written) if other == needed]
            paths = [path] if len(paths) == len(written) else paths
        else:
            paths = [path] if written == needed else []
        if paths:
            title = f"Remove `{needed}` from `{words.depends_on}` of `{name}`"
            yield DataFix(title, tuple(DeleteEntry(one) for one in paths), Applicability.DECISION)


def _links(circle: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Return the pairs of each resource and the next one in the cycle."""
    return zip(circle, (*circle[1:], circle[0]), strict=True)


def _edges(scope: TemplateScope, circle: tuple[str, ...]) -> Iterator[tuple[str, Place]]:
    words, stack = scope.words, scope.stack
    for name, needed in _links(circle):
        path: TreePath = (words.resources, name, words.type)
        how = "implicitly depends on"
        if needed in stack.resource_definition(name).depends_on:
            path, how = (words.resources, name, words.depends_on), "depends on"
        for reference in stack.references(name):
            if reference.resource == needed:
                path, how = reference.path, "refers to"
                break
        yield f"`{name}` {how} `{needed}`", Place(path)

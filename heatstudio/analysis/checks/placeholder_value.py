"""A placeholder that is not replaced."""

from collections.abc import Iterator

from heatstudio.analysis.example_values import is_placeholder
from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.text import CheckFamily


@resource_check(family=CheckFamily.SUSPICIOUS, when_disabled=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every property whose value is a placeholder, such as `<flavor>`."""
    for given in scope.written:
        values = enumerate(given.value) if isinstance(given.value, list) else [(None, given.value)]
        for index, value in values:
            if isinstance(value, str) and is_placeholder(value):
                path = (*scope.properties_path, *given.path, *(() if index is None else (index,)))
                yield scope.finding(f"Replace the placeholder `{value}` with a value.", path)

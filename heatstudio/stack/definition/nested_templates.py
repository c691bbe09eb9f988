"""The templates that come to Heat together with one: those that it names, and those of the resource registry.

heat/engine/template.py, all_param_schemata; python-heatclient, template_utils: what a client sends along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heatstudio.stack.definition.client_files import named_files
from heatstudio.stack.definition.files import Files
from heatstudio.stack.definition.types import DEEPEST_NESTING, parse_once
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.template import Template


def nested_templates(
    template: Template, environments: Sequence[EnvironmentFile], files: Files
) -> Iterator[tuple[str, Template]]:
    """Every template that can be read, once, with the name that leads to it; the outermost first."""
    found = _walk(template, environments, files)
    return ((name, nested) for name, nested in found if nested is not None)


def nested_or_unread(
    template: Template, environments: Sequence[EnvironmentFile], files: Files
) -> Iterator[Template | None]:
    """The same templates, and None for each that cannot be read."""
    return (nested for _, nested in _walk(template, environments, files))


def _walk(
    template: Template, environments: Sequence[EnvironmentFile], files: Files
) -> Iterator[tuple[str, Template | None]]:
    waiting = [(files, name) for name, _ in named_files(template.data)]
    waiting += [(files, name) for file in environments for name in _registered(file.data)]
    seen: set[str] = set()
    for _ in range(DEEPEST_NESTING):
        following: list[tuple[Files, str]] = []
        for beside, name in waiting:
            content = beside.get(name)
            if content in seen:
                continue
            nested = parse_once(content) if isinstance(content, str) else None
            seen.update([content] if isinstance(content, str) else [])
            if nested is None or not nested.complete:
                if name.endswith(TEMPLATE_ENDINGS):
                    yield name, None
            elif nested.data:
                yield name, nested
                below = beside.below(name)
                following += [(below, inner) for inner, _ in named_files(nested.data)]
        waiting = following


def _registered(data: object) -> Iterator[str]:
    registry = data.get(RESOURCE_REGISTRY) if isinstance(data, Mapping) else None
    yield from _targets(registry)


def _targets(registry: object) -> Iterator[str]:
    for value in registry.values() if isinstance(registry, Mapping) else ():
        if isinstance(value, str) and value.endswith(TEMPLATE_ENDINGS):
            yield value
        else:
            yield from _targets(value)

"""The templates that come to Heat together with one: those that types name, and those of the resource registry.

heat/engine/template.py, all_param_schemata; python-heatclient, template_utils: what a client sends along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heatstudio.stack.files import Files
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.stack.types import DEEPEST_NESTING, parse_once
from heatstudio.template import Template

_TYPE = "type"


def nested_templates(
    template: Template, environments: Sequence[EnvironmentFile], files: Files
) -> Iterator[tuple[str, Template]]:
    """Every template that can be read, once, with the name that leads to it; the outermost first."""
    waiting = [(files, name) for name in _named(template.data)]
    waiting += [(files, name) for file in environments for name in _registered(file.data)]
    seen: set[str] = set()
    for _ in range(DEEPEST_NESTING):
        following: list[tuple[Files, str]] = []
        for beside, name in waiting:
            content = beside.get(name)
            if not isinstance(content, str) or content in seen:
                continue
            seen.add(content)
            nested = parse_once(content)
            if nested.complete and nested.data:
                yield name, nested
                below = beside.below(name)
                following += [(below, inner) for inner in _named(nested.data)]
        waiting = following


def _named(data: object) -> Iterator[str]:
    """The files that anything in a template has as its type."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key == _TYPE and isinstance(value, str) and value.endswith(TEMPLATE_ENDINGS):
                yield value
            else:
                yield from _named(value)
    elif isinstance(data, list):
        for item in data:
            yield from _named(item)


def _registered(data: object) -> Iterator[str]:
    registry = data.get(RESOURCE_REGISTRY) if isinstance(data, Mapping) else None
    yield from _targets(registry)


def _targets(registry: object) -> Iterator[str]:
    for value in registry.values() if isinstance(registry, Mapping) else ():
        if isinstance(value, str) and value.endswith(TEMPLATE_ENDINGS):
            yield value
        else:
            yield from _targets(value)

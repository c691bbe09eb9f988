"""The templates that come to Heat together with one: those that it names, and those of the resource registry.

heat/engine/template.py, all_param_schemata; python-heatclient, template_utils: what a client sends along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heatstudio.stack.definition.client_files import named_files
from heatstudio.stack.definition.files import Files, file_place
from heatstudio.stack.definition.types import DEEPEST_NESTING, parse_once
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.inputs.registry import RESOURCES, TEMPLATE_ENDINGS
from heatstudio.template import Template
from heatstudio.template.dialect import VERSION_KEYS


def nested_templates(
    template: Template, environments: Sequence[EnvironmentFile], files: Files
) -> Iterator[Template | None]:
    """Every template once, in the order of the client; None for each that cannot be read."""
    names = [name for name, _ in named_files(template.data)]
    names += [name for file in environments for name in _registered(file.data)]
    return _walk(names, files, set(), DEEPEST_NESTING)


def _walk(names: Sequence[str], files: Files, seen: set[str], depth: int) -> Iterator[Template | None]:
    for name in names if depth else ():
        place = file_place(files, name)
        if place in seen:
            continue
        seen.add(place)
        content = files.get(name)
        nested = parse_once(content) if isinstance(content, str) else None
        if nested is None or not nested.complete:
            if name.endswith(TEMPLATE_ENDINGS):
                yield None
        elif any(key in nested.data for key in VERSION_KEYS):
            inner = [one for one, _ in named_files(nested.data)]
            yield from _walk(inner, files.below(name), seen, depth - 1)
            yield nested


def _registered(data: object) -> Iterator[str]:
    """The templates of a registry: those of all resources, then those of single ones."""
    registry = data.get(RESOURCE_REGISTRY) if isinstance(data, Mapping) else None
    single = registry.get(RESOURCES) if isinstance(registry, Mapping) else None
    for level in (registry, *(single.values() if isinstance(single, Mapping) else ())):
        for value in level.values() if isinstance(level, Mapping) else ():
            if isinstance(value, str) and value.endswith(TEMPLATE_ENDINGS):
                yield value

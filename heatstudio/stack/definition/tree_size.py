"""The number of resources in a template and the nested stacks that its types name.

heat/engine/resources/stack_resource.py, _validate_nested_resources: all resources of a tree of stacks count together.
"""

from collections.abc import Hashable, Iterator, Mapping

from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.stack.definition.files import file_place
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.definition.types import DEEPEST_NESTING, FoundType, Origin, TreeSize, Types
from heatstudio.stack.inputs.inherited import inherited
from heatstudio.template import Template
from heatstudio.text import checkpoint

MOST_IN_STACK = 1000
"""Heat's default max_resources_per_stack (heat/common/config.py)."""
MOST_MEMBERS = 100
"""The maximum number of members of a group that are examined."""


def tree_size(template: Template, types: Types, known: dict[Hashable, TreeSize] | None = None) -> TreeSize:
    """Return the number of resources of a template with its nested stacks; `known` are those of other templates."""
    known = types.sizes if known is None else known
    words, least, nested, depth = template.dialect, 0, 0, 0
    for name, data in template.section(words.resources).items():
        checkpoint()
        resource = data if isinstance(data, Mapping) else {}
        kind, properties = resource.get(words.type), resource.get(words.properties)
        inner = list(_below(kind, str(name), properties, types, known))
        is_certain = words.condition not in resource and words.external_id not in resource
        least += (1 + sum(size.least for size in inner)) * is_certain
        nested += sum(size.nested for size in inner)
        depth = max((depth, *(size.depth for size in inner)))
    return TreeSize(least, nested, depth)


def _below(
    kind: object, name: str, properties: object, types: Types, known: dict[Hashable, TreeSize]
) -> Iterator[TreeSize]:
    """Yield the size of the nested stack of a resource, if it has one."""
    found = types.find(kind, name) if isinstance(kind, str) else None
    if found is None or found.type is None:
        return
    rule = types.knowledge.update_behavior(found.type).members
    if types.depth >= DEEPEST_NESTING:
        yield TreeSize(depth=int(found.origin is Origin.TEMPLATE or rule is not None))
    elif found.origin is Origin.TEMPLATE:
        yield _nested(found, types, known)
    elif rule is not None and rule.definition and isinstance(properties, Mapping):
        definition = properties.get(rule.definition)
        kind = definition.get("type") if isinstance(definition, Mapping) else None
        yield _members(rule, properties, list(_below(kind, "0", None, types, known)))


def _members(rule: MemberRule, properties: Mapping[object, object], inner: list[TreeSize]) -> TreeSize:
    count = next((value for key in rule.count if (value := properties.get(key)) is not None), None)
    certain = count if isinstance(count, int) and count > 0 else 0
    least = certain * (1 + sum(size.least for size in inner))
    nested = min(max(certain, 1), MOST_MEMBERS) * sum(size.nested for size in inner)
    return TreeSize(least, nested, 1 + max((size.depth for size in inner), default=0))


def _nested(found: FoundType, types: Types, known: dict[Hashable, TreeSize]) -> TreeSize:
    mapped = found.name if found.name != found.target else ""
    key = (file_place(types.files, found.target), mapped, types.depth)
    if key not in known and found.template is not None:
        files = found.files or types.files
        environments = inherited(types.environment.files, found.name, found.target)
        merged = types.environment.parameter_types
        nested = Source(found.template, environments, files, depth=types.depth + 1, parameter_types=merged)
        known[key] = TreeSize()  # a template that nests itself is reported elsewhere
        stack, inner = define(nested, types.knowledge)
        size = tree_size(found.template, inner, known)
        known[key] = TreeSize(size.least, len(stack.all_resource_names) + size.nested, 1 + size.depth)
    return known.get(key, TreeSize())

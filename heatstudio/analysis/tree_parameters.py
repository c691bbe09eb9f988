"""The parameters of all nested templates, which `parameter_defaults` of an environment can set.

`parameter_defaults` apply to the whole tree; a property that the owner sets takes precedence
(heat/engine/environment.py, get_child_environment; heat/engine/resources/template_resource.py, child_params).
"""

from collections.abc import Hashable, Iterator

from msgspec.structs import replace

from heatstudio.analysis.analyze import Analysis
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.analysis.scope.inner_stack import InnerStack, inner_stack
from heatstudio.stack.definition.files import file_place
from heatstudio.stack.definition.source import define
from heatstudio.stack.definition.types import DEEPEST_NESTING
from heatstudio.stack.parameter_form import TYPED_DEFAULTS, FormField, FormGroup, NestedUse, ValueOrigin, form_field

MOST_STACKS = 400
"""Maximum number of examined nested stacks; a larger tree repeats the same templates."""


_Declared = tuple[FormField, NestedUse]


def tree_parameters(analysis: Analysis) -> tuple[FormGroup, ...]:
    """Return the parameters of nested templates, grouped by the template that declares a name first.

    Each name occurs once, because all templates that declare it share the default. Values from the parameter form
    are ignored.
    """
    scope = _without_typed(analysis)
    own = frozenset(scope.stack.parameters.names)
    declared: dict[str, list[_Declared]] = {}
    for one in _declarations(scope):
        declared.setdefault(one[0].name, []).append(one)
    groups: dict[str, list[FormField]] = {}
    for name, found in declared.items():
        field, use = next((one for one in found if not one[1].set_by_property), found[0])
        uses = tuple(dict.fromkeys(one for _, one in found))
        groups.setdefault(use.file, []).append(replace(field, uses=uses, is_shared=name in own))
    return tuple(FormGroup(file, "", tuple(fields)) for file, fields in groups.items())


def _without_typed(analysis: Analysis) -> TemplateScope:
    kept = tuple(file for file in analysis.source.environments if file.name != TYPED_DEFAULTS)
    if kept == analysis.source.environments:
        return analysis.scope
    source = replace(analysis.source, environments=kept)
    stack, types = define(source, analysis.knowledge, not_created=True)
    return replace(analysis.scope, source=source, stack=stack, types=types)


def _declarations(scope: TemplateScope) -> Iterator[_Declared]:
    """Yield every parameter of every nested template, once for each use of the template, outermost first."""
    seen: set[Hashable] = set()
    waiting: list[tuple[TemplateScope, tuple[str, ...]]] = [(scope, ())]
    for _ in range(DEEPEST_NESTING + 1):
        following: list[tuple[TemplateScope, tuple[str, ...]]] = []
        for whole, above in waiting:
            for name in whole.stack.enabled_resource_names:
                inner = inner_stack(ResourceScope(whole, name)) if len(seen) < MOST_STACKS else None
                if inner is None:
                    continue
                if inner.file:
                    yield from _fields(inner, file_place(whole.source.files, inner.file), (*above, name))
                if inner.key not in seen:
                    seen.add(inner.key)
                    following.append((inner.whole, (*above, name)))
        waiting = following


def _fields(inner: InnerStack, file: str, owner: tuple[str, ...]) -> Iterator[_Declared]:
    parameters = inner.whole.stack.parameters
    for name in parameters.names:
        field = form_field(parameters, name, inner.whole.words.default)
        if field.fallback.origin is ValueOrigin.DEFAULT:
            field = replace(field, fallback=replace(field.fallback, file=file))
        is_set = inner.whole.source.parameter_values.get(name) is not None
        yield field, NestedUse(file, owner, is_set)

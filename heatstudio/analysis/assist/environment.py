"""Completion, hover and definitions in an environment file, based on the template that uses the environment."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.assist.completion_context import CaretContext, writing_at
from heatstudio.analysis.assist.hover import Hover, hover_of_name
from heatstudio.analysis.assist.layout import completions_of
from heatstudio.analysis.assist.name_suggestions import file_names
from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.suggestion import Completion, Form, Key, Suggestion, Value
from heatstudio.analysis.assist.value_suggestions import choices, parameter_values, types
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, names_in, written_type
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS, RESOURCE_REGISTRY, STRATEGIES
from heatstudio.stack.inputs.registry import ACTIONS, HOOK_TYPES, HOOKS, RESOURCES, RESTRICTED_ACTIONS, TEMPLATE_ENDINGS
from heatstudio.template import Part, TreePath, parse_environment
from heatstudio.template.environment_file import SECTIONS

_LISTS = frozenset({"encrypted_param_names", "event_sinks"})
_OF_PARAMETERS = (PARAMETERS, PARAMETER_DEFAULTS, "parameter_merge_strategies")


def complete_environment(model: SemanticModel, text: str, offset: int) -> list[Completion]:
    """Return the completions at an offset of an environment file; `model` is the model of its template."""
    writing = writing_at(model.with_template(parse_environment(text)), offset)
    if writing is None:
        return []
    keys = (one for one in _keys(writing, model) if one.label not in writing.present) if writing.is_key else ()
    return completions_of((*keys, *(_values(writing, model) if writing.is_value else ())), writing)


def _keys(writing: CaretContext, model: SemanticModel) -> Iterator[Suggestion]:
    match writing.path:
        case ():
            for order, name in enumerate(SECTIONS):
                shape = Form.LIST if name in _LISTS else Form.MAP
                yield Suggestion(name, Key(name, shape), "section", rank=1, order=order)
        case ("parameters" | "parameter_defaults" | "parameter_merge_strategies",):
            words = model.words
            for parameter, data in map_at(model.template, (words.parameters,)).items():
                label, detail = str(parameter), str(at(data, (words.type,)) or "")
                rank = 1 if at(data, (words.default,)) is None else 2
                yield Suggestion(label, Key(label), "parameter", detail, rank)
        case ("resource_registry", *below):
            yield from _registry_keys(model, tuple(below))
        case _:
            return


def _registry_keys(model: SemanticModel, path: TreePath) -> Iterator[Suggestion]:
    match path:
        case ():
            yield Suggestion(RESOURCES, Key(RESOURCES, Form.MAP), "section", rank=1)
            yield from _type_keys(model)
        case ("resources",):
            for name in names_in(model.template, model.words.resources):
                yield Suggestion(name, Key(name, Form.MAP), "resource", written_type(model.template, name), rank=1)
        case ("resources", str(name)):
            for key in (HOOKS, RESTRICTED_ACTIONS):
                yield Suggestion(key, Key(key), "property", rank=1)
            kind = written_type(model.template, name)
            if kind:
                yield Suggestion(kind, Key(kind), "type", rank=0)
        case _:
            return


def _type_keys(model: SemanticModel) -> Iterator[Suggestion]:
    """Yield the types, with the types that the template uses first."""
    used = {written_type(model.template, name) for name in names_in(model.template, model.words.resources)}
    for name in sorted(used - {""}):
        yield Suggestion(name, Key(name), "type", "used by the template", rank=2)
    for suggestion in types(model):
        yield replace(suggestion, body=Key(suggestion.label), rank=3, foreign=False)


def _values(writing: CaretContext, model: SemanticModel) -> Iterator[Suggestion]:
    match writing.path:
        case ("parameters" | "parameter_defaults", str(name)):
            yield from parameter_values(model, name)
        case ("parameter_merge_strategies", _):
            yield from choices(STRATEGIES)
        case ("resource_registry", "resources", _, "hooks", *_):
            yield from choices(HOOK_TYPES)
        case ("resource_registry", "resources", _, "restricted_actions", *_):
            yield from choices(ACTIONS)
        case ("resource_registry", _) | ("resource_registry", "resources", _, _):
            for suggestion in file_names(model, TEMPLATE_ENDINGS):
                yield Suggestion(suggestion.label, Value(suggestion.label), "type", "template", rank=1)
            yield from types(model)
        case _:
            return


def environment_hover(model: SemanticModel, text: str, offset: int) -> Hover | None:
    """Return the hover of the parameter, resource or type at an offset of an environment."""
    place = parse_environment(text).path_at(offset)
    section, name = _meaning(model, place.path)
    return hover_of_name(model, section, name, place.span) if place.part is Part.KEY and section else None


def environment_definition(model: SemanticModel, text: str, offset: int) -> Location | None:
    """Return the template's definition of the name at an offset of an environment."""
    section, name = _meaning(model, parse_environment(text).path_at(offset).path)
    template = model.template
    if not section or template.find((section, name)) is None:
        return None
    return Location(template.locate((section, name), Part.KEY), is_definition=True)


def _meaning(model: SemanticModel, path: TreePath) -> tuple[str, str]:
    """Return the template section and the entry that a path names; both empty if there is none."""
    words = model.words
    match path:
        case (str(section), str(name), *_) if section in _OF_PARAMETERS:
            return words.parameters, name
        case (section, below, str(name), *_) if (section, below) == (RESOURCE_REGISTRY, RESOURCES):
            return words.resources, name
        case _:
            return "", ""

"""Hover and definitions in an environment file, based on the template that uses the environment."""

from heatstudio.analysis.assist.hover import Hover, hover_of_name
from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.semantic_model import SemanticModel
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS, RESOURCE_REGISTRY
from heatstudio.stack.inputs.registry import RESOURCES
from heatstudio.template import Part, Path, parse_environment

_OF_PARAMETERS = (PARAMETERS, PARAMETER_DEFAULTS, "parameter_merge_strategies")


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


def _meaning(model: SemanticModel, path: Path) -> tuple[str, str]:
    """Return the template section and the entry that a path names; both empty if there is none."""
    words = model.template.dialect
    match path:
        case (str(section), str(name), *_) if section in _OF_PARAMETERS:
            return words.parameters, name
        case (section, below, str(name), *_) if (section, below) == (RESOURCE_REGISTRY, RESOURCES):
            return words.resources, name
        case _:
            return "", ""

"""Recognition of templates and environments among other texts, such as playbooks and Helm values."""

from collections.abc import Mapping
from enum import Enum, auto

from heatstudio.template.dialect import VERSION_KEYS, misspelled_version, names_version
from heatstudio.template.environment_file import is_environment, meant_section
from heatstudio.template.template import parse_template

_TYPED = (("resources", "type"), ("Resources", "Type"))


class TextKind(Enum):
    """What a text is for Heat."""

    TEMPLATE = auto()
    ENVIRONMENT = auto()
    OTHER = auto()


def kind_of_text(text: str, file: str = "") -> TextKind:
    """Return the kind of a text in a file of this name: the top level decides, or the partial data if unreadable."""
    if names_version(text):
        return TextKind.TEMPLATE
    template = parse_template(text)
    data = template.reading.data if template.complete else "unreadable"
    has_sections = not data or (isinstance(data, dict) and any(map(meant_section, data)))  # unlike a shell's file
    if is_environment(template.data, file if has_sections else ""):
        return TextKind.ENVIRONMENT
    is_template = any(key in template.data for key in VERSION_KEYS) or misspelled_version(template.data)
    return TextKind.TEMPLATE if is_template or _has_typed_resources(template.data) else TextKind.OTHER


def _has_typed_resources(data: Mapping[object, object]) -> bool:
    """Return whether a section of resources has one with a type of Heat, or with a template as its type."""
    for section, word in _TYPED:
        resources = data.get(section)
        for one in resources.values() if isinstance(resources, dict) else ():
            kind = one.get(word) if isinstance(one, dict) else None
            if isinstance(kind, str) and ("::" in kind or kind.endswith((".yaml", ".template"))):
                return True
    return False

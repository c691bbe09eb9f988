"""Environment files, and what a text is for Heat: environment or template (heat/common/environment_format.py)."""

from collections.abc import Mapping
from difflib import get_close_matches
from enum import Enum, auto

from heatstudio.template.dialect import DIALECTS, VERSION_KEYS, choose_dialect, misspelled_version, names_version
from heatstudio.template.syntax.nodes import SyntaxProblem
from heatstudio.template.syntax.parse import Reader, read_text
from heatstudio.template.template import Template, parse_template
from heatstudio.text import Span

SECTIONS = (
    "parameters",
    "resource_registry",
    "parameter_defaults",
    "encrypted_param_names",
    "event_sinks",
    "parameter_merge_strategies",
)
LIKENESS = 0.8
"""Minimum similarity, up to 1, of a key to the section that it misspells."""
_OWN_SECTIONS = frozenset(SECTIONS) - {"parameters"}
_OF_TEMPLATES = frozenset(word for dialect in DIALECTS for word in dialect.sections) - {"parameters"}
_TYPED = (("resources", "type"), ("Resources", "Type"))


def is_environment(data: Mapping[object, object], file: str = "") -> bool:
    """Return whether data belongs to an environment rather than to a template without a version.

    A section that only environments have is decisive, even if misspelled, and so is the name `.env` of the file.
    Otherwise, the entries of `parameters` decide: maps with a type are declarations of a template, other values, or
    none, belong to an environment.
    """
    if any(key in _OF_TEMPLATES for key in data):
        return False
    if file.lower().endswith(".env") or any(meant_section(key) in _OWN_SECTIONS for key in data):
        return True
    values = data.get("parameters") if list(data) == ["parameters"] else [...]
    declared = values.values() if isinstance(values, dict) else ()
    return not values or not all(isinstance(one, dict) and "type" in one for one in declared)


def meant_section(key: object) -> str | None:
    """Return the environment section that a key names or misspells; None if it resembles none."""
    if not isinstance(key, str) or key in SECTIONS:
        return key if isinstance(key, str) else None
    return next(iter(get_close_matches(key.lower(), SECTIONS, 1, LIKENESS)), None)


def parse_environment(text: str) -> Template:
    """Parse an environment file into sections and entries; like `parse_template`, accept any text."""
    reading = read_text(text, {}, Reader.ENVIRONMENT)
    problems = [*reading.problems]
    if reading.complete and reading.data is not None and not isinstance(reading.data, dict):
        message = "An environment must be a map of sections such as `parameters:`."
        problems.append(SyntaxProblem("not-a-mapping", message, Span(0, len(text.split("\n", 1)[0]))))
    for section in {section.name: section for section in reading.sections}.values():
        name = section.name
        span = Span(section.key.start, section.key.end).shifted(section.shift)
        if name not in SECTIONS:
            meant = meant_section(name)
            hint = f"did you mean `{meant}`?" if meant is not None else "put values of parameters below `parameters:`."
            message = f"Unknown section `{name}`; {hint}"
            problems.append(SyntaxProblem("unknown-section", message, span))
        elif section.data is None:
            message = f"Section `{name}` is empty, which Heat rejects; write `{{}}` or remove it."
            problems.append(SyntaxProblem("empty-section", message, span))
    return Template(text, Reader.ENVIRONMENT, reading, choose_dialect({}), tuple(problems))


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

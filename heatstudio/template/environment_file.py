"""Environment files: parameters, defaults and the resource registry (heat/common/environment_format.py)."""

from collections.abc import Mapping
from difflib import get_close_matches

from heatstudio.template.dialect import DIALECTS, choose_dialect
from heatstudio.template.syntax.nodes import SyntaxProblem
from heatstudio.template.syntax.parse import Reader, read_text
from heatstudio.template.template import Template
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

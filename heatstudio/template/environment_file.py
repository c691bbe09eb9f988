"""Reads environment files: parameters, defaults and the resource registry (heat/common/environment_format.py)."""

from __future__ import annotations

from collections.abc import Mapping

from heatstudio.template.dialect import choose_dialect
from heatstudio.template.lookup import Located, Part, Place
from heatstudio.template.nodes import Path
from heatstudio.template.parse import read_text
from heatstudio.template.problem import SyntaxProblem
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


class EnvironmentFile:
    """What was written in one environment file. Never changes.

    A section that is absent, or of the wrong kind, is empty here; `data` is what was written.
    """

    def __init__(self, written: Template, problems: tuple[SyntaxProblem, ...]) -> None:
        self.written = written
        """The text as one of sections and entries; its changes are rendered from this."""
        self.text = written.text
        self.data = written.data
        self.problems = problems
        self.complete = written.complete
        self.parameters = self._map("parameters")
        self.parameter_defaults = self._map("parameter_defaults")
        self.parameter_merge_strategies = self._map("parameter_merge_strategies")
        self.resource_registry = self._map("resource_registry")
        self.encrypted_param_names = self._list("encrypted_param_names")
        self.event_sinks = self._list("event_sinks")

    def find(self, path: Path) -> Located | None:
        """The node of a value with its key; None if the path does not exist."""
        return self.written.find(path)

    def locate(self, path: Path, part: Part = Part.VALUE) -> Span:
        """Where a path is written; if it does not exist, the key of the nearest ancestor that does."""
        return self.written.locate(path, part)

    def path_at(self, offset: int) -> Place:
        """The innermost value or key at an offset."""
        return self.written.path_at(offset)

    def _map(self, section: str) -> Mapping[object, object]:
        found = self.data.get(section)
        return found if isinstance(found, dict) else {}

    def _list(self, section: str) -> list[object]:
        found = self.data.get(section)
        return found if isinstance(found, list) else []


def is_environment(data: Mapping[object, object]) -> bool:
    """Whether the data of a text are those of an environment rather than of a template without its version.

    A template declares parameters by maps with a type; an environment gives them values.
    """
    if not data or any(key not in SECTIONS for key in data):
        return False
    if len(data) > 1 or "parameters" not in data:
        return True
    values = data["parameters"]
    declared = values.values() if isinstance(values, dict) else ()
    return bool(declared) and not all(isinstance(one, dict) and "type" in one for one in declared)


def parse_environment(text: str, previous: EnvironmentFile | None = None) -> EnvironmentFile:
    """Read an environment file; total and tolerant, as `parse_template` is."""
    reading = read_text(text, previous.written.known if previous else {}, allow_json=False)
    written = Template(text, reading, choose_dialect({}), reading.problems)
    problems = [*reading.problems]
    if reading.complete and reading.data is not None and not isinstance(reading.data, dict):
        message = "An environment is a map of sections such as `parameters:`; this is none."
        problems.append(SyntaxProblem("not-a-mapping", message, Span(0, len(text.split("\n", 1)[0]))))
    for name, section in written.sections.items():
        span = Span(section.key.start, section.key.end).shifted(section.shift)
        if name not in SECTIONS:
            message = f'An environment has no section "{name}": Heat knows {", ".join(SECTIONS)}.'
            problems.append(SyntaxProblem("unknown-section", message, span))
        elif section.data is None:
            message = f'The section "{name}" is empty, which Heat refuses: write `{{}}` or remove it.'
            problems.append(SyntaxProblem("empty-section", message, span))
    return EnvironmentFile(written, tuple(problems))

"""The problems of a template, for tests of what shows them."""

from __future__ import annotations

from heatstudio.analysis import Diagnostic, analyze
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template


def problems_of(text: str) -> tuple[Diagnostic, ...]:
    return analyze(Source(parse_template(text)), load_knowledge()).diagnostics

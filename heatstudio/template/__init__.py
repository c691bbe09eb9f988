"""What was written? Templates and environment files as plain data, with the place of every value."""

from heatstudio.template.dialect import Dialect, Language
from heatstudio.template.entry import Entry, Section
from heatstudio.template.lookup import Part, Place
from heatstudio.template.nodes import Path
from heatstudio.template.problem import SyntaxProblem
from heatstudio.template.template import Template, parse_template

__all__ = [
    "Dialect",
    "Entry",
    "Language",
    "Part",
    "Path",
    "Place",
    "Section",
    "SyntaxProblem",
    "Template",
    "parse_template",
]

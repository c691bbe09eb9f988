"""Templates and environment files as plain data, with the span of every value."""

from heatstudio.template.context import Context, context_at
from heatstudio.template.dialect import Dialect
from heatstudio.template.editing.editor import DataFix, render, render_fix
from heatstudio.template.editing.rendering_plan import (
    AddEntry,
    AddItem,
    CannotEditError,
    Change,
    DeleteEntry,
    Existing,
    RenameKey,
    SetValue,
)
from heatstudio.template.editing.restore import restored
from heatstudio.template.environment_file import is_environment, meant_section, parse_environment
from heatstudio.template.syntax.lookup import OffsetPlace, Part
from heatstudio.template.syntax.nodes import SyntaxProblem, TreePath
from heatstudio.template.syntax.parse import Reader
from heatstudio.template.template import Template, parse_template
from heatstudio.template.template_text import template_text

__all__ = [
    "AddEntry",
    "AddItem",
    "CannotEditError",
    "Change",
    "Context",
    "DataFix",
    "DeleteEntry",
    "Dialect",
    "Existing",
    "OffsetPlace",
    "Part",
    "Reader",
    "RenameKey",
    "SetValue",
    "SyntaxProblem",
    "Template",
    "TreePath",
    "context_at",
    "is_environment",
    "meant_section",
    "parse_environment",
    "parse_template",
    "render",
    "render_fix",
    "restored",
    "template_text",
]

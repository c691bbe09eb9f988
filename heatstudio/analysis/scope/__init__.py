"""The input of checks, and what they make of it: findings at places, with fixes."""

from heatstudio.analysis.scope.check import Check, call_check, resource_check, template_check
from heatstudio.analysis.scope.finding import Diagnostic, EnvironmentPlace, Finding, Place
from heatstudio.analysis.scope.missing_name import meaning, name_fixes, with_names
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import ResourceScope, Scope
from heatstudio.analysis.scope.semantic_model import Options
from heatstudio.analysis.scope.template_scope import TemplateScope

__all__ = [
    "Check",
    "Diagnostic",
    "EnvironmentPlace",
    "Finding",
    "Options",
    "Place",
    "ResourceScope",
    "Scope",
    "TemplateScope",
    "call_check",
    "meaning",
    "name_fixes",
    "nearest",
    "resource_check",
    "template_check",
    "with_names",
]

"""Diagnostics and their fixes, computed from values and independent of the window."""

from heatstudio.analysis.analyze import Analysis, analyze
from heatstudio.analysis.analyze_environment import EnvironmentAnalysis, OwnerOf, analyze_file, in_encoding
from heatstudio.analysis.scope.finding import Diagnostic, Finding
from heatstudio.analysis.scope.scope import Settings

__all__ = [
    "Analysis",
    "Diagnostic",
    "EnvironmentAnalysis",
    "Finding",
    "OwnerOf",
    "Settings",
    "analyze",
    "analyze_file",
    "in_encoding",
]

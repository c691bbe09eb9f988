"""Diagnostics and their fixes, computed from values and independent of the window."""

from heatstudio.analysis.analyze import Analysis, analyze
from heatstudio.analysis.analyze_environment import Consumer, EnvironmentAnalysis, analyze_file, in_encoding
from heatstudio.analysis.scope import Diagnostic, Finding, Options

__all__ = [
    "Analysis",
    "Consumer",
    "Diagnostic",
    "EnvironmentAnalysis",
    "Finding",
    "Options",
    "analyze",
    "analyze_file",
    "in_encoding",
]

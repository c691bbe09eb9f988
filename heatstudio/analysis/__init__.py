"""What do we say about it? Findings with their ways out, computed from values and never from the window."""

from heatstudio.analysis.analyze import Analysis, analyze
from heatstudio.analysis.finding import Diagnostic, Finding, Place
from heatstudio.analysis.scope import Settings

__all__ = ["Analysis", "Diagnostic", "Finding", "Place", "Settings", "analyze"]

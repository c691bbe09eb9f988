"""Migrations from deprecated and hidden names to their replacements, verified against Heat's behavior."""

from heatstudio.analysis.migrations.fix_all import Migration, fix_all, is_neutral
from heatstudio.analysis.migrations.function_fixes import function_fixes, version_of_arguments
from heatstudio.analysis.migrations.property_fixes import property_fixes

__all__ = ["Migration", "fix_all", "function_fixes", "is_neutral", "property_fixes", "version_of_arguments"]

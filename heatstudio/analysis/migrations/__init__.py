"""Migrations from deprecated and hidden names to their replacements, verified against Heat's behavior."""

from heatstudio.analysis.migrations.attribute_remedies import attribute_remedies
from heatstudio.analysis.migrations.fix_all import Migration, fix_all
from heatstudio.analysis.migrations.function_remedies import function_remedies
from heatstudio.analysis.migrations.look_up import lookup_remedies
from heatstudio.analysis.migrations.neutrality import is_neutral
from heatstudio.analysis.migrations.property_remedies import property_remedies
from heatstudio.analysis.migrations.type_remedies import type_remedies

__all__ = [
    "Migration",
    "attribute_remedies",
    "fix_all",
    "function_remedies",
    "is_neutral",
    "lookup_remedies",
    "property_remedies",
    "type_remedies",
]

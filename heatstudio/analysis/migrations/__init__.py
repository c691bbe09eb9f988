"""Old to new: what takes the place of hidden and deprecated things, as remedies held against what Heat does."""

from heatstudio.analysis.migrations.attribute_remedies import attribute_remedies
from heatstudio.analysis.migrations.fix_all import Migration, Refusal, fix_all
from heatstudio.analysis.migrations.function_remedies import function_remedies
from heatstudio.analysis.migrations.look_up import CloudLookup, lookup_remedies
from heatstudio.analysis.migrations.migration_report import Step, steps
from heatstudio.analysis.migrations.neutrality import disturbances, is_neutral
from heatstudio.analysis.migrations.property_remedies import obstacle, property_remedies
from heatstudio.analysis.migrations.type_remedies import type_remedies

__all__ = [
    "CloudLookup",
    "Migration",
    "Refusal",
    "Step",
    "attribute_remedies",
    "disturbances",
    "fix_all",
    "function_remedies",
    "is_neutral",
    "lookup_remedies",
    "obstacle",
    "property_remedies",
    "steps",
    "type_remedies",
]

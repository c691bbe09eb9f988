"""Old to new: what takes the place of hidden and deprecated things, as remedies held against what Heat does."""

from heatstudio.analysis.successors.attribute_remedies import attribute_remedies
from heatstudio.analysis.successors.fix_all import Migration, Refusal, fix_all
from heatstudio.analysis.successors.function_remedies import function_remedies
from heatstudio.analysis.successors.look_up import CloudLookup, lookup_remedies
from heatstudio.analysis.successors.migration_report import Step, steps
from heatstudio.analysis.successors.neutrality import disturbances, is_neutral
from heatstudio.analysis.successors.property_remedies import obstacle, property_remedies
from heatstudio.analysis.successors.type_remedies import type_remedies

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

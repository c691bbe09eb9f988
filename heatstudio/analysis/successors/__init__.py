"""Old to new: what takes the place of hidden and deprecated things, as remedies that are held against what Heat does."""

from heatstudio.analysis.successors.property_remedies import property_remedies

__all__ = ["property_remedies"]

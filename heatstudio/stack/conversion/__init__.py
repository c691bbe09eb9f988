"""Conversion between the languages: CFN to HOT and HOT to CFN."""

from heatstudio.stack.conversion.convert import Conversion, convert
from heatstudio.stack.conversion.converter import Remark

__all__ = ["Conversion", "Remark", "convert"]

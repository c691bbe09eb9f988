"""Conversion of templates between HOT and CFN."""

from heatstudio.stack.conversion.convert import Conversion, convert
from heatstudio.stack.conversion.converter import ConversionNote

__all__ = ["Conversion", "ConversionNote", "convert"]

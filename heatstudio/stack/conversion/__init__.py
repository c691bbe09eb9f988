"""What would it be in the other language? HOT for the CFN style, and the other way round."""

from heatstudio.stack.conversion.convert import Conversion, convert
from heatstudio.stack.conversion.converter import Remark

__all__ = ["Conversion", "Remark", "convert"]

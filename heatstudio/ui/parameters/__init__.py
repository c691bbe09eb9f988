"""The parameters of the template as a form."""

from heatstudio.ui.parameters.pane import ParametersPane

__all__ = ["ParametersPane"]

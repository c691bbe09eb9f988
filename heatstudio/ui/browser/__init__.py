"""The browser of resource types, and the page of each type."""

from heatstudio.ui.browser.pane import BrowserPane
from heatstudio.ui.browser.type_page import TypePage

__all__ = ["BrowserPane", "TypePage"]

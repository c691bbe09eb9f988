"""The browser of resource types: what exists, and a page on each type."""

from heatstudio.ui.browser.pane import BrowserPane
from heatstudio.ui.browser.type_page import TypePage

__all__ = ["BrowserPane", "TypePage"]

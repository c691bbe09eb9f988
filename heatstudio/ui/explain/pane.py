"""The explanation of a problem next to the editor; it needs no network."""

from PySide6.QtCore import Qt

from heatstudio.analysis.pages import pages
from heatstudio.text.markup import Markdown
from heatstudio.ui.explain.page_browser import PageBrowser
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, EmptyState, Panel
from heatstudio.ui.widgets.plain_text import PlainLabel

_EMPTY = (
    "The explanation of a problem appears here",
    "F1 explains the problem at the cursor: why it matters, an example, the fix.",
)


class ExplainPane(Panel):
    """The pane with the page of a code; the box at the top lists all codes."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Explanation", EmptyState(appearance, "severity-information", *_EMPTY))
        self.code = ""
        self.choice = choice_box("Code")
        self.choice.addItems(sorted(pages()))
        self.browser = PageBrowser(appearance, "Explanation")
        self.browser.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.choice.currentTextChanged.connect(self.show_code)
        label = PlainLabel("Code")
        label.setBuddy(self.choice)
        bar = in_row(label, (self.choice, 1), edges=(EDGE, 4, EDGE, 4), gap=GAP)
        self.set_content(bar, self.browser)
        self.lead_to(self.browser)

    def show_code(self, code: str, message: str = "", heat: str = "") -> None:
        """Show the page of a code, if there is one, with the message of a problem and Heat's message."""
        if code in pages():
            self.code = code
            own = [Markdown("\n{}\n").fill(Markdown.sentence(message))] if message else []
            own += [Markdown("\nHeat says: {}\n").fill(" ".join(heat.split()))] if heat else []
            self.choice.blockSignals(True)
            self.choice.setCurrentText(code)
            self.choice.blockSignals(False)
            self.browser.show_page(pages()[code].below_title(Markdown("").join(own)))
            self.set_filled(True)

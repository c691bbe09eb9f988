"""A label of HTML, which cannot be formed by names or messages: `Html` escapes them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel

from heatstudio.text.markup import Html


class HtmlLabel(QLabel):
    """A label that wraps HTML."""

    def __init__(self, margin: int = 0) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText, wordWrap=True, margin=margin)

    def set_html(self, html: Html) -> None:
        """Show HTML from left to right, even if it begins with a name in another script."""
        self.setText(Html('<div dir="ltr">{}</div>').fill(html) if html else html)

    def plain_text(self) -> str:
        """Return the text without its formats."""
        return QTextDocumentFragment.fromHtml(self.text()).toPlainText()

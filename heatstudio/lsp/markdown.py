"""Conversion of rich text of the assistants to Markdown."""

import re
from html import unescape

_TAG = re.compile(r"(<br>|</?b>|</?code>)")
_SPECIAL = re.compile(r"([\\*_\[\]<>#|~])")
_WRITTEN = {"<br>": "\n\n", "<b>": "**", "</b>": "**", "<code>": "`", "</code>": "`"}


def markdown(rich_text: str) -> str:
    """Return the Markdown of a rich text that contains only bold text, code and line breaks."""
    pieces = []
    in_code = False
    for piece in _TAG.split(rich_text):
        if piece in _WRITTEN:
            in_code = piece == "<code>" or (in_code and piece != "</code>")
            pieces.append(_WRITTEN[piece])
        else:
            text = unescape(piece)
            pieces.append(text if in_code else _SPECIAL.sub(r"\\\1", text))
    return "".join(pieces)

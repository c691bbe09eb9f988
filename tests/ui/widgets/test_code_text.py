"""Code in sentences is monospaced, and backticks are not shown."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont

from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.code_text import CodeText, without_marks


@pytest.mark.parametrize(
    ("text", "shown"), [("Use `network`.", "Use network."), ("a ` alone", "a ` alone"), ("plain", "plain"), ("", "")]
)
def test_backticks_are_not_shown(text: str, shown: str) -> None:
    assert without_marks(text) == shown


def test_code_is_monospaced(appearance: Appearance) -> None:
    font, code = QFont(), appearance.fixed_font()
    marked, plain = (CodeText(text, font, code, 1000) for text in ("🚀 `iiii`", "🚀 iiii"))
    assert marked.width > plain.width, "a narrow letter takes as much room as others where all have the same"


def test_long_sentence_is_wrapped(appearance: Appearance) -> None:
    text, code = "Exactly one of `snapshot_id` or `size` is needed. " * 4, appearance.fixed_font()
    whole, wrapped = CodeText(text, QFont(), code, 200), CodeText(text, QFont(), code, 200, wraps=True)
    assert whole.width > 200
    assert wrapped.width <= 200
    assert wrapped.height > whole.height


def test_marked_letters_are_bold(appearance: Appearance) -> None:
    font, code, text = QFont(), appearance.fixed_font(), "🚀 network"
    widths = [CodeText(text, font, code, 1000, marked=places).width for places in ((), (2, 3, 4), range(len(text)))]
    assert widths == sorted(set(widths)), "bold letters are wider"

"""The view state of a text."""

from typing import NamedTuple


class ViewState(NamedTuple):
    """The offset of the caret, the line at the top, and the horizontal scroll position in pixels."""

    caret: int
    line: int
    left: int


NOWHERE = ViewState(0, 0, 0)

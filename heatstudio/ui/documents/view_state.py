"""The view state of a text: cursor, selection and scroll position."""

from typing import NamedTuple


class ViewState(NamedTuple):
    """The cursor offset, the first visible line, and the horizontal scroll position in pixels."""

    caret: int
    line: int
    left: int


NOWHERE = ViewState(0, 0, 0)

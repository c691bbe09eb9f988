"""The view state of a text: cursor, selection and scroll position."""

from typing import NamedTuple


class ViewState(NamedTuple):
    """The caret as an offset, the line at the top, and how many pixels were scrolled to the right."""

    caret: int
    line: int
    left: int


NOWHERE = ViewState(0, 0, 0)

"""The highlighting states of lines that are shown without the text above them, which is not highlighted completely.

A construct that is open at a line starts in a line below which the line is indented; of the other lines, only those
between the two are read, up to a maximum distance.
"""

from collections.abc import Collection, Iterator, Sequence

from heatstudio.ui.highlight.highlight_line import highlight_line
from heatstudio.ui.highlight.line_state import INITIAL

_FARTHEST = 200
"""The maximum distance of a line from the start of an open construct to read the lines between them."""
_DASHES, _CLOSING = ("- ", "-\t", "-"), ("]", "}")
"""The starts of lines that may have the same indentation as their key."""
_START = INITIAL.encode()


def states_above(lines: Sequence[str], numbers: Collection[int]) -> dict[int, int]:
    """Return the states at the starts of lines (counted from 0), as for `highlight_line`."""
    return {number: _state(lines, number, owners) for number, owners in _owners(lines, numbers)}


def _owners(lines: Sequence[str], numbers: Collection[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield each line with the lines below which it is indented, the outermost first."""
    open_lines: list[tuple[int, bool, int]] = []
    last = max(numbers, default=-1)
    for number, line in enumerate(lines[: last + 1]):
        words = line.lstrip(" ")
        indent, is_below = len(line) - len(words), words[:2] in _DASHES or words[:1] in _CLOSING
        if words and words[0] != "#":
            while open_lines and (indent, is_below) <= open_lines[-1][:2]:
                open_lines.pop()
        if number in numbers:
            yield number, [owner for _, _, owner in open_lines]
        if words and words[0] != "#":
            open_lines.append((indent, is_below, number))


def _state(lines: Sequence[str], number: int, owners: Sequence[int]) -> int:
    state = _START
    for owner in owners:
        _, state = highlight_line(lines[owner], state)
        if state != _START and number - owner <= _FARTHEST:
            for line in lines[owner + 1 : number]:
                _, state = highlight_line(line, state)
            break
    return state

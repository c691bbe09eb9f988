"""How the lines above some lines of a text end, without coloring all of them: for those that are shown by themselves.

What is open at a line was opened by a line that it is indented below; of the others only those are looked at that
stand between the two, and not for long.
"""

from collections.abc import Collection, Iterator, Sequence

from heatstudio.ui.highlight.highlight_line import highlight_line
from heatstudio.ui.highlight.line_state import INITIAL

_FARTHEST = 200
"""Lines between what opens something and the line in question; of more, only those that it is indented below count."""
_DASHES, _CLOSING = ("- ", "-\t", "-"), ("]", "}")
"""Lines that may be at the same indentation as their key."""
_START = INITIAL.encode()


def states_above(lines: Sequence[str], numbers: Collection[int]) -> dict[int, int]:
    """The state in which each of these lines (counted from 0) begins, as `highlight_line` takes it."""
    return {number: _state(lines, number, owners) for number, owners in _owners(lines, numbers)}


def _owners(lines: Sequence[str], numbers: Collection[int]) -> Iterator[tuple[int, list[int]]]:
    """The lines that each of these is indented below, the outermost first."""
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

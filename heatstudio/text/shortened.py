"""Two long texts, cut around their difference."""

from heatstudio.text.span import shared_ends

CONTEXT = 16
"""Maximum number of equal characters shown at both ends of a difference of two long texts."""


def shortened(before: str, after: str, room: int) -> tuple[str, str]:
    """Return two different texts, cut around their difference if together they have more than `room` characters."""
    if len(before) + len(after) <= room:
        return before, after
    start, end = shared_ends(before, after)
    spare = room - (len(before) + len(after) - 2 * (start + end)) - 4
    context = max(min(CONTEXT, spare // 4, room // 2 - 3), 0)
    head, tail = (equal - context if equal > context + 1 else 0 for equal in (start, end))
    old, new = _piece(before, head, tail), _piece(after, head, tail)
    return _cut(old, max(room // 2, room - len(new))), _cut(new, max(room // 2, room - len(old)))


def _piece(text: str, head: int, tail: int) -> str:
    piece = text[head : len(text) - tail]
    return f"{'…' if head else ''}{piece}{'…' if tail and (piece or not head) else ''}"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(room - 1, 2)]}…"

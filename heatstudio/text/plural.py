"""Counts with singular and plural nouns."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as `1 file`, `2 files`; `many` is an irregular plural."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"

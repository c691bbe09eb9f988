"""Numbers as Heat reads them (heat/engine/constraints.py, Schema.str_to_num)."""


def integer(value: object) -> int:
    """Return `int(value)`. Raise TypeError or ValueError with Python's message, which Heat reports."""
    if isinstance(value, (str, int, float)):
        return int(value)
    kind = type(value).__name__
    raise TypeError(f"int() argument must be a string, a bytes-like object or a real number, not '{kind}'")


def number(value: object) -> int | float:
    """Return a number, or the number that a string contains. Raise TypeError or ValueError as `integer` does."""
    if isinstance(value, (int, float)):
        return value
    try:
        return integer(value)
    except ValueError:
        return float(str(value))

"""Numbers as Heat reads them (heat/engine/constraints.py, Schema.str_to_num)."""


def integer(value: object) -> int:
    """`int(value)` of any value. Raises TypeError and ValueError with Python's words, which Heat reports."""
    if isinstance(value, (str, int, float)):
        return int(value)
    kind = type(value).__name__
    raise TypeError(f"int() argument must be a string, a bytes-like object or a real number, not '{kind}'")


def number(value: object) -> int | float:
    """A number, or the number that a text spells. Raises TypeError and ValueError as `integer`."""
    if isinstance(value, (int, float)):
        return value
    try:
        return integer(value)
    except ValueError:
        return float(str(value))

"""Numbers and booleans as Heat reads them (heat/engine/constraints.py, Schema.str_to_num; oslo.utils, strutils)."""

TRUE_WORDS = frozenset({"1", "t", "true", "on", "y", "yes"})
FALSE_WORDS = frozenset({"0", "f", "false", "off", "n", "no"})


def boolean(value: object) -> bool:
    """Return a boolean, or the boolean that a text means. Raise ValueError with the message that Heat reports."""
    word = str(value).strip().lower()
    if word in TRUE_WORDS or word in FALSE_WORDS:
        return word in TRUE_WORDS
    words = ", ".join(f"'{known}'" for known in sorted(TRUE_WORDS | FALSE_WORDS))
    raise ValueError(f"Unrecognized value '{value}', acceptable values are: {words}")


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

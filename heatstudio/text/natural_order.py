"""Natural sort order: numbers in names sort by value."""

import re


def natural_key(name: str) -> list[tuple[bool, int, str]]:
    """Return a sort key by which `port_2` stands before `port_10`."""
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name)]

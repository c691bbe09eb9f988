"""Natural sort order."""

import re


def natural_key(name: str) -> list[tuple[bool, int, str]]:
    """Return a sort key that sorts `port_2` before `port_10`."""
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name)]

"""Paths in plain data: the keys and indexes from the top of a template to a value."""

Path = tuple[str | int, ...]


class BranchIndex(int):
    """An index among the arguments of `if`: a path element that Heat omits in its messages."""


def step(key: object) -> str | int:
    """The path step for a map key; YAML also allows keys that are no strings."""
    return key if isinstance(key, (str, int)) else str(key)


def dotted(path: Path) -> str:
    """The way Heat writes a path in its messages: `resources.server.properties.networks[0].port`."""
    text = ""
    for part in path:
        if isinstance(part, BranchIndex):
            continue
        if isinstance(part, int) and not isinstance(part, bool):
            text += f"[{part}]"
        else:
            text = f"{text}.{part}" if text else str(part)
    return text

"""Paths in plain data: the keys and indexes from the top of a template to a value."""

from heatstudio.template import TreePath


class BranchIndex(int):
    """A position among the arguments of `if`; Heat omits this step from its messages."""


def step(key: object) -> str | int:
    """Return the path step for a map key; YAML also allows keys that are not strings."""
    return key if isinstance(key, (str, int)) else str(key)


def dotted(path: TreePath) -> str:
    """Return a path as Heat writes it in its messages: `resources.server.properties.networks[0].port`."""
    text = ""
    for part in path:
        if isinstance(part, BranchIndex):
            continue
        if isinstance(part, int) and not isinstance(part, bool):
            text += f"[{part}]"
        else:
            text = f"{text}.{part}" if text else str(part)
    return text

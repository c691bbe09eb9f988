"""The text of a snippet after its insertion."""

from __future__ import annotations

import re

_STOP = re.compile(r"\\(.)|\$(\d+)|\$\{(\d+)(?::((?:[^}\\]|\\.)*))?\}", re.DOTALL)


def snippet_text(source: str) -> str:
    """Return the text of a snippet with the default texts of its tab stops."""
    return _STOP.sub(lambda found: found[1] or snippet_text(found[4] or ""), source)

"""Annotated texts with parts, each below a line `=== NAME`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_PART = re.compile(r"^=== (.+)\n", re.MULTILINE)


def parts_of(case: Path) -> dict[str, str]:
    """Return the parts of a file by name."""
    texts = _PART.split(case.read_text("utf-8"))
    return dict(zip(texts[1::2], texts[2::2], strict=True))


def beginning_with(parts: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return the parts of one kind, such as `file child.yaml`, by what follows; "" if nothing does."""
    return {name.partition(" ")[2]: text for name, text in parts.items() if name.partition(" ")[0] == kind}

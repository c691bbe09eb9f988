"""The cloud that templates are checked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Target(NamedTuple):
    """What is known of a cloud without asking it."""

    release: str = ""
    """The name of its OpenStack release; empty for the one whose Heat this program knows."""
    client_versions: Mapping[str, str] = {}
    """Its API versions by client plug-in, where they are not those of that release."""

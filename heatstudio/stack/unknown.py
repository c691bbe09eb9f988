"""A value that is not known before the stack exists."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value not known yet; two of them with equal keys certainly stand for equal values."""

    key: Hashable
    origins: frozenset[str] = frozenset()
    """The names of the resources it comes from."""

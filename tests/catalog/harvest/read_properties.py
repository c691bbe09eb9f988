"""Properties that record which of them a plug-in reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class ReadProperties:
    """Properties of a resource that have only the given values and record the names that are read."""

    def __init__(self, known: Iterable[str], values: Mapping[str, str]) -> None:
        self._known = frozenset(known)
        self._values = values
        self.read: set[str] = set()

    def get(self, name: str, default: object = None) -> object:
        """Return the value or the default, and record the name if the property exists."""
        if name not in self._known:
            return default
        self.read.add(name)
        return self._values.get(name, default)

    def __getitem__(self, name: str) -> object:
        return self.get(name)

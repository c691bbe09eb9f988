"""Files by name, without folders."""

from __future__ import annotations

from collections.abc import Mapping

from heatstudio.stack.definition.files import Files


class FlatFiles(Files):
    """Files by name, without folders."""

    def __init__(self, contents: Mapping[str, str]) -> None:
        self._contents = contents

    def get(self, name: str, /) -> str | None:
        return self._contents.get(name)

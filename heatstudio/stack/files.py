"""The files that belong to a template: what `get_file` and nested templates read."""

from __future__ import annotations

from collections.abc import Mapping

from heatstudio.stack.unknown import Unknown


class TemplateFiles:
    """Files by the name under which the template asks for them; without a mapping every content is unknown."""

    def __init__(self, contents: Mapping[str, str | Unknown | None] | None = None) -> None:
        self._contents = contents

    def get(self, name: str) -> str | Unknown | None:
        """The content of a file, None if there is no such file, Unknown if nobody looked."""
        if self._contents is None:
            return Unknown(("file", name), frozenset({f"file:{name}"}))
        return self._contents.get(name)

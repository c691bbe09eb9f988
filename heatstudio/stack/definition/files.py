"""The files that a template reads with `get_file` or as nested templates."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from heatstudio.stack.unknown import Unknown
from heatstudio.template import parse_template
from heatstudio.template.dialect import VERSION_KEYS

FILE_URL = "file://"
CLOSED = "closed"
"""The first part of the key of an `Unknown` content that cannot be read; the second part is the reason."""


class Files:
    """The files of a template and of its nested templates; those of this class itself are all unknown."""

    is_on_disk: ClassVar[bool] = False

    def get(self, name: str, /) -> str | Unknown | None:
        """Return the content of a file, None if there is no such file, Unknown if it was not read."""
        return Unknown(("file", name), frozenset({f"file:{name}"}))

    def sent(self, name: str, /) -> str | Unknown | None:
        """Return the content of a file as Heat receives it for `get_file`; like `get` for a missing or unread file."""
        content = self.get(name)
        return sent_form(content) if isinstance(content, str) and self.is_on_disk else content

    def below(self, _name: str, /) -> Files:
        """Return the files relative to the folder of a file, or the same files if they have no folders."""
        return self

    def path(self, _name: str, /) -> Path | None:
        """Return the path of a file on disk, which may be missing; None for a URL or a path outside the open folder."""
        return None

    def names(self) -> Iterable[str]:
        """Return the names of all files as a template writes them, if they can be listed."""
        return ()

    def peek(self, name: str, /) -> str | Unknown | None:
        """Return the content of a file like `get`, but for a question whose answer no analysis depends on."""
        return self.get(name)

    def templates(self) -> Iterable[str]:
        """Return the names of the templates in the folder itself, if they can be listed."""
        return ()


NO_FILES = Files()


def sent_text(content: bytes) -> str:
    """Return a content as python-heatclient sends it: as base64 if it is not UTF-8 (heatclient/common/utils.py)."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return base64.encodebytes(content).decode("ascii")


@lru_cache(maxsize=64)
def sent_form(text: str) -> str:
    """Return a text as python-heatclient sends it: as JSON if it loads as a template, with the names as written.

    heatclient/common/template_utils.py, get_file_contents: layout and comments are lost. A plain text or a list that
    contains a version key also counts as a template.
    """
    if not any(key in text for key in VERSION_KEYS):
        return text
    reading = parse_template(text).reading
    data = reading.data if reading.complete and isinstance(reading.data, (dict, list, str)) else ()
    return json.dumps(data, default=str) if any(key in data for key in VERSION_KEYS) else text


def is_encoded(sent: str) -> bool:
    """Return whether a sent content is the base64 form of a file that is not UTF-8."""
    try:
        return sent_text(base64.b64decode(sent)) == sent
    except ValueError:
        return False


def file_place(files: Files, name: str) -> str:
    """Return an identifier of a file that is the same for all names of the file."""
    return str(files.path(name) or name)

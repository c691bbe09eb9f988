"""Documents of the same title are told apart by their folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.text import Document as FileDocument
from heatstudio.ui.document import Document
from heatstudio.ui.shown_names import NO_FILE, shown_names


def named(path: str) -> Document:
    return Document(Path(path).name, FileDocument("", Path(path) if "/" in path else None))


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/a/main.yaml", "/b/net.yaml"], ["main.yaml", "net.yaml"]),
        (["/a/main.yaml", "/b/main.yaml"], ["main.yaml — a", "main.yaml — b"]),
        (["/a/x/main.yaml", "/b/x/main.yaml"], ["main.yaml — a/x", "main.yaml — b/x"]),
        (["/x/main.yaml", "/b/x/main.yaml"], ["main.yaml — /x", "main.yaml — b/x"]),
        (["/a/main.yaml", "main.yaml"], ["main.yaml — a", f"main.yaml — {NO_FILE}"]),
    ],
)
def test_only_what_has_the_same_title_says_its_folder(paths: list[str], names: list[str]) -> None:
    documents = [named(path) for path in paths]
    shown = shown_names(documents)
    assert [shown[document] for document in documents] == names

"""Unambiguous names of open documents."""

from collections import defaultdict
from collections.abc import Iterable

from heatstudio.ui.documents.document import Document

NO_FILE = "no file yet"


def shown_names(documents: Iterable[Document]) -> dict[Document, str]:
    """Return the titles; equal ones get as much of the folder as distinguishes them."""
    by_title: dict[str, list[Document]] = defaultdict(list)
    names = {}
    for document in documents:
        names[document] = document.title
        by_title[document.title].append(document)
    for title, alike in by_title.items():
        if len(alike) > 1:
            names |= {document: f"{title} \u2014 {_folder(document, alike)}" for document in alike}
    return names


def _folder(document: Document, alike: list[Document]) -> str:
    """Return the fewest last folders of the path that no other document has."""
    if document.path is None:
        return NO_FILE
    parents = document.path.parent.parts
    others = [other.path.parent.parts for other in alike if other is not document and other.path is not None]
    length = 1
    while length < len(parents) and any(other[-length:] == parents[-length:] for other in others):
        length += 1
    return "/".join(parents[-length:]) if length < len(parents) else str(document.path.parent)

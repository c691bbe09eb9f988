"""The entries of the command palette and the Go to dialogs."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction

from heatstudio.analysis.assist import OutlineItem, outline
from heatstudio.catalog.load import service_rank
from heatstudio.text import Span
from heatstudio.ui.commands.actions import native_key
from heatstudio.ui.commands.commands import COMMANDS, MENUS, TEXT_KEYS
from heatstudio.ui.documents.document import Document, shown_names
from heatstudio.ui.widgets.picker import Choice
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.session import Session

_AWS = "AWS::"
_LISTED = frozenset({"resource", "parameter", "output", "condition"})


def command_choices(actions: Iterable[QAction], *, even_disabled: bool = False) -> list[Choice]:
    """Return the enabled commands, or all of them if `even_disabled`, with their menus and shortcuts."""
    menus = {entry.name: menu.title.replace("&", "") for menu in MENUS for entry in menu.commands if entry is not None}
    return [
        Choice(
            action.text().replace("&", "").removesuffix("…"),
            action.trigger,
            f"{menus[action.objectName()]} menu",
            name=action.objectName(),
            badge=", ".join(native_key(key.toString()) for key in action.shortcuts()),
            keywords=COMMANDS[action.objectName()].keywords,
        )
        for action in actions
        if even_disabled or (action.isEnabled() and action.objectName() != "command-palette")
    ]


def text_key_choices(focus_text: Callable[[], object]) -> list[Choice]:
    """Return the keys of the text that are not commands."""
    return [
        Choice(key.title, focus_text, "fixed key of the text", ", ".join(map(native_key, key.shortcuts)))
        for key in TEXT_KEYS
    ]


def symbol_choices(document: Document | None, go_to: Callable[[Span], object]) -> list[Choice]:
    """Return the resources, parameters, outputs and conditions of a document."""
    analysis = document.analysis if document else None
    if analysis is None:
        return []
    return [_symbol(item, go_to) for item in _walk(outline(analysis.template)) if str(item.kind) in _LISTED]


def file_choices(session: Session, open_file: Callable[[str], object]) -> list[Choice]:
    """Return the open documents, then the recent files, then the other files of the open folder."""
    icon = ("file", Color.MUTED)
    choices = [
        Choice(name, partial(session.make_current, document), _folder_of(session, document.path), icon=icon)
        for document, name in shown_names(session.documents).items()
    ]
    known = {str(document.path) for document in session.documents}
    recent = [name for name in session.settings.recent_files if name not in known]
    inside = [name for name in session.folder_files() if name not in known and name not in recent]
    return choices + [
        Choice(path.name, partial(open_file, str(path)), _folder_of(session, path), badge, icon)
        for names, badge in ((recent, "recent"), (inside, ""))
        for path in map(Path, names)
    ]


def _folder_of(session: Session, path: Path | None) -> str:
    """Return the folder of a file, relative to the open folder if it is inside."""
    if path is None:
        return ""
    is_inside = session.root is not None and path.is_relative_to(session.root)
    folder = path.parent.relative_to(session.root) if is_inside and session.root else path.parent
    return "" if folder == Path() else str(folder)


def type_choices(session: Session, show: Callable[[str], object]) -> list[Choice]:
    """Return the visible resource types; AWS types come last for HOT and first for CFN."""
    names = session.catalog.visible_names if session.catalog else ()
    analysis = session.current.analysis if session.current is not None else None
    is_hot = analysis is None or analysis.template.dialect.is_hot
    icon = ("browser", Color.RESOURCE_TYPE)
    return [
        Choice(name, partial(show, name), badge="type", icon=icon, yields=is_hot and name.startswith(_AWS))
        for name in sorted(
            names, key=lambda name: (name.startswith(_AWS) == is_hot, service_rank(name.rpartition("::")[0]))
        )
    ]


def _symbol(item: OutlineItem, go_to: Callable[[Span], object]) -> Choice:
    icon, start = (f"kind-{item.kind}", Color.MUTED), item.key_span.start
    return Choice(item.name, lambda: go_to(Span(start, start)), item.detail, item.kind, icon)


def _walk(items: Iterable[OutlineItem]) -> Iterator[OutlineItem]:
    for item in items:
        yield item
        yield from _walk(item.children)

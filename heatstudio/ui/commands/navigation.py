"""Navigate by span, path or name, back and forward; the entries of the command palette and the Go to dialogs."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from heatstudio.analysis.assist.outline import OutlineItem, outline
from heatstudio.analysis.scope import Diagnostic
from heatstudio.catalog.load import service_rank
from heatstudio.template import Part, Template, TreePath
from heatstudio.text import Span
from heatstudio.ui.commands.actions import COMMANDS, MENUS, TEXT_KEYS, native_key
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.documents.document import Document, shown_names
from heatstudio.ui.widgets.picker import Choice, Picker
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.session import Session

_AWS = "AWS::"
_LISTED = frozenset({"resource", "parameter", "output", "condition"})


@contextmanager
def keeping_focus() -> Iterator[None]:
    """Return the focus to its widget; a document that becomes current takes it."""
    focused = QApplication.focusWidget()
    yield
    if focused is not None:
        focused.setFocus()


def place_of_resource(document: Document, name: str) -> Span | None:
    """Return the key of a resource in the last analyzed text; None if the resource is missing."""
    if document.state is None:
        return None
    template = document.state.analysis.template
    section = template.dialect.resources
    return template.locate((section, name), Part.KEY) if name in template.entries(section) else None


def place_in_template(template: Template, path: TreePath) -> Span | None:
    """Return the key of the innermost existing element of a path, whose first step is HOT's name for a section."""
    words = (getattr(template.dialect, str(path[0]), path[0]), *path[1:]) if path else ()
    for length in range(len(words), 0, -1):
        if template.find(words[:length]) is not None:
            return template.locate(words[:length], Part.KEY)
    return None


def crumbs_at(document: Document, offset: int) -> list[tuple[str, Span]]:
    """Return the path of an offset from the outermost to the innermost step, each with its position."""
    if document.state is None:
        return []
    template = document.state.analysis.template
    path = template.path_at(template.key_offset(offset)).path
    places = (template.locate(path[: depth + 1], Part.KEY) for depth in range(len(path)))
    return [(str(step), Span(place.start, place.start)) for step, place in zip(path, places, strict=True)]


_FAR = 400
"""The minimum distance of two history entries, in characters."""
_MOST = 100


class Stop(Struct, frozen=True):
    """A position in a document."""

    document: Document
    offset: int


class History:
    """A navigation history like that of a browser: a new target removes the forward entries."""

    def __init__(self) -> None:
        self._stops: list[Stop] = []
        self._at = -1

    def visit(self, stop: Stop) -> None:
        """Add a stop; a stop near the current one replaces it."""
        last = self._stops[self._at] if self._at >= 0 else None
        near = last is not None and last.document is stop.document and abs(last.offset - stop.offset) < _FAR
        if near:
            self._stops[self._at] = stop
        else:
            self._stops = [*self._stops[: self._at + 1], stop][-_MOST:]
            self._at = len(self._stops) - 1

    def forget(self, document: Document) -> None:
        """Remove the stops in a closed document."""
        ahead = sum(stop.document is not document for stop in self._stops[: self._at + 1])
        self._stops = [stop for stop in self._stops if stop.document is not document]
        self._at = ahead - 1

    def step(self, by: int) -> Stop | None:
        """Go to the next stop (1) or the previous one (-1) and return it; None at the end."""
        if not 0 <= self._at + by < len(self._stops):
            return None
        self._at += by
        return self._stops[self._at]


class Navigation:
    """The navigation commands, with a history of cursor positions."""

    def __init__(self, session: Session, area: EditorArea, files: FileCommands, picker: Picker) -> None:
        self._session = session
        self._area = area
        self._files = files
        self._picker = picker
        self._history = History()
        self._walking = False
        session.document_closed.connect(self._history.forget)

    def go_to(self, span: Span) -> None:
        """Select a span of the current document."""
        self._note()
        self._area.go_to(span)

    def show(self, span: Span) -> None:
        """Select a span of the current document without moving the focus."""
        self._note()
        self._area.show_span(span)

    def show_resource(self, name: str) -> None:
        """Show a resource of the current template, if it exists."""
        document = self._session.current
        span = place_of_resource(document, name) if document else None
        if span is not None:
            self.show(span)

    def show_path(self, path: TreePath) -> None:
        """Show the innermost existing element of a path in the current template."""
        document = self._session.current
        state = document.state if document else None
        span = place_in_template(state.analysis.template, path) if state else None
        if span is not None:
            self.show(span)

    def follow_caret(self, offset: int) -> None:
        """Show the breadcrumbs of the cursor in each editor, and add the current position to the history."""
        document = self._session.current
        if document is None:
            return
        if not self._walking:
            self._history.visit(Stop(document, offset))
        for editor in self._area.groups.editors_of(document):
            place = offset if editor is self._area.editor else editor.caret_offset()
            editor.breadcrumbs.set_crumbs(crumbs_at(document, place))

    def back(self) -> None:
        """Go back in the history."""
        self._walk(self._history.step(-1))

    def forward(self) -> None:
        """Go forward in the history."""
        self._walk(self._history.step(1))

    def fixable_at_caret(self) -> list[Diagnostic]:
        """Return the problems with fixes on the cursor's line, those at the cursor and the most severe first."""
        return self._sorted([one for one in self._diagnostics_at_caret() if one.has_fixes])

    def problem_at_caret(self) -> Diagnostic | None:
        """Return the most severe problem at the cursor, or else on its line, that the window shows."""
        document = self._session.current
        shown = set(map(id, document.problems or ())) if document is not None else set()
        return next(iter(self._sorted([one for one in self._diagnostics_at_caret() if id(one) in shown])), None)

    def _sorted(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """Return problems sorted by position (at the cursor, on its line, related to it) and severity."""
        editor = self._area.editor
        if editor is None:
            return []
        offset, line = editor.caret_offset(), editor.caret_line()

        def distance(one: Diagnostic) -> int:
            own = (one.span, *one.also)
            return 0 if any(offset in span for span in own) else 1 if any(_touches(span, line) for span in own) else 2

        return sorted(found, key=lambda one: (distance(one), one.severity, one.span))

    def _diagnostics_at_caret(self) -> list[Diagnostic]:
        document, editor = self._session.current, self._area.editor
        if document is None or document.current_analysis is None or editor is None:
            return []
        line, diagnostics = editor.caret_line(), document.current_analysis.diagnostics
        here = (one for one in diagnostics if one.elsewhere is None)
        return [one for one in here if any(_touches(span, line) for span in _spans_of(one))]

    def choose_command(self, actions: Iterable[QAction]) -> None:
        """Open the command palette."""
        self._picker.choose("Type a command", command_choices(actions))

    def choose_symbol(self) -> None:
        """Let the user pick a resource, parameter, output or condition."""
        choices = symbol_choices(self._session.current, self.go_to)
        self._picker.choose("Go to a resource, parameter, output or condition", choices)

    def choose_file(self) -> None:
        """Let the user pick an open document, a recent file or a file of the folder."""
        choices = file_choices(self._session, lambda name: self._files.open([name]))
        self._picker.choose("Go to a file", choices)

    def choose_anything(self, show_type: Callable[[str], object]) -> None:
        """Let the user pick a symbol, a file or a resource type."""
        choices = [
            *symbol_choices(self._session.current, self.go_to),
            *file_choices(self._session, lambda name: self._files.open([name])),
            *type_choices(self._session, show_type),
        ]
        self._picker.choose("Go to a resource, parameter, file or resource type", choices)

    def show_file(self, path: Path) -> None:
        """Open a file, or make it current; the focus does not move."""
        with keeping_focus():
            self._files.open([str(path)])

    def show_place(self, place: Document | Path, span: Span) -> None:
        """Select a span of a document, or of a file, which is opened; the focus does not move."""

        def show(document: Document) -> None:
            with keeping_focus():
                self._session.make_current(document)
                self._area.show_span(span)

        self._note()
        if isinstance(place, Path):
            with keeping_focus():
                self._files.open([str(place)], show)
        else:
            show(place)

    def _note(self) -> None:
        """Add the cursor position to the history before a jump."""
        document, editor = self._session.current, self._area.editor
        if document is not None and editor is not None:
            self._history.visit(Stop(document, editor.caret_offset()))

    def _walk(self, stop: Stop | None) -> None:
        if stop is None:
            return
        self._walking = True
        self._session.make_current(stop.document)
        self._area.go_to(Span(stop.offset, stop.offset))
        self._walking = False


def _spans_of(found: Diagnostic) -> tuple[Span, ...]:
    """Return every marked position of a problem: its own, the involved ones, and the related ones."""
    return (found.span, *found.also, *(span for _, span in found.related))


def _touches(span: Span, line: Span) -> bool:
    return span.start <= line.end and span.end >= line.start


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
    if document is None or document.state is None:
        return []
    items = _walk(outline(document.state.analysis.template))
    return [_symbol(item, go_to) for item in items if str(item.kind) in _LISTED]


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
    state = session.current.state if session.current is not None else None
    is_hot = state is None or state.analysis.template.dialect.is_hot
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

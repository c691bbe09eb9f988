"""Connect the editors with completion, hover, navigation, rename and extraction."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Signal

from heatstudio.analysis.assist.link import Link, LinkChoices, links_to
from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.rename import FileEdit, RenameResult
from heatstudio.analysis.assist.suggestion import Completion
from heatstudio.analysis.refactorings import Refactored, Refactoring
from heatstudio.service.workspace.job import Job
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.stack.parent_templates import ParentTemplate
from heatstudio.template import CannotEditError, DataFix, TreePath, parse_template, render
from heatstudio.text import Fix, LineIndex, TextEdit, counted, editable
from heatstudio.text.markup import Html
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.commands.navigation import place_in_template
from heatstudio.ui.commands.text_controller import TextController
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.tasks.disk import make_new
from heatstudio.ui.tasks.jobs import no_op
from heatstudio.ui.widgets.picker import Choice, Picker
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.session import Session

NO_DEFINITION = "No definition found for this text."
NO_REFERENCE = "No references found for this text."


class Assistant(TextController):
    """The language features of the editors, which query the current text with the last analysis in threads."""

    local_message_requested = Signal(str)
    """A sentence about the current position of the cursor."""
    type_requested = Signal(str)
    """The name of the resource type whose page is to be shown."""

    def __init__(self, session: Session, area: EditorArea, files: FileCommands, picker: Picker) -> None:
        super().__init__(session, area)
        self._files, self._picker = files, picker
        self._completing: Job | None = None
        self._explaining: Job | None = None
        area.follow(lambda pane: pane.editor.definition_requested, self._define_in_current)
        area.joined.connect(self._join)
        for document in session.documents:
            for editor in area.groups.editors_of(document):
                self._join(document, editor)

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the commands for names."""
        return {
            "definition": partial(self._with_caret, self._define),
            "references": partial(self._with_caret, self._refer),
            "rename": partial(self._with_caret, self._rename),
            "extract": partial(self._with_caret, self._extract),
            "extract-all": partial(self._with_caret, partial(self._extract, everywhere=True)),
        }

    def open_resource(self, file: str, name: str) -> None:
        """Open a template at one of its resources."""
        self.open_path(file, ("resources", name))

    def open_path(self, file: str, path: TreePath) -> None:
        """Open a template at the innermost existing element of a path."""

        def go(document: Document) -> None:
            span = place_in_template(parse_template(document.text), path)
            if span is not None:
                self._area.go_to(span)

        self._files.open([file], go)

    def apply_refactoring(self, refactoring: Refactoring, result: Refactored) -> None:
        """Apply a refactoring as one undo step in each file; new and other files are opened but not saved."""
        document = self._session.current
        if document is None:
            return
        paths = [path for one in result.files if one.is_new and (path := beside(document, one.file)) is not None]

        def make() -> None:
            for path in paths:
                make_new(path, path.touch)

        def edit(_: object) -> None:
            self._edit_files(document, result.edits, result.files)
            where = " in each file" if result.files else ""
            self._session.show_message(f"Done: {refactoring.title}. Undo reverts it{where}.")

        take = self._while_same(document, edit, self._say_changed)
        if paths:
            self._session.disk.run("", make, take, lambda error: self._area.banner.say(error.message))
        else:
            take(None)

    def _edit_files(self, document: Document, edits: Sequence[TextEdit], files: Sequence[FileEdit]) -> None:
        """Edit a text and files beside it, as one undo step in each; files are opened but not saved."""
        self._edit(document, edits)
        by_hand: list[str] = []

        def tell(_: object) -> None:
            if by_hand:
                self._area.banner.say(f"Not changed: {', '.join(by_hand)}. Change it there by hand.")

        for one in files:
            if one.edits:
                self.edit_file(beside(document, one.file), one, by_hand.append)
            else:
                by_hand.append(one.file)
        self._session.disk.run("", no_op, tell)

    def _join(self, document: Document, editor: EditorPane) -> None:
        editor.help.completion.provider = partial(self._complete, document)
        editor.help.hover.provider = partial(self._explain, document)

    def _complete(
        self, document: Document, offset: int, explicit: bool, take: Callable[[Sequence[Completion]], object]
    ) -> None:
        """Request suggestions; earlier requests are canceled."""
        if self._completing is not None:
            self._completing.stop()
        find = partial(LanguageService.complete, offset=offset, explicit=explicit)
        self._completing = self._ask(document, "Finding suggestions", find, take)
        if self._completing is None:
            take(())

    def _explain(self, document: Document, offset: int, take: Callable[[Html], object]) -> None:
        """Request the hover text at an offset, empty if there is none; earlier requests are canceled."""
        if self._explaining is not None:
            self._explaining.stop()

        def find(language: LanguageService) -> Html:
            found = language.hover(offset)
            return Html.popup(found.title, found.lines) if found is not None else Html("")

        self._explaining = self._ask(document, "Loading the hover text", find, take)
        if self._explaining is None:
            take(Html(""))

    def _with_caret(self, act: Callable[[Document, int], None]) -> None:
        document, editor = self._session.current, self._area.editor
        if document is not None and editor is not None:
            act(document, editor.caret_offset())

    def _define_in_current(self, offset: int) -> None:
        if self._session.current is not None:
            self._define(self._session.current, offset)

    def _define(self, document: Document, offset: int) -> None:
        """Go to the definition of the name at an offset."""

        def find(language: LanguageService) -> tuple[Sequence[Location], str]:
            found = language.definitions(offset)
            return found, "" if found else language.type_name(offset)

        def show(answer: tuple[Sequence[Location], str]) -> None:
            found, type_name = answer
            if len(found) == 1:
                self._open(document, found[0])
            elif found:
                self._list("Defined in", document, found)
            elif type_name:
                self.type_requested.emit(type_name)
                self._session.show_message(f"Showing {type_name}. Ctrl+Alt+T focuses the type page.")
            else:
                self.local_message_requested.emit(NO_DEFINITION)

        self._query(document, "Finding the definition", find, show)

    def _refer(self, document: Document, offset: int) -> None:
        """List the references to the name at an offset."""
        path, workspace = document.path, self._session.workspace

        def find(language: LanguageService) -> Sequence[Location]:
            return language.references(offset, language.parents(offset, path, workspace))

        def show(found: Sequence[Location]) -> None:
            if found:
                self._list(counted(len(found), "reference"), document, found)
            else:
                self.local_message_requested.emit(NO_REFERENCE)

        self._query(document, "Finding references", find, show)

    def _rename(self, document: Document, offset: int) -> None:
        """Show the rename dialog for the name at an offset."""

        def find(language: LanguageService) -> tuple[LanguageService, RenameResult]:
            named = language.renamable(offset)
            first = language.rename(offset, named[0] if named is not None else "")
            return language, first if named is not None else replace(first, old_name="")

        def show(found: tuple[LanguageService, RenameResult]) -> None:
            language, first = found
            if first.old_name:
                self._ask_new_name(document, language, offset, first)
            else:
                self.local_message_requested.emit(first.refusal)

        self._query(document, "Finding references", find, show)

    def _ask_new_name(self, document: Document, language: LanguageService, offset: int, first: RenameResult) -> None:
        parents: list[ParentTemplate] = []

        def ask(name: str, take: Callable[[RenameResult], object]) -> Job:
            known = tuple(parents)
            return self._session.run("Finding references", lambda *_: language.rename(offset, name, known), take)

        def write(result: RenameResult) -> None:
            self._edit_files(document, result.edits, result.file_edits)

        from heatstudio.ui.commands.rename_dialog import RenameDialog

        dialog = RenameDialog(first, document.title, document.text, ask, self._area.window())
        dialog.rename_requested.connect(self._while_same(document, write, self._say_changed))
        dialog.open()

        def take(found: tuple[ParentTemplate, ...]) -> None:
            parents.extend(found)
            if found:
                dialog.search()

        search = partial(language.parents, offset, document.path, self._session.workspace)
        job = self._session.run("Finding parent templates", lambda *_: search(), take)
        dialog.finished.connect(job.stop)  # also after the rename, which changes the text

    def _extract(self, document: Document, offset: int, *, everywhere: bool = False) -> None:
        """Extract a parameter from the value at an offset, or from all equal values."""

        def find(language: LanguageService) -> DataFix | str:
            return language.extract_parameter(offset, everywhere=everywhere)

        self._change(document, "Extracting a parameter", find)

    def _change(self, document: Document, task: str, find: Callable[[LanguageService], DataFix | str]) -> None:
        """Apply the changes that are found in a thread, in one undo step, or show why they are refused."""

        def make(language: LanguageService) -> Fix | str:
            found = find(language)
            try:
                edits = render(language.model.template, found.changes) if isinstance(found, DataFix) else ()
            except CannotEditError as error:
                return error.reason
            return Fix(found.title, edits) if isinstance(found, DataFix) else found

        def show(found: Fix | str) -> None:
            if isinstance(found, str):
                self.local_message_requested.emit(found)
            else:
                self._apply(document, found)

        self._query(document, task, make, show)

    def link(self, target: str, owner: str = "", attribute: str = "") -> None:
        """Let the user pick the property of `owner`, by default of any resource, that is to refer to a resource."""
        document, name = self._session.current, f"{target}.{attribute}" if attribute else target
        if document is None or document.is_read_only:
            self._session.show_message("This text is read-only.")
            return

        def show(links: LinkChoices) -> None:
            choices = [
                Choice(one.place, partial(write, one), f"replaces {one.old}" if one.old else "") for one in links.found
            ]
            attributes = ((one, partial(self.link, target, owner, one)) for one in links.attributes)
            choices += [Choice(f"{one}\u2026", pick, f"attribute of {target}") for one, pick in attributes]
            if choices:
                self._picker.choose(f"Property that is to refer to {name}", choices)
            else:
                self._session.show_message(links.refusal or f"No property can refer to `{name}`.")

        def write(link: Link) -> None:
            fix = DataFix(f"`{link.place}` refers to `{name}`", (link.change,))
            self._change(document, "Adding a reference", lambda _: fix)

        find_links = partial(links_to, target=target, owner=owner, attribute=attribute)
        self._query(document, "Finding properties", lambda language: find_links(language.model), show)

    def _list(self, question: str, document: Document, locations: Sequence[Location]) -> None:
        """Let the user pick a location; each text is read once."""
        paths = {one.file: beside(document, one.file) for one in locations if one.file is not None}

        def show(texts: Mapping[Path, str]) -> None:
            found: dict[str | None, str] = {None: document.text}
            found |= {file: texts.get(path, "") if path is not None else "" for file, path in paths.items()}
            indexed = {file: (text, LineIndex(text)) for file, text in found.items()}
            choices = [self._choice(document, location, *indexed[location.file]) for location in locations]
            self._picker.choose(question, choices)

        self._session.read([path for path in paths.values() if path is not None], show)

    def _choice(self, document: Document, location: Location, text: str, lines: LineIndex) -> Choice:
        """Return the entry of a location in a text."""
        position = lines.position(location.span.start)
        line = lines.line_span(position.line)
        words = text[line.start : line.end].strip() or (location.file or "")
        place = f"{location.file or document.title}:{position.line + 1}"
        icon = ("jump", Color.ACCENT if location.is_definition else Color.MUTED)
        badge = "definition" if location.is_definition else ""
        return Choice(words, partial(self._open, document, location), place, badge, icon)

    def _open(self, document: Document, location: Location) -> None:
        self._session.make_current(document)
        if location.file is not None:
            path, missing = beside(document, location.file), f"File not found: {location.file}."
            if path is None:
                self._session.show_message(missing)
            else:
                go, tell = partial(self._area.go_to, location.span), partial(self._session.show_message, missing)
                self._session.open(path, lambda _: go(), lambda _: tell())
        else:
            self._area.go_to(location.span)

    def edit_file(self, place: Document | Path | None, change: FileEdit, refused: Callable[[str], object]) -> None:
        """Open a file behind and edit it in one undo step; call `refused` with its name if that is not possible."""

        def edit(document: Document) -> None:
            if document.text != editable(change.text).text or document.is_read_only:
                refused(change.file)
            else:
                self._edit(document, change.edits)

        if isinstance(place, Path):
            self._session.open(place, edit, lambda _: refused(change.file), behind=True)
        elif place is not None:
            edit(place)
        else:
            refused(change.file)


def beside(document: Document, file: str) -> Path | None:
    """Return the path of a file named in a document; None for a relative name in an unsaved document."""
    if document.path is None:
        return Path(file) if Path(file).is_absolute() else None
    return document.path.parent / file

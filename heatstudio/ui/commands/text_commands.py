"""Commands on the whole current text: format and convert it, save it as a snippet, expand the selection."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtGui import QTextCursor

from heatstudio.analysis import Analysis
from heatstudio.analysis.assist.snippet_library import FOLDER, why_no_snippet
from heatstudio.assets import user_path
from heatstudio.stack.conversion.convert import Conversion, convert
from heatstudio.stack.conversion.converter import ConversionNote
from heatstudio.template import parse_template
from heatstudio.template.enclosing_spans import enclosing_spans
from heatstudio.template.formatting import Formatted, format_text
from heatstudio.text import DocumentError, FileDocument, LineIndex, counted, save_document, stamp_of
from heatstudio.ui.commands.actions import Actions
from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.files import FileCommands
from heatstudio.ui.commands.text_controller import CHANGED_MEANWHILE, NOT_READ_YET, TextController
from heatstudio.ui.documents.document import Document
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.workspace.session import Session

_CHANGED = Formatted(refusal=CHANGED_MEANWHILE)
_STOPPED = Formatted(refusal="Canceled.")
_UNREADABLE = "This text is not a valid template, so it cannot be converted."


class TextCommands(TextController):
    """The commands on the whole text: formatting is one undo step, and a conversion opens as a read-only view."""

    def __init__(self, session: Session, area: EditorArea, actions: Actions, files: FileCommands) -> None:
        super().__init__(session, area)
        self._actions, self._files = actions, files

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the commands."""
        return {
            "format": lambda: self._format_now(None),
            "format-selection": self.format_selection,
            "save": self.save,
            "convert": self.convert,
            "keep-snippet": self.keep_snippet,
        }

    def format_selection(self) -> None:
        """Format the lines of the selection, or the line of the cursor."""
        pane = self._area.editor
        if pane is not None:
            text, selection = pane.text(), pane.selection()
            first, last = (text.count("\n", 0, offset) for offset in (selection.start, selection.end))
            self._format_now(range(first, last + 1))

    def save(self) -> None:
        """Save the current document, after formatting it if that is enabled; what cannot be formatted is saved too."""
        document = self._session.current
        if document is None or document.is_read_only or not self._actions["format-on-save"].isChecked():
            self._files.save(document)
        else:
            self._format(document, None, lambda _: self._files.save(document))

    def _format_now(self, lines: range | None) -> None:
        document = self._session.current
        if document is None or document.is_read_only:
            self._session.show_message("This text cannot be changed.")
        else:
            self._format(document, lines, self._tell)

    def _format(self, document: Document, lines: range | None, then: Callable[[Formatted], object]) -> None:
        """Format a document in one undo step, and then do something, also if it is not formatted."""
        text = document.text

        def apply(found: Formatted) -> None:
            self._edit(document, found.edits)
            then(found)

        def tell_late() -> None:
            if document in self._session.documents:
                then(_CHANGED)

        take = self._while_same(document, apply, tell_late)
        self._session.run("Formatting", lambda *_: format_text(text, lines), take, lambda: then(_STOPPED))

    def _tell(self, found: Formatted) -> None:
        words = "Formatted" if found.edits else "The format is right already"
        self._session.show_message(f"Not formatted: {found.refusal}" if found.refusal else f"{words}.")

    def keep_snippet(self) -> None:
        """Save the current template as a snippet, which completion suggests wherever a resource can be added."""
        document = self._session.current
        if document is None:
            return
        path = user_path(FOLDER, f"{Path(document.title).stem}.yaml")
        self._session.disk.run(f"Saving {path.name}", partial(_keep, path, document.text), self._session.show_message)

    def convert(self) -> None:
        """Convert the current template to the other language, with comments on parts without an equivalent."""
        document = self._session.current
        analysis = document.current_analysis if document is not None else None
        if document is None or analysis is None:
            self._session.show_message(NOT_READ_YET)
            return
        self._session.run(
            "Converting the template",
            lambda *_: convert(analysis.template, analysis.knowledge),
            partial(self._show_conversion, document, analysis),
        )

    def _show_conversion(self, document: Document, analysis: Analysis, conversion: Conversion | None) -> None:
        if conversion is None:
            self._session.show_message(_UNREADABLE)
            return
        language = conversion.dialect.language.value
        words = analysis.template.dialect
        note = " Lines refer to the original." if conversion.remarks else ""
        lines = [f"# {document.title} ({words.language.value} {words.version}), converted to {language}.{note}"]
        lines += _remark_lines(conversion.remarks, analysis)
        name = f"{Path(document.title).stem}.{language.lower()}.yaml"
        self._session.show("\n".join([*lines, "", conversion.text]), name)
        lost = sum(remark.lost for remark in conversion.remarks)
        many = f"{counted(lost, 'construct')} could not be converted" if lost else "everything was converted"
        self._session.show_message(f"{name}: {many}. Save the file to edit it.")


class SelectionSteps(TextController):
    """The history of expanded selections, which shrinking reverses until the cursor is moved."""

    def __init__(self, session: Session, area: EditorArea) -> None:
        super().__init__(session, area)
        self._way: list[QTextCursor] = []
        """The previous selections, and the current one as the last."""
        area.follow(lambda pane: pane.editor.cursorPositionChanged, self._forget)

    def expand(self) -> None:
        """Select the smallest element that encloses the selection."""
        document, pane = self._session.current, self._area.editor
        if document is None or pane is None:
            return
        if document.state is None:
            self._session.show_message(NOT_READ_YET)
            return
        template = parse_template(document.text, document.state.analysis.template)
        selected = pane.selection()
        for span in reversed(enclosing_spans(template, selected.start)):
            if span != selected and span.start <= selected.start and selected.end <= span.end:
                cursor = pane.editor.text_document.cursor(span.end, span.start)
                before = [*self._way_to(pane.editor), pane.editor.textCursor()]
                self._select(pane.editor, [*before, cursor])
                return

    def shrink(self) -> None:
        """Restore the selection before the last expansion."""
        if self._area.editor is not None and (before := self._way_to(self._area.editor.editor)):
            self._select(self._area.editor.editor, before)

    def _forget(self) -> None:
        self._way = []

    def _way_to(self, editor: TextEditor) -> list[QTextCursor]:
        """Return the previous selections in this text; none if the selection was changed since."""
        now = editor.textCursor()
        is_same = self._way and self._way[-1].document() is now.document() and self._way[-1].anchor() == now.anchor()
        return self._way[:-1] if is_same and self._way[-1] == now else []

    def _select(self, editor: TextEditor, way: list[QTextCursor]) -> None:
        """Set the last selection of a history without scrolling."""
        bars = [(bar, bar.value()) for bar in (editor.verticalScrollBar(), editor.horizontalScrollBar())]
        editor.setTextCursor(way[-1])
        for bar, value in bars:
            bar.setValue(value)
        self._way = way


def _keep(path: Path, text: str) -> str:
    """Write a snippet to a new file (in the thread of the disk); return the result as a sentence."""
    refusal = why_no_snippet(parse_template(text))
    if refusal:
        return refusal
    if stamp_of(path):
        return f"{path} already exists. Save the template under another name first."
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_document(FileDocument(text, path))
    except (OSError, DocumentError) as error:
        return str(error)
    return f"Saved to {path}. Ctrl+Space suggests it where you can add a resource."


def _remark_lines(remarks: tuple[ConversionNote, ...], analysis: Analysis) -> list[str]:
    """Return comments on constructs that are lost, then on those that differ."""
    index = LineIndex(analysis.template.text)
    found = []
    for lost, headline in ((True, "Could not be converted (kept unchanged or left out):"), (False, "Changed meaning:")):
        chosen = [remark for remark in remarks if remark.lost is lost]
        if chosen:
            found.append(f"# {headline}")
        for remark in chosen:
            line = index.position(analysis.template.locate(remark.path).start).line + 1
            found.append(f"#   line {line}: {remark.construct}: {remark.message}")
    return found

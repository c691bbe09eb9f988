"""Convert a template to the other language, or save it as a snippet."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from heatstudio.analysis import Analysis
from heatstudio.analysis.assist.snippet_library import FOLDER, why_no_snippet
from heatstudio.assets import user_path
from heatstudio.stack.conversion import Conversion, ConversionNote, convert
from heatstudio.template import parse_template
from heatstudio.text import DocumentError, FileDocument, LineIndex, counted, save_document, stamp_of
from heatstudio.ui.documents.document import Document
from heatstudio.ui.workspace.session import Session

_UNREADABLE = "This text is not a valid template, so it cannot be converted."


class ConvertController(QObject):
    """The conversion commands; a result opens as a document with comments on parts without an equivalent."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the conversion commands."""
        return {"convert": self.convert, "keep-snippet": self.keep_snippet}

    def keep_snippet(self) -> None:
        """Save the current template as a snippet, which completion suggests wherever a resource can be added."""
        document = self._session.current
        if document is None:
            return
        path = user_path(FOLDER, f"{Path(document.title).stem}.yaml")
        self._session.disk.run(f"Saving {path.name}", partial(_keep, path, document.text), self._session.show_message)

    def convert(self) -> None:
        """Convert the current template to the other language, and open the result."""
        document = self._session.current
        analysis = document.current_analysis if document is not None else None
        if document is None or analysis is None:
            self._session.show_message("The template is still being read. Try again in a moment.")
            return
        self._session.run(
            "Converting the template",
            lambda *_: convert(analysis.template, analysis.knowledge),
            partial(self._show, document, analysis),
        )

    def _show(self, document: Document, analysis: Analysis, conversion: Conversion | None) -> None:
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

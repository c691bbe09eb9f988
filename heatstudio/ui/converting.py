"""What else a template can be: a template in the other language (HOT or the CFN style), a snippet of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.assets import user_path
from heatstudio.text import Document as FileDocument
from heatstudio.text import DocumentError, LineIndex, save_document
from heatstudio.ui.document import Document
from heatstudio.ui.jobs import Finish, Job
from heatstudio.ui.session import Session
from heatstudio.ui.thinking import Work

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.stack.conversion import Conversion, Remark
    from heatstudio.ui.engine import Engine

_UNREADABLE = "This text cannot be read as a template, so that it cannot be shown in the other language."


class Converting(QObject):
    """The new document can be read and saved; it begins with comments that name what has no equivalent, with lines."""

    told = Signal(str)
    """What came of it, for the status bar."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """What the commands of this kind do."""
        return {"convert": self.convert, "keep-snippet": self.keep_snippet}

    def keep_snippet(self) -> None:
        """Offers the resources of the current template wherever a resource may begin, from now on."""
        document = self._session.current
        if document is None:
            return
        from heatstudio.analysis.assistance.snippet_library import FOLDER, why_no_snippet
        from heatstudio.template import parse_template

        refusal = why_no_snippet(parse_template(document.text))
        path = user_path(FOLDER, f"{Path(document.title).stem}.yaml")
        if not refusal and path.exists():
            refusal = f"There is a snippet of this name already: {path}"
        if not refusal:
            refusal = _write(path, document.text)
        self.told.emit(refusal or f"Kept in {path}: Ctrl+Space offers it where a resource may begin.")

    def convert(self) -> None:
        """Opens the current template in the other language."""
        document = self._session.current
        analysis = document.current_analysis if document is not None else None
        if document is None or analysis is None:
            self.told.emit("The text is being read: try again in a moment.")
            return
        self._session.run("Writing the template in the other language", self._work(document, analysis))

    def _work(self, document: Document, analysis: Analysis) -> Work:
        def work(_engine: Engine, _job: Job) -> Finish:
            from heatstudio.stack.conversion import convert

            conversion = convert(analysis.template, analysis.knowledge)
            return lambda: self._show(document, analysis, conversion)

        return work

    def _show(self, document: Document, analysis: Analysis, conversion: Conversion | None) -> None:
        if conversion is None:
            self.told.emit(_UNREADABLE)
            return
        language = conversion.dialect.language.value
        words = analysis.template.dialect
        lines = [f"# {document.title} ({words.language.value} {words.version}), written as {language}."]
        lines += _told(conversion.remarks, analysis)
        name = f"{Path(document.title).stem}.{language.lower()}.yaml"
        self._session.show("\n".join([*lines, "", conversion.text]), name)
        lost = sum(remark.lost for remark in conversion.remarks)
        many = f"{lost} construct{'' if lost == 1 else 's'} could not be converted" if lost else "nothing is lost"
        self.told.emit(f"{name}: {many}. Save it to change it.")


def _write(path: Path, text: str) -> str:
    """Writes a new file; a sentence if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_document(FileDocument(text, path))
    except (OSError, DocumentError) as error:
        return str(error)
    return ""


def _told(remarks: tuple[Remark, ...], analysis: Analysis) -> list[str]:
    """Comments about what is lost, and about what is not quite the same."""
    index = LineIndex(analysis.template.text)
    found = []
    for lost, headline in ((True, "Could not be converted, and stands as it was or is left out:"), (False, "Differs:")):
        chosen = [remark for remark in remarks if remark.lost is lost]
        if chosen:
            found.append(f"# {headline}")
        for remark in chosen:
            line = index.position(analysis.template.locate(remark.path).start).line + 1
            found.append(f"#   line {line}: {remark.construct}: {remark.message}")
    return found

"""The check of closed files."""

from collections.abc import Mapping
from pathlib import Path

from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.freshness import mark_of
from heatstudio.service.inputs.project_file import PROJECT_FILE
from heatstudio.service.inputs.snapshot import Snapshot, is_large
from heatstudio.service.pool.file_report import FileReport, report_of
from heatstudio.service.pool.questions import CheckResult, ClosedFileResult, FileQuestion
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.load import invalid_environments, read_environment, read_written
from heatstudio.template.dialect import names_version
from heatstudio.template.environment_file import TextKind, kind_of_text
from heatstudio.text import DocumentError, LineIndex, editable, read_text, real_path


class FileChecker:
    """A checker of closed files, which loads the knowledge of Heat once and reads all files again for each question."""

    def __init__(self, cloud: KnownCloud | None = None) -> None:
        bundled = load_knowledge()
        self.knowledge = bundled if cloud is None else bundled.with_cloud(cloud)

    def check(self, question: FileQuestion, texts: Mapping[Path, str]) -> ClosedFileResult:
        """Return the diagnostics of a closed file; `texts` are the unsaved texts of tabs, by paths without links."""
        path, own = question.path, question.inputs
        given = [path, *own.environments]
        if own.owner is not None and own.owner.path is not None:
            given += (own.owner.path, *own.owner.environments)
        marks = {one: mark_of(one, texts) for one in map(real_path, given)}
        try:
            text = editable(read_written(path)).text
        except DocumentError as error:
            return ClosedFileResult(question, CheckResult.UNREAD, sentence=error.message, marks=marks)
        kind = _kind_of(path, text)
        if kind is not CheckResult.CHECKED:
            return ClosedFileResult(question, kind, marks=marks)
        engine, owner = Engine(self.knowledge), _with_text(own.owner, texts)
        snapshot = own._replace(text=text, path=path, open_texts=texts, owner=owner)
        analysis = engine.analyze(snapshot, None)
        if own.root is not None:
            project = real_path(own.root / PROJECT_FILE)
            marks = {project: mark_of(project, texts), **engine.files_read(snapshot), **marks}
        lines = LineIndex(text if analysis.diagnostics else "")
        return ClosedFileResult(question, kind, analysis.diagnostics, lines, marks=marks)

    def report(self, question: FileQuestion) -> FileReport:
        """Return the report of a file."""
        path = question.path
        try:
            text = read_written(path)
        except DocumentError as error:
            return FileReport(str(path), CheckResult.UNREAD, error.message)
        kind = CheckResult.CHECKED if question.is_named else _kind_of(path, text)
        if kind is not CheckResult.CHECKED:
            return FileReport(str(path), kind)
        snapshot = question.inputs._replace(text=text, path=path)
        engine = Engine(self.knowledge)
        if complaints := engine.unreadable_environments(snapshot):
            invalid = next(invalid_environments(engine.applied(snapshot).environments), None)
            if invalid is None:
                return FileReport(str(path), CheckResult.UNREAD, complaints[0])
            text, path = read_environment(invalid), invalid
            snapshot = Snapshot(text, invalid, root=snapshot.root, target=snapshot.target, owner=snapshot)
        return report_of(path, engine.analyze(snapshot, None), with_fixes=question.with_fixes)


def _kind_of(path: Path, text: str) -> CheckResult:
    """Return whether to check a file that the user did not name: CHECKED, or the reason to skip the file."""
    if path.name == PROJECT_FILE:
        return CheckResult.CHECKED
    if is_large(text):
        return CheckResult.LARGE if names_version(text) else CheckResult.NO_TEMPLATE
    is_other = kind_of_text(text, path.name) is TextKind.OTHER
    return CheckResult.NO_TEMPLATE if is_other else CheckResult.CHECKED


def _with_text(owner: Snapshot | None, texts: Mapping[Path, str]) -> Snapshot | None:
    """Return the owner of an environment with its text; None if it is unreadable."""
    if owner is None or owner.path is None:
        return None
    written = texts.get(real_path(owner.path))
    try:
        text = read_text(owner.path) if written is None else written
    except DocumentError:
        return None
    return owner._replace(text=text, open_texts=texts)

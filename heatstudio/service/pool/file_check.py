"""The check of closed files."""

from collections.abc import Mapping
from pathlib import Path

from heatstudio.analysis import Analysis
from heatstudio.catalog import KnownCloud
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.freshness import FileMark, mark_of
from heatstudio.service.inputs.project_file import PROJECT_FILE
from heatstudio.service.inputs.snapshot import Snapshot, is_large
from heatstudio.service.pool.file_report import FileReport, report_of
from heatstudio.service.pool.questions import (
    CheckResult,
    ClosedFileResult,
    FileQuestion,
    FolderContext,
    ReportQuestion,
    SelectedLines,
    summaries_of,
)
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

    def check(self, question: FileQuestion, around: FolderContext) -> ClosedFileResult:
        """Return the diagnostics of a closed file."""
        owner = (question.owner[0], *question.owner[1]) if question.owner is not None else ()
        read = map(real_path, (question.path, *question.environments, *owner))
        marks = {path: mark_of(path, around.texts) for path in read}
        try:
            text = editable(read_written(question.path)).text
        except DocumentError as error:
            return ClosedFileResult(CheckResult.UNREAD, sentence=error.message, marks=marks)
        kind = _kind_of(question.path, text)
        if kind is not CheckResult.CHECKED:
            return ClosedFileResult(kind, marks=marks)
        engine, snapshot = Engine(self.knowledge), _snapshot(around, question, text)
        analysis = engine.analyze(snapshot, None)
        project = real_path(around.root / PROJECT_FILE)
        return _checked(analysis, {project: mark_of(project, around.texts), **engine.files_read(snapshot), **marks})

    def report(self, question: ReportQuestion) -> FileReport:
        """Return the report of a file."""
        path = question.path
        try:
            text = read_written(path)
        except DocumentError as error:
            return FileReport(str(path), CheckResult.UNREAD, error.message)
        kind = CheckResult.CHECKED if question.is_named else _kind_of(path, text)
        if kind is not CheckResult.CHECKED:
            return FileReport(str(path), kind)
        snapshot = question.inputs._replace(text=text)
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


def _checked(analysis: Analysis, marks: Mapping[Path, FileMark]) -> ClosedFileResult:
    summaries = summaries_of(analysis.diagnostics)
    lines = LineIndex(analysis.template.text)
    places = {span.start for one in summaries for span in (one.span, *(place for _, place in one.related))}
    reported = SelectedLines({offset: lines.position(offset).line for offset in places})
    return ClosedFileResult(CheckResult.CHECKED, summaries, reported, marks=marks)


def _snapshot(around: FolderContext, question: FileQuestion, text: str) -> Snapshot:
    root, target, texts = around
    snapshot = Snapshot(text, question.path, question.environments, root, texts, target=target)
    if question.owner is None:
        return snapshot
    path, environments = question.owner
    written = texts.get(real_path(path))
    try:
        of_owner = read_text(path) if written is None else written
    except DocumentError:
        return snapshot
    return snapshot._replace(owner=Snapshot(of_owner, path, environments, root, texts, target=target))

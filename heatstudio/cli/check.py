"""`heatstudio check`: report the problems of templates."""

import os.path
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic

from msgspec import DecodeError, Struct, json

from heatstudio.analysis.pages import pages
from heatstudio.cli.check_formats import as_github, as_json, as_junit, listing, sarif
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, complain, note, say, say_json, say_markup
from heatstudio.cli.snapshot import inputs_of
from heatstudio.cli.template_files import TemplateFile, template_files
from heatstudio.service.inputs.project_file import PROJECT_FILE
from heatstudio.service.pool.file_check import FileChecker
from heatstudio.service.pool.file_report import FileReport, Problem
from heatstudio.service.pool.processes import CheckerPool, cores
from heatstudio.service.pool.questions import CheckResult, FileQuestion, crash_sentence
from heatstudio.text import DATA_LIMIT, DocumentError, FileDocument, Severity, counted, read_text, save_document
from heatstudio.text.invisible import visible

_PROGRESS_INTERVAL = 0.1
"""Seconds between two updates of the progress."""
_FEW = 40
"""The number of files below which starting processes takes longer than it saves."""
_PLURALS = {Severity.INFORMATION: "information"}


class CheckSummary:
    """The counts of checked files and problems, collected while the reports are written."""

    def __init__(self, total: int, is_complete: bool) -> None:
        self.checked = self.templates = 0
        self.is_complete = is_complete
        """Whether all named files could be read."""
        self._total = total
        self._counts: Counter[Severity] = Counter()
        self._suppressed = self._large = self._fixable = 0
        self._shown, self._shown_at = "", monotonic()

    @property
    def status(self) -> int:
        """The exit status."""
        if not self.is_complete:
            return EXIT_UNREADABLE
        return EXIT_FOUND if self._counts[Severity.ERROR] else EXIT_FINE

    def clear_problems(self) -> None:
        """Reset the counts of problems after the problems are written to a baseline."""
        self._counts.clear()

    def counted(self, reports: Iterable[FileReport]) -> Iterator[FileReport]:
        """Yield the reports of checked files; print the progress and each distinct error of unreadable files."""
        complaints, seen = set[str](), set[str]()
        for number, report in enumerate(reports, 1):
            self._show("")
            if report.outcome is CheckResult.UNREAD:
                self.is_complete = False
                if report.sentence not in complaints:
                    complain(report.sentence)
                complaints.add(report.sentence)
            self._large += report.outcome is CheckResult.LARGE
            if report.outcome is CheckResult.CHECKED and report.path not in seen:  # environments serve many templates
                seen.add(report.path)
                self._count(report)
                yield report
            if sys.stderr.isatty() and monotonic() - self._shown_at > _PROGRESS_INTERVAL:
                self._show(f"{number:,} of {self._total:,} files")
        self._show("")
        if self._large:
            note(f"{counted(self._large, 'large file')} not checked. To check a large file, pass its path.")

    def _count(self, report: FileReport) -> None:
        self.checked += 1
        self.templates += Path(report.path).name != PROJECT_FILE
        self._counts.update(one.severity for one in report.reported)
        self._fixable += sum(one.has_safe_fix for one in report.reported)
        self._suppressed += sum(one.is_suppressed for one in report.problems)

    def _show(self, words: str) -> None:
        """Replace the progress text in the terminal."""
        if self._shown or words:
            sys.stderr.write(f"\r{' ' * len(self._shown)}\r{words}")
            sys.stderr.flush()
            self._shown, self._shown_at = words, monotonic()

    def __str__(self) -> str:
        counts = self._counts
        reported = [counted(counts[severity], severity.word, _PLURALS.get(severity, "")) for severity in sorted(counts)]
        suppressed = f" ({counted(self._suppressed, 'suppressed problem')})" if self._suppressed else ""
        fixable = f" `heatstudio fix` solves {self._fixable:,} of them." if self._fixable else ""
        return f"{', '.join(reported) or 'No problems'} in {counted(self.checked, 'file')}{suppressed}.{fixable}"


_FORMATS = ("text", "json", "sarif", "github", "junit")
_WITH_FIXES = ("json", "sarif")


def run(options: Namespace) -> int:
    """Return 0 without errors, 1 with errors, 2 for an unreadable file or an unknown code. Raise DocumentError."""
    if options.explain is not None:
        return _explain(options.explain)
    if not options.paths:
        complain("specify at least one template or folder to check.")
        return EXIT_UNREADABLE
    checker = FileChecker()
    files, is_complete = template_files(options.paths)
    summary = CheckSummary(len(files), is_complete)
    folds = not all(file.is_named for file in files)
    _report(options, _reports(checker, _questions(options, files)), summary, folds=folds)
    if summary.is_complete and not summary.templates:
        complain(f"nothing was checked: no template in {', '.join(options.paths)}.")
        return EXIT_UNREADABLE
    return summary.status


def _questions(options: Namespace, files: Iterable[TemplateFile]) -> list[FileQuestion]:
    own, with_fixes = inputs_of(options), options.format in _WITH_FIXES
    inputs = ((one, own._replace(path=one.path, root=own.root or one.folder)) for one in files)
    return [FileQuestion(one.path, found, one.is_named, with_fixes) for one, found in inputs]


def _reports(checker: FileChecker, questions: Sequence[FileQuestion]) -> Iterator[FileReport]:
    """Yield the reports in the order of the questions."""
    if len(questions) < _FEW or cores() == 1:
        yield from map(checker.report, questions)
        return
    pool = CheckerPool()
    try:
        for question, report in pool.answers(FileChecker.report, questions):
            path = question.path
            yield report or FileReport(str(path), CheckResult.UNREAD, crash_sentence(path))
    finally:
        pool.kill()


def _explain(code: str) -> int:
    known = pages()
    if code not in known:
        complain(f"unknown code {code}; known codes: {', '.join(sorted(known))}")
        return EXIT_UNREADABLE
    say_markup(known[code])
    return EXIT_FINE


def _report(options: Namespace, reports: Iterable[FileReport], summary: CheckSummary, *, folds: bool) -> None:
    """Write the requested output. Raise DocumentError if the baseline cannot be read or written."""
    if options.baseline is not None:
        reports = ProblemBaseline(options.baseline).new_in(reports)
    found = summary.counted(reports)
    if options.write_baseline is not None:
        write_baseline(options.write_baseline, found)
        summary.clear_problems()
        return
    match options.format:
        case "sarif":
            say_json(sarif(list(found), complete=summary.is_complete))
        case "json":
            say_json(as_json(found))
        case "junit":
            say_markup(as_junit(found))
        case "github":
            for command in as_github(found):
                say_markup(command)
        case _:
            is_terminal = sys.stdout.isatty()
            for line in listing(
                found, with_source=is_terminal, folds=folds, counts_advice=folds and not options.advice
            ):
                say(line)
            if summary.checked:
                note(str(summary))


class _BaselineContent(Struct, forbid_unknown_fields=True):
    version: int
    problems: dict[str, list[str]]
    """The code and fingerprint of each problem, by the file's path relative to the baseline's folder."""


class ProblemBaseline:
    """The problems in a baseline file; the constructor raises DocumentError if the file cannot be read."""

    def __init__(self, path: Path) -> None:
        try:
            content = json.decode(read_text(path, limit=DATA_LIMIT), type=_BaselineContent)
        except DecodeError as error:
            message = f"{path} is not a valid baseline: {error}. Recreate it with --write-baseline."
            raise DocumentError("baseline", message) from error
        self._path = path
        self._known = {name: set(problems) for name, problems in content.problems.items()}

    def new_in(self, reports: Iterable[FileReport]) -> Iterator[FileReport]:
        """Yield the reports without known problems; print the number of known problems that no longer exist."""
        missing = 0
        for report in reports:
            known = self._known.get(_name(report.path, self._path), set())
            new = tuple(one for one in report.problems if one.is_suppressed or _key(one) not in known)
            missing += len(known) - (len(report.problems) - len(new))
            yield report._replace(problems=new)
        if missing > 0:
            note(f"{self._path}: {counted(missing, 'problem')} no longer found. Update the file with --write-baseline.")


def write_baseline(path: Path, reports: Iterable[FileReport]) -> None:
    """Write all reported problems to a file. Raise DocumentError."""
    found = {_name(one.path, path): sorted(map(_key, one.reported)) for one in reports}
    content = _BaselineContent(1, {name: problems for name, problems in sorted(found.items()) if problems})
    text = json.format(json.encode(content), indent=1).decode() + "\n"
    save_document(FileDocument(text, path), overwrite=True)
    note(f"{counted(sum(map(len, content.problems.values())), 'problem')} written to {path}.")


def _name(file: str, baseline: Path) -> str:
    return visible(Path(os.path.relpath(file, baseline.parent)).as_posix())


def _key(problem: Problem) -> str:
    return f"{problem.code} {problem.fingerprint}"

"""`heatstudio upgrade`: what templates need for another OpenStack release."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from heatstudio.catalog import Release, find_release
from heatstudio.cli.listing import printable
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, add_format, complain, say
from heatstudio.cli.safe_fixes import safe_fixes
from heatstudio.cli.snapshot import readable
from heatstudio.cli.target import unknown_release
from heatstudio.cli.template_files import TemplateFile, template_files
from heatstudio.service.engine import Engine
from heatstudio.service.snapshot import Snapshot, Target
from heatstudio.template.dialect import names_version
from heatstudio.text import DocumentError, LineIndex, Severity, counted, read_document, save_document

HELP = "report what templates need for another OpenStack release"


class _Decision(NamedTuple):
    """A problem that is left after the safe fixes."""

    line: int
    """In the fixed text, from 1."""
    severity: Severity
    message: str
    code: str


class _Upgrade(NamedTuple):
    """The safe fixes of a template for a release, and what is left to decide."""

    path: Path
    fixes: tuple[str, ...]
    decisions: tuple[_Decision, ...]

    @property
    def errors(self) -> int:
        """How many errors are left."""
        return sum(one.severity is Severity.ERROR for one in self.decisions)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a folder, a template, or a pattern")
    parser.add_argument("--to", metavar="RELEASE", required=True, help="the release: its name or its Heat version")
    parser.add_argument("--apply", action="store_true", help="apply the safe fixes")
    add_format(parser, "text", "markdown")


def run(options: Namespace) -> int:
    """Exit code 0: no error is left; 1: errors are left; 2: a file or the release is not there."""
    engine = Engine()
    release = find_release(engine.releases, options.to)
    if release is None:
        complain(unknown_release(options.to, engine.releases))
        return EXIT_UNREADABLE
    files, is_complete = template_files(options.paths)
    found: list[_Upgrade] = []
    complaints: dict[str, None] = {}
    for file in files:
        try:
            upgrade = _upgrade(engine, file, release, options.apply)
        except DocumentError as error:
            complaints[error.message] = None
            continue
        found += [upgrade] if upgrade is not None else []
    for complaint in complaints:
        complain(complaint)
    for line in (_markdown if options.format == "markdown" else _text)(found, release, options.apply):
        say(printable(line))
    if complaints or not is_complete:
        return EXIT_UNREADABLE
    return EXIT_FOUND if any(one.errors for one in found) else EXIT_FINE


def _upgrade(engine: Engine, file: TemplateFile, release: Release, apply: bool) -> _Upgrade | None:
    """What is to be done in a file, and do it if `apply`; None if it is not a template. Raises DocumentError."""
    document = read_document(file.path)
    if not names_version(document.text):
        return None
    snapshot = Snapshot(document.text, file.path, root=file.folder, target=Target(release.name))
    found = safe_fixes(engine, readable(engine, snapshot))
    if apply and found.text != document.text:
        save_document(document.with_text(found.text))
    lines = LineIndex(found.text)
    decisions = tuple(
        _Decision(lines.position(one.span.start).line + 1, one.severity, one.message, one.code)
        for one in found.analysis.diagnostics
        if one.severity <= Severity.WARNING
    )
    return _Upgrade(file.path, found.fixes, decisions)


def _summary(found: Sequence[_Upgrade], release: Release, applied: bool) -> str:
    fixes = sum(len(one.fixes) for one in found)
    left, errors = sum(len(one.decisions) for one in found), sum(one.errors for one in found)
    done = f"{counted(fixes, 'safe fix', 'safe fixes')} {'applied' if applied else 'available'}"
    decisions = f"{counted(left, 'decision')} left, {counted(errors, 'error')} among them"
    return f"Upgrade to {release}: {counted(len(found), 'template')}, {done}, {decisions}."


def _text(found: Sequence[_Upgrade], release: Release, applied: bool) -> Iterator[str]:
    for one in found:
        for fix in one.fixes:
            yield f"{one.path}: {'fixed' if applied else 'safe fix'}: {fix}"
        for left in one.decisions:
            yield f"{one.path}:{left.line}: {left.severity.word}: {left.message} [{left.code}]"
    yield _summary(found, release, applied)


def _markdown(found: Sequence[_Upgrade], release: Release, applied: bool) -> Iterator[str]:
    yield f"# Upgrade to {release}"
    yield ""
    yield _summary(found, release, applied)
    yield ""
    yield "| template | safe fixes | decisions left | errors among them |"
    yield "|---|---|---|---|"
    for one in found:
        yield f"| {one.path} | {len(one.fixes)} | {len(one.decisions)} | {one.errors} |"
    for one in found:
        if one.fixes or one.decisions:
            yield ""
            yield f"## {one.path}"
            yield ""
        yield from (f"- {'Fixed' if applied else 'Safe fix'}: `{fix}`" for fix in one.fixes)
        yield from (f"- [ ] Line {left.line}: {left.message} ({left.code})" for left in one.decisions)

"""`heatstudio fix`: apply all safe fixes."""

from argparse import Namespace
from collections.abc import Iterator
from difflib import unified_diff
from io import StringIO
from pathlib import Path

from heatstudio.analysis import Analysis
from heatstudio.cli.report import EXIT_FINE, EXIT_UNREADABLE, complain, note, say, say_source
from heatstudio.cli.snapshot import snapshot_of
from heatstudio.cli.template_files import TemplateFile, handle_files
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.project_file import PROJECT_FILE
from heatstudio.service.safe_fixes import safe_fixes
from heatstudio.template.environment_file import TextKind, kind_of_text
from heatstudio.text import Applicability, LineIndex, counted, read_document, save_document
from heatstudio.text.invisible import visible

NEEDS_DECISION = "needs your decision"

_MAX_PROBLEMS, _MAX_CHARACTERS = 100, 1_500_000
"""Limits of the listed problems, and of processed characters: each fix is applied to the whole text."""


def run(options: Namespace) -> int:
    """Return 2 if a file cannot be read or written, else 0."""
    engine = Engine()
    found: list[tuple[int, int]] = []
    is_complete = handle_files(options.files, lambda file: found.append(_fix(engine, file, options)))
    fixes, changed = sum(done for done, _ in found), sum(done > 0 for done, _ in found)
    left = counted(
        sum(undecided for _, undecided in found), "problem needs your decision", "problems need your decision"
    )
    note(f"{counted(fixes, 'fix', 'fixes')} in {counted(changed, 'file')}; {left}.")
    return EXIT_FINE if is_complete else EXIT_UNREADABLE


def _fix(engine: Engine, file: TemplateFile, options: Namespace) -> tuple[int, int]:
    """Fix a file, and return the numbers of fixes and of problems that need a decision. Raise DocumentError.

    A file in a folder that is neither template nor environment is left alone.
    """
    path = file.path
    if path.name == PROJECT_FILE:
        return 0, 0
    document = read_document(path)
    if not file.is_named and kind_of_text(document.text, path.name) is TextKind.OTHER:
        return 0, 0
    snapshot = snapshot_of(engine, options, path, document.text)
    snapshot = snapshot._replace(root=snapshot.root or file.folder)
    found = safe_fixes(engine, snapshot, engine.analyze(snapshot, None))
    if options.diff:
        secrets = found.analysis.secrets
        _show(path, secrets.mask(document.text), secrets.mask(found.text))
        if secrets.mask(document.text) != document.text:
            note(f"{path}: hidden values are masked in the diff; `--show-hidden` makes it fit for `patch`.")
    elif found.text != document.text:
        save_document(document.with_text(found.text))
    for line, sentence in found.done:
        say(f"{path}:{line}: {sentence}")
    for refusal in found.refusals:
        complain(f"{path}: not fixed: {refusal}")
    undecided = list(_undecided(path, found.analysis))
    for words in undecided:
        note(words)
    return len(found.done), sum(NEEDS_DECISION in words for words in undecided)


def _undecided(path: Path, analysis: Analysis) -> Iterator[str]:
    """Yield the problems whose fixes need a decision."""
    lines = LineIndex(analysis.template.text)
    most = min(_MAX_PROBLEMS, 1 + _MAX_CHARACTERS // (len(analysis.template.text) + 1))
    for number, found in enumerate(analysis.diagnostics):
        if number == most:
            yield f"{path}: {counted(len(analysis.diagnostics) - most, 'more problem')}; `heatstudio check` lists all."
            return
        titles = [fix.title for fix in analysis.fixes(found) if fix.applicability is not Applicability.SAFE]
        if titles:
            place = f"{path}:{lines.position(found.span.start).line + 1}"
            yield f"{place}: {NEEDS_DECISION}: {found.message} [{found.code}] ({'; '.join(titles)})"


def _show(path: Path, before: str, after: str) -> None:
    old, new = (list(StringIO(text, newline="\n")) for text in (before, after))  # `patch` knows no other line ends
    for line in unified_diff(old, new, visible(f"{path} (now)"), visible(f"{path} (fixed)")):
        say_source(line.removesuffix("\n"))
        if not line.endswith("\n"):
            say("\\ No newline at end of file")

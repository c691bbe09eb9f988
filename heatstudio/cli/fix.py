"""`heatstudio fix`: apply all safe fixes."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from difflib import unified_diff
from io import StringIO
from pathlib import Path

from heatstudio.analysis import Analysis
from heatstudio.cli.report import EXIT_FINE, EXIT_UNREADABLE, complain, note, say, say_source
from heatstudio.cli.snapshot import add_inputs, snapshot_of
from heatstudio.cli.target import add_target, engine_for
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Target
from heatstudio.service.safe_fixes import safe_fixes
from heatstudio.text import Applicability, DocumentError, LineIndex, counted, read_document, save_document
from heatstudio.text.invisible import visible

HELP = "apply safe fixes, which do not affect the stack"


_MAX_PROBLEMS, _MAX_CHARACTERS = 100, 1_500_000
"""Limits of the listed problems, and of processed characters: each fix is applied to the whole text."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a template")
    parser.add_argument("--diff", action="store_true", help="show the changes without writing them")
    add_target(parser)
    add_inputs(parser)


def run(options: Namespace) -> int:
    """Return 2 if a file cannot be read or written or the target is unknown, else 0."""
    found = engine_for(options)
    if found is None:
        return EXIT_UNREADABLE
    engine, target = found
    done = [_fix(engine, path, options, target) for path in options.files]
    return EXIT_FINE if all(done) else EXIT_UNREADABLE


def _fix(engine: Engine, path: Path, options: Namespace, target: Target) -> bool:
    try:
        document = read_document(path)
        snapshot = snapshot_of(engine, options, path, document.text, target)
        found = safe_fixes(engine, snapshot, engine.analyze(snapshot, None))
        if options.diff:
            _show(path, document.text, found.text)
        elif found.text != document.text:
            save_document(document.with_text(found.text))
    except DocumentError as error:
        complain(str(error))
        return False
    for fix in found.fixes:
        say(fix)
    for refusal in found.refusals:
        complain(f"{path}: not fixed: {refusal}")
    for words in _undecided(path, found.analysis):
        note(words)
    return True


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
            yield f"{place}: needs your decision: {found.message} [{found.code}] ({'; '.join(titles)})"


def _show(path: Path, before: str, after: str) -> None:
    old, new = (list(StringIO(text, newline="\n")) for text in (before, after))  # `patch` knows no other line ends
    for line in unified_diff(old, new, visible(f"{path} (now)"), visible(f"{path} (fixed)")):
        say_source(line.removesuffix("\n"))
        if not line.endswith("\n"):
            say("\\ No newline at end of file")

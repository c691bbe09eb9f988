"""`heatstudio fix`: applies every fix that is safe."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from heatstudio.analysis import Analysis, Finding, Settings, analyze_file
from heatstudio.analysis.migrations import fix_all
from heatstudio.cli.listing import printable
from heatstudio.cli.report import EXIT_FINE, EXIT_UNREADABLE, add_environments, add_root, complain, note, say
from heatstudio.cli.target import add_target, read_target
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.load import load_source
from heatstudio.template import Template, parse_template
from heatstudio.text import (
    Applicability,
    DocumentError,
    Fix,
    LineIndex,
    Span,
    apply_edits,
    read_document,
    save_document,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction


_MOST = 100
"""Problems whose fixes are listed; each has to be tried on the text."""


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("fix", help="apply safe fixes, which do not affect the stack")
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a template")
    parser.add_argument("--diff", action="store_true", help="show the changes without writing them")
    add_target(parser)
    add_environments(parser)
    add_root(parser)
    parser.set_defaults(verb=run)


def run(options: Namespace) -> int:
    """Exit code 2 if a file could not be read or written, or if the target does not exist."""
    knowledge = load_knowledge()
    settings = read_target(options, knowledge)
    if settings is None:
        return EXIT_UNREADABLE
    done = [_fix(path, options, knowledge, settings) for path in options.files]
    return EXIT_FINE if all(done) else EXIT_UNREADABLE


def _fix(path: Path, options: Namespace, knowledge: Knowledge, settings: Settings) -> bool:
    try:
        document = read_document(path)
        source = load_source(path, options.environment, root=options.root, text=document.text)
        finder = _Finder(source, knowledge, settings)
        migration = fix_all(source.template, finder)
        tidying = _tidying(finder.analysis(migration.template))
        text = apply_edits(migration.template.text, [edit for fix in tidying.values() for edit in fix.edits])
        if options.diff:
            _show(path, document.text, text)
        elif text != document.text:
            save_document(document.with_text(text))
    except DocumentError as error:
        complain(str(error))
        return False
    for step in migration.steps:
        say(str(step))
    for line, fix in tidying.items():
        say(f"line {line + 1}: {fix.title}")
    for refusal in migration.refusals:
        complain(f"{path}: not fixed: {refusal.remedy.title}: {refusal.reason}")
    for words in _left(path, finder.analysis(parse_template(text, migration.template))):
        note(words)
    return True


class _Finder:
    """The findings of one version of a template after the other."""

    def __init__(self, source: Source, knowledge: Knowledge, settings: Settings) -> None:
        self._source = source
        self._knowledge = knowledge
        self._settings = settings
        self._analysis: Analysis | None = None

    def __call__(self, template: Template) -> Iterator[Finding]:
        """What is found in a template."""
        return (found.finding for found in self.analysis(template).diagnostics if found.finding is not None)

    def analysis(self, template: Template) -> Analysis:
        """What is known of a template, in the surroundings of the file."""
        if self._analysis is None or self._analysis.template is not template:
            source = replace(self._source, template=template)
            self._analysis = analyze_file(source, self._knowledge, self._settings, self._analysis)
        return self._analysis


def _tidying(analysis: Analysis) -> dict[int, Fix]:
    """The safe fixes of the writing and of comments, by the line that each begins in; one goes before what it hides."""
    lines = LineIndex(analysis.template.text)
    chosen: dict[int, Fix] = {}
    taken: list[Span] = []
    for found in analysis.diagnostics:
        for fix in found.ready_fixes:
            spans = [edit.span for edit in fix.edits]
            is_free = all(one.end <= other.start or other.end <= one.start for one in spans for other in taken)
            if fix.applicability is Applicability.SAFE and is_free:
                chosen[lines.position(found.span.start).line] = fix
                taken += spans
    return chosen


def _left(path: Path, analysis: Analysis) -> Iterator[str]:
    """What is left because its fixes may change what the template means."""
    lines = LineIndex(analysis.template.text)
    for number, found in enumerate(analysis.diagnostics):
        if number == _MOST:
            yield f"{path}: {len(analysis.diagnostics) - number} more problems: `heatstudio check` shows them."
            return
        titles = [fix.title for fix in analysis.fixes(found) if fix.applicability is not Applicability.SAFE]
        if titles:
            place = f"{path}:{lines.position(found.span.start).line + 1}"
            yield printable(f"{place}: needs your decision: {found.message} [{found.code}] ({'; '.join(titles)})")


def _show(path: Path, before: str, after: str) -> None:
    lines = unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"{path} (now)", f"{path} (fixed)"
    )
    for line in lines:
        say(line.rstrip("\r\n"))

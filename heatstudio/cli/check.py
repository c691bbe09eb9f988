"""`heatstudio check`: everything that is wrong with some templates."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from heatstudio.analysis import Analysis, Diagnostic, analyze_file
from heatstudio.analysis.pages import pages
from heatstudio.cli.report import (
    EXIT_FINE,
    EXIT_FOUND,
    EXIT_UNREADABLE,
    add_environments,
    add_format,
    add_parameters,
    add_root,
    complain,
    note,
    say,
    say_json,
    sources,
)
from heatstudio.cli.target import add_target, read_target
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.load import load_source
from heatstudio.text import LineIndex, Position, Severity

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction
    from collections.abc import Iterator, Sequence

Checked = tuple[Path, Analysis]


def _records(path: Path, analysis: Analysis) -> Iterator[dict[str, object]]:
    lines = LineIndex(analysis.template.text)
    return (_record(path, analysis, lines, found) for found in analysis.diagnostics)


def _record(path: Path, analysis: Analysis, lines: LineIndex, found: Diagnostic) -> dict[str, object]:
    """The finding with its place and ways out; `heat` is there where Heat says it in other words."""
    elsewhere = found.elsewhere
    made: dict[str, object] = {
        "path": str(path) if elsewhere is None else elsewhere.file,
        "code": found.code,
        "severity": found.severity.word,
        "message": found.message,
        "range": _range(*_ends(lines, found)),
        "resource": found.resource,
        "property": found.property,
        "fixes": [{"title": fix.title, "applicability": fix.applicability.word} for fix in analysis.fixes(found)],
    }
    return {**made, "heat_message": found.heat} if found.heat else made


def _ends(lines: LineIndex, found: Diagnostic) -> tuple[Position, Position]:
    if found.elsewhere is not None:
        return found.elsewhere.start, found.elsewhere.end
    return lines.position(found.span.start), lines.position(found.span.end)


def _range(start: Position, end: Position) -> dict[str, object]:
    return {"start": start._asdict(), "end": end._asdict()}


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("check", help="report errors that Heat would reject, and deprecations")
    parser.add_argument("files", nargs="*", metavar="FILE", type=Path, help="a template")
    parser.add_argument("--explain", metavar="CODE", help="explain a diagnostic code, with an example and the fix")
    add_target(parser)
    add_parameters(parser)
    add_environments(parser)
    add_root(parser)
    add_format(parser, "text", "json", "sarif")
    parser.set_defaults(verb=run)


def run(options: Namespace) -> int:
    """Exit code 0: no error; 1: errors were found; 2: a file could not be read, or something named does not exist."""
    if options.explain is not None:
        return _explain(options.explain)
    if not options.files:
        complain("specify at least one template to check.")
        return EXIT_UNREADABLE
    knowledge = load_knowledge()
    settings = read_target(options, knowledge)
    if settings is None:
        return EXIT_UNREADABLE
    values = dict(options.parameter)
    loaded, complete = sources(
        options.files,
        lambda path: load_source(path, options.environment, parameter_values=values, root=options.root),
    )
    checked = [(path, analyze_file(source, knowledge, settings)) for path, source in loaded]
    _report(checked, options.format, complete)
    if not complete:
        return EXIT_UNREADABLE
    errors = any(found.severity is Severity.ERROR for _, analysis in checked for found in analysis.diagnostics)
    return EXIT_FOUND if errors else EXIT_FINE


def _explain(code: str) -> int:
    known = pages()
    if code not in known:
        complain(f"unknown code {code}; known codes: {', '.join(sorted(known))}")
        return EXIT_UNREADABLE
    say(known[code])
    return EXIT_FINE


def _report(checked: Sequence[Checked], form: str, complete: bool) -> None:
    if form == "sarif":
        from heatstudio.cli.sarif import sarif

        say_json(sarif(checked, complete))
    elif form == "json":
        say_json([found for path, analysis in checked for found in _records(path, analysis)])
    else:
        from heatstudio.cli.listing import count_line, listing

        for line in listing(checked, with_source=sys.stdout.isatty()):
            say(line)
        if checked:
            note(count_line(checked))

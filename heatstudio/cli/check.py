"""`heatstudio check`: everything that is wrong with some templates."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from heatstudio.analysis import Analysis, Diagnostic, analyze
from heatstudio.analysis.checks import pages
from heatstudio.cli.report import (
    EXIT_FINE,
    EXIT_FOUND,
    EXIT_UNREADABLE,
    add_environments,
    add_format,
    add_root,
    complain,
    say,
    say_json,
    sources,
)
from heatstudio.stack.knowledge import load_knowledge
from heatstudio.stack.load import load_source
from heatstudio.text import LineIndex, Severity, Span

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("check", help="say what Heat would refuse, and what is on its way out")
    parser.add_argument("files", nargs="*", metavar="FILE", type=Path, help="a template")
    parser.add_argument("--explain", metavar="CODE", help="explain a code instead: what, why, an example, the way out")
    add_environments(parser)
    add_root(parser)
    add_format(parser, "text", "json")
    parser.set_defaults(verb=run)


def run(options: Namespace) -> int:
    """Exit code 0: no error; 1: errors were found; 2: a file could not be read."""
    if options.explain is not None:
        return _explain(options.explain)
    if not options.files:
        complain("name at least one template to check.")
        return EXIT_UNREADABLE
    knowledge = load_knowledge()
    loaded, complete = sources(
        options.files, lambda path: load_source(path, options.environment, root=options.root)
    )
    analyses = [(path, analyze(source, knowledge)) for path, source in loaded]
    if options.format == "json":
        say_json([_record(path, analysis, found) for path, analysis in analyses for found in analysis.diagnostics])
    else:
        for path, analysis in analyses:
            _tell(path, analysis)
    if not complete:
        return EXIT_UNREADABLE
    errors = any(found.severity is Severity.ERROR for _, analysis in analyses for found in analysis.diagnostics)
    return EXIT_FOUND if errors else EXIT_FINE


def _explain(code: str) -> int:
    page = pages().get(code)
    if page is None:
        complain(f"there is no code {code}; there are: {', '.join(sorted(pages()))}")
        return EXIT_UNREADABLE
    say(page)
    return EXIT_FINE


def _tell(path: Path, analysis: Analysis) -> None:
    lines = LineIndex(analysis.template.text)
    for found in analysis.diagnostics:
        line, character = lines.position(found.span.start)
        say(f"{path}:{line + 1}:{character + 1}: {found.severity.word}: {found.message} [{found.code}]")


def _record(path: Path, analysis: Analysis, found: Diagnostic) -> dict[str, object]:
    return {
        "path": str(path),
        "code": found.code,
        "severity": found.severity.word,
        "message": found.message,
        "range": _range(LineIndex(analysis.template.text), found.span),
        "resource": found.resource,
        "property": found.property,
        "fixes": [
            {"title": fix.title, "applicability": fix.applicability.word} for fix in analysis.fixes(found)
        ],
    }


def _range(lines: LineIndex, span: Span) -> dict[str, object]:
    start, end = lines.position(span.start), lines.position(span.end)
    return {"start": start._asdict(), "end": end._asdict()}

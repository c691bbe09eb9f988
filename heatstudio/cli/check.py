"""`heatstudio check`: everything that is wrong with some templates."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from heatstudio.analysis import Analysis, Settings, analyze
from heatstudio.analysis.checks import pages
from heatstudio.catalog import Release, find_release
from heatstudio.cli.report import (
    EXIT_FINE,
    EXIT_FOUND,
    EXIT_UNREADABLE,
    add_client_versions,
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
from heatstudio.stack.knowledge import Knowledge, load_knowledge
from heatstudio.stack.load import load_source
from heatstudio.text import Severity

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction
    from collections.abc import Sequence

Checked = tuple[Path, Analysis]


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("check", help="say what Heat would refuse, and what is on its way out")
    parser.add_argument("files", nargs="*", metavar="FILE", type=Path, help="a template")
    parser.add_argument("--explain", metavar="CODE", help="explain a code instead: what, why, an example, the way out")
    parser.add_argument(
        "--release", metavar="RELEASE", help="the OpenStack release to check for: its name or the version of its Heat"
    )
    add_client_versions(parser)
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
        complain("name at least one template to check.")
        return EXIT_UNREADABLE
    knowledge = load_knowledge()
    settings = _settings(options, knowledge)
    if settings is None:
        return EXIT_UNREADABLE
    values = dict(options.parameter)
    loaded, complete = sources(
        options.files,
        lambda path: load_source(path, options.environment, parameter_values=values, root=options.root),
    )
    checked = [(path, analyze(source, knowledge, settings)) for path, source in loaded]
    _report(checked, options.format, complete)
    if not complete:
        return EXIT_UNREADABLE
    errors = any(found.severity is Severity.ERROR for _, analysis in checked for found in analysis.diagnostics)
    return EXIT_FOUND if errors else EXIT_FINE


def _settings(options: Namespace, knowledge: Knowledge) -> Settings | None:
    """What to check against; None, with a complaint, where the options name what there is not."""
    release = find_release(knowledge.releases, options.release) if options.release is not None else None
    if options.release is not None and release is None:
        complain(_no_release(options.release, knowledge.releases))
        return None
    client_versions = dict(options.client_version)
    known = knowledge.group_library.client_plugins()
    strange = next((name for name in client_versions if name not in known), None)
    if strange is not None:
        complain(f"no check asks for the API version of {strange!r}; they ask for that of: {', '.join(known)}")
        return None
    return Settings(release, client_versions)


def _no_release(wanted: str, releases: Sequence[Release]) -> str:
    known = ", ".join(f"{release.name} ({release.heat})" for release in releases)
    return f"there is no release {wanted!r}; there are: {known}"


def _explain(code: str) -> int:
    known = pages()
    if code not in known:
        complain(f"there is no code {code}; there are: {', '.join(sorted(known))}")
        return EXIT_UNREADABLE
    say(known[code])
    return EXIT_FINE


def _report(checked: Sequence[Checked], form: str, complete: bool) -> None:
    if form == "sarif":
        from heatstudio.cli.sarif import sarif

        say_json(sarif(checked, complete))
    elif form == "json":
        from heatstudio.cli.record import record

        say_json([record(path, analysis, found) for path, analysis in checked for found in analysis.diagnostics])
    else:
        from heatstudio.cli.listing import count_line, listing

        for line in listing(checked, with_source=sys.stdout.isatty()):
            say(line)
        if checked:
            note(count_line(checked))

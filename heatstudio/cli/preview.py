"""`heatstudio preview`: what a stack update from one template to another would do."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from heatstudio.cli.report import (
    EXIT_FINE,
    EXIT_UNREADABLE,
    add_environments,
    add_format,
    add_root,
    complain,
    say,
    say_json,
)
from heatstudio.stack.knowledge import load_knowledge
from heatstudio.stack.load import load_source
from heatstudio.stack.source import Source
from heatstudio.stack.update.plan_text import plan_data, plan_lines, plan_markdown
from heatstudio.stack.update.plan_update import plan_update
from heatstudio.text import DocumentError

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("preview", help="say what a stack update would do to each resource, and why")
    parser.add_argument("old", metavar="OLD", type=Path, help="the template that the stack has")
    parser.add_argument("new", metavar="NEW", type=Path, help="the template that it would get")
    parser.add_argument(
        "--old-environment",
        metavar="ENV",
        action="append",
        type=Path,
        help="an environment file of the old side (default: those of the new side)",
    )
    add_environments(parser)
    add_root(parser)
    add_format(parser, "text", "json", "markdown")
    parser.set_defaults(verb=run)


def run(options: Namespace) -> int:
    """Exit code 2 if a file could not be read."""
    old_environments = options.environment if options.old_environment is None else options.old_environment
    try:
        old = load_source(options.old, old_environments, root=options.root)
        new = load_source(options.new, options.environment, root=options.root)
    except DocumentError as error:
        complain(str(error))
        return EXIT_UNREADABLE
    broken = [path for path, source in ((options.old, old), (options.new, new)) if not _is_whole(source)]
    for path in broken:
        complain(f"{path} cannot be read as a template: `heatstudio check {path}` says why.")
    if broken:
        return EXIT_UNREADABLE
    plan = plan_update(old, new, load_knowledge())
    if options.format == "json":
        say_json(plan_data(plan))
    elif options.format == "markdown":
        say(plan_markdown(plan))
    else:
        for line in plan_lines(plan):
            say(line)
    return EXIT_FINE


def _is_whole(source: Source) -> bool:
    return source.template.complete and source.template.version_message is None

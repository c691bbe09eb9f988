"""`heatstudio preview`: what a stack update from one template to another would do."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.cli.report import (
    EXIT_FINE,
    EXIT_UNREADABLE,
    add_environments,
    add_format,
    add_parameters,
    add_root,
    complain,
    say,
    say_json,
)
from heatstudio.stack.knowledge import load_knowledge
from heatstudio.stack.load import load_environment, load_source
from heatstudio.stack.parameter_form import values_of_missing
from heatstudio.stack.source import Source
from heatstudio.stack.update.plan_text import plan_data, plan_lines, plan_markdown
from heatstudio.stack.update.plan_update import plan_update
from heatstudio.stack.update.read_running_stack import is_running_stack, read_running_stack
from heatstudio.stack.update.running_stack import Resources, completed, over_existing
from heatstudio.text import DocumentError, read_document

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("preview", help="say what a stack update would do to each resource, and why")
    parser.add_argument(
        "old", metavar="OLD", type=Path, help="the template that the stack has, or what `openstack stack export` prints"
    )
    parser.add_argument("new", metavar="NEW", type=Path, help="the template that it would get")
    parser.add_argument(
        "--stack",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="more of the stack that runs: what `openstack stack show`, `stack environment show`, `stack file list`, "
        "`stack resource list` or `stack resource show` print as YAML or JSON",
    )
    parser.add_argument(
        "--existing", action="store_true", help="keep the environment of the stack, as `openstack stack update` does"
    )
    parser.add_argument(
        "--old-environment",
        metavar="ENV",
        action="append",
        type=Path,
        help="an environment file of the old side (default: those of the new side)",
    )
    add_environments(parser)
    add_parameters(parser)
    add_root(parser)
    add_format(parser, "text", "json", "markdown")
    parser.set_defaults(verb=run)


class _Sides(Struct, frozen=True):
    """What is compared, and what is known of the resources that run."""

    old: Source
    new: Source
    existing: Resources | None = None


def run(options: Namespace) -> int:
    """Exit code 2 if a file could not be read."""
    try:
        sides = _sides(options)
    except DocumentError as error:
        complain(str(error))
        return EXIT_UNREADABLE
    broken = [path for path, source in ((options.old, sides.old), (options.new, sides.new)) if not _is_whole(source)]
    for path in broken:
        complain(f"{path} cannot be read as a template: `heatstudio check {path}` says why.")
    if broken:
        return EXIT_UNREADABLE
    plan = plan_update(sides.old, sides.new, load_knowledge(), sides.existing)
    if options.format == "json":
        say_json(plan_data(plan))
    elif options.format == "markdown":
        say(plan_markdown(plan))
    else:
        for line in plan_lines(plan):
            say(line)
    return EXIT_FINE


def _sides(options: Namespace) -> _Sides:
    """Both sides. Raises DocumentError."""
    document = read_document(options.old)
    values = dict(options.parameter)
    new = load_source(options.new, options.environment, parameter_values=values, root=options.root)
    old_environments = options.environment if options.old_environment is None else options.old_environment
    if not options.stack and not is_running_stack(document.text):
        beside = load_source(options.old, old_environments, root=options.root, text=document.text)
        return _Sides(replace(beside, parameter_values=values_of_missing(values, beside)), new)
    stack = read_running_stack([document, *map(read_document, options.stack)])
    old = stack.source(tuple(map(load_environment, old_environments)), new.files)
    new = over_existing(new, old) if options.existing else new
    return _Sides(old, completed(new, old), stack.resources)


def _is_whole(source: Source) -> bool:
    return source.template.complete and source.template.version_message is None

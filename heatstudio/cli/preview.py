"""`heatstudio preview`: what a stack update from one template to another would do."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis import analyze
from heatstudio.analysis.changes.refusals import with_errors
from heatstudio.cli.report import (
    EXIT_FINE,
    EXIT_FOUND,
    add_environments,
    add_format,
    add_parameters,
    add_root,
    complain,
    say,
    say_json,
)
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.load import load_environment, load_source
from heatstudio.stack.parameter_form import values_of_missing
from heatstudio.text import DocumentError, read_document
from heatstudio.update.plan_text import plan_data, plan_lines, plan_markdown
from heatstudio.update.plan_update import plan_update
from heatstudio.update.read_running_stack import is_running_stack, read_running_stack
from heatstudio.update.running_stack import Resources, completed, over_existing
from heatstudio.update.update_plan import Action, UpdatePlan, Verdict

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

EXIT_CHANGES = 2


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("preview", help="preview what a stack update does to each resource, and why")
    parser.add_argument(
        "old",
        metavar="OLD",
        type=Path,
        help="the current template of the stack, or the output of `openstack stack export`",
    )
    parser.add_argument("new", metavar="NEW", type=Path, help="the new template")
    parser.add_argument(
        "--stack",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="more about the stack: the YAML or JSON output of `openstack stack show`, `stack environment show`, "
        "`stack file list`, `stack resource list` or `stack resource show`",
    )
    parser.add_argument(
        "--existing", action="store_true", help="keep the stack's environment, like `openstack stack update --existing`"
    )
    parser.add_argument(
        "--old-environment",
        metavar="ENV",
        action="append",
        type=Path,
        help="an environment file for OLD (default: the same as for NEW)",
    )
    add_environments(parser)
    add_parameters(parser)
    add_root(parser)
    add_format(parser, "text", "json", "markdown")
    parser.add_argument(
        "--fail-on",
        metavar="OUTCOME[,OUTCOME]...",
        type=_outcomes,
        default=frozenset(),
        help="exit with 1 if a resource has, or may have, one of the outcomes replaced, deleted, not-supported, added "
        "or updated; an update that Heat would reject, or that fails, always exits with 1",
    )
    parser.set_defaults(verb=run)


class _Sides(Struct, frozen=True):
    """What is compared, and what is known of the resources that run."""

    old: Source
    new: Source
    existing: Resources | None = None


def run(options: Namespace) -> int:
    """Exit code as of `terraform plan -detailed-exitcode`: 0 for no changes, 1 for an error, 2 for changes."""
    try:
        sides = _sides(options)
    except DocumentError as error:
        complain(str(error))
        return EXIT_FOUND
    broken = [path for path, source in ((options.old, sides.old), (options.new, sides.new)) if not _is_whole(source)]
    for path in broken:
        complain(f"{path} is not a valid template; run `heatstudio check {path}` for details.")
    if broken:
        return EXIT_FOUND
    knowledge = load_knowledge()
    plan = plan_update(sides.old, sides.new, knowledge, sides.existing)
    plan = with_errors(plan, sides.new.template.text, analyze(sides.new, knowledge).diagnostics)
    if options.format == "json":
        say_json(plan_data(plan))
    elif options.format == "markdown":
        say(plan_markdown(plan))
    else:
        for line in plan_lines(plan):
            say(line)
    return _exit_code(plan, options.fail_on)


def _exit_code(plan: UpdatePlan, unwanted: frozenset[str]) -> int:
    """The exit code of a plan; a resource that may have an unwanted outcome counts as one that has it."""
    if plan.verdict in (Verdict.REFUSED, Verdict.FAILS):
        return EXIT_FOUND
    outcomes = {_option(one.action) for change in plan.changes for one in (change, *change.inner) if one.has_effect}
    if found := sorted(outcomes & unwanted):
        complain(f"the update has outcomes listed in --fail-on: {', '.join(found)}")
        return EXIT_FOUND
    return EXIT_FINE if plan.verdict is Verdict.CHANGES_NOTHING else EXIT_CHANGES


def _option(outcome: str) -> str:
    """An outcome as the command line writes it."""
    return outcome.replace("_", "-")


def _outcomes(text: str) -> frozenset[str]:
    """The outcomes that --fail-on names."""
    known = [_option(outcome) for outcome in (Verdict.REFUSED, *Action) if outcome is not Action.UNCHANGED]
    found = frozenset(text.split(","))
    if wrong := sorted(found.difference(known)):
        raise ArgumentTypeError(f"{', '.join(map(repr, wrong))}: choose from {', '.join(known)}")
    return found


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

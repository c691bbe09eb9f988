"""`heatstudio preview`: predict a stack update from one template to another."""

import os.path
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterable
from pathlib import Path
from shutil import get_terminal_size

from msgspec.structs import replace

from heatstudio.analysis.changes.refusals import missing_values
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, complain, plain, say, say_json, say_markup
from heatstudio.cli.snapshot import snapshot_of
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.saved_plan import changes_since, save_plan
from heatstudio.stack.load import read_written
from heatstudio.text import DATA_LIMIT, DocumentError, read_document, real_path
from heatstudio.update.plan.plan_text import plan_data, plan_lines, plan_markdown
from heatstudio.update.plan.update_plan import Action, UpdatePlan, Verdict
from heatstudio.update.sides.read_running_stack import is_running_stack, read_running_stack

EXIT_CHANGES = 2
NO_STACK = "OLD must be the output of `openstack stack export`, or add `--stack FILE`."


def run(options: Namespace) -> int:
    """Return the exit code of `terraform plan -detailed-exitcode`: 0 without changes, 1 for errors, 2 for changes.

    Raise DocumentError.
    """
    engine = Engine()
    old, new = _sides(engine, options)
    analysis = engine.analyze(new, None)
    plan = engine.plan_update(old, analysis, keeps_values=options.existing)
    if not options.existing and _are_values_known(options, old, engine.applied(new)):
        plan = replace(plan, refusals=(*missing_values(analysis.stack), *plan.refusals))
    if plan.unread or analysis.template.version_message is not None:
        path = options.old if plan.unread == "old" else options.new
        raise DocumentError("template", f"{path} is not a valid template; run `heatstudio check {path}` for details.")
    if changes := _saved(options, engine.files_read(old).keys() | engine.files_read(new).keys(), plan):
        raise DocumentError("plan", f"the plan is out of date: {'; '.join(changes)}. Save it again with --out.")
    if options.format == "json":
        say_json(plan_data(plan))
    elif options.format == "markdown":
        say_markup(plan_markdown(plan))
    else:
        width = get_terminal_size().columns if sys.stdout.isatty() else 0
        for line in plan_lines(plan, width):
            say(line)
    return _exit_code(plan, options.fail_on or frozenset())


def _sides(engine: Engine, options: Namespace) -> tuple[Snapshot, Snapshot]:
    """Return both sides; the project file of NEW also applies to OLD. Raise DocumentError."""
    new = snapshot_of(engine, options, options.new, read_written(options.new))
    standing = engine.applied(new._replace(parameter_values={}))
    if options.old_environment is not None:
        standing = standing._replace(environments=tuple(options.old_environment))
    document = read_document(options.old, limit=DATA_LIMIT)
    if options.stack or is_running_stack(document.text):
        stack = read_running_stack([document, *(read_document(path, limit=DATA_LIMIT) for path in options.stack)])
        old = standing._replace(text=stack.template, stack=stack)
    elif options.existing:
        raise DocumentError("no-stack", f"--existing requires a running stack: {NO_STACK}")
    else:
        old = standing._replace(text=document.text, path=options.old)
    return engine.readable(old), new


def _are_values_known(options: Namespace, old: Snapshot, new: Snapshot) -> bool:
    """Return whether the options give the inputs of a side, so that a parameter without a value has none in Heat."""
    return bool(old.stack or options.old_environment or new.environments or new.parameter_values)


def _saved(options: Namespace, read: Iterable[Path], plan: UpdatePlan) -> list[str]:
    """Save the plan, or return the changes since the plan was saved, as requested. Raise DocumentError."""
    given = (options.old, options.new, *options.stack, *options.environment, *(options.old_environment or ()))
    names = {real_path(path): str(path) for path in given}
    plans = {real_path(path) for path in (options.out, options.check) if path is not None}
    read = (path for path in (*names, *read) if path not in plans)  # looked at for the types that it might map
    inputs = {names.get(path) or _name_beside(options.new, path): path for path in read}
    values, data = dict(options.parameter), plain(plan_data(plan))
    if options.check is not None:
        return list(changes_since(options.check, inputs, values, data))
    if options.out is not None:
        save_plan(options.out, inputs, values, data)
    return []


def _name_beside(template: Path, path: Path) -> str:
    """Return the path of a file, absolute or relative like the path of its template."""
    return os.path.normpath(template.parent / os.path.relpath(path, real_path(template.parent)))


def _exit_code(plan: UpdatePlan, unwanted: frozenset[str]) -> int:
    """Return the exit code of a plan; a possible unwanted outcome counts like a certain one."""
    if plan.verdict in (Verdict.REFUSED, Verdict.FAILS):
        return EXIT_FOUND
    outcomes = {_option(one.action) for change in plan.changes for one in (change, *change.inner) if one.has_effect}
    if found := sorted(outcomes & unwanted):
        complain(f"the update has outcomes listed in --fail-on: {', '.join(found)}")
        return EXIT_FOUND
    return EXIT_FINE if plan.verdict is Verdict.CHANGES_NOTHING else EXIT_CHANGES


def _option(outcome: str) -> str:
    """Return an outcome in the spelling of the command line."""
    return outcome.replace("_", "-")


def outcomes(text: str) -> frozenset[str]:
    """Parse the argument of --fail-on."""
    known = [_option(outcome) for outcome in (Verdict.REFUSED, *Action) if outcome is not Action.UNCHANGED]
    found = frozenset(text.split(","))
    if wrong := sorted(found.difference(known)):
        raise ArgumentTypeError(f"{', '.join(map(repr, wrong))}: choose from {', '.join(known)}")
    return found

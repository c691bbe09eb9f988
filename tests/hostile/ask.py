"""Commands on every hostile input, each in a forked process that has already imported the program.

`python -m tests.hostile.ask FOLDER [NAME...]` writes one line of JSON for each command: `check` for each input, and one
of the other commands in turn.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TypedDict

from heatstudio.cli import command
from tests.hostile.inputs import INPUTS, NEW, RESOURCES, Hostile, many, value

BASELINE = "an ordinary template"
ORDINARY = Hostile(RESOURCES + many(400, lambda i: value(f"{{get_param: p{i}}}", f"r{i}")))
MOST_SECONDS = 30
"""The limit of CPU seconds for one command; the system kills a process beyond it."""
OTHERS = ("convert", "resolve", "fix", "preview")
VERBS = ("check", *OTHERS)


class Answer(TypedDict):
    """The result of one command."""

    name: str
    verb: str
    status: int
    """Negative for a signal."""
    seconds: float
    """CPU seconds."""
    kilobytes: int
    """Peak memory."""
    output: str
    errors: str


def arguments_of(verb: str, one: Hostile, template: Path) -> list[str]:
    new = template.with_name(NEW)
    files = [str(template), str(new if new.exists() else template)] if verb == "preview" else [str(template)]
    environments = [] if verb == "convert" else [f"-e{template.parent / name}" for name in one.environments]
    return [verb, *(["--diff"] if verb == "fix" else []), *files, *environments]


def ask(name: str, verb: str, arguments: Sequence[str], folder: Path) -> Answer:
    """Run one command in a forked process."""
    output, errors = folder / "output", folder / "errors"
    process = os.fork()
    if process == 0:
        _answer(arguments, output, errors)
    _, status, used = os.wait4(process, 0)
    return {
        "name": name,
        "verb": verb,
        "status": os.waitstatus_to_exitcode(status),
        "seconds": used.ru_utime + used.ru_stime,
        "kilobytes": used.ru_maxrss,
        "output": output.read_text("utf-8", "replace")[:2_000],
        "errors": errors.read_text("utf-8", "replace")[:4_000],
    }


def _answer(arguments: Sequence[str], output: Path, errors: Path) -> None:
    for path, handle in ((output, 1), (errors, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), handle)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    status = 70
    try:
        status = command.run(arguments)
    except SystemExit as end:
        status = int(str(end.code or 0))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def answers(folder: Path, names: Sequence[str]) -> Iterator[Answer]:
    """Yield the answers, after commands on the ordinary template in this process that import all modules."""
    inputs = {BASELINE: ORDINARY, **{name: INPUTS[name] for name in names}}
    places = {name: one.write(folder / str(at)) for at, (name, one) in enumerate(inputs.items())}
    for verb in VERBS:
        ask_here(arguments_of(verb, ORDINARY, places[BASELINE]))
    for at, (name, one) in enumerate(inputs.items()):
        for verb in ("check", OTHERS[at % len(OTHERS)]):
            yield ask(name, verb, arguments_of(verb, one, places[name]), folder)


def ask_here(arguments: Sequence[str]) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        command.run(arguments)


def main() -> None:
    folder, *names = sys.argv[1:]
    os.chdir(folder)
    for reported in answers(Path(folder), names or list(INPUTS)):
        sys.stdout.write(f"{json.dumps(reported)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Entry point of the endurance tests: `python -m tests.ui.endurance monkey --seconds 300`."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.ui.endurance.editing import edit
from tests.ui.endurance.kills import kill_at_random
from tests.ui.endurance.random_use import use_at_random

TOP = Path(__file__).parents[3]


def main() -> int:
    """Run a test and return the exit status: 0 if there are no faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.endurance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    monkey = commands.add_parser("monkey", help="random keys, commands, clicks and drags in the real window")
    monkey.add_argument("--seconds", type=float, default=20.0)
    editing = commands.add_parser("edit", help="simulated editing, and whether memory and the like are bounded")
    editing.add_argument("--minutes", type=float, default=30.0)
    killing = commands.add_parser("kill", help="the program killed at random moments, and what that takes")
    killing.add_argument("--times", type=int, default=50)
    for command in (monkey, editing, killing):
        command.add_argument("--seed", type=int, default=None, help="of a run to repeat; each run has another one")
    reported = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if reported.seed is None else reported.seed
    with TemporaryDirectory() as folder:
        if reported.command == "edit":
            faults = edit(reported.minutes, seed, Path(folder))
        elif reported.command == "kill":
            faults = kill_at_random(reported.times, seed, Path(folder))
        else:
            faults = use_at_random(reported.seconds, seed, Path(folder))
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Entry point of the endurance tests: `python -m tests.ui.endurance monkey --seconds 300`."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.ui.endurance.editing import edit
from tests.ui.endurance.kills import kill_at_random
from tests.ui.endurance.random_use import use_at_random
from tests.ui.endurance.x_server import SCREENS, x_server

TOP = Path(__file__).parents[3]


def main() -> int:
    """Run a test and return the exit status: 0 if there are no faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.endurance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    monkey = commands.add_parser("monkey", help="random keys, commands, clicks and drags in the real window")
    monkey.add_argument("--seconds", type=float, default=20.0)
    monkey.add_argument("--steps", type=int, default=None, help="instead of a time, to repeat a run")
    screens = monkey.add_mutually_exclusive_group()
    screens.add_argument("--x11", action="store_true", help="on an X server of its own, with real keys and mouse")
    screens.add_argument("--display", type=int, metavar="PID", help="the same on the X server of DISPLAY")
    editing = commands.add_parser("edit", help="simulated editing, and whether memory and the like are bounded")
    editing.add_argument("--minutes", type=float, default=30.0)
    killing = commands.add_parser("kill", help="the program killed at random moments, and what that takes")
    killing.add_argument("--times", type=int, default=50)
    for command in (monkey, editing, killing):
        command.add_argument("--seed", type=int, default=None, help="of a run to repeat; each run has another one")
    reported = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if reported.seed is None else reported.seed
    if reported.command == "monkey" and reported.x11:
        return _on_x_server(seed)
    with TemporaryDirectory() as folder:
        if reported.command == "edit":
            faults = edit(reported.minutes, seed, Path(folder))
        elif reported.command == "kill":
            faults = kill_at_random(reported.times, seed, Path(folder))
        else:
            run = {"seconds": reported.seconds, "steps": reported.steps, "server": reported.display}
            faults = use_at_random(seed, Path(folder), **run)
    return int(faults > 0)


def _on_x_server(seed: int) -> int:
    """Run this command in a child process on a screen that depends on the seed."""
    width, height, scale = random.Random(seed).choice(SCREENS)
    arguments = [argument for argument in sys.argv[1:] if argument != "--x11"]
    command = [sys.executable, "-m", "tests.ui.endurance", *arguments, "--seed", str(seed)]
    with x_server(width, height) as (display, server):
        used = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": str(scale)}
        return subprocess.run([*command, "--display", str(server)], env=os.environ | used, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Entry point that prints the benchmark table; arguments select groups by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from heatstudio.service.garbage_collector import tune_garbage_collector
from tests.benchmarks import against_heat, engine, language_server, window
from tests.benchmarks.measure import MissingPieceError, Row

GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    "read": engine.reading,
    "type": engine.typing,
    "define": engine.defining,
    "check": engine.checking,
    "check-type": engine.typing_and_checking,
    "preview": engine.previewing,
    "draw": engine.drawing,
    "protocol": language_server.editing_over_the_protocol,
    "heat": against_heat.against_the_engine,
    "start": window.starting,
    "window-type": window.typing_in_window,
    "large": window.large_file,
}


def main() -> int:
    """Print the rows and return the exit status: 0 if all measured rows meet their goal."""
    unknown = [name for name in sys.argv[1:] if name not in GROUPS]
    if unknown:
        sys.stderr.write(f"No such group: {', '.join(unknown)}. There are: {', '.join(GROUPS)}.\n")
        return 2
    tune_garbage_collector()  # as the program does
    missed = False
    for name in sys.argv[1:] or GROUPS:
        try:
            for row in GROUPS[name]():
                sys.stdout.write(f"{row}\n")
                sys.stdout.flush()
                missed |= row.goal is not None and row.ratio > row.goal
        except MissingPieceError as missing:
            sys.stdout.write(f"{name}: skipped, {missing}\n")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())

"""`heatstudio mcp`: run the server for coding agents."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from heatstudio.cli.report import EXIT_FINE, EXIT_UNREADABLE, complain

HELP = "run the Model Context Protocol server, for coding agents, on standard input and output"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--root", type=Path, default=Path(), metavar="FOLDER", help="the only folder that is read")


def run(options: Namespace) -> int:
    """Return 0 when the agent closes standard input, 2 if the `mcp` package is not installed."""
    try:
        from heatstudio.cli.agent_tools import make_server
    except ModuleNotFoundError as error:
        complain(f"{error.name} is not installed; install it with `pip install 'heatstudio[mcp]'`.")
        return EXIT_UNREADABLE
    make_server(options.root).run("stdio")
    return EXIT_FINE

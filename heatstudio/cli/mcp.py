"""`heatstudio mcp`: run the server for coding agents."""

from argparse import Namespace

from heatstudio.cli.report import EXIT_FINE, EXIT_UNREADABLE, complain


def run(options: Namespace) -> int:
    """Return 0 when the agent closes standard input, 2 if the `mcp` package is not installed."""
    try:
        from heatstudio.cli.agent_tools import make_server
    except ModuleNotFoundError as error:
        complain(f"{error.name} is not installed; install it with `pip install 'heatstudio[mcp]'`.")
        return EXIT_UNREADABLE
    make_server(options.root).run("stdio")
    return EXIT_FINE

"""`heatstudio lsp`: run the language server for other editors."""

import os
import signal
import sys
from argparse import Namespace

from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, complain
from heatstudio.service.garbage_collector import tune_garbage_collector

STDIN = 0
"""The file descriptor of standard input."""


def run(_options: Namespace) -> int:
    """Return 0 after a `shutdown` request, 1 if the client disconnects without one, 2 if pygls is not installed."""
    try:
        from heatstudio.lsp.features import make_server
    except ModuleNotFoundError as error:
        complain(f"{error.name} is not installed; install it with `pip install 'heatstudio[lsp]'`.")
        return EXIT_UNREADABLE
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_FOUND))  # which removes the temporary folder
    server = make_server()
    tune_garbage_collector()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # output of a library on stdout would corrupt the protocol
    server.serve(STDIN, answers)
    return EXIT_FINE if server.is_shut_down else EXIT_FOUND

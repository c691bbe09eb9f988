"""The analysis inputs of a file on the command line; options take precedence over the project file."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.text import DocumentError


def add_inputs(parser: ArgumentParser) -> None:
    """Add the options for environment files, parameter values, and the root folder of references."""
    parser.add_argument(
        "-e", "--environment", metavar="ENV", action="append", default=[], type=Path, help="an environment file"
    )
    parser.add_argument(
        "-P",
        "--parameter",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_parameter,
        help="a parameter value",
    )
    parser.add_argument(
        "--root",
        type=Path,
        metavar="FOLDER",
        help="the root of nested templates and files (default: the folder of heatstudio.toml, else of the template)",
    )


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def snapshot_of(engine: Engine, options: Namespace, path: Path, text: str, target: Target) -> Snapshot:
    """Return the snapshot of a file with the inputs of the options. Raise DocumentError as `readable` does."""
    values = dict(options.parameter)
    found = Snapshot(text, path, tuple(options.environment), options.root, parameter_values=values, target=target)
    return readable(engine, found)


def readable(engine: Engine, snapshot: Snapshot) -> Snapshot:
    """Return the snapshot. Raise DocumentError if its project file or an environment is invalid."""
    project = engine.project_of(snapshot)
    if project is not None and project.problems:
        line, message = project.problems[0]
        raise DocumentError("project-file", f"{project.path}:{line + 1}: {message}")
    if complaints := engine.complaints(snapshot):
        raise DocumentError("environment", complaints[0])
    return snapshot

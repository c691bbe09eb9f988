"""The analysis inputs of a file on the command line; options take precedence over the project file."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from heatstudio.cli.target import target_of
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.template.syntax.parse import Reader
from heatstudio.template.syntax.parse import read_text as parse_yaml
from heatstudio.text import DocumentError, read_text, stamp_of


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
        help="a parameter value; other users may see it in the list of processes",
    )
    parser.add_argument(
        "--parameter-file",
        metavar="FILE",
        dest="parameter",
        action="extend",
        type=_parameter_file,
        help="a YAML file that maps parameter names to values; NAME=FILE: a file with the value of one parameter",
    )
    parser.add_argument("--show-hidden", action="store_true", help="show the values of hidden parameters")
    parser.add_argument(
        "--root",
        type=Path,
        metavar="FOLDER",
        help="the root of nested templates and files (default: the folder of heatstudio.toml, else of the template)",
    )


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ArgumentTypeError("a value is not of the form NAME=VALUE")  # the value may be a secret
    return name, value


def _parameter_file(text: str) -> list[tuple[str, object]]:
    name, equals, file = text.partition("=")
    try:
        if equals and stamp_of(Path(text)) is None:
            return [(name, read_text(Path(file)))]
        reading = parse_yaml(read_text(Path(text)), {}, Reader.ENVIRONMENT)
    except DocumentError as error:
        raise ArgumentTypeError(error.message) from error
    if not reading.complete or not isinstance(reading.data, dict):
        raise ArgumentTypeError(f"{text} is not a YAML map of parameter names and values")
    return [(str(name), value) for name, value in reading.data.items()]


def snapshot_of(engine: Engine, options: Namespace, path: Path, text: str) -> Snapshot:
    """Return the snapshot of a file with the inputs of the options. Raise DocumentError as `readable` does."""
    values = dict(options.parameter)
    found = Snapshot(text, path, tuple(options.environment), options.root, parameter_values=values)
    return readable(engine, found._replace(target=target_of(options), shows_hidden=options.show_hidden))


def readable(engine: Engine, snapshot: Snapshot) -> Snapshot:
    """Return the snapshot. Raise DocumentError if an environment or a setting of its project file is invalid."""
    if complaints := engine.complaints(snapshot):
        raise DocumentError("settings", complaints[0])
    return snapshot

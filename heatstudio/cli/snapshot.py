"""The analysis inputs of a file on the command line; options take precedence over the project file."""

from argparse import ArgumentTypeError, Namespace
from pathlib import Path

from heatstudio.catalog.release import Release, find_release, load_releases
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.groups.group_context import read_api_version
from heatstudio.template.syntax.parse import Reader
from heatstudio.template.syntax.parse import read_text as parse_yaml
from heatstudio.text import DocumentError, read_text, stamp_of


def parameter(text: str) -> tuple[str, str]:
    """Return the name and the value of a parameter. Raise ArgumentTypeError."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ArgumentTypeError("a value is not of the form NAME=VALUE")  # the value may be a secret
    return name, value


def parameter_file(text: str) -> list[tuple[str, object]]:
    """Return the names and the values of the parameters in a file. Raise ArgumentTypeError."""
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


def inputs_of(options: Namespace) -> Snapshot:
    """Return the inputs in the options, without a text."""
    target = Target(options.release.name if options.release is not None else "", dict(options.client_version))
    found = Snapshot("", None, tuple(options.environment), options.root, parameter_values=dict(options.parameter))
    return found._replace(target=target, shows_hidden=options.show_hidden)


def snapshot_of(engine: Engine, options: Namespace, path: Path, text: str) -> Snapshot:
    """Return the snapshot of a file with the inputs of the options. Raise DocumentError for invalid settings."""
    return engine.readable(inputs_of(options)._replace(text=text, path=path))


def release(text: str) -> Release:
    """Return a release by its name or its Heat version. Raise ArgumentTypeError if it is unknown."""
    found = find_release(load_releases(), text)
    if found is None:
        known = ", ".join(f"{one.name} ({one.heat})" for one in load_releases())
        raise ArgumentTypeError(f"unknown release {text!r}; known releases: {known}")
    return found


def client_version(text: str) -> tuple[str, str]:
    """Return a client plug-in and its API version. Raise ArgumentTypeError."""
    name, _, written = text.partition("=")
    version = read_api_version(written)
    if not name.strip() or version is None:
        raise ArgumentTypeError(f"{text!r} is not of the form PLUGIN=VERSION, such as nova=2.79")
    known = load_knowledge().group_library.client_plugins()
    if name.strip() not in known:
        raise ArgumentTypeError(f"unknown client plug-in {name!r}; known plug-ins: {', '.join(known)}")
    return name.strip(), version

"""The options for the target cloud: the OpenStack release and the API versions."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from heatstudio.catalog import Release, find_release, load_releases
from heatstudio.service.inputs.snapshot import Target
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.groups.group_context import read_api_version


def add_release(parser: ArgumentParser) -> None:
    """Add the option for the release."""
    parser.add_argument(
        "--release",
        metavar="RELEASE",
        type=release,
        help="the OpenStack release to check against: its name or its Heat version",
    )


def add_target(parser: ArgumentParser) -> None:
    """Add the options for the target cloud."""
    add_release(parser)
    parser.add_argument(
        "--client-version",
        metavar="PLUGIN=VERSION",
        action="append",
        default=[],
        type=_client_version,
        help="the API version that your cloud offers to a client plug-in, such as nova=2.79",
    )


def target_of(options: Namespace) -> Target:
    """Return the target of the options."""
    return Target(options.release.name if options.release is not None else "", dict(options.client_version))


def release(text: str) -> Release:
    """Return a release by its name or its Heat version. Raise ArgumentTypeError if it is unknown."""
    found = find_release(load_releases(), text)
    if found is None:
        known = ", ".join(f"{one.name} ({one.heat})" for one in load_releases())
        raise ArgumentTypeError(f"unknown release {text!r}; known releases: {known}")
    return found


def _client_version(text: str) -> tuple[str, str]:
    name, _, written = text.partition("=")
    version = read_api_version(written)
    if not name.strip() or version is None:
        raise ArgumentTypeError(f"{text!r} is not of the form PLUGIN=VERSION, such as nova=2.79")
    known = load_knowledge().group_library.client_plugins()
    if name.strip() not in known:
        raise ArgumentTypeError(f"unknown client plug-in {name!r}; known plug-ins: {', '.join(known)}")
    return name.strip(), version

"""The options for the target cloud: the OpenStack release and the API versions."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence

from heatstudio.catalog import Release, find_release
from heatstudio.cli.report import complain
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Target
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.groups.api_version import read_api_version


def add_release(parser: ArgumentParser) -> None:
    """Add the option for the release."""
    parser.add_argument(
        "--release", metavar="RELEASE", help="the OpenStack release to check against: its name or its Heat version"
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


def wanted_release(wanted: str, releases: Sequence[Release]) -> Release | None:
    """Return a release by its name or its Heat version; print an error and return None if it is unknown."""
    found = find_release(releases, wanted)
    if found is None:
        known = ", ".join(f"{release.name} ({release.heat})" for release in releases)
        complain(f"unknown release {wanted!r}; known releases: {known}")
    return found


def engine_for(options: Namespace) -> tuple[Engine, Target] | None:
    """Return an engine and the target; print an error and return None if the options are invalid."""
    knowledge = load_knowledge()
    target = read_target(options, knowledge)
    return None if target is None else (Engine(knowledge), target)


def read_target(options: Namespace, knowledge: Knowledge) -> Target | None:
    """Return the target; print an error and return None if the options are invalid."""
    if options.release is not None and wanted_release(options.release, knowledge.releases) is None:
        return None
    client_versions = dict(options.client_version)
    known = knowledge.group_library.client_plugins()
    strange = next((name for name in client_versions if name not in known), None)
    if strange is not None:
        complain(f"unknown client plug-in {strange!r}; known plug-ins: {', '.join(known)}")
        return None
    return Target(options.release or "", client_versions)


def _client_version(text: str) -> tuple[str, str]:
    name, _, written = text.partition("=")
    version = read_api_version(written)
    if not name.strip() or version is None:
        raise ArgumentTypeError(f"{text!r} is not of the form PLUGIN=VERSION, such as nova=2.79")
    return name.strip(), version

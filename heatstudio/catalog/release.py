"""OpenStack releases, and the support status of a type, property or attribute (specification: support status guide)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import takewhile

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

_FIRST_YEAR = 2000
"""The least number that is a year: Heat versions were years until Kilo (2015.1); Liberty restarted with 5.0.0."""

VersionOrder = tuple[int, ...]


class Status(StrEnum):
    """A state of the life cycle UNSUPPORTED -> SUPPORTED -> DEPRECATED -> HIDDEN."""

    SUPPORTED = "SUPPORTED"
    DEPRECATED = "DEPRECATED"
    HIDDEN = "HIDDEN"
    UNSUPPORTED = "UNSUPPORTED"


class SupportStatus(Struct, frozen=True, forbid_unknown_fields=True):
    """One status and, through `previous`, all earlier ones (heat/engine/support.py)."""

    status: Status = Status.SUPPORTED
    version: str | None = None
    """The Heat version since which the state applies; None means always."""
    message: str = ""
    """The message of a cloud about the status; empty for the bundled types."""
    successor: str | None = None
    """The name of the replacement, if Heat names one."""
    substitute: str | None = None
    """The resource type that takes over without replacement (`substitute_class`)."""
    previous: SupportStatus | None = None

    def chain(self) -> Iterator[SupportStatus]:
        """Yield the states, newest first."""
        state: SupportStatus | None = self
        while state is not None:
            yield state
            state = state.previous


SUPPORTED = SupportStatus()


class Release(Struct, frozen=True, forbid_unknown_fields=True):
    """An OpenStack release and its version of Heat."""

    name: str
    heat: str
    template_version: str
    """The newest template version that its Heat accepts."""
    client_versions: Mapping[str, str] = {}
    """The newest API version of its services by client plug-in."""

    def __str__(self) -> str:
        return f"{self.heat} ({self.name})"


@cache
def load_releases() -> tuple[Release, ...]:
    """Load the releases from Icehouse on, oldest first; raise OSError if the bundled data is missing."""
    return read_data(resource_path("catalog", "releases.json"), tuple[Release, ...])


def find_release(releases: Iterable[Release], wanted: str) -> Release | None:
    """Find a release by its name, a word of the name (`2026.2`, `hibiscus`) or a Heat version, ignoring case."""
    word = wanted.strip().lower()
    for release in releases:
        if word in {release.name.lower(), *release.name.lower().split()}:
            return release
    return release_of(releases, word) if word[:1].isdecimal() else None


def release_of(releases: Iterable[Release], heat: str) -> Release | None:
    """Return the release of a Heat version, such as Rocky for 11.0.1; None if it is unknown."""
    order = version_order(heat)
    series = order[: 2 if order[0] else 3]
    known = (release for release in releases if version_order(release.heat)[: len(series)] == series)
    return next(known, None) if len(series) > 1 else None


def version_order(version: str) -> VersionOrder:
    """Return a key that sorts Heat versions by time; versions by year come first (2015.1 < 5.0.0)."""
    parts = takewhile(str.isdecimal, version.strip().split("."))
    numbers = [int(part) for part in parts]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    by_year = not numbers or numbers[0] >= _FIRST_YEAR
    return (0 if by_year else 1, *numbers)


def status_at(support_status: SupportStatus, release: Release | None) -> SupportStatus | None:
    """Return the status at a release (None means today), or None if the feature does not exist at the release yet.

    If the oldest state is DEPRECATED or HIDDEN, earlier states are unknown and the feature counts as supported.
    """
    if release is None:
        return support_status
    now = version_order(release.heat)
    oldest = support_status
    for state in support_status.chain():
        if state.version is None or version_order(state.version) <= now:
            return state
        oldest = state
    return SUPPORTED if oldest.status in {Status.DEPRECATED, Status.HIDDEN} else None


def status_words(state: SupportStatus) -> str:
    """Return a status with its version and the name of that release, such as `DEPRECATED since 13.0.0 (Train)`."""
    release = release_of(load_releases(), state.version) if state.version else None
    name = f" ({release.name})" if release is not None else ""
    return f"{state.status} since {state.version}{name}" if state.version else str(state.status)


def since(support_status: SupportStatus) -> str | None:
    """Return the Heat version that added a feature; None if it always existed or its states do not say so."""
    oldest = list(support_status.chain())[-1]
    return None if oldest.status in {Status.DEPRECATED, Status.HIDDEN} else oldest.version

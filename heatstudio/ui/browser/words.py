"""Catalog facts as text."""

import json
from collections.abc import Iterator, Sequence

from msgspec import Struct

from heatstudio.analysis.assist.sentences import sentence
from heatstudio.catalog.release import Release, Status, SupportStatus, release_of
from heatstudio.catalog.schema import AttributeSchema, PropertySchema, ResourceType
from heatstudio.ui.widgets.theme import Color

STATUS_ICONS = {
    Status.SUPPORTED: ("status-supported", Color.ADDED),
    Status.DEPRECATED: ("status-deprecated", Color.WARNING),
    Status.HIDDEN: ("status-hidden", Color.ERROR),
    Status.UNSUPPORTED: ("status-unsupported", Color.NOT_SUPPORTED),
}


class LifeState(Struct, frozen=True):
    """One status in the life cycle of a resource type."""

    status: Status
    since: str
    """The first Heat version with this status, such as `since 13.0.0`."""
    release: str
    """The OpenStack release of that Heat version, such as `Train`; empty if it is unknown."""

    def __str__(self) -> str:
        return f"{self.status} {self.since}" + (f" ({self.release})" if self.release else "")


def life(status: SupportStatus, releases: Sequence[Release]) -> tuple[LifeState, ...]:
    """Return the statuses of a support history, the oldest first."""
    return tuple(_life_state(state, releases) for state in reversed(list(status.chain())))


def _life_state(state: SupportStatus, releases: Sequence[Release]) -> LifeState:
    if not state.version:
        return LifeState(state.status, "since the first release", "")
    release = release_of(releases, state.version)
    return LifeState(state.status, f"since {state.version}", release.name if release is not None else "")


def default_words(schema: PropertySchema) -> str:
    """Return the default as JSON in one line; empty if there is none."""
    return "" if schema.default is None else json.dumps(schema.default, ensure_ascii=False, default=str)


def plain(phrase: str) -> str:
    """Return a phrase as a sentence without backticks."""
    return sentence(phrase).replace("`", "")


def description_words(described: PropertySchema | AttributeSchema | ResourceType) -> Iterator[str]:
    """Yield the description, if there is one."""
    if described.description:
        yield plain(described.description)

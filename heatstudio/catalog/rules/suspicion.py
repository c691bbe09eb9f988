"""What Heat accepts, but a service refuses or nobody wants; the rules are in resources/suspicious.json."""

from collections.abc import Mapping

from msgspec import Struct


class Waiting(Struct, frozen=True, forbid_unknown_fields=True):
    """A type of resources that need another resource."""

    mine: tuple[str, ...]
    """The properties whose references lead to the shared resource."""
    why: str
    """The end of a sentence: what happens without the needed resource."""
    given: str = ""
    """The property without which nothing is needed; empty for none."""


class Need(Struct, frozen=True, forbid_unknown_fields=True):
    """A resource that must exist before others, which share a resource with it, although Heat makes nothing wait."""

    on: str
    """The type of the needed resource."""
    theirs: tuple[str, ...]
    """The properties of the needed resource whose references lead to the shared resource."""
    through: str
    """The type of the shared resource."""
    by: Mapping[str, Waiting]
    """The types that need it."""


class Suspicions(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules by kind."""

    needs: tuple[Need, ...] = ()

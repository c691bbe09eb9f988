"""Why an operation on a stack failed: the first failed resource in the deepest nested stack, and the cause in words."""

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.facts import Facts, text
from heatstudio.cloud.stacks import link_to, stack_id

_STOPPED = ("aborted", "cancelled", "Stack UPDATE started", "Stack DELETE started")
"""The words of reasons of resources that Heat stopped because another one failed, or for the next operation."""


class KnownCause(Struct, frozen=True, forbid_unknown_fields=True):
    """A cause of failures, which is recognized by the words of Heat's or a service's message."""

    words: tuple[str, ...]
    """The message has one of these texts; the parts around `…` must all occur."""
    cause: str
    advice: str
    source: str
    """The exceptions or the code that write the message."""
    types: tuple[str, ...] = ()
    """The resource types that the cause is limited to; empty for all."""

    def explains(self, reason: str, type_: str) -> bool:
        """Return whether a message about a resource of a type has this cause."""
        is_of_type = not self.types or type_ in self.types
        return is_of_type and any(all(part in reason for part in words.split(" … ")) for words in self.words)


class FailedResource(Struct, frozen=True):
    """A failed resource, in its stack."""

    owners: tuple[str, ...]
    """The names of the resources that own the nested stacks around it, outermost first."""
    name: str
    type: str
    reason: str

    @property
    def top(self) -> str:
        """The resource of the stack's own template that contains the failed one, or is it."""
        return (*self.owners, self.name)[0]

    @property
    def place(self) -> str:
        """The names from the outermost owner to the resource, for display."""
        return " / ".join((*self.owners, self.name))


@cache
def known_causes() -> tuple[KnownCause, ...]:
    """Return the known causes, the more specific ones first."""
    return read_data(resource_path("stack_failures.json"), tuple[KnownCause, ...])


def cause_of(reason: str, type_: str = "") -> KnownCause | None:
    """Return the known cause of a failure with the reason that Heat gives; None if there is none."""
    return next((known for known in known_causes() if known.explains(reason, type_)), None)


def failures(resources: Sequence[Facts]) -> tuple[FailedResource, ...]:
    """Return the failed resources that do not fail only because of others, the likely cause of all first.

    A resource whose nested stack has a failed resource, and one that Heat stopped, are effects.
    """
    owners = {address: one for one in resources if (address := stack_id(link_to(one, "nested")))}
    failed = [one for one in resources if text(one, "resource_status").endswith("FAILED")]
    around = {stack_id(link_to(one, "stack")) for one in failed} - {""}
    causes = [one for one in failed if stack_id(link_to(one, "nested")) not in around]
    own = [one for one in causes if not any(word in text(one, "resource_status_reason") for word in _STOPPED)]
    ordered = sorted(own or causes, key=lambda one: text(one, "updated_time"))
    return tuple(_failure(one, owners) for one in ordered)


def _failure(resource: Facts, owners: dict[str, Facts]) -> FailedResource:
    chain = [text(one, "resource_name") for one in _owners(resource, owners)]
    name, kind = text(resource, "resource_name"), text(resource, "resource_type")
    return FailedResource(tuple(chain[::-1]), name, kind, text(resource, "resource_status_reason"))


def _owners(resource: Facts, owners: dict[str, Facts]) -> Iterator[Facts]:
    """Yield the resources that own the nested stacks around a resource, innermost first; a cycle of links ends."""
    seen: set[str] = set()
    address = stack_id(link_to(resource, "stack"))
    while address in owners and address not in seen:
        seen.add(address)
        yield owners[address]
        address = stack_id(link_to(owners[address], "stack"))

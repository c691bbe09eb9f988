"""Facts behind advice, from resources/advice.json: secrets, ports, data, and what is useless alone."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class InboundRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The properties of a type, or of the elements of a list in it, that let traffic in."""

    protocol: str
    first: str
    last: str
    source: str
    """The property with the CIDR of the sources; without it, every source is let in."""
    limits: tuple[str, ...]
    """The properties that limit the sources in another way."""
    rules: str = ""
    """The list of rules; empty if the resource itself is a rule."""
    unless: Mapping[str, str] = {}
    """The values that make it another kind of rule."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """When a template is near a limit of Heat."""

    near: float
    """The share of a limit that is near it."""
    name: int
    """The length of the names of resources that Heat stores (heat/db/models.py, Resource)."""


class AdviceFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The facts by kind."""

    secret_names: frozenset[str]
    """The last words of the names of secrets."""
    ports: Mapping[int, str]
    """The ports that are not for everybody, with their services."""
    inbound_rules: Mapping[str, InboundRules]
    data: Mapping[str, tuple[str, ...]]
    """The types whose deletion loses data, with the properties of those whose data also exist elsewhere."""
    useless_alone: Mapping[str, tuple[str, ...]]
    """The types that have no effect unless something refers to them, with properties that give them one."""

    limits: Limits

    def is_secret(self, name: str) -> bool:
        """Return whether a name, such as `db_password` or `AdminToken`, is that of a secret."""
        return any(words in self.secret_names for words in _last_words(name))


@lru_cache(maxsize=4096)
def _last_words(name: str) -> tuple[str, str]:
    """Return the last word, and the last two words, of a name."""
    words = [word.lower() for word in _WORD.findall(name)]
    return " ".join(words[-1:]), " ".join(words[-2:])


@cache
def advice_facts() -> AdviceFacts:
    """Return the bundled facts. Raise OSError if they are missing."""
    return read_data(resource_path("advice.json"), AdviceFacts)

"""The syntax of the intrinsic functions and the roles of their arguments, from `resources/functions.json`."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

WHOLE = ""
"""The key of the role of an argument that is not in a list."""
EACH = "*"
FURTHER = "+"


class Placeholders(Struct, frozen=True, forbid_unknown_fields=True):
    """The positions of the arguments with the text and with the values of its placeholders."""

    text: str | int
    values: str | int
    in_order: bool = False
    """Whether placeholders are replaced in the written order; otherwise longest first."""


class Signature(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The signature of a function."""

    name: str = ""
    summary: str
    arguments: str
    """The shape of the arguments, in words."""
    snippet: str
    """The arguments in one line, with tab stops."""
    block: tuple[str, ...] = ()
    """The multi-line form of the arguments; empty if one line is enough."""
    keys: tuple[str, ...] = ()
    """The keys of an argument that is a map."""
    roles: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    """The role of each argument, or the words that it allows."""
    placeholders: Placeholders | None = None
    """The placeholders; None if the function has none."""

    def role(self, place: str | int | None) -> str | tuple[str, ...]:
        """Return the role of the argument at an index or key; None is the place of the only argument."""
        if place is None:
            return self.roles.get(WHOLE, "")
        exact = self.roles.get(str(place))
        if exact is not None or isinstance(place, str):
            return exact or ""
        return self.roles.get(EACH) or (self.roles.get(FURTHER, "") if place > 0 else "")


@cache
def signatures() -> Mapping[str, Signature]:
    """Return the functions of all template versions by name. Raise OSError if the bundled data is missing."""
    found = read_data(resource_path("functions.json"), dict[str, Signature])
    return {name: replace(one, name=name) for name, one in found.items()}

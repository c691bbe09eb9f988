"""The signatures of intrinsic functions and the roles of their arguments, from `resources/functions.json`."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

WHOLE = ""
"""The place of an argument that is not written as one of several."""
EACH = "*"
FURTHER = "+"


class Placeholders(Struct, frozen=True, forbid_unknown_fields=True):
    """The argument that holds the text with placeholders, and the one that holds their values."""

    text: str | int
    values: str | int
    in_order: bool = False
    """Whether they are replaced as they are written one after the other; otherwise longer ones go first."""


class Signature(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The signature of one function."""

    name: str = ""
    summary: str
    arguments: str
    """Their shape, in words."""
    snippet: str
    """The arguments in one line, with tab stops."""
    block: tuple[str, ...] = ()
    """The arguments in lines of their own; empty where one line is enough."""
    keys: tuple[str, ...] = ()
    """The keys of an argument that is a map."""
    roles: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    """What each argument is: the name of a role, or the words to choose from."""
    placeholders: Placeholders | None = None
    """None if the function replaces none in a text."""

    def role(self, place: str | int | None) -> str | tuple[str, ...]:
        """What the argument at a place is; None is the place of the only argument."""
        if place is None:
            return self.roles.get(WHOLE, "")
        exact = self.roles.get(str(place))
        if exact is not None or isinstance(place, str):
            return exact or ""
        return self.roles.get(EACH) or (self.roles.get(FURTHER, "") if place > 0 else "")


@cache
def signatures() -> Mapping[str, Signature]:
    """All functions that any template version knows, by name. Raises OSError if the program's data is not there."""
    found = read_data(resource_path("functions.json"), dict[str, Signature])
    return {name: replace(one, name=name) for name, one in found.items()}

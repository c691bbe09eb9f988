"""Dependencies between resources that no reference shows: some plug-ins wait for others of their kind.

The rules are data in resources/dependencies/implicit.json; their source are the add_dependencies() of Heat's plug-ins.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

EVERY_ELEMENT = "*"
FIRST_ELEMENT = "0"


class ImplicitDependency(Struct, frozen=True, forbid_unknown_fields=True):
    """A resource waits for every resource of type `on` whose value at `theirs` equals its own at `mine`."""

    on: str
    mine: tuple[str, ...]
    """A path into the properties; `*` stands for every element of a list, `0` for the first one."""
    theirs: tuple[str, ...]
    mine_given: str = ""
    """Only if the waiting resource has a value for this property."""
    theirs_given: str = ""
    through: str = ""
    """`mine` is looked up in the resources of this type that the waiting resource refers to."""
    or_unknown: bool = False
    """Also while one of the two values is empty, because nobody knows it yet."""


def load_implicit_dependencies(path: Path | None = None) -> Mapping[str, tuple[ImplicitDependency, ...]]:
    """The rules of each type that waits, by its name. Raises OSError or ValueError if the data are damaged."""
    return read_data(path or resource_path("dependencies", "implicit.json"), dict[str, tuple[ImplicitDependency, ...]])

"""Implicit dependencies: some plug-ins wait for related resources without a reference.

The rules are in resources/dependencies/implicit.json, derived from add_dependencies() of Heat's plug-ins.
"""

from msgspec import Struct

EVERY_ELEMENT = "*"
FIRST_ELEMENT = "0"


class ImplicitDependency(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule: a resource waits for each resource of type `on` whose value at `theirs` equals its value at `mine`."""

    on: str
    mine: tuple[str, ...]
    """A path into the properties; `*` means every item of a list, `0` the first one."""
    theirs: tuple[str, ...]
    mine_given: str = ""
    """The property that the waiting resource must have; empty for none."""
    theirs_given: str = ""
    through: str = ""
    """The type of the resources with `mine` to which the waiting resource refers; empty for the waiting resource."""
    or_unknown: bool = False
    """Whether an empty value also matches, because the real value is not known yet."""

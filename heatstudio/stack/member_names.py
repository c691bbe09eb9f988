"""Which members a group has, by name: the numbers from 0 on, without those that were removed."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import count, islice


@dataclass(frozen=True, slots=True)
class MemberNames(Container[str]):
    """The names of a group's members; never listed as a whole, for a group may be of any size.

    heat/engine/resources/openstack/heat/resource_group.py, _resource_names.
    """

    size: int
    skipped: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[str]:
        return islice((name for name in map(str, count()) if name not in self.skipped), max(self.size, 0))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or name in self.skipped or not name.isdecimal() or str(int(name)) != name:
            return False
        return int(name) < self.end

    @property
    def end(self) -> int:
        """One more than the largest number that is a name."""
        end = max(self.size, 0)
        for number in sorted(int(name) for name in self.skipped if name.isdecimal()):
            if number < end:
                end += 1
        return end

    def missing_in(self, other: MemberNames) -> Iterator[str]:
        """The names that the other does not have, in order."""
        for name in sorted(filter(str.isdecimal, other.skipped), key=int):
            if name in self and int(name) < other.end:
                yield name
        for number in range(other.end, self.end):
            if str(number) in self:
                yield str(number)

    def how_many_missing_in(self, other: MemberNames) -> int:
        """How many names the other does not have."""
        below = sum(name in self and int(name) < other.end for name in filter(str.isdecimal, other.skipped))
        above = max(self.end - other.end, 0)
        return below + above - sum(other.end <= int(name) < self.end for name in filter(str.isdecimal, self.skipped))

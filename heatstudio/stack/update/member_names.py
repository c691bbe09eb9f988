"""Which members a group has, by name: the numbers from 0 on, without those that were removed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from msgspec import Struct


class MemberNames(Struct, frozen=True):
    """The names of a group's members; never listed as a whole, for a group may be of any size.

    heat/engine/resources/openstack/heat/resource_group.py, _resource_names.
    """

    size: int
    skipped: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[str]:
        return islice((name for name in map(str, count()) if name not in self.skipped), max(self.size, 0))

    def __contains__(self, name: object) -> bool:
        number = _number(name)
        return number is not None and number < self.end and name not in self.skipped

    @property
    def end(self) -> int:
        """One more than the largest number that is a name."""
        end = max(self.size, 0)
        for number in self._gaps:
            if number < end:
                end += 1
        return end

    @property
    def _gaps(self) -> list[int]:
        """The numbers that are skipped, in order."""
        return sorted(number for name in self.skipped if (number := _number(name)) is not None)

    def missing_in(self, other: MemberNames) -> Iterator[str]:
        """The names that the other does not have, in order."""
        end, skipped = self.end, self.skipped
        below = (number for number in other._gaps if number < min(other.end, end))
        for numbers in (below, range(other.end, end)):
            yield from (name for name in map(str, numbers) if name not in skipped)

    def how_many_missing_in(self, other: MemberNames) -> int:
        """How many names the other does not have."""
        end, other_end = self.end, other.end
        below = sum(number < min(other_end, end) and str(number) not in self.skipped for number in other._gaps)
        above = max(end - other_end, 0)
        return below + above - sum(other_end <= number < end for number in self._gaps)


def _number(name: object) -> int | None:
    """The number that a name is; None if it is written in another way than Heat writes numbers."""
    if not isinstance(name, str) or not name.isdecimal():
        return None
    return number if str(number := int(name)) == name else None

"""What a resource takes of a project's quota, in units whose sizes the cloud knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import NamedTuple

ANY_KIND = ""
"""The kind of everything inside a resource whose content is unknown."""
_UNBOUNDED = 10**15
"""Stands for an unknown amount that is given back."""


class DemandCase(Enum):
    """When a resource takes an amount."""

    CERTAIN = auto()
    POSSIBLE = auto()
    """Depending on a condition that is unknown."""
    SCALED = auto()
    """Once its scaling groups have their maximum sizes."""


class CloudSize(NamedTuple):
    """A number that an object of the cloud has, such as the cores of a flavor."""

    constraint: str
    """The custom constraint of such objects, such as `nova.flavor`."""
    field: str
    name: str
    """The name or ID of the object."""


class Unit(NamedTuple):
    """A unit of a demand."""

    kind: str
    size: CloudSize | None = None
    """None if the size is 1, or unknown."""
    known: bool = True
    case: DemandCase = DemandCase.CERTAIN


class Ask(NamedTuple):
    """What a resource asks of an object of the cloud; it is counted like a unit."""

    words: str
    how: str
    object: CloudSize
    values: tuple[str, ...]
    other: CloudSize | int | None
    case: DemandCase = DemandCase.CERTAIN


Demand = tuple[tuple[Unit | Ask, int], ...]
"""A number of each unit."""
SizeOf = Callable[[CloudSize], int | None]
"""A function that returns the size of a unit; None if it is unknown."""


def no_cloud(_size: CloudSize) -> None:
    """Return no size."""


class Amount(NamedTuple):
    """A number between two bounds."""

    least: int = 0
    most: int = 0
    unknown: int = 0
    """The number of units of unknown size, which add to `most`."""

    def plus(self, other: Amount) -> Amount:
        """Return the sum."""
        return Amount(self.least + other.least, self.most + other.most, self.unknown + other.unknown)

    def minus(self, other: Amount) -> Amount:
        """Return the difference, which has no lower bound if the subtracted amount has no upper one."""
        given_back = _UNBOUNDED if other.unknown else other.most
        return Amount(self.least - given_back, self.most - other.least, self.unknown + other.unknown)

    def share(self, number: int) -> Amount:
        """Return the amount of one of a number of equal parts."""
        return Amount(self.least // number, self.most // number, self.unknown // number)

    @property
    def perhaps(self) -> Amount:
        """The amount, or nothing."""
        return Amount(min(0, self.least), max(0, self.most), self.unknown)

    def words(self, *, signed: bool = False) -> str:
        """Return the amount for a cell of a table."""
        sign = "+" if signed else ""
        if self.unknown:
            return f"{self.least:{sign},} or more" if self.least > 0 else "unknown"
        bounds = dict.fromkeys((self.least, self.most))
        return " to ".join(f"{number:{sign if number else ''},}" for number in bounds)

    @property
    def data(self) -> dict[str, int | None]:
        """The amount as plain data; a bound that unknown amounts remove is None."""
        least = self.least if self.least > -_UNBOUNDED // 2 else None
        return {"least": least, "most": None if self.unknown else self.most}


NOTHING = Amount()


def amount_of(units: Mapping[Unit, int], size_of: SizeOf) -> Amount:
    """Return the sum of units of one kind."""
    least = most = unknown = 0
    for unit, count in units.items():
        size = None if not unit.known else size_of(unit.size) if unit.size is not None else 1
        if size is None:
            unknown += count
            continue
        most += size * count
        least += size * count if unit.case is not DemandCase.POSSIBLE else 0
    return Amount(least, most, unknown)

"""Makes the enumerations of Qt without the many steps in which Python's `enum` makes one.

PySide makes all enumerations of a class of Qt when the class is first used: two hundred of them, with three thousand
members, before the first paint. Python takes three times as long for them as is needed here, where every member is a
number with a name. What comes out is the same; a test compares all enumerations of Qt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import KEEP, Enum, EnumType, Flag, IntEnum, IntFlag
from sys import _getframe as frame_of
from sys import version_info
from typing import Any

_COMPARED = ((3, 11),)
"""The versions of Python whose enumerations were compared with these; others make all of them themselves."""
_KINDS = frozenset({Enum, IntEnum, Flag, IntFlag})
_python: Any = EnumType
_usual = _python._create_
_patterns: dict[type[Enum], _Pattern] = {}


def make_enumerations_quickly() -> None:
    """From now on; whatever is not asked for in the way of PySide is made as usual."""
    if version_info[:2] in _COMPARED:
        _python._create_ = create


def create(kind: Any, name: str, names: Any, **how: Any) -> Any:
    """The enumeration of that kind with the names and values; takes the place of `EnumType._create_`."""
    if kind in _KINDS and names.__class__ is list and how.get("boundary") is KEEP and how.get("type") is None:
        pattern = _patterns.get(kind)
        if pattern is None:
            pattern = _patterns[kind] = _Pattern(kind)
        members = dict(names)
        if len(members) == len(names) and pattern.taken.isdisjoint(members):
            module = how.get("module") or frame_of(2).f_globals.get("__name__")  # of who calls the kind
            return pattern.make(name, members, {"__module__": module, "__qualname__": how.get("qualname") or name})
    return _usual(kind, name, names, **how)


class _Pattern:
    """What all enumerations of a kind have in common: what the Python that runs gives to one without members."""

    def __init__(self, kind: type[Enum]) -> None:
        empty = _usual(kind, "Pattern", [], module=__name__, boundary=KEEP)
        self.taken = frozenset({"mro"}.union(*map(vars, empty.__mro__)))
        self._bases = (kind,)
        self._common = {name: value for name, value in vars(empty).items() if name not in {"__dict__", "__weakref__"}}
        self._new = empty._new_member_
        self._is_number = issubclass(kind, int)
        self._is_flag = issubclass(kind, Flag)

    def make(self, name: str, members: dict[str, Any], where: Mapping[str, object]) -> Any:
        """The enumeration; in `members` each takes the place of its value."""
        names: list[str] = []
        by_value: dict[int, Any] = {}
        own = {"_member_names_": names, "_member_map_": members, "_value2member_map_": by_value}
        common = {**self._common, **where, **own, "_unhashable_values_": []}
        if self._is_flag:
            common |= self._masks(members.values())
        made: Any = type.__new__(EnumType, name, self._bases, common)
        for member_name, value in members.items():
            member = by_value.get(value)
            if member is None:
                member = by_value[value] = self._new(made, value) if self._is_number else self._new(made)
                member._value_ = value
                member._name_ = member_name
                member.__objclass__ = made
                member._sort_order_ = len(names)
                if not self._is_flag or _is_one_bit(value):  # other flags are names for several
                    names.append(member_name)
            members[member_name] = member
            type.__setattr__(made, member_name, member)
        if self._is_flag:
            order = [members[one]._value_ for one in names]
            if order != sorted(order):
                made._iter_member_ = made._iter_member_by_def_
        return made

    def _masks(self, values: Iterable[int]) -> dict[str, int]:
        """The bits that there are; up to Python 3.11.3 those with a name of their own only."""
        every = ones = 0
        for value in values:
            every |= value
            if _is_one_bit(value):
                ones |= value
        bits = {"_all_bits_": 2 ** every.bit_length() - 1}
        if "_singles_mask_" in self._common:
            return {**bits, "_flag_mask_": every, "_singles_mask_": ones}
        return {**bits, "_flag_mask_": ones}


def _is_one_bit(value: int) -> bool:
    return value != 0 and not value & (value - 1)

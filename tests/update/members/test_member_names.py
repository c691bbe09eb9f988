"""The names of a group's members, compared with plain sets."""

from __future__ import annotations

from itertools import count, islice

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.update.members.numbered_members import MemberNames

names = st.builds(
    MemberNames, st.integers(0, 12), st.frozensets(st.sampled_from(["0", "1", "3", "7", "11", "14", "x", "01"]))
)


@given(names)
def test_names_are_those_of_the_set(group: MemberNames) -> None:
    expected = list(islice((str(number) for number in count() if str(number) not in group.skipped), group.size))
    assert list(group) == expected
    assert [str(number) for number in range(30) if str(number) in group] == expected


@given(names, names)
def test_missing_names_are_those_of_the_set_difference(old: MemberNames, new: MemberNames) -> None:
    gone = set(old) - set(new)
    assert set(old.missing_in(new)) == gone
    assert len(list(old.missing_in(new))) == len(gone) == old.how_many_missing_in(new)


def test_large_groups_are_not_enumerated() -> None:
    old, new = MemberNames(1_000_000), MemberNames(999_999, frozenset({"7"}))
    assert list(old.missing_in(new)) == ["7"]
    assert old.how_many_missing_in(new) == 1
    assert new.how_many_missing_in(old) == 0

"""Ways out where a rule moves the value of one property to another, at the same level or elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.successors.move import MISSING, Move
from heatstudio.analysis.successors.use import Proposal, Use
from heatstudio.stack.path import Path
from heatstudio.template import Change, DeleteEntry, RenameKey


def replaced(use: Use) -> Iterator[Proposal]:
    """The ways out by every rule that moves this property's value, or moves values to it from its successor."""
    for rule in use.replacing():
        if rule.source == use.names:
            yield from _to(use, use.places(rule.path), is_reversed=False)
        elif rule.path == use.names and rule.source is not None and not use.is_old(rule.source):
            yield from _to(use, use.places(rule.source), is_reversed=True)


def _to(use: Use, targets: list[Path], *, is_reversed: bool) -> Iterator[Proposal]:
    target = targets[0]
    if _is_in_list(use.path) and not _is_in_list(target):
        # Heat makes a list of what the items have, with null for those that have nothing: as long as there are items it
        # refuses the new name beside it.
        return
    old, new = use.titles(target)
    taken = tuple(path for path in targets if use.value_at(path) is not MISSING)
    if taken:
        yield Proposal(f"Keep `{new}`", (DeleteEntry(use.path),), beside=taken)
        if len(targets) == 1:
            yield Proposal(f"Keep `{old}`'s value as `{new}`", Move(use.path, target).keep_old(), beside=taken)
        return
    changes: list[Change] = []
    for path in targets:
        changes += [change for change in Move(use.path, path).changes(use.data) if change not in changes]
    title = f"Replace `{old}` by `{new}`"
    yield Proposal(title, tuple(changes), only_if_same=is_reversed)
    if use.path[:-1] == target[:-1]:
        yield from _in_all_items(use, str(target[-1]), title)


def _in_all_items(use: Use, name: str, title: str) -> Iterator[Proposal]:
    """The same for all items of the list, if the name changes in several."""
    sources = [path for path in use.in_all_items() if use.value_at((*path[:-1], name)) is MISSING]
    if len(sources) > 1:
        yield Proposal(f"{title} in all items", tuple(RenameKey(path, name) for path in sources), only_if_same=True)


def _is_in_list(path: Path) -> bool:
    return any(isinstance(part, int) for part in path)

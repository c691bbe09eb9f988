"""Ways out of old properties: what the type's translation rules make of them, written into the template.

Which of two names is the old one is told by their support status, not by the rule (specification: support status guide).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heatstudio.analysis.successors.effect import effect, has_function
from heatstudio.analysis.successors.move import MISSING, Move, added, names_of, places, value_at
from heatstudio.analysis.successors.rebase import data_after, rebased
from heatstudio.catalog import PropertySchema, ResourceType, Status, TranslationKind, TranslationRule, ValueOf
from heatstudio.stack.pairing import Written
from heatstudio.stack.path import Path
from heatstudio.template import AddEntry, AddItem, Change, DeleteEntry, Existing, Remedy, RenameKey, SetValue
from heatstudio.text import Applicability

_OLD = (Status.DEPRECATED, Status.HIDDEN)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes below `properties` that may be a way out."""

    title: str
    changes: tuple[Change, ...]
    only_if_same: bool = False
    """Not to be offered unless it provably changes nothing."""
    choice: bool = False
    """One of several ways, between which only the author can choose, unless it changes nothing."""


def property_remedies(
    resource_type: ResourceType, written: Written, properties_data: Mapping[object, object], properties_path: Path
) -> tuple[Remedy, ...]:
    """The ways out of one written property that is DEPRECATED or HIDDEN; none if no rule says what to do."""
    if written.schema.support_status.status not in _OLD:
        return ()
    use = _Use(resource_type, written, properties_data)
    remedies = [remedy for proposal in use.proposals() for remedy in use.judged(proposal, properties_path)]
    return tuple(sorted(remedies, key=lambda remedy: -remedy.applicability))


class _Use:
    """One written old property."""

    def __init__(self, resource_type: ResourceType, written: Written, data: Mapping[object, object]) -> None:
        self._type = resource_type
        self._rules = resource_type.translation_rules
        self._written = written
        self._data = data

    def proposals(self) -> Iterator[Proposal]:
        """What might be done, before it is judged."""
        written = self._written
        deleted = any(rule.kind is TranslationKind.DELETE and rule.path == written.names for rule in self._rules)
        moves = list(self._inner_moves())
        if moves or (deleted and self._has_inner_rules()):
            yield from self._emptied(moves)
            return
        pairs = list(self._successors())
        for target, is_reversed in pairs:
            yield from self._replaced(target, is_reversed)
        if pairs:
            return
        made = [rule for rule in self._rules if self._is_made_of_this(rule)]
        for rule in made:
            yield from self._made(rule)
        overridden = any(self._overrides_this(rule) for rule in self._rules)
        if (deleted and not made) or overridden:
            yield Proposal(f"Remove `{written.schema.name}`, which Heat ignores", (DeleteEntry(written.path),))

    def _successors(self) -> Iterator[tuple[tuple[str, ...], bool]]:
        """The names of the new property, and whether the rule moves values from the new one to the old one."""
        names = self._written.names
        for rule in self._rules:
            if rule.kind is TranslationKind.REPLACE and rule.source is not None:
                if rule.source == names:
                    yield rule.path, False
                elif rule.path == names and not self._is_old(rule.source):
                    yield rule.source, True

    def _is_old(self, names: tuple[str, ...]) -> bool:
        schemas: Mapping[str, PropertySchema] = self._type.properties
        for name in names:
            schema = schemas.get(name)
            if schema is None or schema.support_status.status in _OLD:
                return True
            schemas = schema.element.children if schema.element is not None else schema.children
        return False

    def _replaced(self, target: tuple[str, ...], is_reversed: bool) -> Iterator[Proposal]:
        source = self._written.path
        found = places(self._type.properties, self._data, target, source)
        old, new = self._names(source, found[0])
        title = f"Replace `{old}` by `{new}`"
        if len(found) > 1:
            yield from self._copied(found, title)
            return
        if _positions(source) != _positions(found[0]) and not _positions(found[0]):
            yield from self._gathered(found[0], title)
            return
        move = Move(source, found[0])
        if value_at(self._data, move.target) is MISSING:
            yield Proposal(title, tuple(move.changes(self._data)), only_if_same=is_reversed)
            yield from self._everywhere(move, title)
        else:
            yield Proposal(f"Keep `{new}`", (DeleteEntry(source),), choice=True)
            yield Proposal(f"Keep `{old}`'s value as `{new}`", move.keep_old(), choice=True)

    def _copied(self, found: list[Path], title: str) -> Iterator[Proposal]:
        """A property whose value goes into every item of a list."""
        source = self._written.path
        if any(value_at(self._data, path) is not MISSING for path in found):
            yield Proposal(f"Keep `{names_of(found[0])[-1]}` of each item", (DeleteEntry(source),), choice=True)
            return
        changes = [change for path in found for change in Move(source, path).changes(self._data)]
        yield Proposal(title, tuple(dict.fromkeys(changes)))

    def _gathered(self, target: Path, title: str) -> Iterator[Proposal]:
        """A property of list items whose values become one list, as Heat makes it."""
        sources = list(self._same_in_other_items())
        if value_at(self._data, target) is not MISSING:
            deleted = tuple(DeleteEntry(path) for path in sources)
            yield Proposal(f"Keep `{names_of(target)[-1]}`", deleted, choice=True)
            return
        add = added(self._data, target, [Existing(path) for path in sources])
        yield Proposal(title, (add, *(DeleteEntry(path) for path in sources)))

    def _everywhere(self, move: Move, title: str) -> Iterator[Proposal]:
        """The same for all items of the list, if the name changes in several."""
        if move.source[:-1] != move.target[:-1] or not _positions(move.source):
            return
        name = str(move.target[-1])
        sources = [path for path in self._same_in_other_items() if value_at(self._data, (*path[:-1], name)) is MISSING]
        if len(sources) > 1:
            changes = tuple(RenameKey(path, name) for path in sources)
            yield Proposal(f"{title} in all items", changes, only_if_same=True)

    def _same_in_other_items(self) -> Iterator[Path]:
        """The paths of this property in every item of its list."""
        names = self._written.names
        for path in places(self._type.properties, self._data, names, ()):
            if value_at(self._data, path) is not MISSING:
                yield path

    def _has_inner_rules(self) -> bool:
        names = self._written.names
        return any(rule.source is not None and _is_below(rule.source, names) for rule in self._rules)

    def _inner_moves(self) -> Iterator[Move]:
        """Where rules move the parts of a map, which has no schema of its own."""
        path, names = self._written.path, self._written.names
        for rule in self._rules:
            if rule.kind is TranslationKind.REPLACE and rule.source is not None and _is_below(rule.source, names):
                source = (*path, *rule.source[len(names) :])
                if value_at(self._data, source) is not MISSING:
                    yield from (
                        Move(source, target) for target in places(self._type.properties, self._data, rule.path, source)
                    )

    def _emptied(self, moves: list[Move]) -> Iterator[Proposal]:
        path, name = self._written.path, self._written.schema.name
        if not moves:
            yield Proposal(f"Remove `{name}`, which Heat ignores", (DeleteEntry(path),), only_if_same=True)
            return
        moves.sort(
            key=lambda move: (
                list(self._written.value).index(move.source[len(path)])
                if isinstance(self._written.value, Mapping)
                else 0
            )
        )
        taken = [move for move in moves if value_at(self._data, move.target) is not MISSING]
        free = [change for move in moves if move not in taken for change in list(move.changes(self._data))[:1]]
        news = ", ".join(f"`{names_of(move.target)[-1]}`" for move in moves)
        gone = DeleteEntry(path)
        if not taken:
            yield Proposal(f"Replace `{name}` by {news}", (*free, gone))
            return
        kept = ", ".join(f"`{names_of(move.target)[-1]}`" for move in taken)
        yield Proposal(f"Keep {kept}", (*free, gone), choice=True)
        values = [change for move in taken for change in move.keep_old()[:1]]
        yield Proposal(f"Keep `{name}`'s values as {kept}", (*free, *values, gone), choice=True)

    def _is_made_of_this(self, rule: TranslationRule) -> bool:
        """Whether a rule makes a new value of this property."""
        if len(self._written.names) != 1 or rule.path == self._written.names:
            return False
        name = self._written.schema.name
        if rule.kind is TranslationKind.ADD:
            return rule.when_set == name or rule.source == (name,) or _mentions(rule.value, name)
        return rule.kind is TranslationKind.REPLACE and rule.source is None and rule.when_set == name

    def _overrides_this(self, rule: TranslationRule) -> bool:
        is_constant = rule.kind is TranslationKind.REPLACE and rule.source is None and bool(rule.value)
        return is_constant and rule.path == self._written.names

    def _made(self, rule: TranslationRule) -> Iterator[Proposal]:
        source, target = self._written.path, places(self._type.properties, self._data, rule.path, ())[0]
        old, new = self._names(source, target)
        constant: object = [ValueOf(old)] if rule.source is not None else rule.value
        value = _filled(constant, old)
        if value_at(self._data, target) is MISSING:
            title = f"Replace `{old}` by `{new}`"
            if len(target) == 1:
                yield Proposal(title, (RenameKey(source, new), SetValue(source, value)))
            return
        yield Proposal(f"Keep `{new}`", (DeleteEntry(source),), choice=True)
        if isinstance(value, list) and isinstance(value_at(self._data, target), list):
            added = tuple(AddItem(target, item) for item in value)
            yield Proposal(f"Add the value of `{old}` to `{new}`", (*added, DeleteEntry(source)))
        elif not isinstance(value, list):
            yield Proposal(
                f"Keep `{old}`'s meaning as `{new}`", (SetValue(target, value), DeleteEntry(source)), choice=True
            )

    def _names(self, source: Path, target: Path) -> tuple[str, str]:
        """What to call two properties: by their last names, or by their whole paths where they are at other levels."""
        if names_of(source)[:-1] == names_of(target)[:-1]:
            return str(source[-1]), str(target[-1])
        return ".".join(names_of(source)), ".".join(names_of(target))

    def judged(self, proposal: Proposal, above: Path) -> Iterator[Remedy]:
        """The remedy that a proposal is, with how freely it may be applied; none if Heat would refuse what it makes."""
        after = data_after(self._data, proposal.changes)
        if not isinstance(after, Mapping):
            return
        names = {str(change.path[0]) for change in proposal.changes if change.path}
        names |= {name for change in proposal.changes for name in _new_names(change)}
        result = effect(self._type, self._data, after, names)
        changes = tuple(rebased(change, above) for change in proposal.changes)
        if result.same and result.is_refused is None:
            yield Remedy(proposal.title, changes, Applicability.SAFE, preferred=True)
        elif proposal.only_if_same or (
            result.is_refused is not None and result.was_refused is None and not result.same
        ):
            return
        elif proposal.choice and (result.was_refused or has_function(self._written.value)):
            yield Remedy(proposal.title, changes, Applicability.DECISION)
        else:
            reason = "Heat reads other values then"
            if result.is_refused is not None:
                reason = f"Heat checks the value then: {result.is_refused}"
            elif result.was_refused is not None:
                reason = f"Heat refuses it as it is: {result.was_refused}"
            yield Remedy(f"{proposal.title} ({reason})", changes, Applicability.UNSAFE)


def _positions(path: Path) -> list[int]:
    return [part for part in path if isinstance(part, int)]


def _is_below(path: tuple[str, ...], above: tuple[str, ...]) -> bool:
    return len(path) > len(above) and path[: len(above)] == above


def _new_names(change: Change) -> Iterator[str]:
    if isinstance(change, RenameKey) and len(change.path) == 1:
        yield change.name
    elif isinstance(change, AddEntry) and not change.path:
        yield change.key


def _mentions(value: object, name: str) -> bool:
    if isinstance(value, ValueOf):
        return value.property == name
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return any(_mentions(part, name) for part in parts)


def _filled(value: object, name: str) -> object:
    """A constant with what is written in the place of the old property's value."""
    if isinstance(value, ValueOf):
        return Existing((value.property,))
    if isinstance(value, Mapping):
        return {key: _filled(part, name) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(part, name) for part in value]
    return value

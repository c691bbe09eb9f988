"""Fixes of old properties: the translation rules of the type, applied to the template text.

The support status, not the rule, determines which of two names is the old one (spec: support status guide).
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.migrations.effect import Read, effect, has_function
from heatstudio.analysis.migrations.use import MISSING, OLD, CandidateFix, Move, PropertyUse
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule, ValueOf
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.values.written_properties import GivenProperty
from heatstudio.template import (
    AddEntry,
    AddItem,
    CannotEditError,
    Change,
    DataFix,
    DeleteEntry,
    Existing,
    RenameKey,
    SetValue,
    TreePath,
)
from heatstudio.template.editing.rendering_plan import changed_data, parts_in, plan_changes, with_parts
from heatstudio.text import Applicability


def rebased(change: Change, above: TreePath) -> Change:
    """Return a change below `above`, given a change whose paths are relative to `above`."""
    path = (*above, *change.path)
    match change:
        case RenameKey() | DeleteEntry():
            return replace(change, path=path)
        case SetValue() | AddEntry() | AddItem():
            value = with_parts(change.value, Existing, lambda part: Existing((*above, *part.path)))
            return replace(change, path=path, value=value)


def data_after(data: object, changes: tuple[Change, ...]) -> object | None:
    """Return plain data after changes; None if the changes cannot be applied."""
    try:
        # Wrap the data in a map, so that the changes may remove all of it.
        whole = {"": data}
        changed = changed_data(whole, plan_changes(whole, [rebased(change, ("",)) for change in changes]))
    except CannotEditError:
        return None
    return changed[""] if isinstance(changed, dict) else None


def property_fixes(
    resource_type: ResourceType,
    written: GivenProperty,
    properties_data: Mapping[str, object],
    properties_path: TreePath,
    read: Read | None = None,
) -> tuple[DataFix, ...]:
    """Return the fixes of one written property that is DEPRECATED or HIDDEN, the best first; `read` as for `effect`.

    Return no fix if no rule applies, or if Heat would reject the result.
    """
    if written.schema.support_status.status not in OLD:
        return ()
    use = PropertyUse(resource_type, written, properties_data)
    judged = (_verdict(use, candidate, read) for candidate in _candidates(use))
    found = sorted((fix for fix in judged if fix is not None), key=lambda fix: -fix.applicability)
    return tuple(
        replace(
            fix,
            changes=tuple(rebased(change, properties_path) for change in fix.changes),
            preferred=index == 0 and fix.applicability is Applicability.SAFE,
        )
        for index, fix in enumerate(found)
    )


def _candidates(use: PropertyUse) -> Iterable[CandidateFix]:
    if any(_is_part(rule.source, use.names) for rule in use.replacing()):  # rules move parts of the value
        return emptied(use)
    return list(replaced(use)) or remade(use)


def _verdict(use: PropertyUse, candidate: CandidateFix, read: Read | None) -> DataFix | None:
    """Return the fix with its applicability; None if the fix must not be offered."""
    after = data_after(use.data, candidate.changes)
    if not isinstance(after, Mapping):
        return None
    result = effect(use.type, use.data, after, read)
    chosen = (use.written.value, *map(use.value_at, candidate.beside)) if candidate.beside else ()
    was_refused = candidate.refused or result.was_refused or None
    is_choice = bool(chosen) and (was_refused is not None or any(map(has_function, chosen)))
    if result.same and result.is_refused is None and not is_choice and not candidate.refused:
        return DataFix(candidate.title, candidate.changes)
    if (result.breaks and not result.same) or candidate.only_if_same:
        return None
    if is_choice:
        return DataFix(candidate.title, candidate.changes, Applicability.DECISION)
    reason = "Heat would read a different value"
    if result.is_refused is not None:
        reason = f"Heat would reject the new value: {result.is_refused}"
    elif was_refused is not None:
        reason = f"Heat rejects the current value: {was_refused}"
    return DataFix(f"{candidate.title} ({reason})", candidate.changes, Applicability.UNSAFE)


def replaced(use: PropertyUse) -> Iterator[CandidateFix]:
    """Yield the fixes by the rules that move this property's value, or that move the new property's value to it."""
    for rule in use.replacing():
        if rule.source == use.names:
            yield from _to(use, use.places(rule.path), is_reversed=False)
        elif rule.path == use.names and rule.source is not None and not use.is_old(rule.source):
            yield from _to(use, use.places(rule.source), is_reversed=True)


def _to(use: PropertyUse, targets: list[TreePath], *, is_reversed: bool) -> Iterator[CandidateFix]:
    target = targets[0]
    if _is_in_list(use.path) and not _is_in_list(target):
        # Heat collects the values of all items in a list, with null for missing values: it rejects the new name while
        # the list has items.
        return
    old, new = use.titles(target)
    taken = tuple(path for path in targets if use.value_at(path) is not MISSING)
    if taken:
        yield CandidateFix(f"Keep `{new}`", (DeleteEntry(use.path, keep_comments=True),), beside=taken)
        if len(targets) == 1:
            yield CandidateFix(f"Keep the value of `{old}` as `{new}`", Move(use.path, target).keep_old(), beside=taken)
        return
    changes: list[Change] = []
    for path in targets:
        changes += [change for change in Move(use.path, path).changes(use.data) if change not in changes]
    title = f"Replace `{old}` with `{new}`"
    yield CandidateFix(title, tuple(changes), only_if_same=is_reversed)
    if use.path[:-1] == target[:-1]:
        yield from _in_all_items(use, str(target[-1]), title)


def _in_all_items(use: PropertyUse, name: str, title: str) -> Iterator[CandidateFix]:
    """Yield the same fix for all items of the list, if several items use the old name."""
    sources = [path for path in use.in_all_items() if use.value_at((*path[:-1], name)) is MISSING]
    if len(sources) > 1:
        yield CandidateFix(f"{title} in all items", tuple(RenameKey(path, name) for path in sources), only_if_same=True)


def _is_in_list(path: TreePath) -> bool:
    return any(isinstance(part, int) for part in path)


def emptied(use: PropertyUse) -> Iterator[CandidateFix]:
    """Yield the fixes of a property whose parts move to other properties."""
    moves = _moves(use)
    gone = DeleteEntry(use.path, keep_comments=True)
    if not moves:
        yield CandidateFix(f"Remove `{use.name}`, which Heat ignores", (gone,), only_if_same=True)
        return
    taken = tuple(move for move in moves if use.value_at(move.target) is not MISSING)
    added = [change for move in moves if move not in taken for change in list(move.changes(use.data))[:1]]
    if not taken:
        yield CandidateFix(f"Replace `{use.name}` with {_listed(moves)}", (*added, gone))
        return
    beside = tuple(move.target for move in taken)
    kept = [change for move in taken for change in move.keep_old() if isinstance(change, SetValue)]
    yield CandidateFix(f"Keep {_listed(taken)}", (*added, gone), beside=beside)
    yield CandidateFix(f"Keep the values of `{use.name}` as {_listed(taken)}", (*added, *kept, gone), beside=beside)


def _moves(use: PropertyUse) -> list[Move]:
    """Return the moves of the written parts, in text order."""
    value = use.written.value
    depth = len(use.path)
    moves = []
    for rule in use.replacing():
        if rule.source is not None and _is_part(rule.source, use.names):
            source = (*use.path, *rule.source[len(use.names) :])
            if use.value_at(source) is not MISSING:
                moves.append(Move(source, use.places(rule.path)[0]))
    order = list(value) if isinstance(value, Mapping) else []
    return sorted(moves, key=lambda move: order.index(move.source[depth]))


def _is_part(path: tuple[str, ...] | None, whole: tuple[str, ...]) -> bool:
    return path is not None and len(path) > len(whole) and path[: len(whole)] == whole


def _listed(moves: list[Move] | tuple[Move, ...]) -> str:
    return ", ".join(f"`{move.target[-1]}`" for move in moves)


def remade(use: PropertyUse) -> Iterator[CandidateFix]:
    """Yield the fixes by rules that add to a list or set a constant, else the removal of an ignored property."""
    rules = use.type.translation_rules
    made = [rule for rule in rules if _is_made_of(rule, use)]
    has_default = use.written.value is not None and use.written.value == use.written.schema.default
    for rule in made:
        yield from _made(use, rule)
    if not made and (use.is_deleted() or any(_overrides(rule, use) for rule in rules)):
        yield CandidateFix(f"Remove `{use.name}`, which Heat ignores", (DeleteEntry(use.path, keep_comments=True),))
    elif not made and has_default and effect(use.type, {}, use.data).is_refused is None:
        # The resource stays as it is if its properties are valid.
        title = f"Remove `{use.name}`, which has its default value"
        yield CandidateFix(title, (DeleteEntry(use.path, keep_comments=True),), only_if_same=True)


def _is_made_of(rule: TranslationRule, use: PropertyUse) -> bool:
    """Return whether a rule computes another property from this one; such rules name only top-level properties."""
    if use.names != (use.name,) or rule.path in (use.names, ()) or len(rule.path) > 1:
        return False
    if rule.kind is TranslationKind.ADD:
        is_read = any(part.property == use.name for part in parts_in(rule.value, ValueOf))
        return rule.when_set == use.name or rule.source == use.names or is_read
    return rule.kind is TranslationKind.REPLACE and rule.source is None and rule.when_set == use.name


def _overrides(rule: TranslationRule, use: PropertyUse) -> bool:
    is_constant = rule.kind is TranslationKind.REPLACE and rule.source is None and bool(rule.value)
    return is_constant and rule.path == use.names


def _made(use: PropertyUse, rule: TranslationRule) -> Iterator[CandidateFix]:
    new = rule.path[0]
    made = [ValueOf(use.name)] if rule.source is not None else rule.value
    value = with_parts(made, ValueOf, lambda part: Existing((part.property,)))
    given = use.value_at((new,))
    if given is MISSING:
        yield CandidateFix(f"Replace `{use.name}` with `{new}`", (RenameKey(use.path, new), SetValue(use.path, value)))
        return
    gone = DeleteEntry(use.path, keep_comments=True)
    yield CandidateFix(f"Keep `{new}`", (gone,), beside=((new,),))
    if not isinstance(value, list):
        yield CandidateFix(
            f"Keep the value of `{use.name}` as `{new}`", (SetValue((new,), value), gone), beside=((new,),)
        )
    elif isinstance(given, list):
        items = (AddItem((new,), item) for item in value)
        # If the items have a schema, Heat also applies the rule to each item, and rejects the item as no list.
        schema = use.type.properties.get(new)
        refused = "both are set" if schema is not None and schema.element is not None else ""
        yield CandidateFix(f"Add the value of `{use.name}` to `{new}`", (*items, gone), refused=refused)

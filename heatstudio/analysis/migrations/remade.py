"""Ways out of an old property of which rules make a new value, or which Heat does not read at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heatstudio.analysis.migrations.move import MISSING
from heatstudio.analysis.migrations.use import Proposal, Use
from heatstudio.catalog import TranslationKind, TranslationRule, ValueOf
from heatstudio.template import AddItem, DeleteEntry, Existing, RenameKey, SetValue


def remade(use: Use) -> Iterator[Proposal]:
    """The ways out by rules that add to a list or set a constant; otherwise the property can go if Heat ignores it."""
    rules = use.type.translation_rules
    made = [rule for rule in rules if _is_made_of(rule, use)]
    for rule in made:
        yield from _made(use, rule)
    if not made and (use.is_deleted() or any(_overrides(rule, use) for rule in rules)):
        yield Proposal(f"Remove `{use.name}`, which Heat ignores", (DeleteEntry(use.path, keep_comments=True),))


def _is_made_of(rule: TranslationRule, use: Use) -> bool:
    """Whether a rule makes a new value of this property; rules can name only properties at the top."""
    if use.names != (use.name,) or rule.path in (use.names, ()) or len(rule.path) > 1:
        return False
    if rule.kind is TranslationKind.ADD:
        return rule.when_set == use.name or rule.source == use.names or _mentions(rule.value, use.name)
    return rule.kind is TranslationKind.REPLACE and rule.source is None and rule.when_set == use.name


def _overrides(rule: TranslationRule, use: Use) -> bool:
    is_constant = rule.kind is TranslationKind.REPLACE and rule.source is None and bool(rule.value)
    return is_constant and rule.path == use.names


def _made(use: Use, rule: TranslationRule) -> Iterator[Proposal]:
    new = rule.path[0]
    value = _written([ValueOf(use.name)] if rule.source is not None else rule.value)
    given = use.value_at((new,))
    if given is MISSING:
        yield Proposal(f"Replace `{use.name}` with `{new}`", (RenameKey(use.path, new), SetValue(use.path, value)))
        return
    gone = DeleteEntry(use.path, keep_comments=True)
    yield Proposal(f"Keep `{new}`", (gone,), beside=((new,),))
    if not isinstance(value, list):
        yield Proposal(f"Keep the value of `{use.name}` as `{new}`", (SetValue((new,), value), gone), beside=((new,),))
    elif isinstance(given, list):
        items = (AddItem((new,), item) for item in value)
        # If items have a schema, Heat applies the rule to each of them too, and refuses it because it is no list.
        schema = use.type.properties.get(new)
        refused = "both are given" if schema is not None and schema.element is not None else ""
        yield Proposal(f"Add the value of `{use.name}` to `{new}`", (*items, gone), refused=refused)


def _mentions(value: object, name: str) -> bool:
    if isinstance(value, ValueOf):
        return value.property == name
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return any(_mentions(part, name) for part in parts)


def _written(value: object) -> object:
    """A constant, with what is written in the template where it stands for the value of a property."""
    if isinstance(value, ValueOf):
        return Existing((value.property,))
    if isinstance(value, Mapping):
        return {key: _written(part) for key, part in value.items()}
    return [_written(part) for part in value] if isinstance(value, list | tuple) else value

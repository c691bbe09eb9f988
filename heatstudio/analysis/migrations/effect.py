"""The values that Heat reads from properties before and after a change, which prove that a fix has no effect.

The comparison computes the affected property values with translation rules applied, as a plug-in gets them. An
intrinsic function counts as an unknown value, which is equal only to itself. A second comparison uses the current
values of functions, because the successor of a property may have constraints that the old property lacks, and Heat may
read an empty value differently under the new name.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from heatstudio.analysis.migrations.use import MISSING
from heatstudio.analysis.scope.calls import values
from heatstudio.catalog.facts import maps_in
from heatstudio.catalog.rules.translation_rule import TranslationRule
from heatstudio.catalog.schema import ResourceType, nested_properties
from heatstudio.stack.unknown import Unknown, freeze, same
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.stack.values.translation import Translation, active_rules

Read = Callable[[object], object]
"""A function that returns the current value of an intrinsic function, or Unknown."""


def _unread(written: object) -> object:
    return Unknown(("function", freeze(written)))


class Effect(Struct, frozen=True):
    """The effect of a change of properties."""

    same: bool
    """Whether all affected properties certainly keep their values."""
    was_refused: str | None
    """The reason why Heat rejects the properties before the change."""
    is_refused: str | None
    """The reason why Heat rejects the properties only after the change."""

    @property
    def breaks(self) -> bool:
        """Whether Heat accepts the properties before the change and rejects them after it."""
        return self.is_refused is not None and self.was_refused is None


def effect(
    resource_type: ResourceType, before: Mapping[str, object], after: Mapping[str, object], read: Read | None = None
) -> Effect:
    """Compare two versions of the properties of one resource; `read` returns the current values of functions."""
    known = frozenset(schema.name for _path, schema in nested_properties(resource_type.properties))
    rules = resource_type.translation_rules
    changed = {name for name in {*before, *after} if before.get(name, MISSING) is not after.get(name, MISSING)}
    connected = [group for group in map(_connected, rules) if group & changed]
    before, after = _shortened(before, after, changed.difference(*(group for group in connected if len(group) > 1)))
    names = [name for name in resource_type.properties if name in changed.union(*connected)]
    judged = partial(_judged, resource_type, (before, after), names, known)
    alike, refused, refused_now = judged(_unread)
    if read is not None and any(has_function(data.get(name)) for data in (before, after) for name in names):
        alike_now, _, refused_with_values = judged(read)
        alike, refused_now = alike and alike_now, refused_now + refused_with_values
    return Effect(alike, min(refused, default=None), refused_now[0] if refused_now else None)


def _judged(
    kind: ResourceType, sides: Sequence[Mapping[str, object]], names: Sequence[str], known: frozenset[str], read: Read
) -> tuple[bool, set[str], list[str]]:
    """Return whether both sides are equal, the errors of the old side, and the new errors of the new side."""
    old, new = (_PropertyVersion(kind, data, known, read) for data in sides)
    before, after = ([side.reading(name) for name in names] for side in (old, new))
    refused = {message for _, messages in before for message in messages}
    refused_now = [message for _, messages in after for message in messages if message not in refused]
    alike = all(same(was, now) is True for (was, _), (now, _) in zip(before, after, strict=True))
    if alike and any(old.has_empty(name) or new.has_empty(name) for name in names):
        alike = all(same(old.created(name), new.created(name)) is True for name in names)
    return alike, refused, refused_now


class _PropertyVersion:
    """One version of the properties."""

    def __init__(
        self, resource_type: ResourceType, data: Mapping[str, object], known: frozenset[str], read: Read
    ) -> None:
        self._resolve = partial(_resolved, known, read)  # a bound method would create a reference cycle
        self._type = resource_type
        self._data = {str(name): value for name, value in data.items()}
        self._rules = active_rules(resource_type.translation_rules, lambda name: bool(data.get(name)))
        self._validated = self._properties(Translation(self._rules))
        self._looked_up = self._properties(Translation(self._rules, lambda _rule, _entity, value: value))

    def _properties(self, translation: Translation) -> Properties:
        return Properties(self._type.properties, self._data, resolve=self._resolve, translation=translation)

    def reading(self, name: str) -> tuple[object, tuple[str, ...]]:
        """Return the value and the errors of a property when Heat validates."""
        try:
            return self._validated.property_value(name, validate=True), ()
        except PropertyError as error:
            return self._validated.value(name), tuple(problem.message for problem in error.problems)

    def created(self, name: str) -> object:
        """Return the value of a property when Heat creates the resource and looks up names."""
        return self._looked_up.value(name)

    def has_empty(self, name: str) -> bool:
        """Return whether a property has an empty value, which Heat does not look up."""
        value = self._resolve(self._data.get(name, MISSING))
        return any(one is None or one == "" for one, _ in values(value, ()))


def _resolved(known: frozenset[str], read: Read, value: object) -> object:
    if may_be_function(value, known):
        return read(value)
    if isinstance(value, Mapping):
        return {key: _resolved(known, read, below) for key, below in value.items()}
    return [_resolved(known, read, item) for item in value] if isinstance(value, list) else value


def _connected(rule: TranslationRule) -> set[str]:
    """Return the top-level properties that a rule connects."""
    switch = () if rule.when_set is None else (rule.when_set,)
    return {*rule.path[:1], *(rule.source or ())[:1], *switch}


def _shortened(
    before: Mapping[str, object], after: Mapping[str, object], names: set[str]
) -> tuple[Mapping[str, object], Mapping[str, object]]:
    """Return both versions with only the differing items of the named lists: rules apply to each item separately."""
    for name in names:
        old, new = before.get(name), after.get(name)
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            items = [(one, other) for one, other in zip(old, new, strict=True) if one is not other]
            before = {**before, name: [one for one, _ in items]}
            after = {**after, name: [other for _, other in items]}
    return before, after


def may_be_function(value: object, known: frozenset[str] = frozenset()) -> bool:
    """Return whether a value may be an intrinsic function: a map with one key that is no known property name."""
    return isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) not in known


def has_function(value: object) -> bool:
    """Return whether a value may contain an intrinsic function."""
    return any(map(may_be_function, maps_in(value)))

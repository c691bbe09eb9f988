"""Application of translation rules to property values, before a plug-in reads them.

The rules and their order follow heat/engine/translation.py. This module never changes the text; quick fixes convert
rules to edits.
"""

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule, ValueOf
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault
from heatstudio.template import TreePath

Finder = Callable[[TranslationRule, str | None, object], object]
"""A function of a rule, an entity and a name that returns the object's ID in a cloud or raises PropertyError."""

ReadProperty = Callable[[str, bool], object]
"""A function of a top-level property and whether to validate its value, which it returns; may raise PropertyError."""

_ORDER = tuple(TranslationKind)


class _Context(Struct, frozen=True):
    """The context of a value to which rules are applied."""

    path: TreePath
    data: Mapping[str, object]
    """The map that contains the value."""
    properties: ReadProperty
    validate: bool


class Translation:
    """The rules of one resource, applied while its properties are read.

    Without a `finder`, no names are looked up, as in Heat's validation: RESOLVE rules are ignored, and moved values
    are not cached.
    """

    def __init__(self, rules: tuple[TranslationRule, ...] = (), finder: Finder | None = None) -> None:
        self._rules: dict[TreePath, list[TranslationRule]] = {}
        self._deleted: set[TreePath] = set()
        self._replaced: set[TreePath] = set()
        self._concerned: dict[TreePath, set[str | int]] = {}
        self._resolved: dict[TreePath, object] = {}
        self._active = True
        self._finder = finder
        used = [rule for rule in rules if finder is not None or rule.kind is not TranslationKind.RESOLVE]
        for rule in sorted(used, key=lambda rule: _ORDER.index(rule.kind)):
            self._rules.setdefault(rule.path, []).append(rule)
            if rule.kind is TranslationKind.DELETE:
                self._deleted.add(rule.path)
            elif rule.kind is TranslationKind.REPLACE:
                self._replaced.add(rule.source or ())
        for path in (*self._rules, *self._replaced):
            self._concerned.setdefault(path[:-1], set()).update(path[-1:])

    def concerned(self, above: TreePath) -> Collection[str | int]:
        """Return the names directly below a path that rules write or move."""
        return self._concerned.get(_without_positions(above), ()) if self._concerned else ()

    def hides(self, path: TreePath) -> bool:
        """Return whether the property at a path counts as not given, because a rule deletes or moves its value."""
        if not self._active:
            return False
        names = _without_positions(path)
        return names in self._deleted or names in self._replaced

    def has_translation(self, path: TreePath) -> bool:
        """Return whether a rule applies to the value at a path."""
        if not self._rules or not self._active:
            return False
        return _without_positions(path) in self._rules or path in self._resolved

    def translate(
        self,
        path: TreePath,
        value: object,
        data: Mapping[str, object],
        properties: ReadProperty,
        *,
        validate: bool = False,
    ) -> object:
        """Return the value at a path after its rules; `data` is the map that contains the value.

        Raise PropertyError if Heat rejects the value.
        """
        if path in self._resolved:
            return self._resolved[path]
        context = _Context(path, data, properties, validate)
        result = value
        for rule in self._rules.get(_without_positions(path), ()):
            match rule.kind:
                case TranslationKind.ADD:
                    result = self._add(rule, result, context)
                case TranslationKind.REPLACE:
                    result = self._replace(rule, result, context)
                case TranslationKind.RESOLVE:
                    result = self._look_up(rule, result, properties)
                    self._store(path, result)
                case TranslationKind.DELETE:
                    result = None
                    self._store(path, None)
        return result

    def _store(self, path: TreePath, value: object) -> None:
        if self._finder is not None:
            self._resolved[path] = value

    def _add(self, rule: TranslationRule, given: object, context: _Context) -> object:
        if given is None:
            given = []
        is_element = isinstance(context.path[-1], int)
        if isinstance(given, Unknown) and not is_element:
            return given
        if is_element or not isinstance(given, list):
            name = ".".join(map(str, context.path))
            message = "Incorrect translation rule using - cannot resolve Add rule for non-list translation value"
            names = ".".join(rule.path), str(rule.when_set)
            raise PropertyError.of(PropertyFault.UNADDABLE, f'{message} "{name}".', value=names)
        constant = self._constant(rule.value, context.properties)
        added: object = None
        if isinstance(constant, list) and constant:
            added = constant
        elif rule.value_name is not None or rule.value_path is not None:
            source: TreePath = (rule.value_name,) if rule.value_name is not None else rule.value_path or ()
            if self.has_translation(source):
                self.translate(source, None, context.data, context.properties)
            start = context.data if rule.value_name is not None else context.properties
            added = self._read(source, start, context.validate)
        if added is not None:
            given = [*given, *(added if isinstance(added, list) else [added])]
        self._store(context.path, given)
        return given

    def _replace(self, rule: TranslationRule, given: object, context: _Context) -> object:
        if rule.source is None:
            moved = self._constant(rule.value, context.properties) or None if rule.value is not None else None
            result = moved if moved is not None else given
            self._store(context.path, result)
            return result
        old_path, moved = self._old_value(rule, context)
        if self.has_translation(old_path):
            self.translate(old_path, moved, context.data, context.properties)
        if _known_truth(moved) and _known_truth(given):
            names = ".".join(map(str, _without_positions(context.path))), ".".join(rule.source)
            message = f"Cannot define the following properties at the same time: {', '.join(names)}"
            raise PropertyError.of(PropertyFault.CONFLICT, message, value=names)
        result = moved if moved is not None else given
        self._store(context.path, result)
        self._store(old_path, None)
        return result

    def _old_value(self, rule: TranslationRule, context: _Context) -> tuple[TreePath, object]:
        """Return the path from which a rule moves a value, and the value."""
        if rule.value_name is not None:
            steps: TreePath = (rule.value_name, *rule.custom_value_path)
            return (*context.path[:-1], *steps), self._read(steps, context.data, context.validate)
        source: TreePath = rule.source or ()
        return source, self._read(source, context.properties, context.validate)

    def _read(self, steps: TreePath, start: Mapping[str, object] | ReadProperty, validate: bool) -> object:
        """Return the value under old names, read without rules."""
        self._active = False
        try:
            first = str(steps[0])
            value = start.get(first) if isinstance(start, Mapping) else start(first, validate)
            return _follow(value, steps[1:])
        except PropertyError as error:
            raise error.elsewhere() from None
        finally:
            self._active = True

    def _constant(self, value: object, properties: ReadProperty) -> object:
        if isinstance(value, ValueOf):
            return self._read((value.property,), properties, False)
        if isinstance(value, dict):
            return {key: self._constant(item, properties) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._constant(item, properties) for item in value]
        return value

    def _look_up(self, rule: TranslationRule, value: object, properties: ReadProperty) -> object:
        if not value or isinstance(value, Unknown) or self._finder is None:
            return value if isinstance(value, Unknown) else None
        if isinstance(value, list):
            return [self._look_up(rule, item, properties) for item in value]
        entity = rule.entity
        if rule.entity_by is not None:
            name, choices = rule.entity_by
            entity = choices.get(str(self._read((name,), properties, False)))
        return self._finder(rule, entity, value)


NO_TRANSLATION = Translation()


def active_rules(rules: tuple[TranslationRule, ...], is_set: Callable[[str], bool]) -> tuple[TranslationRule, ...]:
    """Return the rules that apply to a resource; `is_set` returns whether a property has a value."""
    return tuple(rule for rule in rules if rule.when_set is None or is_set(rule.when_set))


def _without_positions(path: TreePath) -> TreePath:
    for part in path:
        if isinstance(part, int):
            return tuple(part for part in path if not isinstance(part, int))
    return path


def _follow(value: object, steps: TreePath) -> object:
    if not steps or value is None:
        return value
    if isinstance(value, list):
        return [_follow(item, steps) for item in value]
    if isinstance(value, Mapping):
        return _follow(value.get(str(steps[0])), steps[1:])
    return value if isinstance(value, Unknown) else None


def _known_truth(value: object) -> bool:
    return bool(value) and not isinstance(value, Unknown)

"""Functions on lists and maps (heat/engine/hot/functions.py)."""

import itertools
import json
import math
from collections.abc import Iterable, Mapping
from typing import ClassVar

from heatstudio.stack.functions.budget import ITEM
from heatstudio.stack.functions.function import Evaluation, Function, ListFunction
from heatstudio.stack.unknown import Unknown, ValueSet, derived, fits, has_unknown, type_name

LONGEST_QUOTE = 200


class MapMerge(Function, frozen=True):
    """`map_merge: [map, map, ...]`."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the merged map; later values take precedence, and null counts as an empty map."""
        arguments = evaluation.resolve(self.arguments)
        if isinstance(arguments, Unknown):
            return self.unknown(arguments)
        if not isinstance(arguments, (list, str)):
            example = f'"{self.name}" : [ {{ "key1": "val1" }}, {{ "key2": "val2" }} ]'
            raise TypeError(f'Incorrect arguments to "{self.name}" should be: {example}')
        merged: dict[object, object] = {}
        for item in arguments:
            if isinstance(item, Mapping):
                merged.update(item)
            elif item is not None and not fits(item, dict):
                quoted = "" if isinstance(item, Unknown) else f"{item!r} "[:LONGEST_QUOTE]
                problem = f"{quoted}is type <class '{type_name(item)}'> instead of a dict"
                raise TypeError(f"Incorrect arguments: Items to merge must be maps. {problem}")
        unknown = any(isinstance(item, Unknown) for item in arguments)
        return self.unknown(arguments) if unknown else merged


class MapReplace(Function, frozen=True):
    """`map_replace: [map, {keys: {old: new}, values: {old: new}}]`."""

    @property
    def _example(self) -> str:
        replacements = '{"keys": {"key1": "key2"}, "values": {"val1": "val2"}}'
        return f'"{self.name}" : [ {{ "key1": "val1" }}, {replacements}]'

    def result(self, evaluation: Evaluation) -> object:
        """Return the map with keys and values replaced. Raise ValueError if two keys become equal."""
        usage = f'Incorrect arguments to "{self.name}" should be: {self._example}'
        arguments = evaluation.resolve(self.arguments)
        if isinstance(arguments, Unknown):
            return self.unknown(arguments)
        if not isinstance(arguments, list):
            raise TypeError(usage)
        maps = [self._map(item) for item in arguments[:2]]
        if len(arguments) != 2:
            raise TypeError(usage)
        if isinstance(maps[0], Unknown) or isinstance(maps[1], Unknown):
            return self.unknown(arguments)
        if any(key not in ("keys", "values") for key in maps[1]):
            raise ValueError(usage)
        keys, values = (self._map(maps[1].get(word, {})) for word in ("keys", "values"))
        if isinstance(keys, Unknown) or isinstance(values, Unknown):
            return self.unknown(arguments)
        return self._replaced(maps[0], keys, values)

    def _map(self, value: object) -> Mapping[object, object] | Unknown:
        if value is None:
            return {}
        if isinstance(value, Mapping) or (isinstance(value, Unknown) and fits(value, dict)):
            return value
        raise TypeError(
            f'Incorrect arguments: to "{self.name}", arguments must be a list of maps. Example:  {self._example}'
        )

    def _replaced(
        self, source: Mapping[object, object], keys: Mapping[object, object], values: Mapping[object, object]
    ) -> object:
        result: dict[object, object] = {}
        for old_key, old_value in source.items():
            new_key = keys.get(old_key)
            if new_key is None:
                new_key = old_key
            elif has_unknown(new_key):
                return self.unknown(source, keys, values)
            elif new_key in source and new_key != old_key:
                raise ValueError(f"key replacement {new_key} collides with a key in the input map")
            elif new_key in result:
                raise ValueError(f"key replacement {new_key} collides with a key in the output map")
            result[new_key] = _replaced_value(old_value, values)
        return result


def _replaced_value(value: object, values: Mapping[object, object]) -> object:
    if isinstance(value, Unknown):
        return derived("map_replace", value, values) if values else value
    return value if isinstance(value, (Mapping, list)) else values.get(value, value)


class Repeat(Function, frozen=True):
    """`repeat: {template, for_each: {variable: list}}` before 2016-10-14."""

    MAPS_ALLOWED: ClassVar[bool] = False
    """Whether a map counts as the list of its keys."""

    def _part(self, key: str) -> object:
        return self.arguments.get(key) if isinstance(self.arguments, dict) else None

    def check(self) -> None:
        """Require a map with both keys; other keys are ignored."""
        if not isinstance(self.arguments, dict):
            raise TypeError(f'Arguments to "{self.name}" must be a map')
        if "for_each" not in self.arguments or "template" not in self.arguments:
            raise self.wrong_syntax("template: This is %var%", "for_each:", "  %var%: ['a', 'b', 'c']")

    def validate(self, evaluation: Evaluation) -> None:
        """Require a map or a function as `for_each`."""
        if not isinstance(self._part("for_each"), (dict, Function)):
            raise TypeError(f'The "for_each" argument to "{self.name}" must contain a map')

    def _permute(self) -> bool:
        return True

    def result(self, evaluation: Evaluation) -> object:
        """Return a copy of the template for every combination of the variables' values."""
        for_each = evaluation.resolve(self._part("for_each"))
        if isinstance(for_each, Unknown):
            return self.unknown(for_each, evaluation.resolve(self._part("template")))
        if not isinstance(for_each, Mapping):
            raise AttributeError(f"'{type(for_each).__name__}' object has no attribute 'items'")
        if not for_each:
            raise ValueError("not enough values to unpack (expected 2, got 0)")
        given = {name: values for name, values in for_each.items() if values is not None}
        self._check_values(given)
        template = evaluation.resolve(self._part("template"))
        if any(isinstance(values, Unknown) for values in given.values()):
            return self.unknown(for_each, template)
        lists = [list(_items(values)) for values in for_each.values()]
        count = math.prod(map(len, lists)) if self._permute() else min(map(len, lists))
        evaluation.budget.spend(count * ITEM)
        rounds = itertools.product(*lists) if self._permute() else zip(*lists, strict=False)
        copier = _Copier(list(for_each), evaluation)
        return [copier.copy(template, values) for values in rounds]

    def _check_values(self, given: Mapping[object, object]) -> None:
        """Raise TypeError or ValueError unless all variables have lists."""
        maps = self.MAPS_ALLOWED and self._permute()
        for values in given.values():
            if not isinstance(values, (list, Unknown)) and not (maps and isinstance(values, Mapping)):
                what = "lists or maps" if maps else "lists"
                raise TypeError(f'The values of the "for_each" argument to "{self.name}" must be {what}')
        lengths = {len(values) for values in given.values() if isinstance(values, list)}
        if not self._permute() and len(lengths) > 1:
            raise ValueError(f"For {self.name}, the length of for_each values should be equal if no nested loop.")


def _items(values: object) -> Iterable[object]:
    return values if isinstance(values, (list, Mapping)) else ()


class _Copier:
    """A copier of templates that replaces variables in keys and values."""

    def __init__(self, variables: list[object], evaluation: Evaluation) -> None:
        self._variables = variables
        self._budget = evaluation.budget

    def copy(self, template: object, values: tuple[object, ...]) -> object:
        """Return a copy with the values of one combination. Raise TypeError if variables or values are not strings."""
        if isinstance(template, str):
            return self._text(template, values)
        if isinstance(template, list):
            self._budget.spend(len(template) * ITEM)
            return [self.copy(item, values) for item in template]
        if isinstance(template, Mapping):
            self._budget.spend(len(template) * ITEM)
            return {self.copy(key, values): self.copy(item, values) for key, item in template.items()}
        if isinstance(template, Unknown):
            return derived("repeat", template, self._variables, list(values))
        return template

    def _text(self, text: str, values: tuple[object, ...]) -> object:
        for position, (variable, value) in enumerate(zip(self._variables, values, strict=True)):
            if not isinstance(variable, str):
                raise TypeError(f"replace() argument 1 must be str, not {type(variable).__name__}")
            if isinstance(value, Unknown):
                if variable in text:
                    return derived("repeat", text, self._variables[position:], list(values[position:]))
                continue
            if not isinstance(value, str):
                raise TypeError(f"replace() argument 2 must be str, not {type(value).__name__}")
            self._budget.spend(len(text) + text.count(variable) * len(value))
            text = text.replace(variable, value)
        return text


class RepeatWithMap(Repeat, frozen=True):
    """`repeat` since 2016-10-14: a map counts as the list of its keys."""

    MAPS_ALLOWED = True


class RepeatWithNestedLoop(RepeatWithMap, frozen=True):
    """`repeat` since 2017-09-01: with `permutations: false` the lists are iterated in parallel."""

    def _permute(self) -> bool:
        return self._part("permutations") is not False

    def check(self) -> None:
        """Require a boolean as `permutations` in addition."""
        super().check()
        if isinstance(self.arguments, dict) and not isinstance(self.arguments.get("permutations", True), bool):
            raise TypeError(f'"permutations" should be boolean type for {self.name} function.')


class Filter(ListFunction, frozen=True):
    """`filter: [values, list]`."""

    USAGE = '"{0}" expected 2 arguments of the form [values, sequence] but got {1} arguments instead'
    NO_LIST = 'Argument to "{0}" must be a list'

    def result(self, evaluation: Evaluation) -> object:
        """Return the list without the values."""
        sequence = evaluation.resolve(self.items[1])
        if not sequence:
            return sequence
        if not isinstance(sequence, (list, Unknown)):
            raise TypeError(f'"{self.name}" only works with lists')
        values = evaluation.resolve(self.items[0])
        if not values:
            return sequence
        if not isinstance(values, (list, Unknown)):
            raise TypeError(f'"{self.name}" filters a list of values')
        if isinstance(sequence, Unknown) or isinstance(values, Unknown):
            return self.unknown(values, sequence)
        evaluation.budget.spend((len(values) + len(sequence)) * ITEM)
        known = ValueSet(values)
        if has_unknown(values) or has_unknown(sequence):
            evaluation.budget.spend(len(values) * len(sequence))
        kept = [(item, known.include(item)) for item in sequence]
        if any(removed is None for _, removed in kept):
            return self.unknown(values, sequence)
        return [item for item, removed in kept if not removed]


class ListConcat(Function, frozen=True):
    """`list_concat: [list, list, ...]`."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the concatenated list; null counts as an empty list."""
        arguments = evaluation.resolve(self.arguments)
        if isinstance(arguments, Unknown):
            return self.unknown(arguments)
        if not isinstance(arguments, list):
            example = f'"{self.name}" : [ [ <value 1>, <value 2> ], [ <value 3>, <value 4> ] ]'
            raise TypeError(f'Incorrect arguments to "{self.name}" should be: {example}')
        items: list[object] = []
        for part in arguments:
            if isinstance(part, list):
                items.extend(part)
            elif part is not None and not fits(part, list):
                culprit = f"{_dump(arguments)} contains an item that is not a list: {_dump(part)}"
                raise TypeError(f"Incorrect arguments: Items to concat must be lists. {culprit}")
        if any(isinstance(part, Unknown) for part in arguments):
            return self.unknown(arguments)
        evaluation.budget.spend(len(items) * ITEM)
        return self._finish(items, evaluation)

    def _finish(self, items: list[object], evaluation: Evaluation) -> object:
        return items


def _dump(value: object) -> str:
    """Return JSON for a message, with null for unknown parts."""
    return json.dumps(value, default=lambda _: None)


class ListConcatUnique(ListConcat, frozen=True):
    """`list_concat_unique: [list, list, ...]`, which keeps only the first of equal items."""

    def _finish(self, items: list[object], evaluation: Evaluation) -> object:
        unique: list[object] = []
        known = ValueSet()
        for item in items:
            if has_unknown(item):
                evaluation.budget.spend(len(unique) * ITEM)
            is_known = known.include(item)
            if is_known is None:
                return self.unknown(items)
            if not is_known:
                known.add(item)
                unique.append(item)
        return unique


class Contains(ListFunction, frozen=True):
    """`contains: [value, list]`; a string contains its substrings."""

    USAGE = 'Arguments to "{0}" must be of the form: [value1, [value1, value2]]'
    NO_LIST = 'Incorrect arguments to "{0}" should be: "{0}" : [ "value1", [ "value1", "value2"]]'

    def check(self) -> None:
        """Require a list of exactly two items; Heat reports an empty one like other arguments."""
        if not self.arguments:
            raise TypeError(self.NO_LIST.format(self.name))
        super().check()

    def result(self, evaluation: Evaluation) -> object:
        """Return whether the value is in the list."""
        value, sequence = map(evaluation.resolve, self.items)
        if isinstance(sequence, str):
            if isinstance(value, Unknown):
                return self.unknown(value, sequence)
            if not isinstance(value, str):
                raise TypeError(f"'in <string>' requires string as left operand, not {type(value).__name__}")
            return value in sequence
        if not isinstance(sequence, (list, Unknown)):
            raise TypeError(f'Second argument to "{self.name}" should be a sequence.')
        if isinstance(sequence, list):
            evaluation.budget.spend(len(sequence) * ITEM)
        member = None if isinstance(sequence, Unknown) else ValueSet(sequence).include(value)
        return self.unknown(value, sequence) if member is None else member

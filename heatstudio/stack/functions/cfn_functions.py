"""Functions of the CFN-style versions (heat/engine/cfn/functions.py)."""

import json
import re
from collections.abc import Mapping
from itertools import groupby
from typing import ClassVar

from heatstudio.stack.functions.condition_functions import Not
from heatstudio.stack.functions.function import Evaluation, Function, FunctionError, MissingKind
from heatstudio.stack.functions.hot_functions import GetAttThenSelect, GetResource, ResourceFacade, parameter_value
from heatstudio.stack.functions.text_functions import Replace
from heatstudio.stack.numeric import integer
from heatstudio.stack.unknown import Unknown, has_unknown


def unpack(arguments: object, count: int, usage: str = "") -> list[object]:
    """Return the arguments as a list. Raise ValueError or TypeError with Python's message, which Heat reports.

    Heat reports `usage` instead for a wrong number. A string is unpacked to its characters and a map to its keys.
    """
    if not isinstance(arguments, (list, str, dict)):
        raise TypeError(f"cannot unpack non-iterable {type(arguments).__name__} object")
    if len(arguments) < count:
        raise ValueError(usage or f"not enough values to unpack (expected {count}, got {len(arguments)})")
    if len(arguments) > count:
        raise ValueError(usage or f"too many values to unpack (expected {count})")
    return list(arguments)


def unpack_list(arguments: object, usage: str) -> list[object]:
    """Return two arguments as a list; unlike `unpack`, raise TypeError for a string or a map."""
    if isinstance(arguments, (str, dict)):
        raise TypeError(usage)
    return unpack(arguments, 2, usage)


class FindInMap(Function, frozen=True):
    """`Fn::FindInMap: [mapping, key, key]`."""

    def check(self) -> None:
        """Require exactly three arguments."""
        try:
            unpack(self.arguments, 3)
        except ValueError as error:
            raise KeyError(str(error)) from error

    def result(self, evaluation: Evaluation) -> object:
        """Return the value from the section Mappings."""
        names = [evaluation.resolve(item) for item in unpack(self.arguments, 3)]
        if has_unknown(names):
            return self.unknown(*names)
        value = evaluation.stack.mapping(names[0])
        for key in names[1:]:
            value = _item(value, key)
        return value


def _item(value: object, key: object) -> object:
    """Return `value[key]`. Raise LookupError, or TypeError with Python's message, which Heat reports."""
    if isinstance(value, Mapping):
        return value[key]
    if not isinstance(value, (list, str)):
        raise TypeError(f"'{type(value).__name__}' object is not subscriptable")
    if not isinstance(key, int):
        kind = "string" if isinstance(value, str) else "list"
        words = "integers" if kind == "string" else "integers or slices"
        raise TypeError(f"{kind} indices must be {words}, not {type(key).__name__}")
    return value[key]


class GetAZs(Function, frozen=True):
    """`Fn::GetAZs: region`: the availability zones of the cloud."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the list of zones, unknown without a cloud. Heat ignores the region."""
        return evaluation.stack.availability_zones()


class ParamRef(Function, frozen=True):
    """`Ref` in conditions, where it names a parameter."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the value of the parameter."""
        name = evaluation.resolve(self.arguments)
        if has_unknown(name):
            return self.unknown(name)
        try:
            return parameter_value(_hashable(name), evaluation)
        except KeyError:
            message = f'The specified reference "{name}" (in unknown) is incorrect.'
            missing = MissingKind.PARAMETER if isinstance(name, str) else None
            raise FunctionError(message, self.name_path, missing) from None


def _hashable(name: object) -> str:
    if isinstance(name, (list, dict)):
        raise TypeError(f"unhashable type: '{type(name).__name__}'")
    return name if isinstance(name, str) else f"{name!r} is not a name"


class Ref(ParamRef, frozen=True):
    """`Ref`, which refers to a resource if the template has one of this name, otherwise to a parameter."""

    def check(self) -> None:
        """Require a hashable name."""
        if isinstance(self.arguments, (list, dict, Function)):
            raise TypeError(f"unhashable type: '{type(self.arguments).__name__}'")

    def needed_resource(self, evaluation: Evaluation) -> object:
        """Return the argument if it is the name of a resource."""
        if evaluation.stack.names_resource(self.arguments):
            return self.arguments
        return super().needed_resource(evaluation)

    def result(self, evaluation: Evaluation) -> object:
        """Return the reference ID of the resource or the value of the parameter."""
        if evaluation.stack.names_resource(self.arguments):
            return GetResource.result(GetResource(self.name, self.arguments, self.path), evaluation)
        return super().result(evaluation)


class CfnGetAtt(GetAttThenSelect, frozen=True):
    """`Fn::GetAtt: [resource, attribute]`."""

    def check(self) -> None:
        """Require exactly two arguments."""
        unpack(self.arguments, 2, f'Arguments to "{self.name}" must be of the form [resource_name, attribute]')

    def _argument(self, position: int) -> object:
        return unpack(self.arguments, 2)[position]

    @property
    def _path(self) -> list[object]:
        return []


class Select(Function, frozen=True):
    """`Fn::Select: [index, list]` or `[key, map]`; the list or map may be a JSON text."""

    def check(self) -> None:
        """Require exactly two arguments."""
        unpack(self.arguments, 2, f'Arguments to "{self.name}" must be of the form [index, collection]')

    def result(self, evaluation: Evaluation) -> object:
        """Return the item, or '' if there is none."""
        index, collection = (evaluation.resolve(item) for item in unpack(self.arguments, 2))
        if collection == "" or (collection is None and not isinstance(index, Unknown)):
            return ""
        if isinstance(collection, Unknown) or isinstance(index, Unknown):
            return self.unknown(index, collection)
        if isinstance(collection, str):
            try:
                collection = json.loads(collection)
            except ValueError as error:
                raise ValueError(f'"{self.name}": {error}') from None
        if isinstance(collection, Mapping):
            if not isinstance(index, str):
                raise TypeError(f'Index to "{self.name}" must be a string')
            return collection.get(index, "")
        if isinstance(collection, list):
            return self._item(index, collection)
        if collection is None:
            return ""
        raise TypeError(f"Arguments to {self.name} not fully resolved")

    def _item(self, index: object, items: list[object]) -> object:
        try:
            position = integer(index)
        except (ValueError, TypeError):
            raise TypeError(f'Index to "{self.name}" must be an integer') from None
        return items[position] if -len(items) <= position < len(items) else ""


class Split(Function, frozen=True):
    """`Fn::Split: [delimiter, text]`."""

    def check(self) -> None:
        """Require a list of exactly two items."""
        usage = f'Incorrect arguments to "{self.name}" should be: "{self.name}" : [ ",", "str1,str2"]]'
        unpack_list(self.arguments, usage)

    def result(self, evaluation: Evaluation) -> object:
        """Return the list of parts."""
        delimiter, text = unpack(self.arguments, 2)
        text = evaluation.resolve(text)
        if not isinstance(delimiter, str):
            raise TypeError(f"Delimiter for {self.name} must be string")
        if isinstance(text, Unknown):
            return self.unknown(delimiter, text)
        if not isinstance(text, str):
            raise TypeError(f"String to split must be string; got {type(text)}")
        return text.split(delimiter)


class CfnReplace(Replace, frozen=True):
    """`Fn::Replace: [{placeholder: value}, text]`."""

    def _parts(self) -> tuple[object, object]:
        example = f'{{"{self.name}": [ {{"$var1": "foo", "%var2%": "bar"}}, "$var1 is %var2%"]}}'
        values, template = unpack_list(self.arguments, f'Incorrect arguments to "{self.name}" should be: {example}')
        return template, values


class Base64(Function, frozen=True):
    """`Fn::Base64: text`, which Heat does not encode."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the text unchanged."""
        text = evaluation.resolve(self.arguments)
        if not isinstance(text, (str, Unknown)):
            raise TypeError(f'"{self.name}" argument must be a string')
        return text


MEMBER = re.compile(r"\.member\.([0-9]+)\.(.*)")


class MemberListToMap(Function, frozen=True):
    """`Fn::MemberListToMap: [key name, value name, ['.member.0.Name=..', ...]]`."""

    def check(self) -> None:
        """Require exactly three arguments, of which the first two are strings."""
        lines = (
            "            {'Fn::MemberListToMap': ['Name', 'Value',",
            " " * 37 + "['.member.0.Name=key',",
            " " * 38 + "'.member.0.Value=door']]}",
            " " * 12,
        )
        correct = "\n" + "\n".join(lines)
        key_name, value_name, _ = unpack(self.arguments, 3, f'Wrong Arguments try: "{correct}"')
        if not isinstance(key_name, str):
            raise TypeError(f"{self.name} Key Name must be a string")
        if not isinstance(value_name, str):
            raise TypeError(f"{self.name} Value Name must be a string")

    def result(self, evaluation: Evaluation) -> object:
        """Return the map from keys to values of the members that have both."""
        key_name, value_name, written = unpack(self.arguments, 3)
        items = evaluation.resolve(written)
        if isinstance(items, Unknown):
            return self.unknown(items)
        if not isinstance(items, (list, str, Mapping)):
            raise TypeError("Member list must be a list")
        if any(not isinstance(item, (str, Unknown)) for item in items):
            raise TypeError("Member list items must be strings")
        if has_unknown(list(items)):
            return self.unknown(list(items))
        pairs = dict(_pair(str(item)) for item in items)
        members = (_member(name, value) for name, value in pairs.items())
        found = sorted((member for member in members if member is not None), key=lambda member: member[0])
        grouped = ({name: value for _, name, value in group} for _, group in groupby(found, lambda member: member[0]))
        return {
            member[key_name]: member[value_name]
            for member in grouped
            if isinstance(key_name, str) and isinstance(value_name, str) and {key_name, value_name} <= member.keys()
        }


def _pair(text: str) -> tuple[str, str]:
    parts = text.split("=", 1)
    if len(parts) < 2:
        raise ValueError("dictionary update sequence element #0 has length 1; 2 is required")
    return parts[0], parts[1]


def _member(name: str, value: str) -> tuple[int, str, str] | None:
    match = MEMBER.match(name)
    return (int(match[1]), match[2], value) if match else None


class CfnResourceFacade(ResourceFacade, frozen=True):
    """`Fn::ResourceFacade: Metadata | DeletionPolicy | UpdatePolicy`."""

    WORDS: ClassVar[tuple[str, str, str]] = ("Metadata", "DeletionPolicy", "UpdatePolicy")


class CfnNot(Not, frozen=True):
    """`Fn::Not: [condition]`."""

    def check(self) -> None:
        """Require a list of exactly one item."""
        if not isinstance(self.arguments, list) or len(self.arguments) != 1:
            raise ValueError(f'Arguments to "{self.name}" must be of the form: [condition]')

    def _condition(self) -> object:
        return self.arguments[0] if isinstance(self.arguments, list) else None

"""One property group made from its JSON form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from heatstudio.catalog.property_group import (
    EACH_ELEMENT,
    Arithmetic,
    ClientVersion,
    Combination,
    Constant,
    ExceptionKind,
    Expression,
    Format,
    GroupReference,
    HeatMessage,
    Member,
    MemberPath,
    Operator,
    Presence,
    PropertyGroup,
    Quantifier,
    Root,
    Situation,
    Term,
)
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    Constraint,
    Length,
    PropertyType,
    Range,
)

REFERENCE_PREFIX = "property_groups."
_NAMES_OF_KIND = {ExceptionKind.DEPENDENCY: 2, ExceptionKind.VALUE_DEPENDENCY: 3, ExceptionKind.TEXT: 1}
_GROUP_KEYS = frozenset(
    {"operator", "properties", "given", "when", "scope", "heat", "client_plugin", "client_plugin_supported", "why"}
)
_MEMBER_KEYS = frozenset(
    {
        "property",
        "given",
        "allowed_values",
        "range",
        "length",
        "allowed_pattern",
        "format",
        "type",
        "quantifier",
        "where",
        "follow",
        "keys",
        "once",
        "except",
    }
)
_Word = TypeVar("_Word", bound=StrEnum)


class GroupDataError(ValueError):
    """The data of a property group are wrong."""

    def __init__(self, type_name: str, group: str, reason: str) -> None:
        super().__init__(f"property group `{group}` of {type_name}: {reason}" if group else f"{type_name}: {reason}")
        self.type_name = type_name
        self.group = group
        self.reason = reason


def parse_group(type_name: str, name: str, data: object) -> PropertyGroup:
    """A group from its JSON form. Raises GroupDataError."""
    return _Parser(type_name, name).group(data)


def parse_path(text: str) -> MemberPath:
    """A path such as `networks[*].port`, `/type` (from the top) or `@metadata.deployments` (a fact)."""
    root = Root(text[:1]) if text[:1] in (Root.TOP, Root.FACT) else Root.SCOPE
    return MemberPath(tuple(re.findall(r"\[\*\]|[^.\[\]]+", text[len(root) :])), root)


class _Parser:
    """Reads one group; knows its names for the sake of errors."""

    def __init__(self, type_name: str, name: str) -> None:
        self._type_name = type_name
        self._name = name

    def error(self, reason: str) -> GroupDataError:
        return GroupDataError(self._type_name, self._name, reason)

    def group(self, data: object) -> PropertyGroup:
        fields = self._map(data, _GROUP_KEYS, "a group")
        presence = self._presence(fields, Presence.GIVEN)
        scope = fields.get("scope")
        return PropertyGroup(
            name=self._name,
            expression=self._combination(fields, presence),
            when=self.expression(fields["when"], presence) if "when" in fields else None,
            scope=None if scope is None else self._scope(scope),
            messages=self._messages(fields["heat"]) if "heat" in fields else MappingProxyType({}),
            client_version=self._client(fields) if "client_plugin" in fields else None,
        )

    def _scope(self, data: object) -> MemberPath:
        path = self._path(data)
        if path.root is not Root.SCOPE:
            raise self.error(f"the scope `{data}` must start at the top of the properties, without a sign")
        return path

    def _path(self, data: object) -> MemberPath:
        path = parse_path(data) if isinstance(data, str) else MemberPath(())
        if str(path) != data or not (path.steps or path.root is Root.TOP) or path.steps[:1] == (EACH_ELEMENT,):
            raise self.error(f"not a property path: {data!r}")
        return path

    def _map(self, data: object, keys: frozenset[str], what: str) -> Mapping[str, object]:
        if not isinstance(data, Mapping):
            raise self.error(f"{what} is a map, not {data!r}")
        unknown = sorted(str(key) for key in data if key not in keys)
        if unknown:
            raise self.error(f"{what} has no key `{unknown[0]}`")
        return data

    def _word(self, words: type[_Word], data: object, what: str) -> _Word:
        for word in words:
            if word == data:
                return word
        choice = ", ".join(f"`{word}`" for word in words if word)
        raise self.error(f"unknown {what} {data!r}; it is one of {choice}")

    def _presence(self, fields: Mapping[str, object], default: Presence) -> Presence:
        return self._word(Presence, fields["given"], "presence test") if "given" in fields else default

    def _list(self, data: object, what: str) -> list[object]:
        if not isinstance(data, list) or not data:
            raise self.error(f"{what} must be a list with at least one item")
        return data

    def _combination(self, fields: Mapping[str, object], presence: Presence) -> Combination:
        word = fields.get("operator")
        operator = self._word(Operator, word.upper() if isinstance(word, str) else word, "operator")
        members = self._list(fields.get("properties"), "`properties`")
        if operator.relates_values:
            if operator is not Operator.UNIQUE and len(members) < 2:
                raise self.error(f"{operator} relates at least two values")
            return Combination(operator, tuple(self.term(member, presence) for member in members))
        return Combination(operator, tuple(self.expression(member, presence) for member in members))

    def expression(self, data: object, presence: Presence) -> Expression:
        """A member, a reference, a version range or a nested combination."""
        if isinstance(data, str) and data.startswith(REFERENCE_PREFIX):
            return GroupReference(data.removeprefix(REFERENCE_PREFIX))
        if isinstance(data, Mapping) and "operator" in data:
            fields = self._map(data, frozenset({"operator", "properties", "given"}), "a combination")
            return self._combination(fields, self._presence(fields, presence))
        if isinstance(data, Mapping) and "client_plugin" in data:
            return self._client(self._map(data, frozenset({"client_plugin", "client_plugin_supported"}), "a version"))
        return self._member(data, presence)

    def term(self, data: object, presence: Presence) -> Term:
        """The values at a path, a sum, a product, or constants."""
        if isinstance(data, Mapping) and len(data) == 1:
            ((key, value),) = data.items()
            if key in ("sum", "product"):
                terms = tuple(self.term(item, presence) for item in self._list(value, f"`{key}`"))
                return Arithmetic(str(key), terms)
            if key == "values":
                return Constant(tuple(self._list(value, "`values`")))
        return self._member(data, presence)

    def _member(self, data: object, presence: Presence) -> Member:
        if isinstance(data, str):
            return Member(self._path(data), presence)
        fields = self._map(data, _MEMBER_KEYS, "a member")
        follow = fields.get("follow")
        excepted = fields.get("except", [])
        return Member(
            path=self._path(fields.get("property")),
            presence=self._presence(fields, presence),
            constraints=tuple(self._constraints(fields)),
            format=self._word(Format, fields["format"], "format") if "format" in fields else None,
            type=self._word(PropertyType, fields["type"], "type") if "type" in fields else None,
            quantifier=self._word(Quantifier, fields.get("quantifier", "any"), "quantifier"),
            where=self.expression(fields["where"], presence) if "where" in fields else None,
            follow=None if follow is None else str(follow),
            keys=fields.get("keys") is True,
            once=fields.get("once") is True,
            excepted=tuple(str(name) for name in excepted) if isinstance(excepted, list) else (),
        )

    def _constraints(self, fields: Mapping[str, object]) -> list[Constraint]:
        found: list[Constraint] = []
        if "allowed_values" in fields:
            found.append(AllowedValues(tuple(self._list(fields["allowed_values"], "`allowed_values`"))))
        if "range" in fields:
            found.append(Range(*self._limits(fields["range"], "range")))
        if "length" in fields:
            found.append(Length(*self._limits(fields["length"], "length")))
        if "allowed_pattern" in fields:
            pattern = fields["allowed_pattern"]
            try:
                re.compile(str(pattern))
            except re.error as error:
                raise self.error(f"{pattern!r} is no regular expression: {error}") from None
            found.append(AllowedPattern(str(pattern)))
        return found

    def _limits(self, data: object, what: str) -> tuple[int | None, int | None]:
        fields = self._map(data, frozenset({"min", "max"}), what)
        low, high = fields.get("min"), fields.get("max")
        if not isinstance(low, int | None) or not isinstance(high, int | None) or low is high is None:
            raise self.error(f"`{what}` needs a whole number as `min` or `max`")
        return low, high

    def _client(self, fields: Mapping[str, object]) -> ClientVersion:
        client = fields["client_plugin"]
        versions = [self._version(item) for item in self._list(fields.get("client_plugin_supported"), "versions")]
        if not isinstance(client, str) or len(versions) > 2:
            raise self.error("`client_plugin_supported` is the first version, or the first and the last")
        return ClientVersion(client, versions[0], versions[1] if len(versions) == 2 else None)

    def _version(self, data: object) -> tuple[int, ...]:
        if isinstance(data, str | int | float) and re.fullmatch(r"\d+(\.\d+)*", str(data)):
            return tuple(int(part) for part in str(data).split("."))
        raise self.error(f"not a version: {data!r}")

    def _messages(self, data: object) -> Mapping[Situation | None, HeatMessage]:
        if isinstance(data, Mapping) and data and all(key in tuple(Situation) for key in data):
            return MappingProxyType(
                {self._word(Situation, key, "situation"): self._message(value) for key, value in data.items()}
            )
        return MappingProxyType({None: self._message(data)})

    def _message(self, data: object) -> HeatMessage:
        if isinstance(data, str):
            return HeatMessage(ExceptionKind.TEXT, (data,))
        if not isinstance(data, Mapping) or len(data) != 1:
            raise self.error(f"a message is a text or one kind of exception with its names, not {data!r}")
        ((key, value),) = data.items()
        kind = self._word(ExceptionKind, key, "kind of exception")
        names = tuple(str(name) for name in self._list(value, f"`{kind}`"))
        if len(names) != _NAMES_OF_KIND.get(kind, len(names)):
            raise self.error(f"`{kind}` needs {_NAMES_OF_KIND[kind]} names")
        return HeatMessage(kind, names)

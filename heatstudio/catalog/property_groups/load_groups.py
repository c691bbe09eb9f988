"""Loading of property groups from `resources/groups`; tests compare them with the schemas of every release."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, Struct, field, to_builtins
from msgspec.structs import replace

from heatstudio.bundled_data import read_data
from heatstudio.catalog.facts import maps_in, text
from heatstudio.catalog.property_groups.property_group import (
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
    PropertyGroups,
    Quantifier,
    Root,
    Term,
    ViolationKind,
)
from heatstudio.catalog.schema import AllowedPattern, Constraint, PropertyType

Versions = tuple[Annotated[str, Meta(pattern=r"^\d+(\.\d+)*$")], ...]
"""The first supported version, or the first and the last."""
Message = str | Mapping[ExceptionKind, tuple[str, ...]]
"""A text, or an exception of Heat with property names."""
REFERENCE_PREFIX = "property_groups."
_NAMES_OF_KIND = {ExceptionKind.DEPENDENCY: 2, ExceptionKind.VALUE_DEPENDENCY: 3, ExceptionKind.TEXT: 1}


class PartData(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a group: a member (`property`), a combination (`operator`), a version (`client_plugin`) or a term."""

    property: str | None = None
    given: Presence | None = None
    constraints: tuple[Constraint, ...] = ()
    format: Format | None = None
    type: PropertyType | None = None
    quantifier: Quantifier = Quantifier.ANY
    where: str | PartData | None = None
    follow: str | None = None
    keys: bool = False
    once: bool = False
    excepted: tuple[str, ...] = field(default=(), name="except")
    operator: Operator | None = None
    properties: tuple[str | PartData, ...] = ()
    client_plugin: str | None = None
    client_plugin_supported: Versions = ()
    sum: tuple[str | PartData, ...] | None = None
    product: tuple[str | PartData, ...] | None = None
    values: tuple[object, ...] | None = None


class GroupData(Struct, frozen=True, forbid_unknown_fields=True):
    """The serialized form of a group."""

    operator: Operator
    properties: Annotated[tuple[str | PartData, ...], Meta(min_length=1)]
    given: Presence = Presence.GIVEN
    when: str | PartData | None = None
    scope: str | None = None
    heat: str | Mapping[ViolationKind, Message] = field(default_factory=dict)
    client_plugin: str | None = None
    client_plugin_supported: Versions = ()
    usual: str = ""
    """The property in `when` that most authors set instead of the members of the group."""
    words: str = ""
    """The requirement in our words, if words made from the members are hard to read."""
    exempt: Mapping[str, object] = field(default_factory=dict)
    """The values of other properties of a list item with which the item does not count."""
    since: int = 0
    """The first Heat that checks the group, as the first number of its version."""
    until: int | None = None
    """The last Heat that checks the group; None if the newest one does."""
    why: str = ""
    """An explanation for readers of the data."""

    def is_checked_by(self, series: int | None) -> bool:
        """Return whether the Heat of a series checks the group; None stands for the newest Heat."""
        return self.until is None if series is None else self.since <= series <= (self.until or series)


LibraryData = Mapping[str, str | Mapping[str, GroupData]]
"""Groups by resource type and name, or the name of a type with the same groups."""


class GroupDataError(ValueError):
    """An error for invalid data of a property group."""

    def __init__(self, type_name: str, group: str, reason: str) -> None:
        super().__init__(f"property group `{group}` of {type_name}: {reason}" if group else f"{type_name}: {reason}")


def parse_group(type_name: str, name: str, data: GroupData) -> PropertyGroup:
    """Parse a group. Raise GroupDataError if its data is invalid."""
    messages = {ViolationKind.ALWAYS: data.heat} if isinstance(data.heat, str) else data.heat
    try:
        return PropertyGroup(
            name=name,
            expression=_combination(data.operator, data.properties, data.given),
            when=_expression(data.when, data.given) if data.when is not None else None,
            scope=_scope(data.scope) if data.scope is not None else None,
            messages=MappingProxyType({situation: _message(message) for situation, message in messages.items()}),
            client_version=_version(data.client_plugin, data.client_plugin_supported) if data.client_plugin else None,
            usual=data.usual,
            states_types=any(isinstance(part, PartData) and part.type is not None for part in data.properties),
            words=data.words,
            exempt=MappingProxyType(dict(data.exempt)),
        )
    except (ValueError, re.error) as error:
        raise GroupDataError(type_name, name, str(error)) from None


def parse_path(text: str) -> MemberPath:
    """Parse a path such as `networks[*].port`, `/type` (from the top) or `@metadata.deployments` (see `Root.FACT`)."""
    root = Root(text[:1]) if text[:1] in (Root.TOP, Root.FACT) else Root.SCOPE
    return MemberPath(tuple(re.findall(r"\[\*\]|[^.\[\]]+", text[len(root) :])), root)


def _path(text: str) -> MemberPath:
    path = parse_path(text)
    if str(path) != text or not (path.steps or path.root is Root.TOP) or path.steps[:1] == (EACH_ELEMENT,):
        raise ValueError(f"not a property path: {text!r}")
    return path


def _scope(text: str) -> MemberPath:
    path = _path(text)
    if path.root is not Root.SCOPE:
        raise ValueError(f"the scope `{text}` must be relative to the top of the properties, without `/` or `@`")
    return path


def _combination(operator: Operator, members: tuple[str | PartData, ...], presence: Presence) -> Combination:
    if not operator.relates_values:
        return Combination(operator, tuple(_expression(member, presence) for member in members))
    if operator is not Operator.UNIQUE and len(members) < 2:
        raise ValueError(f"{operator} requires at least two values")
    return Combination(operator, tuple(_term(member, presence) for member in members))


def _expression(data: str | PartData, presence: Presence) -> Expression:
    """Parse a member, a reference, a version range or a nested combination."""
    match data:
        case str() if data.startswith(REFERENCE_PREFIX):
            return GroupReference(data.removeprefix(REFERENCE_PREFIX))
        case PartData(operator=Operator() as operator, properties=members, given=given):
            _refuse_more(data, PartData(operator=operator, properties=members, given=given))
            return _combination(operator, members, given or presence)
        case PartData(client_plugin=str() as client, client_plugin_supported=versions):
            _refuse_more(data, PartData(client_plugin=client, client_plugin_supported=versions))
            return _version(client, versions)
    return _member(data, presence)


def _term(data: str | PartData, presence: Presence) -> Term:
    """Parse a term: the values at a path, a sum, a product, or constants."""
    match data:
        case PartData(sum=tuple() as terms):
            _refuse_more(data, PartData(sum=terms))
            return Arithmetic("sum", tuple(_term(item, presence) for item in terms))
        case PartData(product=tuple() as terms):
            _refuse_more(data, PartData(product=terms))
            return Arithmetic("product", tuple(_term(item, presence) for item in terms))
        case PartData(values=tuple() as values):
            _refuse_more(data, PartData(values=values))
            return Constant(values)
    return _member(data, presence)


def _refuse_more(data: PartData, meant: PartData) -> None:
    if data != meant:
        raise ValueError(f"a part must be of one kind and have only the keys of that kind: {data!r}")


def _member(data: str | PartData, presence: Presence) -> Member:
    if isinstance(data, str):
        return Member(_path(data), presence)
    member = Member(
        path=_path(data.property or ""),
        presence=data.given or presence,
        constraints=data.constraints,
        format=data.format,
        type=data.type,
        quantifier=data.quantifier,
        where=_expression(data.where, presence) if data.where is not None else None,
        follow=data.follow,
        keys=data.keys,
        once=data.once,
        excepted=data.excepted,
    )
    if data.properties or data.client_plugin_supported or not (data.sum is data.product is data.values is None):
        raise ValueError(f"a part must be of one kind and have only the keys of that kind: {data!r}")
    for constraint in member.constraints:
        if isinstance(constraint, AllowedPattern):
            re.compile(constraint.pattern)
    return member


def _version(client: str, versions: Versions) -> ClientVersion:
    first, *last = (tuple(map(int, version.split("."))) for version in versions)
    return ClientVersion(client, first, *last)


def _message(data: Message) -> HeatMessage:
    if isinstance(data, str):
        return HeatMessage(ExceptionKind.TEXT, (data,))
    ((kind, names),) = data.items()
    if len(names) != _NAMES_OF_KIND.get(kind, len(names)):
        raise ValueError(f"`{kind}` needs {_NAMES_OF_KIND[kind]} names")
    return HeatMessage(kind, names)


class GroupLibrary:
    """The property groups of all resource types; each type's groups are parsed on first use.

    `series` is the first number of the version of the Heat that checks the groups; None means the newest Heat.
    """

    def __init__(self, data: LibraryData, series: int | None = None) -> None:
        self._data = data
        self._series = series
        self._groups: dict[str, PropertyGroups] = {}

    def at(self, series: int) -> GroupLibrary:
        """Return the library of an older Heat."""
        return GroupLibrary(self._data, series)

    def groups(self, type_name: str) -> PropertyGroups:
        """Return a type's groups in Heat's order of checks. Raise GroupDataError if one is invalid."""
        if type_name not in self._groups:
            self._groups[type_name] = self._parse(type_name)
        return self._groups[type_name]

    def client_plugins(self) -> list[str]:
        """Return the client plug-ins whose API version property groups use, sorted."""
        return sorted({name for one in maps_in(to_builtins(self._data)) if (name := text(one, "client_plugin"))})

    def _parse(self, type_name: str) -> PropertyGroups:
        data = self._data.get(type_name, {})
        if isinstance(data, str):
            data = self._data.get(data, data)
        if isinstance(data, str):
            raise GroupDataError(type_name, "", "the groups of a type must be a map, or the name of a type with a map")
        checked = {name: group for name, group in data.items() if group.is_checked_by(self._series)}
        return parse_groups(type_name, checked)


def load_groups(folder: Path) -> GroupLibrary:
    """Load all JSON files of a folder. Raise OSError, or ValueError for invalid data."""
    data: dict[str, str | Mapping[str, GroupData]] = {}
    for path in sorted(folder.glob("*.json")):
        content = read_data(path, dict[str, str | dict[str, GroupData]])
        twice = content.keys() & data.keys()
        if twice:
            raise GroupDataError(min(twice), "", f"declared a second time in {path.name}")
        data.update(content)
    return GroupLibrary(data)


def parse_groups(type_name: str, data: Mapping[str, GroupData]) -> PropertyGroups:
    """Parse the groups of one type. Raise GroupDataError, which names the type and the group."""
    groups = [parse_group(type_name, name, group) for name, group in data.items()]
    parts = {name for group in groups for name in references(group)}
    return tuple(replace(group, referenced=group.name in parts) for group in groups)


def references(group: PropertyGroup) -> list[str]:
    """Return the names of the groups to which a group refers."""
    found: list[str] = []
    pending: list[object] = [group.expression, group.when]
    while pending:
        item = pending.pop()
        if isinstance(item, GroupReference):
            found.append(item.name)
        elif isinstance(item, Combination):
            pending.extend(item.members)
        elif isinstance(item, Member):
            pending.append(item.where)
    return found

"""Parsing of the serialized form of a property group."""

import re
from types import MappingProxyType

from heatstudio.catalog.property_groups.group_data import GroupData, Message, PartData, Versions
from heatstudio.catalog.property_groups.property_group import (
    EACH_ELEMENT,
    Arithmetic,
    ClientVersion,
    Combination,
    Constant,
    ExceptionKind,
    Expression,
    GroupReference,
    HeatMessage,
    Member,
    MemberPath,
    Operator,
    Presence,
    PropertyGroup,
    Root,
    Term,
    ViolationKind,
)
from heatstudio.catalog.schema import AllowedPattern

REFERENCE_PREFIX = "property_groups."
_NAMES_OF_KIND = {ExceptionKind.DEPENDENCY: 2, ExceptionKind.VALUE_DEPENDENCY: 3, ExceptionKind.TEXT: 1}


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

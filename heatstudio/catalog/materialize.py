"""Resource types out of the facts of the harvest, with Heat's words where there are any."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from heatstudio.catalog.facts import Facts, items, mapping, optional_text, part, text, texts
from heatstudio.catalog.resource_type import Family, ReferenceBeforeCreation, ResourceType
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    AttributeSchema,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    PropertyType,
    Range,
)
from heatstudio.catalog.support_status import SUPPORTED, Status, SupportStatus
from heatstudio.catalog.translation_rule import TranslationKind, TranslationRule, ValueOf

_Member = TypeVar("_Member", bound=StrEnum)


def resource_type(name: str, facts: Facts, prose: Facts) -> ResourceType:
    """The type that the facts tell of."""
    return ResourceType(
        name=name,
        class_name=text(facts, "class"),
        support_status=support_status(facts.get("status"), prose.get("status")),
        properties=properties(part(facts, "properties"), part(prose, "properties")),
        attributes=attributes(part(facts, "attributes"), part(prose, "attributes")),
        translation_rules=tuple(
            made for rule in items(facts, "translation_rules") if (made := translation_rule(mapping(rule))) is not None
        ),
        update_policy=properties(part(facts, "update_policy"), part(prose, "update_policy")),
        snapshot_allowed=bool(facts.get("snapshot_allowed")),
        client_plugin=optional_text(facts, "client_plugin"),
        service_extension=optional_text(facts, "service_extension"),
        entity=optional_text(facts, "entity"),
        families=frozenset(
            member for family in items(facts, "families") if (member := _member(Family, family)) is not None
        ),
        overrides={hook: str(definer) for hook, definer in part(facts, "overrides").items()},
        reference_before_creation=_member(ReferenceBeforeCreation, facts.get("reference_before_creation"))
        or ReferenceBeforeCreation.NAME,
        reference_property=optional_text(facts, "reference_property"),
        description=text(prose, "description"),
    )


def properties(facts: Facts, prose: Facts) -> dict[str, PropertySchema]:
    """Schemas by name, in the order in which Heat checks them."""
    return {name: _property(name, mapping(fact), part(prose, name)) for name, fact in facts.items()}


def _property(name: str, facts: Facts, prose: Facts) -> PropertySchema:
    words = items(prose, "constraints")
    return PropertySchema(
        name=name,
        type=_member(PropertyType, facts.get("type")) or PropertyType.ANY,
        required="required" in facts,
        default=facts.get("default"),
        update_allowed="update_allowed" in facts,
        immutable="immutable" in facts,
        implemented="implemented" not in facts,
        allow_conversion="allow_conversion" in facts,
        constraints=tuple(
            constraint(mapping(fact), str(words[position]) if position < len(words) else "")
            for position, fact in enumerate(items(facts, "constraints"))
        ),
        support_status=support_status(facts.get("status"), prose.get("status")),
        children=properties(part(facts, "children"), part(prose, "children")),
        description=text(prose, "description"),
    )


def attributes(facts: Facts, prose: Facts) -> dict[str, AttributeSchema]:
    """Schemas by name."""
    return {name: _attribute(name, mapping(fact), part(prose, name)) for name, fact in facts.items()}


def _attribute(name: str, facts: Facts, prose: Facts) -> AttributeSchema:
    return AttributeSchema(
        name=name,
        type=_member(PropertyType, facts.get("type")),
        support_status=support_status(facts.get("status"), prose.get("status")),
        cached=facts.get("cached") is not False,
        description=text(prose, "description"),
    )


def constraint(facts: Facts, words: str) -> Constraint:
    """The constraint of one key; `words` are what Heat says when it is not met, if it has words of its own."""
    description = words or None
    match facts:
        case {"range": [minimum, maximum]}:
            return Range(_number(minimum), _number(maximum), description)
        case {"length": [minimum, maximum]}:
            return Length(_whole(minimum), _whole(maximum), description)
        case {"modulo": [int() | float() as step, int() | float() as offset]}:
            return Modulo(step, offset, description)
        case {"allowed_values": [*values]}:
            return AllowedValues(tuple(values), description)
        case {"allowed_pattern": str() as pattern}:
            return AllowedPattern(pattern, description)
        case _:
            return CustomConstraint(text(facts, "custom_constraint"), description)


def _member(kind: type[_Member], value: object) -> _Member | None:
    """The member of this value; None if another Heat has one that is not known here."""
    return next((member for member in kind if member == value), None)


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def support_status(chain: object, messages: object = None) -> SupportStatus:
    """The chain that is written newest first; what has none is and always was supported."""
    states = chain if isinstance(chain, list) else [{"status": "SUPPORTED"}] if messages else []
    words = messages if isinstance(messages, list) else []
    status: SupportStatus | None = None
    for position, state in reversed(list(enumerate(states))):
        facts = mapping(state)
        status = SupportStatus(
            status=_member(Status, facts.get("status")) or Status.UNSUPPORTED,
            version=optional_text(facts, "version"),
            message=str(words[position]) if position < len(words) else "",
            successor=optional_text(facts, "successor"),
            substitute=optional_text(facts, "substitute"),
            previous=status,
        )
    return status or SUPPORTED


def translation_rule(facts: Facts) -> TranslationRule | None:
    """One rule, if it is of a known kind."""
    kind = _member(TranslationKind, facts.get("kind"))
    if kind is None:
        return None
    picked = part(facts, "entity_by")
    entities = tuple((value, str(entity)) for value, entity in part(picked, "entities").items())
    return TranslationRule(
        kind=kind,
        path=texts(facts, "path"),
        value=_constant(facts.get("value")),
        value_name=optional_text(facts, "value_name"),
        value_path=texts(facts, "value_path") if "value_path" in facts else None,
        custom_value_path=texts(facts, "custom_value_path"),
        client_plugin=optional_text(facts, "client_plugin"),
        finder=optional_text(facts, "finder"),
        entity=optional_text(facts, "entity"),
        entity_by=(text(picked, "property"), entities) if picked else None,
        when_set=optional_text(facts, "when_set"),
    )


def _constant(value: object) -> object:
    """A constant of a rule, in which a map of the one key `$value_of` stands for a property's value."""
    match value:
        case {"$value_of": name}:
            return ValueOf(str(name))
        case dict():
            return {key: _constant(item) for key, item in value.items()}
        case list():
            return [_constant(item) for item in value]
        case _:
            return value

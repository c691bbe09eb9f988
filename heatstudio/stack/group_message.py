"""What is said of a broken property group: in Heat's words, and in our own."""

from __future__ import annotations

from collections.abc import Sequence

from heatstudio.catalog.parse_group import parse_path
from heatstudio.catalog.property_group import (
    Combination,
    Constant,
    Expression,
    GroupReference,
    Member,
    Operator,
    PropertyGroup,
    Term,
)
from heatstudio.catalog.schema import AllowedPattern, AllowedValues, Length, Range
from heatstudio.catalog.verify_groups import FIELD
from heatstudio.stack.group_context import GroupContext
from heatstudio.stack.group_places import find
from heatstudio.stack.group_truth import GroupTruth, Outcome, conversion_fault

_NEEDS = {
    Operator.AND: "{all} must hold together",
    Operator.OR: "at least one of {any} is needed",
    Operator.XOR: "exactly one of {any} is needed",
    Operator.NONE: "{any} must not be set",
    Operator.AT_MOST_ONE: "at most one of {any} may be set",
    Operator.ALL_OR_NONE: "either all or none of {all} may be set",
    Operator.DEPENDS_ON: "{first} needs {rest}",
    Operator.LE: "the values of {all} must be in ascending order",
    Operator.EQUAL: "the values of {all} must be equal",
    Operator.UNIQUE: "the values of {all} must differ from each other",
    Operator.SUBSET: "every value of {first} must be a value of {rest}",
    Operator.DISJOINT: "no value of {first} may be a value of {rest}",
}


def heat_message(
    group: PropertyGroup, outcome: Outcome, truth: GroupTruth, values: object, context: GroupContext
) -> str:
    """Heat's message for a broken group; our own where the group knows none."""
    message = group.message(outcome.situation)
    if message is None:
        return own_message(group, outcome)
    words = {
        "$resource": context.resource,
        "$resources": context.resources_word,
        "$properties": context.properties_word,
        "$names": ", ".join(sorted(member_name(held.member) for held in outcome.members if held.truth)),
        "$missing": ", ".join(str(value) for value in outcome.missing),
        "$missing_list": str(list(outcome.missing)),
        "$first_missing": ", ".join(str(value) for value in outcome.missing[:1]),
        "$first": ", ".join(str(value) for value in truth.values(group.expression.members[0])),
        "$fault": _conversion_faults(outcome),
    }

    def values_at(path: str) -> list[object]:
        return [place.value for place in find(parse_path(path), values, {}, truth.here)]

    def field(text: str) -> str:
        word, *names = text.split() if text.startswith("$") else ("", text)
        if word == "$set":
            return str([name for name in names if any(values_at(name))])
        return words[word] if word else ", ".join(str(value) for value in values_at(text))

    return FIELD.sub(lambda found: field(found[1]), message.text)


def _conversion_faults(outcome: Outcome) -> str:
    faults = (
        conversion_fault(held.member.type, place.value)
        for held in outcome.members
        if isinstance(held.member, Member) and held.member.type is not None
        for place in held.places
    )
    return ", ".join(fault for fault in faults if fault)


def own_message(group: PropertyGroup, outcome: Outcome) -> str:
    """One sentence on what the group asks for and what it met instead."""
    names = [_described(member) for member in group.expression.members]
    needs = _NEEDS[group.expression.operator].format(
        any=_joined(names, "or"), all=_joined(names, "and"), first=names[0], rest=_joined(names[1:] or names, "and")
    )
    if group.expression.operator.relates_values:
        return needs
    held = list(dict.fromkeys(_described(held.member) for held in outcome.members if held.truth))
    if not held:
        return f"{needs}; none is set"
    return f"{needs}; {_joined(held, 'and')} {'is' if len(held) == 1 else 'are'} set"


def member_name(member: Expression | Term) -> str:
    """The name of a member; alternatives are joined by a slash, as Heat does."""
    match member:
        case Member():
            return ".".join(step for step in member.path.steps if step.isidentifier())
        case Combination():
            return "/".join(member_name(part) for part in member.members)
        case GroupReference(name):
            return name
        case _:
            return ""


def _described(member: Expression | Term) -> str:
    match member:
        case Member():
            return f"`{member.path}`" + "".join(_condition(constraint) for constraint in member.constraints)
        case Combination(operator, members):
            return _joined([_described(part) for part in members], "and" if operator is Operator.AND else "or")
        case GroupReference(name):
            return f"the group `{name}`"
        case Constant(values):
            return _joined([str(value) for value in values], "and")
        case _:
            return _joined([_described(part) for part in getattr(member, "terms", ())], "and")


def _condition(constraint: object) -> str:
    match constraint:
        case AllowedValues(values):
            return f" ({_joined([str(value) for value in values], 'or')})"
        case Range(minimum, maximum):
            return f" (from {minimum} to {maximum})" if minimum is not None else f" (at most {maximum})"
        case Length(minimum, maximum):
            return f" (length {minimum if minimum == maximum else f'{minimum or 0} to {maximum}'})"
        case AllowedPattern(pattern):
            return f" (matching {pattern})"
        case _:
            return ""


def _joined(names: Sequence[str], word: str) -> str:
    known = [name for name in names if name]
    if len(known) < 2:
        return "".join(known)
    return f"{', '.join(known[:-1])} {word} {known[-1]}"

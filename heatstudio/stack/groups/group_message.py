"""The messages of a broken property group: Heat's and our own."""

import re
from collections.abc import Sequence

from heatstudio.catalog.property_groups.load_groups import parse_path
from heatstudio.catalog.property_groups.property_group import (
    EACH_ELEMENT,
    Arithmetic,
    ClientVersion,
    Combination,
    Constant,
    Expression,
    Format,
    GroupReference,
    Member,
    Operator,
    PropertyGroup,
    Term,
)
from heatstudio.catalog.schema import ANY_ELEMENT, AllowedPattern, AllowedValues, Length, Range
from heatstudio.stack.groups.group_truth import CombinationResult, GroupTruth, conversion_fault
from heatstudio.text import enumerated

FIELD = re.compile(r"\{([\w$/@][^{}']*)\}")
"""A field in the text of a message: a property path, or a word that starts with `$`."""
_STACK = "@stack."
_REQUIRED = re.compile("(`[^`]*`) is required")
_NEEDS: dict[object, str] = {
    Operator.OR: "at least one of {any} is required",
    Operator.XOR: "exactly one of {any} is required",
    Operator.NONE: "{any} must not be set",
    Operator.AT_MOST_ONE: "at most one of {any} may be set",
    (Operator.AT_MOST_ONE, 2): "{rest} cannot be set together with {first}",
    (Operator.LE, 2): "{first} must not be greater than {rest}",
    Operator.LE: "the values of {all} must be in ascending order",
    Operator.EQUAL: "the values of {all} must be equal",
    Operator.UNIQUE: "the values of {all} must be unique",
    Operator.SUBSET: "every value of {first} must be in {rest}",
    Operator.DISJOINT: "{first} must not contain {others}",
}


def heat_message(group: PropertyGroup, outcome: CombinationResult, truth: GroupTruth) -> str:
    """Return Heat's message for a broken group, or our own if Heat has none."""
    message = group.message(outcome.situation)
    if message is None:
        return own_message(group, outcome)
    words = {
        "$resource": truth.context.resource,
        "$resources": truth.context.resources_word,
        "$properties": truth.context.properties_word,
        "$names": ", ".join(sorted(member_name(held.member) for held in outcome.members if held.truth)),
        "$missing": ", ".join(str(value) for value in outcome.missing),
        "$missing_list": str(list(outcome.missing)),
        "$first_missing": ", ".join(str(value) for value in outcome.missing[:1]),
        "$first": ", ".join(str(value) for value in truth.values(group.expression.members[0])),
        "$fault": _conversion_faults(outcome),
    }

    def values_at(path: str) -> list[object]:
        return [place.value for place in truth.places(Member(parse_path(path)))]

    def field(text: str) -> str:
        word, *names = text.split() if text.startswith("$") else ("", text)
        if word == "$set":
            return str([name for name in names if any(values_at(name))])
        return words[word] if word else ", ".join(str(value) for value in values_at(text))

    return FIELD.sub(lambda found: field(found[1]), message.text)


def _conversion_faults(outcome: CombinationResult) -> str:
    faults = (
        conversion_fault(held.member.type, place.value)
        for held in outcome.members
        if isinstance(held.member, Member) and held.member.type is not None
        for place in held.places
    )
    return ", ".join(fault for fault in faults if fault)


def own_message(group: PropertyGroup, outcome: CombinationResult) -> str:
    """Return a sentence on the requirement of the group and the properties that are set."""
    if group.words:
        return group.words
    usual = _without_usual(group, outcome) if group.usual else ""
    operator, members = group.expression.operator, group.expression.members
    if usual or group.client_version is not None or operator in (Operator.AND, Operator.DEPENDS_ON):
        return usual or group_words(group, [demanded(held.member) for held in outcome.members if held.truth is False])
    held = list(dict.fromkeys(held.member for held in outcome.members if held.truth))
    names = None if operator.relates_values else _choices(members)
    needs = _needs(operator, held if operator is Operator.NONE and held else members, names) + _guard(group)
    if not (names and held) or operator is Operator.NONE or (operator is Operator.AT_MOST_ONE and len(members) == 2):
        return needs
    return f"{needs}; {enumerated([*map(described, held)])} {'is' if len(held) == 1 else 'are'} set"


def group_words(group: PropertyGroup, demands: Sequence[str] = ()) -> str:
    """Return the requirement of the group; `demands` are those of its members, by default of all of them."""
    operator, members = group.expression.operator, group.expression.members
    if group.client_version is not None:
        return f"{demanded(group.client_version)} when {enumerated(map(_state, members))}"
    if operator in (Operator.AND, Operator.DEPENDS_ON):
        needed, first = members[operator is Operator.DEPENDS_ON :], described(members[0])
        demand = enumerated(_together(demands or [demanded(member) for member in needed])) + _guard(group)
        return demand if operator is Operator.AND or demand.startswith(first) else f"with {first}, {demand}"
    return _needs(operator, members) + _guard(group)


def _together(demands: Sequence[str]) -> Sequence[str]:
    """Return the demands, with one clause for all single properties that are required."""
    names = [found[1] for found in map(_REQUIRED.fullmatch, demands) if found]
    others = [demand for demand in demands if not _REQUIRED.fullmatch(demand)]
    return [f"{enumerated(names)} are required", *others] if len(names) > 1 else demands


def _needs(operator: Operator, members: Sequence[Expression | Term], names: Sequence[str] | None = None) -> str:
    names = names or [described(member) for member in members]
    if operator is Operator.NONE:
        return demanded(Combination(operator, tuple(members)))
    are_values = all(isinstance(member, Member) and not member.is_presence for member in members)
    if operator is Operator.OR and (are_values or len(members) == 1):
        return ", or ".join(map(demanded, members))
    pattern = _NEEDS.get((operator, len(names))) or _NEEDS[operator]
    any_, all_, others = enumerated(names, "or"), enumerated(names), names[1:] or names
    return pattern.format(any=any_, all=all_, first=names[0], rest=enumerated(others), others=enumerated(others, "or"))


def _without_usual(group: PropertyGroup, outcome: CombinationResult) -> str:
    """Return a message if neither the usual property nor an alternative is set; otherwise an empty string."""
    choices = [
        described(part)
        for rule in (*group.expression.members, group.when)
        if isinstance(rule, Combination) and (rule is group.when or rule.operator is not Operator.NONE)
        for part in rule.members
    ]
    given = {f"`{place.path[-1]}`" for held in outcome.members for place in held.places if place.value}
    others = [choice for choice in choices if choice != f"`{group.usual}`"]
    if not given:
        return f"missing `{group.usual}`; set it, or one of {enumerated(others, 'or')}"
    return f"missing required property `{group.usual}`" if given.isdisjoint(choices) else ""


def _choices(members: Sequence[Expression | Term]) -> list[str]:
    """Return the members in words; properties of the items of the same list are grouped."""
    choices: dict[str, list[str]] = {}
    for member in members:
        words = described(member)
        if isinstance(member, Member) and member.follow is None and EACH_ELEMENT in member.path.steps[1:-1]:
            whole = str(member.path)
            above, _, name = whole.rpartition("[*].")
            choices.setdefault(f"an item of `{above}` ", []).append(words.replace(f"`{whole}`", f"`{name}`"))
        else:
            choices[words] = []
    return [f"{above}{_with(names)}" if names else above for above, names in choices.items()]


def _with(names: Sequence[str]) -> str:
    """Return the requirement for the properties of an item in words."""
    return f"whose {names[0]}" if len(names) == 1 and " is " in names[0] else f"with {enumerated(names, 'or')}"


def _guard(group: PropertyGroup) -> str:
    """Return the condition of the group in words; empty if it is only that one of its properties is set."""
    own = {member.path for member in group.expression.members if isinstance(member, Member)}
    match group.when:
        case None:
            return ""
        case Member(path=path) if path in own:
            return ""
        case Combination(Operator.AND, members):
            others = [part for part in members if not (isinstance(part, Member) and part.path in own)]
            return f" when {enumerated(map(_state, others))}" if others else ""
        case guard:
            return f" when {_state(guard)}"


def _state(expression: Expression | Term) -> str:
    match expression:
        case Member() if expression.is_presence:
            return f"{described(expression)} is set"
        case Combination(Operator.NONE, members) if len(members) > 1:
            return f"neither {enumerated(map(described, members), 'nor')} is set"
        case Combination(Operator.NONE, (member,)):
            return _state(member).replace(" is ", " is not ", 1)
        case _:
            return described(expression)


def demanded(member: Expression | Term) -> str:
    """Return the requirement of a member as a clause."""
    match member:
        case Member() if member.is_presence and member.follow is None:
            return f"{_named(member)} is required"
        case Member():
            return f"{_named(member)} must {_condition(member)}"
        case Combination(Operator.NONE, (Member(constraints=(AllowedValues((True,)),)) as member,)):
            return f"{_named(member)} must be false"
        case Combination(Operator.NONE, (Member(is_presence=False) as member,)):
            return f"{_named(member)} must not {_condition(member)}"
        case Combination(Operator.NONE, members):
            if any(isinstance(part, Member) and str(part.path) == ANY_ELEMENT for part in members):
                return "no other property may be set"
            return f"{enumerated(map(described, members), 'or')} must not be set"
        case Combination(Operator.XOR, members):
            return f"exactly one of {enumerated(map(described, members), 'or')} is required"
        case ClientVersion():
            return _version(member, "must be")
        case _:
            return f"{described(member)} is required"


def member_name(member: Expression | Term) -> str:
    """Return the name of a member; alternatives are joined by a slash, as in Heat."""
    match member:
        case Member():
            return ".".join(step for step in member.path.steps if step.isidentifier())
        case Combination():
            return "/".join(member_name(part) for part in member.members)
        case GroupReference(name):
            return name
        case _:
            return ""


def described(expression: Expression | Term) -> str:
    """Return an expression in words."""
    match expression:
        case Member():
            condition = "" if expression.is_presence else f" is to {_condition(expression)}"
            return f"{_named(expression)}{condition}".replace(" is to be ", " is ")
        case Combination(Operator.NONE, members):
            return f"no {enumerated(map(described, members), 'or')}"
        case Combination(operator, members):
            return enumerated(map(described, members), "and" if operator is Operator.AND else "or")
        case GroupReference(name):
            return f"the group `{name}`"
        case ClientVersion():
            return _version(expression, "is")
        case Constant(values):
            return enumerated(_codes(values), "or")
        case Arithmetic(operation, terms):
            return f"the {operation} of {enumerated(map(described, terms))}"


def _version(version: ClientVersion, verb: str) -> str:
    return f"the API version of {version.client_plugin} {verb} at least {'.'.join(map(str, version.first))}"


def _named(member: Member) -> str:
    """Return the path of a member; outside the scope, as seen from the resource."""
    path = f"`{member.path}`".replace("`/`", "another property").replace("`/", "`properties.").replace("`@", "`")
    if str(member.path).startswith(_STACK):
        path = f"the {str(member.path).removeprefix(_STACK).removesuffix(EACH_ELEMENT)} of the stack"
    return f"`{member.follow}` of {path}" if member.follow else path


def _condition(member: Member) -> str:
    """Return the requirement of a member for its value, as the words after "must"."""
    parts = [_FORMATS[member.format]] if member.format is not None else []
    parts += [f"be a {member.type.lower()}"] if member.type is not None else []
    for constraint in member.constraints:
        match constraint:
            case AllowedValues(values):
                parts.append(f"be {enumerated(_codes(values), 'or')}")
            case Range(minimum, maximum) | Length(minimum, maximum):
                low = f"at least {minimum}" if minimum is not None else ""
                high = f"at most {maximum}" if maximum is not None else ""
                exact = f"exactly {minimum}" if minimum == maximum else enumerated([low, high])
                if isinstance(constraint, Length):
                    parts.append(f"have {exact} {'item' if 1 in (minimum, maximum) else 'items'}")
                else:
                    parts.append(f"be {exact}{' seconds' if member.format is Format.DURATION else ''}")
            case AllowedPattern(pattern):
                parts.append(f"match `{pattern}`")
    return enumerated(parts) or "be set"


_FORMATS = {
    Format.BASE64: "be base64-encoded",
    Format.IP_ADDRESS: "be an IP address",
    Format.DURATION: "be a duration such as PT1H30M",
    Format.RESOURCE: "be a resource of the stack",
    Format.REQUIRED_RESOURCE: "be a reference to a resource, not just its name",
}


def _codes(values: Sequence[object]) -> list[str]:
    return [f"`{str(value).lower() if isinstance(value, bool) else value}`" for value in values]

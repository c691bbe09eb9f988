"""Descriptions of catalog entries as sentences, with code in backticks."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from heatstudio.analysis.assist.expectation import PropertyOwner, Role
from heatstudio.analysis.assist.signature import Signature
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.load import REMOVED, Catalog, custom_constraint_words
from heatstudio.catalog.property_groups.property_group import Combination, Expression, Member, PropertyGroup, Term
from heatstudio.catalog.release import Status, SupportStatus, status_words
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    AttributeSchema,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    Range,
    ResourceType,
)
from heatstudio.stack.groups.group_message import group_words
from heatstudio.template.dialect import ALIASES, HOT_KEY
from heatstudio.text import counted
from heatstudio.update.decision.property_effect import property_effect

_LONGEST_VALUE = 120
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Documentation(NamedTuple):
    """The documentation of a name: a title and sentences, with code in backticks."""

    title: str
    lines: tuple[str, ...]


def value_words(value: object) -> str:
    """Return a value as one short line."""
    if isinstance(value, str):
        text = value if value and "\n" not in value else json.dumps(value, ensure_ascii=False)
    else:
        text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def status_line(status: SupportStatus) -> str:
    """Return the status with version, replacement and previous statuses; empty if it was always supported."""
    states = list(status.chain())
    if len(states) == 1 and status.status is Status.SUPPORTED and status.version is None and not status.message:
        return ""
    use = status.successor or status.substitute
    advice = status.message or (f"use `{use}`" if use else "")
    line = status_words(status) + (f" — {advice}" if advice else "")
    changes = [state for later, state in pairwise(states) if state.status is not later.status]
    before = ", ".join(map(status_words, changes))
    return f"{line} (previously: {before})" if before else line


def constraint_words(constraint: Constraint) -> str:
    """Return a constraint as a phrase."""
    match constraint:
        case Range(minimum, maximum):
            return _limits(minimum, maximum)
        case Length(minimum, maximum):
            return f"length {_limits(minimum, maximum)}"
        case Modulo(step, offset):
            return f"a multiple of {step:.15g}" + (f" plus {offset:.15g}" if offset else "")
        case AllowedValues(values):
            return "one of " + ", ".join(f"`{value_words(value)}`" for value in values)
        case AllowedPattern(pattern):
            return f"matches `{pattern}`"
        case CustomConstraint(name):
            return f"{custom_constraint_words().get(name) or _object_words(name)} (`{name}`)"


def _object_words(name: str) -> str:
    """Return the kind of object that a custom constraint names, as in `neutron.address_scope`."""
    kind = name.rpartition(".")[2].replace("_", " ")
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def _limits(minimum: float | None, maximum: float | None) -> str:
    if minimum is None:
        return f"at most {maximum:.15g}" if maximum is not None else "any"
    if maximum is None:
        return f"at least {minimum:.15g}"
    return f"{minimum:.15g}" if minimum == maximum else f"{minimum:.15g} to {maximum:.15g}"


def property_documentation(
    model: SemanticModel, owner: PropertyOwner | None, schema: PropertySchema, names: tuple[str, ...]
) -> Documentation:
    """Return the documentation of a property; `names` is its path below the properties of its owner."""
    words = [schema.name, str(schema.type), *(["required"] if schema.required else [])]
    facts = [constraint_words(constraint) for constraint in schema.constraints]
    if schema.default is not None:
        facts.append(f"default `{value_words(schema.default)}`")
    lines = [
        schema.description,
        _update_sentence(model, owner, names),
        "; ".join(facts),
        status_line(schema.support_status),
        "" if schema.implemented else "Not implemented; Heat rejects it.",
    ]
    if owner is not None:
        groups = (one for one in model.knowledge.groups(owner.type) if not one.referenced)
        lines += [group_words(one) for one in groups if ".".join(names) in member_paths(one)]
        lines.append(_lookup_line(owner.type.translation_rules, names))
    return Documentation(" · ".join(words), tuple(sentence(line) for line in lines if line))


def _update_sentence(model: SemanticModel, owner: PropertyOwner | None, names: tuple[str, ...]) -> str:
    if owner is None or names[0] not in owner.type.properties:
        return ""
    behavior = model.knowledge.update_behavior(owner.type)
    return property_effect(owner.type, behavior, names[0], map_at(model.template, owner.path)).sentence


def _lookup_line(rules: Iterable[TranslationRule], path: tuple[str, ...]) -> str:
    """Return the sentence about Heat's lookup of a name in a property; empty if Heat looks up no name."""
    for rule in rules:
        if rule.kind is TranslationKind.RESOLVE and rule.path == path:
            kind = " ".join(word for word in (rule.client_plugin, _looked_up(rule)) if word)
            when = "when the stack is created or updated"
            return f"Heat looks up this name in your cloud ({kind}) {when}; you can also use an ID."
    return ""


def _looked_up(rule: TranslationRule) -> str:
    """Return the kind of object that a RESOLVE rule finds: its entity, or the middle words of its finder's name."""
    if rule.entity_by is not None:
        return f"object of the type in `{rule.entity_by[0]}`"
    name = rule.entity or (rule.finder or "").removesuffix("_by_name_or_id").removesuffix("_id").partition("_")[2]
    return name.replace("_", " ")


def member_paths(group: PropertyGroup) -> Iterator[str]:
    """Yield the dotted paths of all properties in a group."""
    scope = [step for step in group.scope.steps if step.isidentifier()] if group.scope is not None else []
    waiting: list[Expression | Term] = [group.expression]
    while waiting:
        match waiting.pop():
            case Combination(members=members):
                waiting.extend(members)
            case Member(path=path):
                yield ".".join([*scope, *(step for step in path.steps if step.isidentifier())])
            case _:
                pass


def type_lines(resource_type: ResourceType) -> tuple[str, ...]:
    """Return the description of a resource type."""
    shown = [
        schema for schema in resource_type.properties.values() if schema.support_status.status is not Status.HIDDEN
    ]
    required = [f"`{schema.name}`" for schema in shown if schema.required]
    count = len(resource_type.attributes)
    lines = [
        resource_type.description,
        f"required: {', '.join(required)}" if required else "No property is required",
        ", ".join((counted(len(shown), "property", "properties"), counted(count, "attribute", "attributes"))),
        status_line(resource_type.support_status),
    ]
    return tuple(sentence(line) for line in lines if line)


def attribute_lines(schema: AttributeSchema) -> tuple[str, ...]:
    """Return the description of an attribute."""
    description = schema.description
    return tuple(sentence(line) for line in (description, status_line(schema.support_status)) if line)


def function_documentation(signature: Signature, catalog: Catalog) -> Documentation:
    """Return the documentation of a function."""
    lines = (signature.summary, f"`{signature.name}: {signature.arguments}`", versions_line(signature.name, catalog))
    return Documentation(f"{signature.name} · function", lines)


def versions_line(name: str, catalog: Catalog) -> str:
    """Return the template versions that support a function."""
    having: dict[str, list[str]] = {}
    newest: dict[str, str] = {}
    for version in sorted(catalog.template_versions, key=lambda version: version.name):
        if version.key == HOT_KEY and version.name in ALIASES:
            continue
        newest[version.key] = version.name
        known = version.functions.get(name) or version.condition_functions.get(name)
        if known is not None and known != REMOVED:
            having.setdefault(version.key, []).append(version.name)
    phrases = [
        f"`{key}` " + (f"{names[0]} and later" if names[-1] == newest[key] and len(names) > 1 else ", ".join(names))
        for key, names in having.items()
    ]
    return f"In {'; '.join(phrases)}." if phrases else ""


def sentence(line: str) -> str:
    """Return a phrase as a sentence."""
    line = line.strip()
    if line[:1].islower():
        line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "!", "?", ")", ":")) else f"{line}."


@cache
def _keywords() -> Mapping[Role, Mapping[str, str]]:
    """Return the explanations of the template language's keywords."""
    return read_data(resource_path("keywords.json"), dict[Role, dict[str, str]])


def keyword_sentence(role: Role, name: str) -> str:
    """Return the explanation of a key in a map of a role; empty if it is not a keyword."""
    return _keywords().get(role, {}).get(_HUMP.sub("_", name).lower(), "")


def keyword_documentation(role: Role, name: str) -> Documentation | None:
    """Return the documentation of a key; None if it is not a keyword."""
    sentence = keyword_sentence(role, name)
    return Documentation(name, (sentence,)) if sentence else None

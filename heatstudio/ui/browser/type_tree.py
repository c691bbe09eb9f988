"""The details of a resource type as a tree."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat

from heatstudio.analysis.assist.sentences import constraint_words, sentence, status_line
from heatstudio.catalog.load import release_changes
from heatstudio.catalog.property_groups.property_group import PropertyGroup
from heatstudio.catalog.release import Status, SupportStatus, status_words
from heatstudio.catalog.rules.update_rule import UpdateBehavior
from heatstudio.catalog.schema import ANY_ELEMENT, AttributeSchema, PropertySchema, ResourceType
from heatstudio.stack.groups.group_message import group_words
from heatstudio.ui.browser.life_line import STATUS_ICONS
from heatstudio.ui.widgets.outcome import icon_of
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import Branch, Cell
from heatstudio.update.decision.property_effect import PropertyEffect, property_effect

_NO_RULES = "This type has no rules for combinations of properties."
_NO_CHANGES = "Unchanged in all releases from Heat 18.0 on."


def property_branches(type_: ResourceType, behavior: UpdateBehavior, hidden: bool) -> tuple[Branch, ...]:
    """Return the properties of a type, or a sentence if there are none to show."""
    nothing = "All properties are hidden." if type_.properties else "This type has no properties."
    shown = _shown(type_.properties, hidden)
    effects = (property_effect(type_, behavior, schema.name) for schema in shown)
    return tuple(map(_property, shown, effects, repeat(hidden))) or (_fact(nothing),)


def _shown(properties: Mapping[str, PropertySchema], hidden: bool) -> list[PropertySchema]:
    """Return the properties to show, required ones first."""
    shown = [schema for schema in properties.values() if hidden or schema.support_status.status is not Status.HIDDEN]
    return sorted(shown, key=lambda schema: (not schema.required, schema.name))


def _property(schema: PropertySchema, effect: PropertyEffect, hidden: bool) -> Branch:
    """Return a property with its facts and nested properties; a change of any of them has the same effect."""
    name = "each element" if schema.name == ANY_ELEMENT else schema.name
    badge = _badge(schema.support_status) or (("required", Color.ACCENT) if schema.required else None)
    words = effect.words.removeprefix("updated ") + (" by default" if effect.by_default else "")
    detail = str(schema.type) if schema.name == ANY_ELEMENT else f"{schema.type} · {words}"
    row = Cell(name, icon_of(effect.outcome), detail, badge, strong=schema.required)
    facts = map(_fact, _property_facts(schema, effect))
    element = schema.element
    inner = element.children if element is not None and element.children else schema.children
    return Branch(row, (*facts, *(_property(child, effect, hidden) for child in _shown(inner, hidden))))


def _property_facts(schema: PropertySchema, effect: PropertyEffect) -> Iterator[str]:
    yield from description_words(schema)
    if schema.name != ANY_ELEMENT:
        yield plain(effect.sentence)
    default = default_words(schema)
    if default:
        yield f"Default: {default}"
    for constraint in schema.constraints:
        yield plain(f"Constraint: {constraint_words(constraint)}")
    if schema.support_status.status is not Status.SUPPORTED:
        yield plain(status_line(schema.support_status))


def matching(branches: Iterable[Branch], query: str) -> Iterator[Branch]:
    """Yield the rows that contain a query, with everything below them, and the rows above them."""
    for branch in branches:
        cell = branch.value
        if isinstance(cell, Cell) and query.strip().casefold() in cell.text.casefold():
            yield branch
        elif inner := tuple(matching(branch.children, query)):
            yield Branch(cell, inner)


def attribute_branches(attributes: Mapping[str, AttributeSchema], hidden: bool) -> Iterator[Branch]:
    """Yield the attributes by name, with their type and description; with the hidden ones if wanted."""
    for name in sorted(attributes):
        attribute = attributes[name]
        if attribute.support_status.status is Status.HIDDEN and not hidden:
            continue
        detail = str(attribute.type) if attribute.type else ""
        row = Cell(name, ("kind-attribute", Color.FUNCTION), detail, _badge(attribute.support_status))
        words = list(description_words(attribute))
        if attribute.support_status.status is not Status.SUPPORTED:
            words.append(plain(status_line(attribute.support_status)))
        yield Branch(row, tuple(map(_fact, words)))


def rule_branches(groups: Iterable[PropertyGroup]) -> Iterator[Branch]:
    """Yield the rules for combinations of properties, or a sentence if there are none."""
    sentences = dict.fromkeys(plain(group_words(group)) for group in groups if not group.referenced)
    for text in sentences or (_NO_RULES,):
        yield Branch(Cell(text, ("link", Color.MUTED), wraps=True))


def release_branches(name: str) -> Iterator[Branch]:
    """Yield the changes of a type in each release, or a sentence if there are none."""
    changes = release_changes().get(name, {})
    for release, sentences in changes.items():
        yield Branch(Cell(release, ("refresh", Color.MUTED)), tuple(map(_fact, sentences)))
    if not changes:
        yield _fact(_NO_CHANGES)


def _badge(status: SupportStatus) -> tuple[str, Color] | None:
    if status.status is Status.SUPPORTED:
        return None
    return status_words(status), STATUS_ICONS[status.status][1]


def _fact(sentence: str) -> Branch:
    return Branch(Cell(sentence, accent=Color.MUTED, wraps=True))


def default_words(schema: PropertySchema) -> str:
    """Return the default as JSON in one line; empty if there is none."""
    return "" if schema.default is None else json.dumps(schema.default, ensure_ascii=False, default=str)


def plain(phrase: str) -> str:
    """Return a phrase as a sentence without backticks."""
    return sentence(phrase).replace("`", "")


def description_words(described: PropertySchema | AttributeSchema | ResourceType) -> Iterator[str]:
    """Yield the description, if there is one."""
    if described.description:
        yield plain(described.description)

"""Names that Heat looks up in a cloud, and their IDs.

Heat does it when a stack is created or updated (heat/engine/translation.py, RESOLVE rules). Here nothing asks a cloud:
a caller that has one passes a `CloudLookup`.
"""

from collections.abc import Iterator
from typing import Protocol

from heatstudio.catalog import ResourceType, TranslationKind, TranslationRule
from heatstudio.stack.path import Path
from heatstudio.stack.values.pairing import Written
from heatstudio.template import Remedy, SetValue
from heatstudio.text import Applicability

_REASON = "ties the template to one cloud"


class CloudLookup(Protocol):
    """Looks up names of objects in a cloud."""

    def find(self, client_plugin: str, finder: str, entity: str | None, name: str) -> str | None:
        """The id of the one object with a name or id; None if there is none, or if there are several.

        `finder` is the name of the method of Heat's client plug-in that would be asked, such as `get_pool`; `entity`
        is what to look for, where it finds more than one kind.
        """


def lookup_remedies(
    resource_type: ResourceType, written: Written, properties_path: Path, lookup: CloudLookup | None
) -> tuple[Remedy, ...]:
    """The ways from the names in one written property to their ids, item by item; none without a lookup.

    Only what is written as plain text is looked up: what functions give is known to Heat alone.
    """
    rule = _rule(resource_type, written)
    if rule is None or lookup is None or rule.client_plugin is None or rule.finder is None:
        return ()
    entity = _entity(rule, written)
    if entity is None and rule.entity_by is not None:
        return ()
    found = ((path, name, lookup.find(rule.client_plugin, rule.finder, entity, name)) for path, name in _names(written))
    return tuple(
        Remedy(
            f"Replace the name `{name}` with its ID `{identity}` ({_REASON})",
            (SetValue((*properties_path, *path), identity),),
            Applicability.UNSAFE,
        )
        for path, name, identity in found
        if identity is not None and identity != name
    )


def _rule(resource_type: ResourceType, written: Written) -> TranslationRule | None:
    rules = (rule for rule in resource_type.translation_rules if rule.kind is TranslationKind.RESOLVE)
    return next((rule for rule in rules if rule.path == written.names), None)


def _entity(rule: TranslationRule, written: Written) -> str | None:
    """The kind of object to look up; if another property names it, that property is at the top level."""
    if rule.entity_by is None:
        return rule.entity
    name, choices = rule.entity_by
    kind = written.siblings.get(name) if len(written.path) == 1 else None
    return choices.get(kind) if isinstance(kind, str) else None


def _names(written: Written) -> Iterator[tuple[Path, str]]:
    """The written names and their paths from the top of the properties; Heat does not look up empty names."""
    if isinstance(written.value, list):
        items = [((*written.path, index), item) for index, item in enumerate(written.value)]
    else:
        items = [(written.path, written.value)]
    for path, item in items:
        if isinstance(item, str) and item:
            yield path, item

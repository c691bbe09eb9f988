"""A name that Heat looks up in your cloud."""

from collections.abc import Callable, Iterator

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.values.written_properties import GivenProperty
from heatstudio.template import DataFix, SetValue, TreePath
from heatstudio.text import Applicability, Severity

_REASON = "ties the template to one cloud"
Find = Callable[[str, str, str | None, str], str | None]
"""A function that returns the ID of the only object with a name or ID, or None.

Its arguments are the client plug-in, the name of the plug-in's lookup method such as `get_pool`, the kind of object if
the method finds several kinds, and the name.
"""


@resource_check(refuses=False)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every name for which the connected cloud has an ID."""
    cloud = scope.knowledge.cloud
    if cloud is None or scope.type is None:
        return
    for written in scope.written:
        fixes = lookup_fixes(scope.type, written, scope.properties_path, cloud.names.find)
        if fixes:
            path = (*scope.properties_path, *written.path)
            message = f"Heat looks up this name in `{cloud.name}`; use an ID to avoid ambiguity."
            yield scope.finding(message, path, severity=Severity.HINT, fixes=fixes)


def lookup_fixes(
    resource_type: ResourceType, written: GivenProperty, properties_path: TreePath, find: Find
) -> tuple[DataFix, ...]:
    """Return the fixes that replace each name in one written property with its ID.

    Only literal names are looked up: the results of functions are unknown offline.
    """
    rule = _rule(resource_type, written)
    if rule is None or rule.client_plugin is None or rule.finder is None:
        return ()
    entity = _entity(rule, written)
    if entity is None and rule.entity_by is not None:
        return ()
    found = ((path, name, find(rule.client_plugin, rule.finder, entity, name)) for path, name in _names(written))
    return tuple(
        DataFix(
            f"Replace the name `{name}` with its ID `{identity}` ({_REASON})",
            (SetValue((*properties_path, *path), identity),),
            Applicability.UNSAFE,
        )
        for path, name, identity in found
        if identity is not None and identity != name
    )


def _rule(resource_type: ResourceType, written: GivenProperty) -> TranslationRule | None:
    rules = (rule for rule in resource_type.translation_rules if rule.kind is TranslationKind.RESOLVE)
    return next((rule for rule in rules if rule.path == written.names), None)


def _entity(rule: TranslationRule, written: GivenProperty) -> str | None:
    """Return the kind of object to look up, possibly from another property, which is at the top level; or None."""
    if rule.entity_by is None:
        return rule.entity
    name, choices = rule.entity_by
    kind = written.siblings.get(name) if len(written.path) == 1 else None
    return choices.get(kind) if isinstance(kind, str) else None


def _names(written: GivenProperty) -> Iterator[tuple[TreePath, str]]:
    """Yield the literal, non-empty names and their paths below `properties`; Heat does not look up empty names."""
    if isinstance(written.value, list):
        items = [((*written.path, index), item) for index, item in enumerate(written.value)]
    else:
        items = [(written.path, written.value)]
    for path, item in items:
        if isinstance(item, str) and item:
            yield path, item

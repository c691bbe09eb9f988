"""Translation rules as data, obtained by calling the method of a plug-in with marked property values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace

from tests.catalog.harvest.plugin import bare
from tests.catalog.harvest.protocols import Facts, PluginClass, RuleLike
from tests.catalog.harvest.read_properties import ReadProperties

VALUE_OF = "$value_of"


class _Mark(str):
    """A placeholder for the value of the property of this name."""

    __slots__ = ()


class TranslationReader:
    """A reader of the rules of plug-ins; `clients` are Heat's client plug-ins by name."""

    def __init__(self, clients: Mapping[str, type]) -> None:
        self._names = {client: name for name, client in clients.items()}
        plugins: dict[str, object] = {name: object.__new__(client) for name, client in clients.items()}
        self._stack = SimpleNamespace(clients=SimpleNamespace(client_plugin=plugins.__getitem__))

    def rules(self, plugin: PluginClass) -> list[Facts]:
        """Return all rules: the unconditional ones, and those that depend on a property."""
        always, read = self._ask(plugin, {})
        rules = always
        for name in sorted(read):
            marked, _ = self._ask(plugin, {name: _Mark(name)})
            rules = (
                self._by_entity(plugin, name, rules)
                if _paths(marked) == _paths(always)
                else [*rules, *(rule | {"when_set": name} for rule in marked if rule not in always)]
            )
        return rules

    def _by_entity(self, plugin: PluginClass, name: str, rules: list[Facts]) -> list[Facts]:
        """Return the rules, with `entity_by` in those whose entity depends on the value of a property."""
        schema = plugin.properties_schema[name]
        values = [str(value) for constraint in schema.constraints for value in vars(constraint).get("allowed", ())]
        answers = {value: self._ask(plugin, {name: value})[0] for value in values}
        picked: list[Facts] = []
        for position, rule in enumerate(rules):
            entities = {value: answer[position].get("entity") for value, answer in answers.items()}
            unlike = len(set(entities.values())) > 1
            picked.append(rule | {"entity_by": [name, entities]} if unlike else rule)
        return picked

    def _ask(self, plugin: PluginClass, values: Mapping[str, str]) -> tuple[list[Facts], set[str]]:
        properties = ReadProperties(plugin.properties_schema, values)
        resource = bare(plugin, _stackref=lambda: self._stack)
        translation_rules: Callable[[object], list[RuleLike] | None] = resource.translation_rules
        rules = translation_rules(properties) or []
        return [self._facts(rule) for rule in rules], properties.read

    def _facts(self, rule: RuleLike) -> Facts:
        facts = {
            "kind": rule.rule,
            "path": list(rule.translation_path),
            "value": _value(rule.value),
            "value_name": rule.value_name,
            "value_path": rule.value_path,
            "custom_value_path": rule.custom_value_path,
            "client_plugin": self._names.get(type(rule.client_plugin)),
            "finder": rule.finder,
            "entity": rule.entity,
        }
        return {name: fact for name, fact in facts.items() if fact is not None}


def _paths(rules: Iterable[Facts]) -> list[tuple[object, object]]:
    return [(rule["kind"], rule["path"]) for rule in rules]


def _value(value: object) -> object:
    """Return the constant of a rule, with a map of one key in place of a property's value."""
    if isinstance(value, _Mark):
        return {VALUE_OF: str(value)}
    if isinstance(value, list):
        return [_value(item) for item in value]
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    return value

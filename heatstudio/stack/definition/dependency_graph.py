"""The dependencies of each resource: by `depends_on`, by references, and implied by its type."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from heatstudio.catalog.rules.implicit_dependency import EVERY_ELEMENT, FIRST_ELEMENT, ImplicitDependency
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import Types
from heatstudio.stack.order import reached
from heatstudio.stack.unknown import Unknown, freeze
from heatstudio.stack.values.properties import Properties, resource_properties
from heatstudio.text import checkpoint


def dependency_graph(stack: StackDefinition, types: Types) -> dict[str, tuple[str, ...]]:
    """Return the dependencies of each enabled resource, in the template's order."""
    dependencies = _Dependencies(stack, types)
    return {name: dependencies.of(name) for name in dependencies.explicit}


def circle_graph(stack: StackDefinition, types: Types) -> dict[str, tuple[str, ...]]:
    """Return the dependency graph without the implicit edges that cannot be part of a cycle.

    An implicit edge can close a cycle only if it starts at a resource that is reachable from the target of an implicit
    rule. These resources are few, so that few properties are read.
    """
    dependencies = _Dependencies(stack, types)
    graph = dependencies.explicit
    starts = (need for name in dependencies.targets() for need in graph[name])
    found = reached(starts, lambda name: graph.get(name, ()))
    return graph | {name: dependencies.of(name) for name in found if name in graph}


def needed_graph(stack: StackDefinition, types: Types, starts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the dependencies of the starts, which are enabled, and of all resources that they need."""
    dependencies = _Dependencies(stack, types)
    graph: dict[str, tuple[str, ...]] = {}
    for name in reached(starts, lambda name: graph.get(name, ())):
        if name in dependencies.explicit:
            graph[name] = dependencies.of(name)
    return graph


class _Dependencies:
    """The explicit dependencies, and those implied by types, whose values are compared by an index, not pairwise."""

    def __init__(self, stack: StackDefinition, types: Types) -> None:
        self._stack = stack
        self._types = types
        self.explicit: dict[str, tuple[str, ...]] = {}
        for name in stack.enabled_resource_names:
            checkpoint()
            self.explicit[name] = stack.required_resource_names(name)
        self._properties: dict[str, Properties | None] = {}
        self._indexes: dict[tuple[str, tuple[str, ...], str], dict[object, list[str]]] = {}

    def of(self, name: str) -> tuple[str, ...]:
        """Return all dependencies of a resource, the explicit ones first."""
        return tuple(dict.fromkeys((*self.explicit[name], *self._needs(name))))

    def _needs(self, name: str) -> Iterator[str]:
        """Yield the implicit dependencies of a resource."""
        for rule in self._types.knowledge.implicit_dependencies.get(self._type_of(name), ()):
            if rule.on in self._by_type:
                yield from (other for other in self._matching(name, rule) if other != name)

    def targets(self) -> Iterator[str]:
        """Return the resources of the types on which types in the stack depend implicitly."""
        rules = self._types.knowledge.implicit_dependencies
        kinds = {rule.on for kind in self._by_type for rule in rules.get(kind, ())}
        return (name for kind in kinds for name in self._by_type.get(kind, ()))

    @cached_property
    def _by_type(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.explicit:
            checkpoint()
            found.setdefault(self._type_of(name), []).append(name)
        return found

    def _type_of(self, name: str) -> str:
        kind = self._stack.resource_definition(name).type
        return self._types.find(kind, name).target if kind else ""

    def _matching(self, name: str, rule: ImplicitDependency) -> Iterator[str]:
        if rule.mine_given and not self._value(name, (rule.mine_given,)):
            return
        index = self._index(rule)
        owners = [name]
        if rule.through:
            owners = [other for other in self.explicit.get(name, ()) if self._type_of(other) == rule.through]
        mine = [value for owner in owners for value in self._values(owner, rule.mine)]
        if rule.or_unknown and mine:
            yield from index.get(None, ())
            if None in mine:
                yield from self._by_type[rule.on]
        for value in dict.fromkeys(map(freeze, mine)):
            yield from index.get(value, ())

    def _index(self, rule: ImplicitDependency) -> dict[object, list[str]]:
        """Return the possible targets of a rule, by the value that the rule compares."""
        key = (rule.on, rule.theirs, rule.theirs_given)
        if key not in self._indexes:
            index: dict[object, list[str]] = {}
            for name in self._by_type[rule.on]:
                if not rule.theirs_given or self._value(name, (rule.theirs_given,)):
                    for value in self._values(name, rule.theirs):
                        index.setdefault(freeze(value), []).append(name)
            self._indexes[key] = index
        return self._indexes[key]

    def _value(self, name: str, path: tuple[str, ...]) -> object:
        return next(iter(self._values(name, path)), None)

    def _values(self, name: str, path: tuple[str, ...]) -> Iterator[object]:
        """Yield the values at a path of a resource's properties; empty values become None, as in the plug-ins."""
        properties = self._read(name)
        if properties is None or path[0] not in properties.names:
            return
        for value in _follow(properties.value(path[0]), path[1:]):
            yield value or None

    def _read(self, name: str) -> Properties | None:
        if name not in self._properties:
            checkpoint()
            definition = self._stack.resource_definition(name)
            found = self._types.find(definition.type, name).type if definition.type else None
            self._properties[name] = resource_properties(definition, found, self._stack) if found is not None else None
        return self._properties[name]


def _follow(value: object, path: tuple[str, ...]) -> Iterator[object]:
    if not path or isinstance(value, Unknown):
        yield value
    elif isinstance(value, Mapping):
        yield from _follow(value.get(path[0]), path[1:])
    elif isinstance(value, list) and path[0] == EVERY_ELEMENT:
        for item in value:
            yield from _follow(item, path[1:])
    elif isinstance(value, list) and path[0] == FIRST_ELEMENT and value:
        yield from _follow(value[0], path[1:])
    elif value is None and path[0] not in (EVERY_ELEMENT, FIRST_ELEMENT):
        yield None

"""An index of all names of a template with their definitions and uses."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from heatstudio.analysis.assist.signature import Signature, signatures
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.stack.functions.hot_functions import Forbidden, Removed
from heatstudio.stack.functions.language import Language
from heatstudio.stack.path import step
from heatstudio.template import Dialect, Part, Template, TreePath
from heatstudio.text import Span

DEEPEST = 200


class SymbolKind(StrEnum):
    """The kind of a symbol."""

    RESOURCE = "resource"
    PARAMETER = "parameter"
    CONDITION = "condition"
    OUTPUT = "output"
    MAPPING = "mapping"
    TYPE = "type"
    FILE = "file"
    ATTRIBUTE = "attribute"
    """An attribute of the resource `owner`."""
    PROPERTY = "property"
    """A property of the resource `owner`."""


class Symbol(Struct, frozen=True):
    """A named element."""

    kind: SymbolKind
    name: str
    owner: str = ""


class Mention(Struct, frozen=True):
    """A definition or use of a name."""

    symbol: Symbol
    path: TreePath
    part: Part = Part.VALUE
    is_definition: bool = False


class Location(Struct, frozen=True):
    """A span in this template or in another file."""

    span: Span
    file: str | None = None
    """None for this template."""
    is_definition: bool = False


class ReferenceIndex:
    """The mentions of a template by symbol and by path."""

    def __init__(self, mentions: tuple[Mention, ...]) -> None:
        self.mentions = mentions
        self._of: dict[Symbol, list[Mention]] = {}
        self._at: dict[tuple[TreePath, Part], Symbol] = {}
        for mention in mentions:
            self._of.setdefault(mention.symbol, []).append(mention)
            self._at.setdefault((mention.path, mention.part), mention.symbol)

    def of(self, symbol: Symbol) -> tuple[Mention, ...]:
        """Return the mentions of a symbol, definitions first."""
        return tuple(self._of.get(symbol, ()))

    def at(self, path: TreePath, part: Part) -> Symbol | None:
        """Return the symbol at a path."""
        return self._at.get((path, part))

    def definition(self, symbol: Symbol) -> Mention | None:
        """Return the definition of a symbol in this template."""
        return next((mention for mention in self.of(symbol) if mention.is_definition), None)


@lru_cache(maxsize=16)
def reference_index(template: Template, language: Language) -> ReferenceIndex:
    """Return the cached index of a template."""
    return ReferenceIndex(tuple(_Walk(template, language).mentions()))


def index_of(model: SemanticModel, template: Template | None = None) -> ReferenceIndex:
    """Return the reference index of the model's template, or of another template."""
    template = template or model.template
    return reference_index(template, model.knowledge.language(template.dialect))


class _Walk:
    def __init__(self, template: Template, language: Language) -> None:
        self._template = template
        self._words: Dialect = template.dialect
        self._language = language
        self._seen: set[int] = set()
        self._resources = template.section(self._words.resources)

    def mentions(self) -> Iterator[Mention]:
        """Yield all mentions: definitions, then uses."""
        words = self._words
        kinds = [
            (words.parameters, SymbolKind.PARAMETER),
            (words.resources, SymbolKind.RESOURCE),
            (words.outputs, SymbolKind.OUTPUT),
        ]
        kinds += [(words.conditions, SymbolKind.CONDITION)] if words.has_conditions else []
        kinds += [(words.mappings, SymbolKind.MAPPING)] if words.has_mappings else []
        for section, kind in kinds:
            for name in self._template.section(section):
                path: TreePath = (section, step(name))
                yield Mention(Symbol(kind, str(name)), path, Part.KEY, is_definition=True)
        for name, data in self._template.section(words.resources).items():
            if isinstance(data, Mapping):
                yield from self._resource(str(name), data, (words.resources, step(name)))
        for name, data in self._template.section(words.outputs).items():
            if isinstance(data, Mapping):
                yield from self._conditional(data, (words.outputs, step(name)))
                path = (words.outputs, step(name), words.value)
                yield from self._calls(data.get(words.value), path, in_condition=False)
        if words.has_conditions:
            for name, data in self._template.section(words.conditions).items():
                yield from self._calls(data, (words.conditions, step(name)), in_condition=True)
        yield from self._groups()

    def _resource(self, name: str, data: Mapping[object, object], path: TreePath) -> Iterator[Mention]:
        words = self._words
        kind = data.get(words.type)
        if isinstance(kind, str):
            yield Mention(Symbol(SymbolKind.TYPE, kind), (*path, words.type))
        yield from self._names(SymbolKind.RESOURCE, data.get(words.depends_on), (*path, words.depends_on))
        yield from self._conditional(data, path)
        for key, value in data.items():
            # Include misspelled keys, so that a rename also covers the values below them.
            if key != words.condition:
                yield from self._calls(value, (*path, step(key)), in_condition=False)
        properties = data.get(words.properties)
        if isinstance(properties, Mapping):
            for key in properties:
                symbol = Symbol(SymbolKind.PROPERTY, str(key), name)
                yield Mention(symbol, (*path, words.properties, step(key)), Part.KEY, is_definition=False)

    def _conditional(self, data: Mapping[object, object], path: TreePath) -> Iterator[Mention]:
        words = self._words
        if not words.has_conditions:
            return
        condition = data.get(words.condition)
        place = (*path, words.condition)
        if isinstance(condition, str):
            yield Mention(Symbol(SymbolKind.CONDITION, condition), place)
        else:
            yield from self._calls(condition, place, in_condition=True)

    def _groups(self) -> Iterator[Mention]:
        section = self._words.parameter_groups
        groups = self._template.data.get(section)
        for index, group in enumerate(groups if isinstance(groups, list) else ()):
            names = group.get("parameters") if isinstance(group, Mapping) else None
            if isinstance(names, list):
                yield from self._names(SymbolKind.PARAMETER, names, (section, index, "parameters"))

    def _names(self, kind: SymbolKind, value: object, path: TreePath) -> Iterator[Mention]:
        if isinstance(value, str):
            yield Mention(Symbol(kind, value), path)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, str):
                    yield Mention(Symbol(kind, item), (*path, index))

    def _calls(self, data: object, path: TreePath, *, in_condition: bool) -> Iterator[Mention]:
        """Yield the names in function arguments; values shared by aliases are listed once."""
        if not isinstance(data, dict | list) or id(data) in self._seen or len(path) > DEEPEST:
            return
        self._seen.add(id(data))
        if isinstance(data, list):
            for index, item in enumerate(data):
                yield from self._calls(item, (*path, index), in_condition=in_condition)
            return
        if len(data) == 1:
            name, arguments = next(iter(data.items()))
            signature = self._function(name, in_condition=in_condition)
            if signature is not None:
                yield from self._arguments(signature, arguments, (*path, signature.name), in_condition=in_condition)
                return
        for key, item in data.items():
            yield from self._calls(item, (*path, step(key)), in_condition=in_condition)

    def _function(self, name: object, *, in_condition: bool) -> Signature | None:
        language = self._language
        if not isinstance(name, str):
            return None
        kind = (language.condition_functions if in_condition else language.functions).get(name)
        return None if kind is None or kind is Removed or kind is Forbidden else signatures().get(name)

    def _arguments(
        self, signature: Signature, arguments: object, path: TreePath, *, in_condition: bool
    ) -> Iterator[Mention]:
        items = enumerate(arguments) if isinstance(arguments, list) else [(None, arguments)]
        for place, item in items:
            role = signature.role(place)
            here = path if place is None else (*path, place)
            if isinstance(item, str):
                if isinstance(role, str):
                    yield from self._name(role, item, here, arguments, in_condition=in_condition)
                continue
            inside = in_condition or role == SymbolKind.CONDITION
            yield from self._calls(item, here, in_condition=inside)

    def _name(
        self, role: str, name: str, path: TreePath, arguments: object, *, in_condition: bool
    ) -> Iterator[Mention]:
        match role:
            case "resource" | "parameter" | "condition" | "mapping" | "file":
                yield Mention(Symbol(SymbolKind(role), name), path)
            case "name":
                is_resource = name in self._resources and not in_condition
                yield Mention(Symbol(SymbolKind.RESOURCE if is_resource else SymbolKind.PARAMETER, name), path)
            case "attribute":
                owner = arguments[0] if isinstance(arguments, list) else None
                if isinstance(owner, str):
                    yield Mention(Symbol(SymbolKind.ATTRIBUTE, name, owner), path)
            case _:
                return

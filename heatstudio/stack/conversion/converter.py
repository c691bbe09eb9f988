"""The traversal of a template for both conversions; unsupported constructs stay unchanged and are reported."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from heatstudio.catalog.attribute_shape import ANY, AttributeShape, shape_of_attribute
from heatstudio.catalog.schema import PropertyType, ResourceType
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.stack.path import step
from heatstudio.template import Dialect, Template, TreePath

CHOICES = ("if", "Fn::If")
"""The functions whose first argument is a condition."""


class ConversionNote(Struct, frozen=True):
    """A construct that the other language lacks, or that has another meaning there."""

    path: TreePath
    """The path in the original template."""
    construct: str
    """The name of a function, key or pseudo parameter."""
    message: str
    lost: bool = True
    """Whether the construct was not converted; otherwise it was converted with a slightly different meaning."""


class Converter(Struct):
    """The base of both directions: conversion of sections and of nested values."""

    template: Template
    target: Dialect
    knowledge: Knowledge
    remarks: list[ConversionNote] = field(default_factory=list)

    @property
    def words(self) -> Dialect:
        """The keywords of the original language."""
        return self.template.dialect

    @property
    def language(self) -> Language:
        """The original language with its functions."""
        return self.knowledge.language(self.words)

    def lose(self, path: TreePath, construct: str, message: str) -> None:
        """Report a construct that cannot be converted."""
        self.remarks.append(ConversionNote(path, construct, message))

    def note(self, path: TreePath, construct: str, message: str) -> None:
        """Report a construct that was converted with a slightly different meaning."""
        self.remarks.append(ConversionNote(path, construct, message, lost=False))

    def parameter_type(self, name: str, entry: Mapping[object, object]) -> object:
        """Return the parameter type in the target language."""
        words = self.words
        word = entry.get(words.type)
        types = dict(zip(words.parameter_types, self.target.parameter_types, strict=True))
        if str(word) not in types:
            self.lose((words.parameters, name, words.type), str(word), "Unknown parameter type.")
        return types.get(str(word), word)

    def lose_other_sections(self) -> None:
        """Report every section that the target language lacks."""
        words = self.words
        known = (words.version_key, words.description, words.parameters, words.conditions, words.resources)
        for key in self.template.data:
            if key not in (*known, words.outputs, words.mappings if words.has_mappings else ""):
                self.lose((step(key),), str(key), f"{self.target.language.value} has no such section.")

    def data(self) -> dict[object, object]:
        """Return the data of the whole converted template."""
        words, target = self.words, self.target
        self.lose_other_sections()
        sections = {
            target.description: self.template.data.get(words.description),
            target.parameters: self.parameters(),
            target.conditions: self.conditions(),
            target.resources: self.resources(),
            target.outputs: self.outputs(),
        }
        found: dict[object, object] = {target.version_key: target.version}
        return found | {name: section for name, section in sections.items() if section}

    def parameters(self) -> dict[object, object]:
        """Return the converted section of parameters; entries that are not maps stay unchanged."""
        return {
            name: self.parameter(str(name), entry) if isinstance(entry, Mapping) else entry
            for name, entry in self.template.section(self.words.parameters).items()
        }

    def parameter(self, name: str, entry: Mapping[object, object]) -> object:
        """Return the declaration of a parameter in the target language; `name` is for notes about what is lost."""
        return entry

    def call(self, name: str, arguments: object, path: TreePath) -> object:
        """Return a call converted to the target language; `path` leads to its argument."""
        raise KeyError(name)

    def value(self, data: object, path: TreePath) -> object:
        """Return a value with its functions converted to the target language."""
        if isinstance(data, Mapping):
            if len(data) == 1:
                name, arguments = next(iter(data.items()))
                if isinstance(name, str) and self.is_call(name, path):
                    return self.call(name, arguments, (*path, name))
                if isinstance(name, str) and self.knowledge.language(self.target).state(name) != "unknown":
                    self.lose((*path, name), name, "This plain map would become a function.")
            return {key: self.value(below, (*path, step(key))) for key, below in data.items()}
        if isinstance(data, list):
            return [self.value(item, (*path, index)) for index, item in enumerate(data)]
        return data

    def is_call(self, name: str, path: TreePath) -> bool:
        """Return whether a map with only this key is a function call at a path; conditions have separate functions."""
        if self.is_condition(path):
            return name in self.language.condition_functions
        return self.language.state(name) == "function"

    def is_condition(self, path: TreePath) -> bool:
        """Return whether a path leads to a condition or into one."""
        is_choice = any(step in CHOICES and index == 0 for step, index in pairwise(path))
        return path[0] == self.words.conditions or path[2:3] == (self.words.condition,) or is_choice

    def attribute_type(self, place: Sequence[object]) -> PropertyType | None:
        """Return the type of an attribute of a resource, if it is known; `place` is the resource and the attribute."""
        kind = self._resource_type(place[0])
        attribute = kind.attributes.get(str(place[1])) if kind is not None else None
        return attribute.type if attribute is not None else None

    def attribute_shape(self, place: Sequence[object]) -> AttributeShape:
        """Return the shape of an attribute of a resource, as far as it is known."""
        kind, name = self._resource_type(place[0]), str(place[1])
        if kind is None or name not in kind.attributes:
            return ANY
        known = self.knowledge.attribute_shapes.get(kind.name, {}).get(name)
        return known or shape_of_attribute(kind.attributes[name], kind.properties.get(name))

    def _resource_type(self, resource: object) -> ResourceType | None:
        entry = self.template.section(self.words.resources).get(resource)
        return self.knowledge.catalog.get(str(entry.get(self.words.type))) if isinstance(entry, Mapping) else None

    def is_collection_attribute(self, place: Sequence[object]) -> bool:
        """Return whether an attribute is known to be a list or a map."""
        return self.attribute_type(place) in (PropertyType.LIST, PropertyType.MAP)

    def items(self, data: object, path: TreePath) -> Iterator[tuple[object, TreePath]]:
        """Yield the items of a list of arguments, each with its path."""
        for index, item in enumerate(data if isinstance(data, list) else ()):
            yield item, (*path, index)

    def resources(self) -> dict[object, object]:
        """Return the converted section of resources."""
        words, target = self.words, self.target
        keys = {
            words.type: target.type,
            words.properties: target.properties,
            words.metadata: target.metadata,
            words.depends_on: target.depends_on,
            words.update_policy: target.update_policy,
            words.deletion_policy: target.deletion_policy,
            words.condition: target.condition,
            words.description: target.description,
        }
        return self._entries(words.resources, keys)

    def outputs(self) -> dict[object, object]:
        """Return the converted section of outputs."""
        words, target = self.words, self.target
        keys = {words.value: target.value, words.description: target.description, words.condition: target.condition}
        return self._entries(words.outputs, keys)

    def _entries(self, section: str, keys: Mapping[str, str]) -> dict[object, object]:
        found: dict[object, object] = {}
        for name, entry in self.template.section(section).items():
            path = (section, step(name))
            if not isinstance(entry, Mapping):
                found[name] = entry
                continue
            found[name] = {}
            converted: dict[object, object] = {}
            for key, value in entry.items():
                word = keys.get(str(key))
                if word is None:
                    self.lose((*path, step(key)), str(key), f"{self.target.language.value} has no such key here.")
                else:
                    converted[word] = self._part(word, value, (*path, step(key)))
            found[name] = converted
        return found

    def _part(self, word: str, value: object, path: TreePath) -> object:
        target = self.target
        if word == target.deletion_policy and isinstance(value, str):
            return value.capitalize()
        if word == target.deletion_policy and not target.is_hot:
            self.note(path, str(path[-1]), "A policy in lower case, which HOT accepts, is invalid in CFN.")
        is_file = str(value).endswith(TEMPLATE_ENDINGS) and "://" not in str(value)
        if word == target.type and is_file and not target.is_hot:
            self.lose(path, str(value), "CFN requires a URL, or a type that an environment maps to this file.")
        return value if word in (target.type, target.depends_on) else self.value(value, path)

    def conditions(self) -> dict[object, object]:
        """Return the converted section of conditions."""
        section = self.words.conditions
        return {name: self.value(data, (section, step(name))) for name, data in self.template.section(section).items()}

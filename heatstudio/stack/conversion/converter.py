"""The conversion in both directions; parts without an equivalent are kept and reported."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from heatstudio.catalog import PropertyType
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.stack.path import Path
from heatstudio.template import Dialect, Template

CHOICES = ("if", "Fn::If")
"""The functions whose first argument is a condition."""


class Remark(Struct, frozen=True):
    """A part that the other language expresses differently or not at all."""

    path: Path
    """Its position in the original template."""
    construct: str
    """A function, a key, a pseudo parameter."""
    message: str
    lost: bool = True
    """Whether it could not be converted; otherwise it was, but means something slightly different."""


class Converter(Struct):
    """The shared part of both directions: sections, and the recursion down to functions."""

    template: Template
    target: Dialect
    knowledge: Knowledge
    remarks: list[Remark] = field(default_factory=list)

    @property
    def words(self) -> Dialect:
        """The words of the language that is left."""
        return self.template.dialect

    @property
    def language(self) -> Language:
        """The language that is left, with its functions."""
        return self.knowledge.language(self.words)

    def section(self, name: str) -> Mapping[object, object]:
        """One section of the template; empty if it is not there."""
        found = self.template.data.get(name)
        return found if isinstance(found, Mapping) else {}

    def lose(self, path: Path, construct: str, message: str) -> None:
        """Tells of something that cannot be converted."""
        self.remarks.append(Remark(path, construct, message))

    def note(self, path: Path, construct: str, message: str) -> None:
        """Tells of something that was converted, but is not quite the same."""
        self.remarks.append(Remark(path, construct, message, lost=False))

    def parameter_type(self, name: str, entry: Mapping[object, object]) -> object:
        """The word for the type of a parameter."""
        words = self.words
        word = entry.get(words.type)
        types = dict(zip(words.parameter_types, self.target.parameter_types, strict=True))
        if str(word) not in types:
            self.lose((words.parameters, name, words.type), str(word), "Unknown parameter type.")
        return types.get(str(word), word)

    def lose_other_sections(self) -> None:
        """Tells of every section that has no place in the other language."""
        words = self.words
        known = (words.version_key, words.description, words.parameters, words.conditions, words.resources)
        for key in self.template.data:
            if key not in (*known, words.outputs, words.mappings if words.has_mappings else ""):
                self.lose((_step(key),), str(key), f"{self.target.language.value} has no such section.")

    def call(self, name: str, arguments: object, path: Path) -> object:
        """A call in the other language; `path` leads to its argument."""
        raise KeyError(name)

    def value(self, data: object, path: Path) -> object:
        """A value with its functions in the other language."""
        if isinstance(data, Mapping):
            if len(data) == 1:
                name, arguments = next(iter(data.items()))
                if isinstance(name, str) and self.is_call(name, path):
                    return self.call(name, arguments, (*path, name))
                if isinstance(name, str) and self.knowledge.language(self.target).state(name) != "unknown":
                    self.lose((*path, name), name, "This plain map would become a function.")
            return {key: self.value(below, (*path, _step(key))) for key, below in data.items()}
        if isinstance(data, list):
            return [self.value(item, (*path, index)) for index, item in enumerate(data)]
        return data

    def is_call(self, name: str, path: Path) -> bool:
        """Whether a map with this key alone is a call of a function there; conditions have functions of their own."""
        if self.is_condition(path):
            return name in self.language.condition_functions
        return self.language.state(name) == "function"

    def is_condition(self, path: Path) -> bool:
        """Whether a path is a condition or a part of one."""
        is_choice = any(step in CHOICES and index == 0 for step, index in pairwise(path))
        return path[0] == self.words.conditions or path[2:3] == (self.words.condition,) or is_choice

    def attribute_type(self, place: Sequence[object]) -> PropertyType | None:
        """The type of an attribute that a resource has, if it is known."""
        entry = self.section(self.words.resources).get(place[0])
        kind = self.knowledge.catalog.get(str(entry.get(self.words.type))) if isinstance(entry, Mapping) else None
        attribute = kind.attributes.get(str(place[1])) if kind is not None else None
        return attribute.type if attribute is not None else None

    def is_collection_attribute(self, place: Sequence[object]) -> bool:
        """Whether an attribute is known to be a list or a map."""
        return self.attribute_type(place) in (PropertyType.LIST, PropertyType.MAP)

    def items(self, data: object, path: Path) -> Iterator[tuple[object, Path]]:
        """The items of a list of arguments, each with its place."""
        for index, item in enumerate(data if isinstance(data, list) else ()):
            yield item, (*path, index)

    def resources(self) -> dict[object, object]:
        """The section of resources."""
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
        """The section of outputs."""
        words, target = self.words, self.target
        keys = {words.value: target.value, words.description: target.description, words.condition: target.condition}
        return self._entries(words.outputs, keys)

    def _entries(self, section: str, keys: Mapping[str, str]) -> dict[object, object]:
        found: dict[object, object] = {}
        for name, entry in self.section(section).items():
            path = (section, _step(name))
            if not isinstance(entry, Mapping):
                found[name] = entry
                continue
            found[name] = {}
            converted: dict[object, object] = {}
            for key, value in entry.items():
                word = keys.get(str(key))
                if word is None:
                    self.lose((*path, _step(key)), str(key), f"{self.target.language.value} has no such key here.")
                else:
                    converted[word] = self._part(word, value, (*path, _step(key)))
            found[name] = converted
        return found

    def _part(self, word: str, value: object, path: Path) -> object:
        target = self.target
        if word == target.deletion_policy and isinstance(value, str):
            return value.capitalize()
        if word == target.deletion_policy and not target.is_hot:
            self.note(path, str(path[-1]), "A policy in lower case, which HOT accepts, is invalid in CFN.")
        if (
            word == target.type
            and not target.is_hot
            and str(value).endswith(TEMPLATE_ENDINGS)
            and "://" not in str(value)
        ):
            self.lose(path, str(value), "CFN requires a URL, or a type that an environment maps to it.")
        return value if word in (target.type, target.depends_on) else self.value(value, path)

    def conditions(self) -> dict[object, object]:
        """The section of conditions."""
        section = self.words.conditions
        return {name: self.value(one, (section, _step(name))) for name, one in self.section(section).items()}


def _step(key: object) -> str | int:
    return key if isinstance(key, int) and not isinstance(key, bool) else str(key)


def parameters_with(
    section: Mapping[object, object], convert: Callable[[str, Mapping[object, object]], object]
) -> dict[object, object]:
    """The section of parameters; a declaration that is no map is left as it is."""
    return {name: convert(str(name), entry) if isinstance(entry, Mapping) else entry for name, entry in section.items()}

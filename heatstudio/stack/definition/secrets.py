"""The values of hidden parameters, which no output shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from heatstudio.catalog.facts import maps_in
from heatstudio.stack.definition.source import Source, nested_templates, registered_templates
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS
from heatstudio.stack.inputs.parameter_schema import is_hidden
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.stack.unknown import PartialText, Unknown
from heatstudio.template import Template

MASK = "******"
"""The text instead of a hidden value, as in Heat (heat/engine/parameters.py)."""
_SHORTEST = 3
"""Characters from which a hidden text is masked in a longer text."""
_INSIDE = 6
"""Characters from which it is also masked inside of a word, where a shorter one may be by chance."""
_HEAD = 24
"""Characters that identify a long one, which messages may cut short."""
_MOST = 1_000
"""Maximum number of hidden texts."""
_NOT_SECRET = frozenset({"", "true", "false", "none", "null"})


class Secrets(Struct, frozen=True):
    """The hidden texts, and the names in templates that contain one of them by chance."""

    texts: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def __or__(self, other: Secrets) -> Secrets:
        return Secrets(self.texts | other.texts, self.names | other.names)

    def mask(self, text: str) -> str:
        """Return a text without the hidden ones; of a long one, also a part from its start is masked."""
        line, pieces, last = _one_line(text), list[str](), 0
        heads = (one[:_HEAD].rstrip() for one in self.texts if len(one) >= _SHORTEST)
        present = frozenset(head for head in heads if head in line)
        for found in _pattern(present, self.names).finditer(text) if present else ():
            start = found.start()
            if start >= last and found[1] is None:
                pieces += [text[last:start], MASK]
                last = max(found.end(), *(_end(one, text, start) for one in self.texts))
        return "".join((*pieces, text[last:]))

    def hides(self, value: object) -> bool:
        """Return whether a value contains a hidden text, or is a part of one."""
        return bool(self.texts) and any(map(self._hides_text, _texts(value)))

    def _hides_text(self, text: str) -> bool:
        words = _one_line(text)
        is_part = len(words) >= _INSIDE and any(words in one for one in self.texts)
        return is_part or words in self.texts or self.mask(text) != text

    def masked(self, value: object) -> object:
        """Return data without the hidden texts."""
        if isinstance(value, Mapping):
            return {self.masked(key): self.masked(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.masked(item) for item in value]
        if not self.hides(value):
            return value
        text = self.mask(value) if isinstance(value, str) else MASK
        return text if text != value else MASK


def find_secrets(source: Source) -> Secrets:
    """Return the hidden texts of a stack and its nested stacks: given, or written in environments or templates."""
    nested = nested_templates(source.template, source.environments, source.files)
    templates = [source.template, *(one for one in nested if one is not None)]
    hidden = {name for template in templates for name in hidden_names(template)}
    if not hidden:
        return Secrets()
    sections: list[object] = [source.parameter_values]
    types: set[object] = set()
    for data in (file.data for file in source.environments if isinstance(file.data, Mapping)):
        sections += (data.get(PARAMETERS), data.get(PARAMETER_DEFAULTS))
        types.update(name for name, _ in registered_templates(data))
    values = [section[name] for section in sections if isinstance(section, Mapping) for name in hidden & section.keys()]
    keys: set[object] = set()
    for template in templates:
        values += _written(template, hidden, types, keys)
    texts = secrets_of(*values).texts
    return Secrets(texts, frozenset(key for key in keys if isinstance(key, str) and any(text in key for text in texts)))


def secrets_of(*values: object) -> Secrets:
    """Return the hidden texts of hidden values."""
    forms = (form for value in values for text in _texts(value) for form in _forms(text))
    return Secrets(frozenset(islice(forms, _MOST)))


def hidden_names(template: Template) -> Iterator[str]:
    """Yield the names of the hidden parameters of a template."""
    for name, schema in template.section(template.dialect.parameters).items():
        if is_hidden(schema, template.dialect):
            yield str(name)


def _written(template: Template, hidden: Set[str], types: Set[object], keys: set[object]) -> Iterator[object]:
    """Yield the values that a template has for hidden parameters, of its own or of nested stacks; collect its keys."""
    words = template.dialect
    for name, schema in template.section(words.parameters).items():
        if name in hidden and isinstance(schema, Mapping):
            yield schema.get(words.default)
    for value in maps_in(template.data):
        keys.update(value)
        kind, given = value.get(words.type), value.get(words.properties)
        is_nested = isinstance(kind, str) and (kind in types or kind.endswith(TEMPLATE_ENDINGS))
        for name, item in given.items() if is_nested and isinstance(given, Mapping) else ():
            if name in hidden and not isinstance(item, Mapping):  # a map is a function
                yield item


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of data: strings, numbers, keys of maps, and the known parts of unknown texts."""
    if isinstance(value, Unknown):
        pieces = value.key.pieces if isinstance(value.key, PartialText) else ()
        value = [piece for piece in pieces if isinstance(piece, str)]
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _forms(text: str) -> Iterator[str]:
    """Yield a hidden text as messages quote it: whole, or a line, an item of a list or of JSON, with escapes."""
    parts = [text, *text.split("\n"), *text.split(",")]
    with suppress(ValueError, RecursionError):
        parts += _texts(json.loads(text)) if text[:1] in {"[", "{"} else ()
    for part in map(_one_line, parts):
        if part.lower() not in _NOT_SECRET:
            yield from (part, repr(part)[1:-1], json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1])


def _one_line(text: str) -> str:
    """Return a text with single spaces, as some messages quote it."""
    return " ".join(text.split())


@lru_cache(maxsize=8)
def _pattern(heads: frozenset[str], names: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern of names, which are its group, and of the starts of hidden texts."""
    whole = "|".join(map(re.escape, names)) or "(?!)"
    longest_first = sorted(heads, key=len, reverse=True)
    inside = (_spaced(head) if len(head) >= _INSIDE else rf"(?<!\w){_spaced(head)}(?!\w)" for head in longest_first)
    return re.compile("|".join((rf"(?<![\w-])({whole})(?![\w-])", *inside)))


def _spaced(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


def _end(hidden: str, text: str, start: int) -> int:
    """Return the end of the longest start of a hidden text that is at an offset of a text."""
    at = start
    for sign in hidden:
        if sign == " ":
            while text[at : at + 1].isspace():
                at += 1
        elif text[at : at + 1] == sign:
            at += 1
        else:
            break
    return at

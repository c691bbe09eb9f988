"""The two languages of templates, and the sections and keys of each version (heat/engine/hot, heat/engine/cfn).

The versions are in `resources/dialects.json`.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from enum import Enum

from msgspec import Struct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data


class TemplateLanguage(Enum):
    """The language of a template."""

    HOT = "HOT"
    CFN = "CFN"


class Dialect(Struct, frozen=True, forbid_unknown_fields=True):
    """One version of a template language: its sections and keys."""

    language: TemplateLanguage
    version_key: str
    version: str
    """The date of the version; names such as `rocky` mean the date of their release."""
    release: str
    """The OpenStack release that introduced the version."""
    sections: tuple[str, ...]
    resource_keys: tuple[str, ...]
    parameter_keys: tuple[str, ...]
    parameter_types: tuple[str, ...]
    output_keys: tuple[str, ...]
    deletion_policies: tuple[str, ...]
    resources: str = "resources"
    parameters: str = "parameters"
    outputs: str = "outputs"
    conditions: str = "conditions"
    mappings: str = "mappings"
    parameter_groups: str = "parameter_groups"
    description: str = "description"
    type: str = "type"
    properties: str = "properties"
    metadata: str = "metadata"
    depends_on: str = "depends_on"
    deletion_policy: str = "deletion_policy"
    update_policy: str = "update_policy"
    condition: str = "condition"
    external_id: str = "external_id"
    value: str = "value"
    default: str = "default"
    constraints: str = "constraints"
    hidden: str = "hidden"
    label: str = "label"
    immutable: str = "immutable"

    @property
    def is_hot(self) -> bool:
        """Whether this is a HOT version."""
        return self.language is TemplateLanguage.HOT

    @property
    def section_order(self) -> tuple[str, ...]:
        """The sections in their usual order."""
        data = (self.parameter_groups, self.parameters, self.mappings, self.conditions, self.resources, self.outputs)
        return (*VERSION_KEYS, self.description, *data)

    @property
    def has_conditions(self) -> bool:
        """Whether the version supports a section of conditions."""
        return self.conditions in self.sections

    @property
    def has_mappings(self) -> bool:
        """Whether the version supports a section of mappings."""
        return self.mappings in self.sections


class DialectChoice(Struct, frozen=True):
    """The dialect of a template; if Heat rejects its version, Heat's message and a guessed dialect."""

    dialect: Dialect
    version_key: str | None
    version: str | None
    message: str | None = None


HOT_KEY = "heat_template_version"
CFN_KEY = "AWSTemplateFormatVersion"
HEAT_CFN_KEY = "HeatTemplateFormatVersion"
VERSION_KEYS = (HOT_KEY, HEAT_CFN_KEY, CFN_KEY)
_KEY = rf"[\"']?({'|'.join(VERSION_KEYS)})[\"']?[ \t]*:"
_BEGINS = re.compile(rf"(?:\A\ufeff?\s*+\{{\s*+|^\ufeff?(?:\{{[ \t]*+)?){_KEY}", re.MULTILINE)
_PREAMBLE = re.compile(r"\ufeff?(?:[ \t]*+(?:#.*|---.*|%.*)?\r?\n)*+")
_LIKENESS = 0.85
"""Minimum similarity, up to 1, of a key to the version key that it misspells."""


def names_version(text: str) -> bool:
    """Return whether a line of a text, valid YAML or not, begins with a template version key, without indentation."""
    return _BEGINS.search(text) is not None


def begins_with_version(text: str) -> bool:
    """Return whether the first key of a text, after comments, is a template version."""
    preamble = _PREAMBLE.match(text)
    return _BEGINS.match(text[preamble.end() if preamble is not None else 0 :]) is not None


def misspelled_version(data: Mapping[object, object]) -> tuple[str, str] | None:
    """Return the key of a template without a version key that resembles one, and the key that it resembles."""
    known = {key.lower(): key for key in VERSION_KEYS}
    for key in data:
        found = get_close_matches(key.lower(), known, 1, _LIKENESS) if isinstance(key, str) else []
        if isinstance(key, str) and found:
            return key, known[found[0]]
    return None


class _Versions(Struct, frozen=True, forbid_unknown_fields=True):
    dialects: tuple[Dialect, ...]
    aliases: Mapping[str, str]


_DATA = read_data(resource_path("dialects.json"), _Versions)
DIALECTS = _DATA.dialects
"""All versions: HOT before CFN, each language from the oldest to the newest."""
ALIASES = _DATA.aliases
"""The aliases of dates that `heat_template_version` accepts."""

_BY_VERSION = {(dialect.version_key, dialect.version): dialect for dialect in DIALECTS}
_BY_VERSION |= {(HOT_KEY, name): _BY_VERSION[HOT_KEY, date] for name, date in ALIASES.items()}
NEWEST_HOT = max((dialect for dialect in DIALECTS if dialect.is_hot), key=lambda dialect: dialect.version)
AWS = next(dialect for dialect in DIALECTS if dialect.version_key == CFN_KEY)


def accepted_versions(version_key: str) -> list[str]:
    """Return the values that a version key accepts, sorted as Heat lists them."""
    return sorted(version for key, version in _BY_VERSION if key == version_key)


def choose_dialect(data: Mapping[object, object]) -> DialectChoice:
    """Determine the dialect of a template's data (heat/common/template_format.py, heat/engine/template.py)."""
    written = [key for key in VERSION_KEYS if key in data]
    usable = [key for key in written if isinstance(data[key], str)]
    guess = AWS if "Resources" in data and "resources" not in data else NEWEST_HOT
    if not written:
        return DialectChoice(guess, None, None, "Template format version not found.")
    if len(usable) != 1:
        guess = NEWEST_HOT if HOT_KEY in written else AWS
        reason = f"Ambiguous versions ({', '.join(usable)})" if usable else "Template version was not provided"
        return DialectChoice(guess, None, None, f"The template version is invalid: {reason}")
    key, version = usable[0], str(data[usable[0]])
    dialect = _BY_VERSION.get((key, version))
    if dialect is not None:
        return DialectChoice(dialect, key, version)
    accepted = accepted_versions(key)
    be = "should be one of" if len(accepted) > 1 else "should be"
    reason = f'"{key}: {version}". "{key}" {be}: {", ".join(accepted)}'
    guess = NEWEST_HOT if key == HOT_KEY else _BY_VERSION[key, accepted[0]]
    return DialectChoice(guess, key, version, f"The template version is invalid: {reason}")

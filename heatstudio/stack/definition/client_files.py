"""The files that python-heatclient reads before it sends a template: all files that the template names, used or not.

heatclient/common/template_utils.py.
"""

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.stack.definition.files import CLOSED, FILE_URL, Files
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.types import Types, parse_once
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.parameter_schema import declaration_faults
from heatstudio.stack.inputs.parameters import NO_MAP
from heatstudio.stack.inputs.registry import BASE_URL, RESOURCES, SETTINGS, TEMPLATE_ENDINGS, not_a_target
from heatstudio.stack.path import step
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Template, TreePath
from heatstudio.template.dialect import VERSION_KEYS

GET_FILE = "get_file"
TYPE = "type"
_WORDS = (BASE_URL, *SETTINGS)


def named_files(data: object, path: TreePath = ()) -> Iterator[tuple[str, TreePath]]:
    """Yield every file that a template in any language names, with the path of the name.

    The order is the order of the client: the files named inside a map precede the files that the map itself names.
    """
    for key, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if isinstance(item, (dict, list)):
            yield from named_files(item, (*path, step(key)))
    if isinstance(data, dict):
        for name in (GET_FILE, TYPE):
            file = data.get(name)
            if isinstance(file, str) and (name == GET_FILE or file.endswith(TEMPLATE_ENDINGS)):
                yield file, (*path, name)


class FileFault(Struct, frozen=True):
    """The reason why a stack cannot be created with a file that its template names."""

    message: str
    is_unread: bool = True
    """Whether the client fails; otherwise Heat fails, which reads the parameters of every template sent to it."""


Faults = dict[object, FileFault | None]
"""Faults by file; a file being read has the fault that it contains itself."""


class ClientFiles:
    """The files of a template as python-heatclient reads them and Heat receives them."""

    def __init__(self, files: Files, knowledge: Knowledge | None = None) -> None:
        self._files = files
        self._knowledge = knowledge
        self._faults: dict[str, FileFault | None] = {}

    def fault(self, name: str) -> FileFault | None:
        """Return the fault of a file or of a file that it names, directly or not; None if there is none."""
        if name not in self._faults:
            # The message for a cycle depends on its first file, so each name needs its own traversal.
            self._faults[name] = self._fault(name, self._files, {})
        return self._faults[name]

    def _fault(self, name: str, files: Files, known: Faults) -> FileFault | None:
        key = files.path(name) or name
        if key not in known:
            shown = self._relative(key)
            known[key] = FileFault(f"{shown} contains itself; python-heatclient never finishes reading it.")
            known[key] = self._read(name, shown, files, known)
        return known[key]

    def _relative(self, file: PurePath | str) -> str:
        """Return a file as a path relative to the folder of the template."""
        base = self._files.path(".")
        if base is None or isinstance(file, str):
            return str(file)
        try:
            return PurePath(os.path.relpath(file, base)).as_posix()
        except ValueError:  # another drive
            return str(file)

    def _read(self, name: str, shown: str, files: Files, known: Faults) -> FileFault | None:
        content = files.get(name)
        if content is None:
            return FileFault(f"File not found: {shown}.")
        if isinstance(content, Unknown) and isinstance(content.key, tuple) and content.key[0] == CLOSED:
            return FileFault(str(content.key[1]))
        template = parse_once(content) if isinstance(content, str) else None
        if template is None or not template.complete or not any(key in template.data for key in VERSION_KEYS):
            return None
        siblings = files.below(name)
        inner = [fault for file in named_in(template) if (fault := self._fault(file, siblings, known)) is not None]
        if inner:
            first = min(inner, key=lambda fault: not fault.is_unread)
            return replace(first, message=f"{shown}: {first.message}")
        refusal = template.version_message or self._refusal(template)
        return FileFault(f"{shown}: {refusal}", is_unread=False) if refusal else None

    def _refusal(self, template: Template) -> str | None:
        """Return Heat's first error in a template's parameters (heat/engine/template.py, all_param_schemata)."""
        declared = template.data.get(template.dialect.parameters)
        if declared and not isinstance(declared, Mapping):
            return NO_MAP
        return _declaration_fault(template, self._knowledge.language(template.dialect)) if self._knowledge else None


@lru_cache(maxsize=512)
def _declaration_fault(template: Template, language: Language) -> str | None:
    parameters = template.section(template.dialect.parameters).items()
    faults = (fault for name, data in parameters for fault in declaration_faults(str(name), data, language)[0])
    return next(map(str, faults), None)


@lru_cache(maxsize=512)
def named_in(template: Template) -> tuple[str, ...]:
    """Return the files that a template names, each once; see `named_files`."""
    return tuple(dict.fromkeys(name for name, _ in named_files(template.data)))


def registry_faults(registry: object, files: ClientFiles) -> Iterator[tuple[TreePath, str]]:
    """Yield the problems of the files of a resource registry, with their paths in the registry.

    The client reads the top level of the registry and the entries of single resources.
    """
    if not isinstance(registry, Mapping):
        return
    base = registry.get(BASE_URL, FILE_URL)
    yield from _level_faults(registry, base, files)
    resources = registry.get(RESOURCES)
    for name, level in resources.items() if isinstance(resources, Mapping) else ():
        if level is None:
            yield (RESOURCES, step(name)), _no_value(name)
        elif isinstance(level, Mapping):
            for path, message in _level_faults(level, level.get(BASE_URL, base), files):
                yield (RESOURCES, step(name), *path), message


def _level_faults(level: Mapping[object, object], base: object, files: ClientFiles) -> Iterator[tuple[TreePath, str]]:
    for key, value in level.items():
        if value is None and key not in (BASE_URL, RESOURCES):
            yield (step(key),), _no_value(key)
        elif key in _WORDS or isinstance(value, Mapping):
            continue
        elif not is_file_of_registry(key, value):
            if not value or not isinstance(value, str):
                yield (step(key),), not_a_target(key, value)
        elif "://" not in str(base) and "://" not in str(value):
            yield (step(key),), "`base_url` is not a URL, so python-heatclient cannot read this file."
        elif (fault := files.fault(str(value))) is not None:
            yield (step(key),), fault.message


def _no_value(key: object) -> str:
    return f"`{key}` has no value: python-heatclient fails to read the environment."


UNSENT = 'Could not fetch remote template "{}": in an environment, map a resource type to this file, and use that type.'


def is_unsent(types: Types, kind: str) -> bool:
    """Return whether a type is a template file that the client sends only if a `type` in the template names it."""
    is_template = kind.endswith(TEMPLATE_ENDINGS) and "://" not in kind
    return is_template and types.environment.registry.target(kind, "") in (None, kind)


def is_file_of_registry(key: object, value: object) -> bool:
    """Return whether the client reads an entry of a registry as a file."""
    is_name = isinstance(value, str) and value != "" and "::" not in value
    return is_name and key not in _WORDS

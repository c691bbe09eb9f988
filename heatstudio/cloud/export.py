"""Export of a running stack to a folder of files, from which the stack can be opened and created again."""

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import yaml

from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.submission import GET_FILE, TYPE_KEYS
from heatstudio.stack.inputs.environment import PARAMETERS, RESOURCE_REGISTRY
from heatstudio.template import Reader, parse_template, template_text
from heatstudio.update.running_stack import MASK, RunningStack

REFERENCES = frozenset({GET_FILE, *TYPE_KEYS, RESOURCE_REGISTRY})
"""The keys whose values name files."""
TEMPLATE, ENVIRONMENT = "template.yaml", "environment.yaml"


def write_stack(stack: RunningStack, folder: Path) -> tuple[str, ...]:
    """Write a stack to a new folder, and return the parameters whose values Heat hides.

    Raise CloudError if the folder exists or cannot be written.
    """
    files, masked = stack_files(stack)
    try:
        folder.mkdir()
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8", newline="")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CloudError(CloudErrorKind.BAD_CONFIGURATION, f"Cannot write {folder}: {reason}.") from None
    return masked


def stack_files(stack: RunningStack) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return the files of a stack by their names in the folder, and the parameters whose values Heat hides."""
    sent = dict(stack.files or {})
    names = _names(sent)
    found = {name: _localized(sent[key], names, PurePosixPath(name).parent) for key, name in names.items()}
    found[TEMPLATE] = _localized(stack.template, names, PurePosixPath())
    environment = {name: value for name, value in (stack.environment or {}).items() if value}
    given = environment.get(PARAMETERS)
    values = given if isinstance(given, Mapping) else {}
    masked = tuple(sorted(str(name) for name, value in values.items() if value == MASK))
    kept = {name: value for name, value in values.items() if value != MASK}
    environment = {name: value for name, value in environment.items() if name != PARAMETERS}
    environment |= {PARAMETERS: kept} if kept else {}
    if environment:
        found[ENVIRONMENT] = yaml.safe_dump(_renamed(environment, names, PurePosixPath()), sort_keys=False)
    return found, masked


def _names(files: Mapping[str, str]) -> dict[str, str]:
    """Return a relative name for each file, because python-heatclient sends URLs of the sender's disk."""
    paths = {key: PurePosixPath("/", unquote(urlsplit(key).path) if "://" in key else key) for key in files}
    plain = [path.parent for key, path in paths.items() if "://" in key]
    base = os.path.commonpath(plain) if plain else "/"
    names: dict[str, str] = {}
    for key, path in paths.items():
        wanted = os.path.relpath(path, base) if "://" in key else str(path.relative_to("/"))
        parts = [part for part in PurePosixPath(os.path.normpath(wanted)).parts if part not in ("..", "/")]
        name = str(PurePosixPath(*parts))
        while name in (TEMPLATE, ENVIRONMENT, ".", *names.values()):
            name = f"file-{name}"
        names[key] = name
    return names


def _localized(text: str, names: Mapping[str, str], folder: PurePosixPath) -> str:
    """Return a template with its references to files renamed; return any other text unchanged."""
    template = parse_template(text, reader=Reader.HEAT)
    if not template.complete or template.dialect.version_key not in template.data:
        return text
    renamed = _renamed(template.data, names, folder)
    return template_text(renamed) if isinstance(renamed, dict) and renamed != template.data else text


def _renamed(value: object, names: Mapping[str, str], folder: PurePosixPath, *, refers: bool = False) -> object:
    """Return data with each file name relative to `folder`; `refers` is whether a text may be a file name."""
    if isinstance(value, Mapping):
        return {key: _renamed(item, names, folder, refers=refers or key in REFERENCES) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names, folder) for item in value]
    if refers and isinstance(value, str) and value in names:
        return PurePosixPath(os.path.relpath(names[value], folder)).as_posix()
    return value

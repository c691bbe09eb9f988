"""Export of a running stack to a folder of files, from which the stack can be opened and created again."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from unicodedata import category, normalize
from urllib.parse import unquote

import yaml

from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.submission import GET_FILE, TYPE_KEYS
from heatstudio.stack.definition.secrets import MASK
from heatstudio.stack.inputs.environment import PARAMETERS, RESOURCE_REGISTRY
from heatstudio.template import Reader, parse_template, template_text
from heatstudio.text import real_path
from heatstudio.update.running_stack import RunningStack

REFERENCES = frozenset({GET_FILE, *TYPE_KEYS, RESOURCE_REGISTRY})
"""The keys whose values name files."""
TEMPLATE, ENVIRONMENT = "template.yaml", "environment.yaml"


_SPECIAL = re.compile(
    r"\.|git~|(heatstudio\.toml|(clouds|secure|clouds-public)\.(yaml|yml|json)|desktop\.ini|autorun\.inf)$",
    re.IGNORECASE,
)
"""Names that hide a file, or that change what git, a shell, the `openstack` client, Heat Studio or Windows does."""
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ .]*(\.|$)", re.IGNORECASE)
_INVALID = frozenset('<>:"|?*/\\')
_LONGEST, _LONGEST_PATH, _MOST_FILES = 120, 400, 10_000
"""The maximum length of a name and of a path in bytes, and the maximum number of files."""


def file_name(text: str) -> str:
    """Return a text as the name of a file that is valid on every system."""
    plain = "".join("_" if one in _INVALID or category(one)[0] == "C" else one for one in normalize("NFC", text))
    ending = PurePosixPath(plain).suffix[-20:]
    if len(plain.encode()) > _LONGEST:
        plain = plain.encode()[: _LONGEST - len(ending.encode())].decode("utf-8", "ignore") + ending
    plain = plain.strip().rstrip(". ")
    return f"_{plain}" if not plain or _DEVICE.match(plain) else plain


def special_files(files: Iterable[str]) -> tuple[str, ...]:
    """Return the files that are written only if the user agrees, because they are hidden or have a special meaning."""
    return tuple(name for name in files if any(map(_SPECIAL.match, PurePosixPath(name).parts)))


def write_stack(stack: RunningStack, folder: Path, *, with_special: bool = False) -> tuple[str, ...]:
    """Write a stack to a new folder, and return the parameters whose values Heat hides.

    Raise CloudError if the folder exists or cannot be written. The special files are left out unless `with_special`.
    """
    files, masked = stack_files(stack)
    left_out = () if with_special else special_files(files)
    try:
        contents = {folder / name: files[name].encode() for name in files.keys() - left_out}
        if ".." in folder.parts or len(contents) > _MOST_FILES:
            raise ValueError(f"invalid name, or more than {_MOST_FILES:,} files")
        folder.mkdir()
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not real_path(path).is_relative_to(real_path(folder)):
                raise ValueError("a file is outside the folder")
            path.write_bytes(content)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
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


def _names(files: Iterable[str]) -> dict[str, str]:
    """Return a valid relative name for each file, because python-heatclient sends URLs of the sender's disk."""
    paths = {key: PurePosixPath("/", _path(key)) for key in files}
    plain = [path.parent for key, path in paths.items() if "://" in key]
    base = posixpath.commonpath(plain) if plain else "/"
    names: dict[str, str] = {}
    taken, folders, tries = {TEMPLATE, ENVIRONMENT}, set[str](), Counter[str]()
    for key, path in paths.items():
        wanted = posixpath.relpath(path, base if "://" in key else "/").replace("\\", "/")
        name = "/".join(file_name(part) for part in wanted.split("/") if part not in ("", ".", "..")) or "file"
        if len(name.encode()) > _LONGEST_PATH:
            name = name.rpartition("/")[2]
        while True:
            free = f"file-{tries[name]}-{name}" if tries[name] else name
            tries[name] += 1
            places = _places(free)
            if places[0] not in folders and taken.isdisjoint(places):
                break
        taken.add(places[0])
        folders.update(places[1:])
        names[key] = free
    return names


def _path(key: str) -> str:
    """Return the path in the name of a file, which may be a URL."""
    _, is_url, rest = key.partition("://")
    return unquote(re.split("[?#]", rest.partition("/")[2])[0]) if is_url else key


def _places(name: str) -> list[str]:
    """Return a path and its parent folders as disks compare them that do not distinguish upper and lower case."""
    path = PurePosixPath(name.casefold())
    return [str(path), *map(str, path.parents[:-1])]


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
        return PurePosixPath(posixpath.relpath(names[value], folder)).as_posix()
    return value

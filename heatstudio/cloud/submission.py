"""The request to Heat: a template with its files and environments, named so that Heat finds each file.

Heat looks up a file by the exact reference in a template, in one map for all templates of the tree. Therefore each
file is named by its path relative to the top template's folder, and the request rewrites every other reference, for
example in a nested template in another folder. python-heatclient sends URLs of the sender's disk instead, which
disclose local paths to Heat.
"""

import json
import os
from collections.abc import Iterable, Mapping
from itertools import chain, count
from pathlib import Path, PurePath

from msgspec import Struct, field

from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.stack.definition.files import Files, sent_form
from heatstudio.stack.definition.secrets import hidden_names
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import (
    PARAMETER_DEFAULTS,
    PARAMETERS,
    RESOURCE_REGISTRY,
    Environment,
    EnvironmentFile,
)
from heatstudio.stack.unknown import unknowns
from heatstudio.template import Reader, parse_template

GET_FILE = "get_file"
_TEMPLATE_ENDINGS = (".yaml", ".yml", ".template", ".json")
TYPE_KEYS = ("type", "Type")


class Submission(Struct, frozen=True):
    """The part that all requests for a template share."""

    template: Mapping[str, object]
    files: Mapping[str, str] = field(default_factory=dict)
    environment_files: tuple[str, ...] = ()
    """The names of the environments in `files`, in order."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, object] = field(default_factory=dict)
    """All environments merged, if the environments are not sent as files."""

    def __repr__(self) -> str:
        """Return the names without values, because some values are secret."""
        return f"Submission(files={sorted(self.files)}, parameters={sorted(self.parameters)})"

    def body(self, **more: object) -> dict[str, object]:
        """Return the body of a request; `more` has the fields that are specific to the request."""
        body: dict[str, object] = {"template": self.template, "files": dict(self.files), **more}
        if self.environment_files:
            body["environment_files"] = list(self.environment_files)
        if self.environment:
            body["environment"] = dict(self.environment)
        if self.parameters:
            body["parameters"] = dict(self.parameters)
        return body


def submission_of(source: Source) -> Submission:
    """Return the submission of a source. Raise CloudError if a required file cannot be sent.

    Heat shows the files of a stack, including environments, to every user with access to the stack, but masks hidden
    parameters elsewhere: environments with values for hidden parameters are not sent as files.
    """
    packer = _Packer(source.files)
    template = _json(packer.packed(dict(source.template.data), source.files))
    sections = (file.data if isinstance(file.data, Mapping) else {} for file in source.environments)
    registries = [packer.registry(one.get(RESOURCE_REGISTRY)) for one in sections]
    parameters = dict(source.parameter_values)
    hidden = {
        name for text in (source.template, *map(parse_template, packer.files.values())) for name in hidden_names(text)
    }
    given = Environment(source.environments)
    is_secret = bool(hidden & {*given.parameters, *given.parameter_defaults})
    if is_secret:
        merged = {
            PARAMETERS: {name: value for name, value in given.parameters.items() if name not in parameters},
            PARAMETER_DEFAULTS: dict(given.parameter_defaults),
            RESOURCE_REGISTRY: _merged(registries),
        }
        _refuse_unknown(merged, parameters)
        return Submission(template, packer.files, (), parameters, _json(merged))
    names = []
    for number, (environment, registry) in enumerate(zip(source.environments, registries, strict=True), 1):
        data = _without(environment, parameters, registry)
        _refuse_unknown(data, parameters)
        name = packer.free_name(PurePath(environment.name).name or f"environment-{number}")
        packer.files[name] = json.dumps(data, default=str)
        names.append(name)
    _refuse_unknown(parameters)
    return Submission(template, packer.files, tuple(names), parameters)


def _merged(registries: Iterable[object]) -> dict[str, object]:
    """Return the registries merged, as in heat/common/environment_util.py."""
    merged: dict[str, object] = {}
    for registry in registries:
        known = registry if isinstance(registry, Mapping) else {}
        merged |= {str(name): one for name, one in known.items() if one is not None}
    return merged


def _without(environment: EnvironmentFile, elsewhere: Mapping[str, object], registry: object) -> object:
    """Return an environment with a new registry, without the values sent separately, which it would override."""
    if not isinstance(environment.data, Mapping):
        return environment.data
    data = dict(environment.data)
    values = data.get(PARAMETERS)
    if isinstance(values, Mapping):
        data[PARAMETERS] = {name: value for name, value in values.items() if name not in elsewhere}
    if RESOURCE_REGISTRY in data:
        data[RESOURCE_REGISTRY] = registry
    return {name: {} if section is None else section for name, section in data.items()}


def _refuse_unknown(*values: object) -> None:
    """Raise CloudError for an unknown value: Heat masked it, and the mask must not be sent as a value."""
    for value in values:
        for unknown in unknowns(value):
            names = sorted(origin.partition(":")[2] for origin in unknown.origins)
            wanted = ", ".join(f"`{name}`" for name in names) or "a parameter"
            message = (
                f"Heat hides the value of {wanted}, so it cannot be sent again. Save the template as a file, "
                "and type the value in the Parameters pane."
            )
            raise CloudError(CloudErrorKind.REFUSED, message)


def _json(data: object) -> dict[str, object]:
    """Return the data in the types of JSON; other types are converted to text."""
    found: object = json.loads(json.dumps(data, default=str))
    return found if isinstance(found, dict) else {}


class _Packer:
    """A collector of the files that templates refer to, each under one name."""

    def __init__(self, files: Files) -> None:
        self.files: dict[str, str] = {}
        self._top = files
        self._folder = files.path(".")

    def packed(self, value: object, files: Files) -> object:
        """Return the data with each reference to a file replaced by the name under which the file is sent."""
        if isinstance(value, Mapping):
            return {key: self._entry(key, item, files) for key, item in value.items()}
        return [self.packed(item, files) for item in value] if isinstance(value, list) else value

    def registry(self, value: object) -> object:
        """Return a resource registry with its references to template files replaced."""
        if isinstance(value, Mapping):
            return {key: self.registry(item) for key, item in value.items() if key != "base_url"}
        if isinstance(value, str) and _is_at_hand(value, self._top):
            return self._name(value, self._top)
        return value

    def free_name(self, name: str) -> str:
        """Return a name that no file has yet."""
        path = PurePath(name)
        others = (f"{path.stem}-{number}{path.suffix}" for number in count(2))
        return next(one for one in chain((f"{path.stem}{path.suffix}",), others) if one not in self.files)

    def _entry(self, key: object, value: object, files: Files) -> object:
        if isinstance(value, str) and (key == GET_FILE or (key in TYPE_KEYS and _is_at_hand(value, files))):
            return self._name(value, files)
        return self.packed(value, files)

    def _name(self, written: str, files: Files) -> str:
        """Add a file and all files that it refers to; return the name under which the file is sent."""
        path = files.path(written)
        name = written if path is None or self._folder is None else _relative(path, self._folder)
        if name in self.files:
            return name
        content = files.get(written)
        if content is None:
            return written  # Heat reports the missing file
        if not isinstance(content, str):
            raise _not_sendable(written, unsaved=self._folder is None)
        self.files[name] = content = content if path is None else sent_form(content)
        template = parse_template(content, reader=Reader.HEAT)
        if template.complete and template.dialect.version_key in template.data:
            data = dict(template.data)
            packed = self.packed(data, files.below(written))
            if packed != data:
                self.files[name] = json.dumps(packed, default=str)
        return name


def _is_at_hand(value: str, files: Files) -> bool:
    """Return whether a type is a template file to send; a URL is one only if a stack provides its content."""
    if "::" in value or not value.endswith(_TEMPLATE_ENDINGS):
        return False
    return "://" not in value or isinstance(files.get(value), str)


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def _not_sendable(name: str, *, unsaved: bool) -> CloudError:
    message = (
        f"`{name}` cannot be found until the template is saved. Save it, then try again."
        if unsaved
        else f"`{name}` cannot be sent to Heat: it is a URL, binary, too large, or outside the open folder. "
        "Open the folder that holds the template and all its files (File > Open Folder)."
    )
    return CloudError(CloudErrorKind.REFUSED, message)

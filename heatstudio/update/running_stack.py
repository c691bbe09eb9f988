"""A running stack, for use as the old side of an update.

Create a RunningStack from the output of `openstack stack export` (`read_running_stack`) or from a cloud's responses:

    stack = RunningStack(
        template=template_text(answer_of_get_template),
        name="web",
        environment=answer_of_get_environment,
        files=answer_of_get_files,
        parameters=answer_of_show_stack["parameters"],
        resources={"server": RunningResource("server", physical_id="8f7c…", action="CREATE", status="COMPLETE")},
    )
    plan_update(stack.source(), new_source, knowledge, stack.resources)

The window sets a running stack as the baseline of a document: `session.set_baseline(document, running(stack))`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.catalog.schema import Family, ResourceType
from heatstudio.stack.definition.files import NO_FILES, Files
from heatstudio.stack.definition.secrets import MASK
from heatstudio.stack.definition.source import Source
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import Types
from heatstudio.stack.inputs.environment import PARAMETERS, EnvironmentFile
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.inputs.parameters import convert
from heatstudio.stack.parameter_form import values_of_missing
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.unknown import Shape, Unknown, joined
from heatstudio.template import Dialect, Reader, Template, parse_template
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.update.difference import reference_key

PHYSICAL_REFERENCE = "openstack.neutron.neutron.NeutronResource"
"""The one class that overrides `get_reference_id` and still returns the physical ID."""

_FOLDER = re.compile(r'(?<=")file://[^"]*/')
_ABSENT = (("INIT", "COMPLETE"), ("DELETE", "COMPLETE"))
_CHANGING = ("UPDATE", "ROLLBACK")
"""The actions that give a stack another template."""


class RunningResource(Struct, frozen=True):
    """A resource of a running stack."""

    name: str
    physical_id: str | None = None
    action: str = "CREATE"
    status: str = "COMPLETE"
    attributes: Mapping[str, object] = field(default_factory=dict)
    """The known attributes; every other attribute is unknown."""
    nested: RunningStack | None = None
    """The nested stack of the resource; None if there is none or it is unknown."""
    created: str = ""
    """The creation time as Heat reports it, in ISO 8601; empty if unknown."""
    updated: str = ""
    """The time of the last change; Heat keeps it if an update finds nothing to do."""
    type: str = ""
    """The type as Heat reports it, which may differ from the template; empty if unknown."""
    is_current: bool = True
    """Whether the definition is that of the stack's template, not an older one."""

    @property
    def exists(self) -> bool:
        """Whether the resource was made, and not deleted."""
        return (self.action, self.status) not in _ABSENT

    @property
    def members(self) -> Resources:
        """The known resources of the nested stack."""
        return self.nested.resources if self.nested is not None else {}

    def data(self, kind: ResourceType | None, reference_attribute: str = "") -> NodeData:
        """Return the data that functions read; the reference ID is known if it is the physical ID or an attribute."""
        known = self.physical_id if _refers_physically(kind) else self.attributes.get(reference_attribute)
        reference = Unknown(reference_key(self.name), frozenset({f"resource:{self.name}"}), Shape.TEXT)
        return NodeData(known or reference, self.attributes, self.action, self.status)


def _refers_physically(kind: ResourceType | None) -> bool:
    """Return whether the reference ID is the physical ID (heat/engine/resource.py, get_reference_id)."""
    if kind is None or {Family.STACK, Family.TEMPLATE} & kind.families or kind.reference_property:
        return False
    return kind.overrides.get("get_reference_id", PHYSICAL_REFERENCE).endswith(PHYSICAL_REFERENCE)


Resources = Mapping[str, RunningResource]
"""The known resources of a running stack by name; a missing resource exists, but all of its data is unknown."""


def after_operation(resources: Resources, status: str, since: str) -> Resources:
    """Return the resources of a stack in a status, after an operation that started at a time, empty if unknown.

    If the operation did not complete, a resource that it did not reach still has an older definition, while Heat
    returns the new template; such resources are not current. Nor are those that it found unchanged: times are equal.
    """
    action, _, result = status.partition("_")
    if action not in _CHANGING or result == "COMPLETE":
        return resources
    return {name: _after_operation(resource, since) for name, resource in resources.items()}


def _after_operation(resource: RunningResource, since: str) -> RunningResource:
    is_current = bool(since) and resource.updated > since
    if resource.nested is None:
        return replace(resource, is_current=is_current)
    state = (f"{resource.action}_{resource.status}", resource.updated) if is_current else ("UPDATE_FAILED", "")
    inside = replace(resource.nested, resources=after_operation(resource.nested.resources, *state))
    return replace(resource, is_current=is_current, nested=inside)


class RunningStack(Struct, frozen=True):
    """The known part of a running stack."""

    template: str
    name: str = ""
    environment: Mapping[str, object] | None = None
    """The environment as plain data; None if unknown."""
    files: Mapping[str, str] | None = None
    """File contents by the names in the templates, mostly URLs; None if unknown."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """The effective values, as `openstack stack show` prints them; values of hidden parameters are masked."""
    resources: Resources = field(default_factory=dict)
    status: str = ""
    """Action and status, such as `CREATE_COMPLETE`; empty if unknown."""
    updated: str = ""
    """The start of the last operation after the creation, in ISO 8601; empty if unknown."""

    def source(
        self, environments: tuple[EnvironmentFile, ...] = (), files: Files = NO_FILES, previous: Template | None = None
    ) -> Source:
        """Return the stack as one side of an update; `environments` and `files` are used if its own are unknown.

        `previous` is an earlier parse of the template, whose unchanged parts are reused.
        """
        template = parse_template(self.template, previous, Reader.HEAT)
        entries = template.section(template.dialect.parameters)
        if self.environment is not None:
            data = {
                section: _unmasked(values) if isinstance(values, Mapping) else values
                for section, values in self.environment.items()
                if values is not None
            }
            environments = (EnvironmentFile("the stack's environment", data),)
        return Source(
            template,
            environments,
            files if self.files is None else TransmittedFiles(self.files),
            {
                name: _converted(value, entries[name], template.dialect)
                for name, value in _unmasked(self.parameters).items()
                if name in entries
            },
        )


def over_existing(new: Source, running: Source) -> Source:
    """Return the new side for `openstack stack update --existing`: with the environment of the stack below its own.

    heat/engine/service.py, _prepare_stack_updates.
    """
    return replace(new, environments=(*running.environments, *new.environments))


def completed(new: Source, running: Source) -> Source:
    """Return the new side, with the running stack's values for the parameters that have no value."""
    values: dict[str, object] = {}
    for file in running.environments:
        given = file.data.get(PARAMETERS) if isinstance(file.data, Mapping) else None
        values |= given if isinstance(given, Mapping) else {}
    missing = values_of_missing(values | dict(running.parameter_values), new)
    return replace(new, parameter_values={**missing, **new.parameter_values}) if missing else new


def _unmasked(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of parameters, with unknown values for masked ones."""
    hidden = ((name, Unknown(("hidden", name), frozenset({f"parameter:{name}"}))) for name in values)
    return {name: unknown if values[name] == MASK else values[name] for name, unknown in hidden}


def _converted(value: object, entry: object, words: Dialect) -> object:
    """Return the value of a parameter, which Heat reports as text, converted to its declared type."""
    kinds = dict(zip(words.parameter_types, ParameterType, strict=True))
    kind = next((kinds[word] for word in kinds if isinstance(entry, Mapping) and entry.get(words.type) == word), None)
    try:
        return convert(value, kind) if kind is not None else value
    except (ValueError, TypeError):
        return value


class TransmittedFiles(Files):
    """The files sent with a stack, which python-heatclient names by absolute URL."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def get(self, name: str, /) -> str | None:
        """Return the content of the file with this name, or of the only file whose URL ends with it, or None."""
        if name in self._files:
            return self._files[name]
        found = [file for file in self._files if file.endswith(f"/{name.removeprefix('./')}")]
        return self._files[found[0]] if len(found) == 1 else None

    def sent(self, name: str, /) -> str | Unknown | None:
        """Return the content of a file, with the folder of the files that a template names unknown.

        A client in another folder sends other URLs (heatclient/common/template_utils.py, get_file_contents).
        """
        content = self.get(name)
        if content is None or not any(key in content for key in VERSION_KEYS):
            return content
        folder = Unknown(("folder of the client",), frozenset({f"file:{name}"}), Shape.TEXT)
        first, *others = _FOLDER.split(content)
        return joined([first, *(piece for other in others for piece in (folder, other))])


def resource_data(resources: Resources, stack: StackDefinition, types: Types) -> dict[str, NodeData]:
    """Return the data that functions read of the running resources that the template defines."""
    found: dict[str, NodeData] = {}
    for name, resource in resources.items():
        if stack.names_resource(name):
            kind = types.find(stack.resource_definition(name).type, name)
            found[name] = resource.data(kind.type, types.behavior(kind).reference_attribute)
    return found

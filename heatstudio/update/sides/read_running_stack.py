"""Read a running stack from the YAML or JSON output of the `openstack` client.

The output of `openstack stack export NAME` is complete. Alternatively, combine the outputs of several commands, in any
order: `stack template show`, `stack environment show`, `stack file list`, `stack show`, `stack resource list`, and
`stack resource show` for each resource whose attributes matter. Responses of Heat's API have the same shapes.

Shapes: heat/engine/stack.py and resource.py, prepare_abandon; heat/engine/api.py, format_stack and
format_stack_resource.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from heatstudio.catalog.facts import Facts, part, text
from heatstudio.template import Reader, parse_template, template_text
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.template.environment_file import SECTIONS
from heatstudio.text import DocumentError, FileDocument
from heatstudio.update.running_stack import Resources, RunningResource, RunningStack, after_operation

DEEPEST = 20
"""Maximum depth of nested stacks in an export."""
_WRAPPERS = ("stack", "resource", "resources", "environment", "files", "template")
_VERSION = re.compile(rf"^(?:{'|'.join(VERSION_KEYS)})[ \t]*:", re.MULTILINE)
_WAY_OUT = "use the output of `openstack stack export` or `openstack stack template show`"


def is_running_stack(text: str) -> bool:
    """Return whether a text describes a running stack and is not a plain template."""
    data = None if _VERSION.search(text) else _data(text)
    return bool(data) and not _is_template(data) and _with(RunningStack(""), data, text) is not None


def read_running_stack(documents: Iterable[FileDocument]) -> RunningStack:
    """Return the stack in the documents. Raise DocumentError if one has no stack data or the template is missing."""
    stack = RunningStack("")
    for document in documents:
        reported = _with(stack, _data(document.text), document.text)
        if reported is None:
            raise DocumentError("no-stack", f"{document.path} does not describe a stack; {_WAY_OUT}.")
        stack = reported
    if not stack.template:
        raise DocumentError("no-template", f"The stack's template is missing; {_WAY_OUT}.")
    return replace(stack, resources=after_operation(stack.resources, stack.status, stack.updated))


def _data(text: str) -> object:
    """Return the data of a text, without the wrapper key of most responses of Heat's API."""
    reading = parse_template(text, reader=Reader.HEAT).reading
    data = reading.data if reading.complete else None
    if isinstance(data, Mapping) and len(data) == 1:
        (key, value), *_ = data.items()
        return value if key in _WRAPPERS else data
    return data


def _is_template(data: object) -> bool:
    return isinstance(data, Mapping) and any(key in data for key in VERSION_KEYS)


def _with(stack: RunningStack, data: object, written: str) -> RunningStack | None:
    """Return the stack with the data of one more text added; None if the data does not describe a stack."""
    if isinstance(data, list):
        found = {one.name: one for one in map(resource_of, _of_one_stack(data)) if one.name}
        return replace(stack, resources=_merged(stack.resources, found)) if found or not data else None
    if not isinstance(data, Mapping):
        return None
    if _is_template(data):
        template = parse_template(written, reader=Reader.HEAT)
        keeps_text = _is_template(template.data) and not template.is_json
        return replace(stack, template=written if keeps_text else template_text(_map(data)))
    if isinstance(data.get("template"), Mapping):
        reported = _exported(data)
        merged = _merged(reported.resources, stack.resources)
        return replace(reported, parameters=stack.parameters, resources=merged, updated=stack.updated)
    if "resource_name" in data:
        resource = resource_of(data)
        return replace(stack, resources=_merged(stack.resources, {resource.name: resource}))
    if "stack_name" in data:
        return replace(
            stack,
            name=text(data, "stack_name"),
            parameters=_map(data.get("parameters")),
            status=text(data, "stack_status") or stack.status,
            updated=text(data, "updated_time"),
        )
    if data and all(key in SECTIONS for key in data):
        return replace(stack, environment=data)
    if all(isinstance(content, str) for content in data.values()):
        return replace(stack, files={name: text(data, name) for name in data})
    return None


def _exported(data: Facts, depth: int = 0) -> RunningStack:
    """Return the stack, including nested stacks, from the output of `openstack stack export` or `stack abandon`."""
    records = _map(data.get("resources")) if depth < DEEPEST else {}
    environment, files = data.get("environment"), data.get("files")
    return RunningStack(
        template_text(_map(data.get("template"))),
        text(data, "name") or text(data, "stack_name"),
        environment if isinstance(environment, Mapping) else None,
        {name: text(files, name) for name in files} if isinstance(files, dict) else None,
        resources={name: _exported_resource(name, _map(record), depth) for name, record in records.items()},
        status=f"{text(data, 'action')}_{text(data, 'status')}",
    )


def _exported_resource(name: str, record: Facts, depth: int) -> RunningResource:
    owns = isinstance(record.get("template"), Mapping)
    return RunningResource(
        name,
        text(record, "id" if owns else "resource_id") or None,
        text(record, "action") or "CREATE",
        text(record, "status") or "COMPLETE",
        nested=_exported(record, depth + 1) if owns else None,
        type=text(record, "type"),
    )


def resource_of(facts: Facts, nested: RunningStack | None = None) -> RunningResource:
    """Return a resource that Heat lists or shows; without a name if the facts are of something else."""
    action, _, status = (text(facts, "resource_status") or "CREATE_COMPLETE").partition("_")
    return RunningResource(
        text(facts, "resource_name"),
        text(facts, "physical_resource_id") or None,
        action,
        status,
        {name: value for name, value in part(facts, "attributes").items() if value is not None},
        nested,
        text(facts, "creation_time"),
        text(facts, "updated_time"),
        text(facts, "resource_type"),
    )


def _of_one_stack(records: list[object]) -> Iterator[Facts]:
    """Return the records of the outermost stack, which has the shortest name; the list may include nested ones."""
    own = [record for record in map(_map, records) if "parent_resource" not in record]
    outermost = min((text(record, "stack_name") for record in own), key=len, default="")
    return (record for record in own if text(record, "stack_name") == outermost)


def _merged(old: Resources, new: Resources) -> Resources:
    """Return both sets of resources merged: lists lack attributes, and only exports have nested stacks."""
    merged = dict(old)
    for name, one in new.items():
        known = old.get(name, one)
        kept = {part: getattr(one, part) or getattr(known, part) for part in ("nested", "created", "updated", "type")}
        merged[name] = replace(one, attributes={**known.attributes, **one.attributes}, **kept)
    return merged


def _map(value: object) -> Facts:
    return {str(key): item for key, item in value.items()} if isinstance(value, Mapping) else {}

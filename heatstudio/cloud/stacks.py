"""The list of the stacks of a cloud, and all data of one stack."""

from collections.abc import Mapping
from urllib.parse import quote, unquote

from msgspec import Struct

from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.template import template_text
from heatstudio.update.running_stack import RunningResource, RunningStack, after_operation
from heatstudio.update.sides.read_running_stack import resource_of

DEEPEST = "5"
"""The number of levels of nested stacks to read, which is Heat's default limit (max_nested_stack_depth)."""
DELETED = "DELETE_COMPLETE"
"""The status of a deleted stack."""
PAGE = 500
"""The maximum number of stacks or events in one response."""
MOST_PAGES = 40


class StackSummary(Struct, frozen=True):
    """The data of a stack in Heat's list of stacks."""

    name: str
    id: str
    status: str
    """Action and status, such as `CREATE_COMPLETE`."""
    reason: str = ""
    description: str = ""
    created: str = ""
    """ISO 8601, in UTC."""
    updated: str = ""

    @property
    def path(self) -> str:
        """The path of the stack in Heat's API."""
        return f"/stacks/{quote(self.name, safe='')}/{quote(self.id, safe='')}"


def list_stacks(connection: Connection) -> tuple[StackSummary, ...]:
    """Return the stacks of the project, newest first. Raise CloudError."""
    found: dict[str, StackSummary] = {}
    marker = ""
    for _ in range(MOST_PAGES):
        query = {"limit": str(PAGE), "sort_keys": "created_at", "sort_dir": "desc"}
        if marker:
            query["marker"] = marker
        page = items(connection.facts("/stacks", "stacks", query=query), "stacks")
        stacks = [summary_of(mapping(one)) for one in page]
        found |= {stack.id: stack for stack in stacks}
        if len(page) < PAGE or stacks[-1].id == marker:
            break
        marker = stacks[-1].id
    return tuple(found.values())


def summary_of(facts: Facts) -> StackSummary:
    """Return the summary of a stack from Heat's JSON."""
    return StackSummary(
        text(facts, "stack_name"),
        text(facts, "id"),
        text(facts, "stack_status"),
        text(facts, "stack_status_reason"),
        text(facts, "description"),
        text(facts, "creation_time"),
        text(facts, "updated_time"),
    )


def show_stack(connection: Connection, stack: StackSummary) -> Facts:
    """Return the data of a stack without outputs, as Heat's REST API returns it. Raise CloudError."""
    return part(connection.facts(stack.path, "stack", query={"resolve_outputs": "false"}), "stack")


def find_stack(connection: Connection, identity: str) -> StackSummary | None:
    """Return the current summary of a stack by its name or ID, or None. Raise CloudError."""
    query = {"resolve_outputs": "false"}
    try:
        facts = connection.facts(f"/stacks/{quote(identity, safe='')}", "stack", query=query)
    except CloudError as error:
        if error.trouble is CloudErrorKind.NOT_FOUND:
            return None
        raise
    return summary_of(part(facts, "stack"))


def open_stack(connection: Connection, stack: StackSummary) -> RunningStack:
    """Return all data of a stack: template, environment, files, values and resources. Raise CloudError.

    The values of hidden parameters are masked.
    """
    shown = show_stack(connection, stack)
    template = connection.facts(f"{stack.path}/template", patience=LONG_PATIENCE)
    if not template or text(shown, "stack_status") == DELETED:
        message = f"The stack `{stack.name}` was deleted. Refresh the list."
        raise CloudError(CloudErrorKind.NOT_FOUND, message)
    files = connection.facts(f"{stack.path}/files")
    return RunningStack(
        template=template_text(template),
        name=stack.name,
        environment=connection.facts(f"{stack.path}/environment"),
        files={name: content for name, content in files.items() if isinstance(content, str)},
        parameters=part(shown, "parameters"),
        resources=after_operation(
            resources_of(connection, stack), text(shown, "stack_status"), text(shown, "updated_time")
        ),
    )


def listed_resources(connection: Connection, stack: StackSummary, **query: str) -> tuple[Facts, ...]:
    """Return the resources of a stack and of its nested stacks, as Heat's REST API returns them. Raise CloudError."""
    query["nested_depth"] = DEEPEST
    facts = connection.facts(f"{stack.path}/resources", "resources", query=query, patience=LONG_PATIENCE)
    return tuple(map(mapping, items(facts, "resources")))


def resources_of(connection: Connection, stack: StackSummary) -> Mapping[str, RunningResource]:
    """Return the resources of a stack by name, with attributes and nested stacks. Raise CloudError."""
    owned: dict[str, list[Facts]] = {}
    for one in listed_resources(connection, stack, with_detail="true"):
        owned.setdefault(stack_id(link_to(one, "stack")), []).append(one)
    return _resources_in(stack.id, owned)


def _resources_in(owner: str, owned: dict[str, list[Facts]]) -> Mapping[str, RunningResource]:
    """Return the resources of one stack; each list is consumed once, so that a cycle of links ends."""
    found: dict[str, RunningResource] = {}
    for one in owned.pop(owner, ()):
        nested = _resources_in(stack_id(link_to(one, "nested")), owned)
        found[text(one, "resource_name")] = resource_of(one, RunningStack("", resources=nested) if nested else None)
    return found


def link_to(facts: Facts, relation: str) -> str:
    """Return the URL of a related object; empty if there is none."""
    links = (mapping(link) for link in items(facts, "links"))
    return next((text(link, "href") for link in links if link.get("rel") == relation), "")


def stack_id(address: str) -> str:
    """Return the stack ID, the last part of the URL of a stack; empty for an empty URL."""
    return unquote(address.rstrip("/").rpartition("/")[2])

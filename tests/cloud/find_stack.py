"""Asks a cloud for one stack."""

from __future__ import annotations

from urllib.parse import quote

from heatstudio.catalog.facts import part
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stacks import StackSummary, summary_of


def find_stack(connection: Connection, identity: str) -> StackSummary:
    """Return a stack by its name or id, as it is now. Raises CloudError."""
    query = {"resolve_outputs": "false"}
    facts = connection.facts(f"/stacks/{quote(identity, safe='')}", "stack", query=query)
    return summary_of(part(facts, "stack"))

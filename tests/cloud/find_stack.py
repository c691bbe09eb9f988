"""Asks a cloud for one stack."""

from __future__ import annotations

from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stacks import StackSummary, find_stack


def found_stack(connection: Connection, identity: str) -> StackSummary:
    """Return a stack by its name or id, as it is now."""
    found = find_stack(connection, identity)
    assert found is not None, identity
    return found

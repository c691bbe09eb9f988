"""Lookup of one stack in a cloud."""

from __future__ import annotations

from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stacks import StackSummary, find_stack


def found_stack(connection: Connection, identity: str) -> StackSummary:
    """Return the current summary of a stack by its name or id; fail if it does not exist."""
    found = find_stack(connection, identity)
    assert found is not None, identity
    return found

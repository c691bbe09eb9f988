"""Custom constraints that need no cloud (heat/engine/constraint/common_constraints.py)."""

from __future__ import annotations


def custom_violation(name: str, value: object) -> str | None:
    """Heat's message when `value` breaks the custom constraint `name`; never for one that asks a cloud."""
    return None

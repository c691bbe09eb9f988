"""What a support status says to somebody who uses the thing (specification: support status guide)."""

from __future__ import annotations

from heatstudio.catalog import Status, SupportStatus
from heatstudio.text import Severity

SEVERITIES = {
    Status.HIDDEN: Severity.WARNING,
    Status.DEPRECATED: Severity.WARNING,
    Status.UNSUPPORTED: Severity.INFORMATION,
}


def support_message(what: str, status: SupportStatus) -> str:
    """One sentence: the state, since when, and what to use instead."""
    since = f" since {status.version}" if status.version else ""
    message = f"{what} is {status.status.lower()}{since}"
    if status.successor:
        return f"{message}; use `{status.successor}`."
    return f"{message}. {status.message}".strip()

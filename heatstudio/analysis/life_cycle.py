"""The meaning of a support status for users (specification: support status guide)."""

from heatstudio.catalog import Status, SupportStatus
from heatstudio.catalog.headlines import LONGEST
from heatstudio.text import Severity

SEVERITIES = {
    Status.HIDDEN: Severity.WARNING,
    Status.DEPRECATED: Severity.WARNING,
    Status.UNSUPPORTED: Severity.INFORMATION,
}


def support_message(what: str, status: SupportStatus) -> str:
    """Return a sentence with the status, its version and the replacement; a long name is left out."""
    kind = status.status.lower()
    state = f"has been {kind} since {status.version}" if status.version else f"is {kind}"
    if status.successor:
        words = f"{state}; use `{status.successor}`."
        is_short = " " in what or len(what) + len(words) < LONGEST
        return f"{what} {words}" if is_short else f"This type {words}"
    return f"{what} {state}. {status.message}".strip()

"""The meaning of a support status for users (specification: support status guide)."""

from collections.abc import Mapping
from functools import cache

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.headlines import LONGEST
from heatstudio.catalog.release import Status, SupportStatus
from heatstudio.text import Severity

SEVERITIES = {
    Status.HIDDEN: Severity.WARNING,
    Status.DEPRECATED: Severity.WARNING,
    Status.UNSUPPORTED: Severity.INFORMATION,
}


@cache
def _reasons() -> Mapping[str, str]:
    """Return the reasons by type, or by type and name (support_status of Heat's plug-ins, in our words)."""
    return read_data(resource_path("catalog", "reasons.json"), dict[str, str])


def support_message(what: str, status: SupportStatus, *place: str) -> str:
    """Return a sentence with the status, its version and the replacement; a long name is left out.

    `place` is the type, followed by the name of its property or attribute.
    """
    kind = status.status.lower()
    state = f"has been {kind} since {status.version}" if status.version else f"is {kind}"
    if status.successor:
        words = f"{state}; use `{status.successor}`."
        is_short = " " in what or len(what) + len(words) < LONGEST
        return f"{what} {words}" if is_short else f"This type {words}"
    return f"{what} {state}. {status.message or _reasons().get(' '.join(place), '')}".strip()

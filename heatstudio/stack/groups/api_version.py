"""API versions of a cloud, in the form that users write."""

import re

_VERSION = re.compile(r"v?([0-9]{1,9}(?:\.[0-9]{1,9})*)", re.IGNORECASE)


def read_api_version(text: str) -> str | None:
    """The version that a text such as `2.79` or `v2.79` names; None if it names none."""
    found = _VERSION.fullmatch(text.strip())
    return found[1] if found is not None else None

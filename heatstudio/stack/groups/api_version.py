"""API versions of a cloud, as users write them."""

import re

_VERSION = re.compile(r"v?([0-9]{1,9}(?:\.[0-9]{1,9})*)", re.IGNORECASE)


def read_api_version(text: str) -> str | None:
    """Return the version in a text such as `2.79` or `v2.79`; None if the text is not a version."""
    found = _VERSION.fullmatch(text.strip())
    return found[1] if found is not None else None

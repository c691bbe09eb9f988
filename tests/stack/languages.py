"""Template languages for the tests of this package."""

from __future__ import annotations

from functools import cache

from heatstudio.catalog.load import load_catalog
from heatstudio.stack.functions.language import Language, make_language
from heatstudio.template.dialect import choose_dialect


@cache
def language(version: str = "2021-04-16", key: str = "heat_template_version") -> Language:
    """Return the language of a template version."""
    found = load_catalog().template_version(key, version)
    assert found is not None
    return make_language(choose_dialect({key: version}).dialect, found)

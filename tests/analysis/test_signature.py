"""Every function of a template version is described, for completion, hover and highlighting."""

from __future__ import annotations

from heatstudio.analysis.assist.signature import signatures
from heatstudio.catalog.load import load_catalog

REMOVED = "Removed"
"""The class of the functions that a version no longer has."""


def test_functions_of_all_versions_are_described() -> None:
    versions = load_catalog().template_versions
    calls = [call for one in versions for call in (*one.functions.items(), *one.condition_functions.items())]
    assert {name for name, class_ in calls if class_ != REMOVED} == set(signatures())

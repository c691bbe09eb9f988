"""The functions of template versions have implementations, and each implementation has a version."""

from __future__ import annotations

import pytest

from heatstudio.catalog.load import load_catalog
from heatstudio.stack.functions.language import check_implementations


def test_class_that_no_version_names_is_an_error() -> None:
    versions = load_catalog().template_versions
    check_implementations(versions)
    older = [one for one in versions if "yaql" not in one.functions]
    with pytest.raises(ValueError, match=r"heat\.json has \[.*'Yaql'"):
        check_implementations(older)

"""Paths of resources and icons."""

from __future__ import annotations

from pathlib import Path

from heatstudio import assets
from heatstudio.assets import icon_path, resource_path


def test_bundled_data_exists() -> None:
    assert resource_path("catalog", "heat.json").is_file()
    assert resource_path() == resource_path("catalog").parent


def test_icon_name_may_omit_the_file_extension() -> None:
    assert icon_path("severity-error") == icon_path("severity-error.svg")
    assert icon_path("severity-error").name == "severity-error.svg"


def test_resources_are_found_in_a_checkout_and_in_a_wheel(tmp_path: Path) -> None:
    package = tmp_path / "heatstudio"
    package.mkdir()
    assert assets._folder("resources", package) == tmp_path / "resources"
    (package / "resources").mkdir()
    assert assets._folder("resources", package) == package / "resources"

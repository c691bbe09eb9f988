"""Where data and icons are found."""

from __future__ import annotations

from pathlib import Path

from heatstudio import assets
from heatstudio.assets import icon_path, resource_path


def test_data_is_there() -> None:
    assert resource_path("catalog", "heat.json").is_file()
    assert resource_path() == resource_path("catalog").parent


def test_icons_are_named_with_or_without_their_ending() -> None:
    assert icon_path("severity-error") == icon_path("severity-error.svg")
    assert icon_path("severity-error").name == "severity-error.svg"


def test_checkout_and_wheel(tmp_path: Path) -> None:
    package = tmp_path / "heatstudio"
    package.mkdir()
    assert assets._folder("resources", package) == tmp_path / "resources"
    (package / "resources").mkdir()
    assert assets._folder("resources", package) == package / "resources"

"""Paths of the data and icons: inside the package when installed, beside it in a checkout."""

import os
import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_path(*parts: str) -> Path:
    """Return the path of a bundled data file or folder."""
    return _own_folder("resources").joinpath(*parts)


def icon_path(name: str) -> Path:
    """Return the path of an icon such as `severity-error`; the suffix `.svg` may be omitted."""
    return _own_folder("icons") / (name if name.endswith(".svg") else f"{name}.svg")


def user_path(*parts: str) -> Path:
    """Return the path of a file or folder in the user's configuration folder; the path may not exist."""
    home = Path.home()
    chosen = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    usual = home / "Library" / "Preferences" if sys.platform == "darwin" else home / ".config"
    return (Path(chosen) if chosen else usual).joinpath("heatstudio", *parts)


@cache
def _own_folder(kind: str) -> Path:
    return _folder(kind)


def _folder(kind: str, package: Path = _PACKAGE) -> Path:
    """Return a data folder: inside the package of a wheel, or next to the package of a checkout or editable install."""
    installed = package / kind
    return installed if installed.is_dir() else package.parent / kind

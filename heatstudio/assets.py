"""The location of data and icons: in the package when installed, at the top of a checkout otherwise."""

import os
import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_path(*parts: str) -> Path:
    """A file or folder of the program's data."""
    return _own_folder("resources").joinpath(*parts)


def icon_path(name: str) -> Path:
    """The picture of this name, such as `severity-error`, with or without its ending."""
    return _own_folder("icons") / (name if name.endswith(".svg") else f"{name}.svg")


def user_path(*parts: str) -> Path:
    """A file or folder of the user's own, which need not be there."""
    home = Path.home()
    chosen = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    usual = home / "Library" / "Preferences" if sys.platform == "darwin" else home / ".config"
    return (Path(chosen) if chosen else usual).joinpath("heatstudio", *parts)


@cache
def _own_folder(kind: str) -> Path:
    return _folder(kind)


def _folder(kind: str, package: Path = _PACKAGE) -> Path:
    """The folder that a wheel puts into the package and a checkout, also an editable one, keeps beside it."""
    installed = package / kind
    return installed if installed.is_dir() else package.parent / kind

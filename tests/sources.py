"""The modules of the program as syntax trees, which are parsed once."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import heatstudio

PACKAGE = Path(heatstudio.__file__).parent
TOP = PACKAGE.parent
MODULES = sorted(PACKAGE.rglob("*.py"))
PACKAGES = sorted(folder for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())


def name_of(module: Path) -> str:
    """Return the dotted import name of a module of the package."""
    parts = module.relative_to(TOP).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees() -> Mapping[str, ast.Module]:
    """Return the syntax tree of every module by name."""
    return {name_of(module): ast.parse(module.read_text("utf-8")) for module in MODULES}

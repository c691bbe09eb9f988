"""Imports Qt without what PySide reads for its tools and for its words about mistakes."""

from __future__ import annotations

import builtins
import sys
from importlib import import_module
from importlib.util import module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

_TRIED = ("6.8.", "6.9.", "6.10.", "6.11.", "6.12.")
"""The versions of PySide that were seen to find the late modules when they need them; others are imported as usual."""
_SIGNATURES = "shibokensupport.signature"
_LATE = {
    "shibokensupport": frozenset({"feature"}),
    _SIGNATURES: frozenset({"errorhandler", "importhandler", "layout", "mapping", "parser"}),
    f"{_SIGNATURES}.lib": frozenset({"enum_sig", "pyi_generator", "tool"}),
}
"""What makes the words of a TypeError, docstrings and type stubs, by package."""
_reading = RLock()
_usual_import = builtins.__import__


def import_qt() -> None:
    """Imports what all modules of Qt stand on; to be called before any of them is.

    PySide carries its modules in Python as source text, and compiles and runs them all at every start: a third of the
    time of an empty window. It also puts itself into every later import to look for `__feature__`, reading the source
    of each module; not if shiboken6 is imported first.
    """
    if "shiboken6" not in sys.modules:
        builtins.__import__ = _import
        try:
            builtins.__import__("shiboken6")
        finally:
            builtins.__import__ = _usual_import
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def _import(name: str, *where: Any, **which: Any) -> ModuleType:
    """Python's import statement while PySide starts: the late modules are made, but not read."""
    wanted = where[2] if len(where) > 2 else which.get("fromlist")
    late = _LATE.get(name, frozenset()).intersection(wanted or ())
    if late and sys.modules["shiboken6"].__version__.startswith(_TRIED):
        package = import_module(name)
        for module in late:
            _put_late_module(package, module)
    return _usual_import(name, *where, **which)


def _put_late_module(package: ModuleType, name: str) -> None:
    """Puts the module where the statement will find it; not if PySide's own importer does not know it."""
    full_name = f"{package.__name__}.{name}"
    spec = None if full_name in sys.modules else sys.meta_path[0].find_spec(full_name, None)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        module.__class__ = _LateModule
        if name == "mapping":
            module.update_mapping = _update_mapping
        sys.modules[full_name] = module
        setattr(package, name, module)


class _LateModule(ModuleType):
    """A module that is read when somebody asks for one of its names."""

    def __getattr__(self, name: str) -> object:
        _read(self)
        return getattr(self, name)


def _read(module: ModuleType) -> None:
    with _reading:
        if isinstance(module, _LateModule) and (spec := module.__spec__) is not None and spec.loader is not None:
            module.__class__ = ModuleType
            spec.loader.exec_module(module)


def _update_mapping() -> object:
    """Stands in for a function of the late module: PySide's C code looks into its dictionary without asking it."""
    mapping = sys.modules[f"{_SIGNATURES}.mapping"]
    _read(mapping)
    return mapping.update_mapping()

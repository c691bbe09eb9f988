"""Imports Qt without what PySide reads for its tools and for its words about mistakes."""

from __future__ import annotations

import builtins
import os
import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

from heatstudio.ui.quick_enumerations import make_enumerations_quickly

_TRIED = ("6.8.", "6.9.", "6.10.", "6.11.", "6.12.")
"""The versions of PySide that were seen to find the late modules when they need them; others are imported as usual."""
_SIGNATURES = "shibokensupport.signature"
_LATE = {
    "shibokensupport": frozenset({"feature"}),
    _SIGNATURES: frozenset({"errorhandler", "importhandler", "layout", "mapping", "parser"}),
    f"{_SIGNATURES}.lib": frozenset({"enum_sig", "pyi_generator", "tool"}),
}
"""What makes the words of a TypeError, docstrings and type stubs, by package."""
_LATE_STANDARD = ("bz2", "ipaddress", "lzma", "tempfile", "textwrap", "traceback")
"""What PySide and the modules that it stands on import for what hardly ever happens."""
_unread: dict[str, RLock] = {}
_begun: set[str] = set()
_usual_import = builtins.__import__


def import_qt() -> None:
    """Imports what all modules of Qt stand on; to be called before any of them is.

    PySide carries its modules in Python as source text, and compiles and runs them all at every start: a third of the
    time of an empty window. It also puts itself into every later import to look for `__feature__`, reading the source
    of each module; not if shiboken6 is imported first.
    """
    make_enumerations_quickly()
    if "shiboken6" not in sys.modules:
        if hasattr(sys, "setdlopenflags"):  # of ten thousand functions of Qt that they link to, few are ever called
            sys.setdlopenflags(os.RTLD_LAZY)
        for name in _LATE_STANDARD:
            _put_late_module(name, PathFinder)
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
        for part in late:
            if _put_late_module(f"{name}.{part}", sys.meta_path[0]):  # PySide's own, which goes again
                setattr(package, part, sys.modules[f"{name}.{part}"])
    return _usual_import(name, *where, **which)


def _put_late_module(name: str, finder: Any) -> bool:
    """Puts the module where import statements will find it, unless it is there; false if it cannot be found."""
    spec = None if name in sys.modules else finder.find_spec(name, None)
    if spec is None:
        return False
    module: Any = module_from_spec(spec)
    module.__class__ = _LateModule
    if name == f"{_SIGNATURES}.mapping":
        module.update_mapping = _update_mapping
    _unread[name] = RLock()
    sys.modules[name] = module
    return True


class _LateModule(ModuleType):
    """A module that is read when somebody asks for one of its names."""

    def __getattr__(self, name: str) -> object:
        _read(self)
        if name not in self.__dict__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return self.__dict__[name]


def _read(module: Any) -> None:
    """Reads a late module once; another thread waits meanwhile."""
    name = module.__name__
    if (lock := _unread.get(name)) is None:
        return
    with lock:
        if name not in _begun:  # not asked by what it imports itself
            _begun.add(name)
            module.__spec__.loader.exec_module(module)
            module.__class__ = ModuleType
            del _unread[name]


def _update_mapping() -> object:
    """Stands in for a function of the late module: PySide's C code looks into its dictionary without asking it."""
    mapping = sys.modules[f"{_SIGNATURES}.mapping"]
    _read(mapping)
    return mapping.update_mapping()

"""Enumerations that are made quickly are those that Python makes."""

from __future__ import annotations

import subprocess
import sys

_RECORD = """
import sys
from enum import EnumType, Flag, Enum
from heatstudio.ui import quick_enumerations
from heatstudio.ui.quick_enumerations import create

usual = EnumType._create_
asked = []

def record(kind, name, names, **how):
    asked.append((kind, name, names, {"boundary": None, **how, "module": "here"}))
    return create(kind, name, names, **how)

quick_enumerations.create = record
quick_enumerations.make_enumerations_quickly()
"""

_COMPARE = """
from PySide6 import QtCore, QtGui, QtNetwork, QtSvg, QtWidgets
for module in (QtCore, QtGui, QtNetwork, QtSvg, QtWidgets):
    for name in dir(module):
        getattr(module, name)

OTHERS = {"__dict__", "__weakref__", "_member_map_", "_value2member_map_", "_iter_member_"}
UNKNOWN = (0, 3, 1 << 29, 1 << 29 | 1, -2)

def told(function):
    try:
        return function()
    except (AttributeError, TypeError, ValueError) as problem:
        return str(problem)

def facts(made):
    members = made.__members__
    yield lambda: {name: getattr(made, name) for name in vars(made).keys() - OTHERS.union(members)}
    yield lambda: (made.__mro__[1:], dir(made), repr(made), len(made), made.__qualname__)
    yield lambda: [(value, member.name) for value, member in made._value2member_map_.items()]
    yield lambda: [member.name for member in made]
    for name, member in members.items():
        yield lambda: (name, member.name, member.value, repr(member), str(member), f"{member:}")
        yield lambda: (hash(member), bool(member))
        yield lambda: {key: str(value) for key, value in vars(member).items() if key != "__objclass__"}
        yield lambda: (made(member.value) is made[name] is getattr(made, name) is member, member in made)
        if issubclass(made, Flag):
            yield lambda: ((~member).name, (~member).value)
            yield lambda: [part.name for part in member]
            for other in [*members.values()][-5:]:
                for mixed in (lambda: member | other, lambda: member & other, lambda: member ^ other):
                    yield lambda: (mixed().name, mixed().value, repr(mixed()), type(mixed()) is made)
                    yield lambda: [part.name for part in mixed()]
    for value in UNKNOWN:
        yield lambda: (repr(made(value)), made(value).name)

differing = []
for kind, name, names, how in asked:
    quick, slow = (make(kind, name, list(names), **how) for make in (create, usual))
    for one, other in zip(facts(quick), facts(slow), strict=True):
        if told(one) != told(other):
            differing.append((name, told(one), told(other)))
print(len(asked), len({kind for kind, *_ in asked}), differing[:2])
"""

_OTHER_WAYS = """
asked.clear()
class Pane(Enum):
    LEFT = 1
print(Pane(1), Enum("Side", "LEFT RIGHT").RIGHT, Enum("One", [("name", 1)])["name"].value, len(asked))
"""


_OTHER_PYTHON = """
EnumType._create_ = usual
quick_enumerations._COMPARED = ()
quick_enumerations.make_enumerations_quickly()
print(EnumType._create_ is usual)
"""

_PLACES = """
from PySide6.QtCore import QEvent, Qt
from pickle import dumps, loads
flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
print(Qt.Key.__module__, Qt.Key.__qualname__, end=" ")
print(loads(dumps([Qt.Key.Key_A, flags])) == [Qt.Key.Key_A, flags], QEvent(QEvent.Type.Close).type().name)
"""


def said_by(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", _RECORD + script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_of_qt() -> None:
    count, kinds, differing = said_by(_COMPARE).split(maxsplit=2)
    assert differing == "[]\n"
    assert int(count) > 500
    assert int(kinds) == 4


def test_enumerations_of_others_are_made_as_usual() -> None:
    assert said_by(_OTHER_WAYS) == "Pane.LEFT Side.RIGHT 1 2\n"


def test_they_know_where_they_belong() -> None:
    assert said_by(_PLACES) == "PySide6.QtCore Qt.Key True Close\n"


def test_python_that_was_not_compared_makes_its_own() -> None:
    assert said_by(_OTHER_PYTHON) == "True\n"

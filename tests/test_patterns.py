"""The patterns of the program itself take no more than twice as long for twice as much text."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import product

import pytest

from tests.pattern_steps import StepCounter, TooMuchWorkError
from tests.sources import PACKAGES, name_of, trees

METHODS = {"match", "search", "fullmatch", "finditer", "findall", "split", "sub", "subn"}
LENGTHS = (14, 320)
"""Characters of a short text; the long one has four times as many."""
MOST_SIGNS = 14
"""Signs that texts are made of, each of another kind."""
MOST = 200_000
"""Steps in a short text, of which a pattern that looks at each character once needs a small part."""


def _questions() -> dict[str, set[str]]:
    """By the name of a constant, private ones with their module, the methods that are called of it."""
    asked: dict[str, set[str]] = defaultdict(set)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                name = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
                asked[f"{module}.{name}" if name.startswith("_") else name].add(node.attr)
    return asked


def _called() -> Iterator[tuple[str, str | re.Pattern[str], set[str]]]:
    """The patterns in calls such as `re.sub("a+", ...)`."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            called = node.func if isinstance(node, ast.Call) else None
            if not isinstance(called, ast.Attribute) or called.attr not in METHODS or not isinstance(node, ast.Call):
                continue
            if isinstance(called.value, ast.Name) and called.value.id == "re":
                pattern = node.args[0]
                if isinstance(pattern, ast.Constant):
                    yield f"{module}:{node.lineno}", str(pattern.value), {called.attr}
                else:
                    assert isinstance(pattern, ast.Name), f"{module}:{node.lineno}: write the pattern as a constant"
                    with suppress(ImportError):  # of Qt, or of Heat
                        yield (
                            f"{module}.{pattern.id}",
                            getattr(importlib.import_module(module), pattern.id),
                            {called.attr},
                        )


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], set[str]]]:
    asked = _questions()
    found = {name: (re.compile(pattern), methods) for name, pattern, methods in _called()}
    for name, tree in trees().items():
        if not any(isinstance(node, ast.Attribute) and node.attr == "compile" for node in ast.walk(tree)):
            continue
        try:
            module = importlib.import_module(name)
        except ImportError:  # of Qt, or of Heat
            continue
        for constant, value in vars(module).items():
            key = f"{name}.{constant}" if constant.startswith("_") else constant
            for pattern in value.values() if isinstance(value, dict) else [value]:
                if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
                    found[f"{name}.{constant} {pattern.pattern[:9]}"] = pattern, asked.get(key, METHODS)
    return found


def _signs(counter: StepCounter, pattern: str) -> list[str]:
    """One sign of each kind that the pattern tells apart, in the order in which it speaks of them."""
    found: dict[tuple[object, ...], str] = {}
    for sign in (" ", "a", "0", "\n", *(sign for sign in pattern if sign not in "()?*+|^")):
        found.setdefault(counter.kind(sign), sign)
    return list(found.values())[:MOST_SIGNS]


def _hostile(signs: list[str], length: int) -> dict[tuple[str, ...], str]:
    """Texts of the signs, repeated."""
    texts: dict[tuple[str, ...], str] = {}
    for one, other in product(signs, repeat=2):
        for start in ("", *signs[:6]):
            texts[start, one, other, "by turns"] = start + (one + other) * (length // 2)
            if one != other:
                texts[start, one, other, "halves"] = start + one * (length // 2) + other * (length // 2)
    return texts


def _steps(counter: StepCounter, pattern: re.Pattern[str], method: str, text: str, budget: int) -> int:
    spans = counter.spans(method, text, budget)
    if method == "finditer":
        expected = [found.span() for found in pattern.finditer(text)]
    else:
        found = getattr(pattern, method)(text)
        expected = [found.span()] if found else []
    assert spans == expected, f"{pattern.pattern!r}.{method}: the counter reads {text!r} otherwise"
    return counter.steps


def _slow(pattern: re.Pattern[str], methods: set[str]) -> list[tuple[str, ...]]:
    """The kinds of text in which a pattern takes more than twice as many steps for twice as much."""
    counter, method = StepCounter(pattern), "finditer"
    if methods <= {"match", "fullmatch"}:
        method = "fullmatch" if "fullmatch" in methods else "match"
    signs = _signs(counter, pattern.pattern)
    slow = set(_hostile(signs, LENGTHS[0]))
    has_end = re.search(r",\d+\}", pattern.pattern) is not None  # as of {0,99}, which longer texts reach
    for length in LENGTHS if has_end else LENGTHS[:1]:
        short, long = _hostile(signs, length), _hostile(signs, 4 * length)
        for key in list(slow):
            with suppress(TooMuchWorkError):
                steps = _steps(counter, pattern, method, short[key], MOST)
                _steps(counter, pattern, method, long[key], 8 * steps + 8)
                slow.discard(key)
    return sorted(slow)


@pytest.mark.parametrize("package", [*(name_of(package) for package in PACKAGES), "heatstudio.process"])
def test_patterns_take_steps_in_proportion_to_the_text(package: str) -> None:
    slow = {name: _slow(*asked) for name, asked in _patterns().items() if name.startswith(package)}
    assert {name: texts for name, texts in slow.items() if texts} == {}


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        ("a+0", "search"),
        (r"(?:a|aa)+\n", "match"),
        ("[a0]*a[a0]*a$", "match"),
        ("a*?0", "finditer"),
        ("(?=a*0).", "sub"),
    ],
)
def test_a_slow_pattern_is_seen(pattern: str, method: str) -> None:
    assert _slow(re.compile(pattern), {method})

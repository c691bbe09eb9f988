"""Linear matching: the program's regular expressions take at most twice the steps for twice the text."""

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
from tests.sampling import sample
from tests.sources import PACKAGES, name_of, trees

METHODS = {"match", "search", "fullmatch", "finditer", "findall", "split", "sub", "subn"}
SAMPLE = 2
LENGTHS = (14, 320)
"""Lengths of the short texts; the long texts are four times as long."""
MOST_SIGNS = 14
"""The maximum number of characters to build texts from, each of another equivalence class."""
MOST = 200_000
"""The budget of steps for a short text; a linear pattern needs a small part of the budget."""


def _questions() -> dict[str, set[str]]:
    """Return the pattern methods that are called on each constant, by its name; a private name includes its module."""
    asked: dict[str, set[str]] = defaultdict(set)
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                name = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
                asked[f"{module}.{name}" if name.startswith("_") else name].add(node.attr)
    return asked


def _called() -> Iterator[tuple[str, str | re.Pattern[str], set[str]]]:
    """Yield the place, the pattern and the method of each call such as `re.sub("a+", ...)`."""
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
                    with suppress(ImportError):  # Qt or Heat is not installed
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
        except ImportError:  # Qt or Heat is not installed
            continue
        for constant, value in vars(module).items():
            key = f"{name}.{constant}" if constant.startswith("_") else constant
            for pattern in value.values() if isinstance(value, dict) else [value]:
                if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
                    found[f"{name}.{constant} {pattern.pattern[:9]}"] = pattern, asked.get(key, METHODS)
    return found


def _signs(counter: StepCounter, pattern: str) -> list[str]:
    """Return one character of each class that the pattern distinguishes, in the order of the pattern."""
    found: dict[tuple[object, ...], str] = {}
    for sign in (" ", "a", "0", "\n", *(sign for sign in pattern if sign not in "()?*+|^")):
        found.setdefault(counter.kind(sign), sign)
    return list(found.values())[:MOST_SIGNS]


def _hostile(signs: list[str], length: int) -> dict[tuple[str, ...], str]:
    """Return texts of repeated pairs of characters, by the characters and their arrangement."""
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
    """Return the kinds of text for which a pattern takes more than 8 times the steps for 4 times the length."""
    counter, method = StepCounter(pattern), "finditer"
    if methods <= {"match", "fullmatch"}:
        method = "fullmatch" if "fullmatch" in methods else "match"
    signs = _signs(counter, pattern.pattern)
    slow = set(_hostile(signs, LENGTHS[0]))
    has_end = re.search(r",\d+\}", pattern.pattern) is not None  # such as {0,99}: only longer texts reach the limit
    for length in LENGTHS if has_end else LENGTHS[:1]:
        short, long = _hostile(signs, length), _hostile(signs, 4 * length)
        for key in list(slow):
            with suppress(TooMuchWorkError):
                steps = _steps(counter, pattern, method, short[key], MOST)
                _steps(counter, pattern, method, long[key], 8 * steps + 8)
                slow.discard(key)
    return sorted(slow)


@pytest.mark.parametrize("package", [name_of(package) for package in PACKAGES])
def test_patterns_take_steps_in_proportion_to_the_text(package: str) -> None:
    patterns = [(name, asked) for name, asked in _patterns().items() if name.startswith(package)]
    slow = {name: _slow(*asked) for name, asked in sample(patterns, SAMPLE)}
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
def test_slow_pattern_is_detected(pattern: str, method: str) -> None:
    assert _slow(re.compile(pattern), {method})

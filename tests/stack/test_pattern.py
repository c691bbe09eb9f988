"""Regular expressions of templates: the semantics of `re` in bounded time."""

from __future__ import annotations

import random
import re
import warnings

import pytest

from heatstudio.stack.functions import pattern
from heatstudio.stack.functions.budget import BudgetExceededError, shared_budget
from heatstudio.stack.functions.pattern import Pattern

SLOW = "(a|aa)+$"
ATOMS = [
    *"ab01_- .,:{}^$()|*+?", r"\d", r"\w", r"\s", r"\b", r"\B", r"\A", r"\Z", "[ab]", "[^a]", "[a-z0-9_]", r"[\w-]",
    "[[:alpha:]]", "[a[b]", "[a&&b]", "[a--b]", "[]a]", "[^]a]", "a{e<=1}", "a{,2}", "a{1,}", "{}", "{2}", "{,}", r"\{",
    "(?:", "(?=", "(?!", "(?<=a)", "(?<!a)", "*?", "+?", "??", "(?i:", "(?P<n>", "(?P=n)", r"\1", "(?#[)", "(?>", "*+",
    "(?s:", "(?m:", "(?x: [ ] #", "(?(1)a|b)", r"\N{LATIN SMALL LETTER A}", r"\x41", r"[\b]", "\u017f", "\u0301",
    "\u00b2", "\x1c", "ä",
]  # fmt: skip
SIGNS = [*"ab01_- .,:{}[]&#e<=AsSkK\n\t", "\u017f", "\u212a", "ä", "Ä", "\x1c", "\x85", "\u2028", "\u0301", "\u00b2"]


@pytest.mark.parametrize("method", ["match", "search", "finditer", "split"])
def test_slow_pattern_exceeds_the_budget(method: str) -> None:
    with pytest.raises(BudgetExceededError):
        getattr(Pattern(SLOW), method)("a" * 100 + "b")


@pytest.mark.parametrize("source", [r"(a|b)(:[\s\S]*)?", r"(\w+,)*x"])
def test_libraries_agree_on_the_empty_text(source: str) -> None:
    assert Pattern(source).match("") is None


def test_libraries_agree_on_a_set_of_all_characters() -> None:
    source = r"(https?|mailto)(:[\s\S]*)?x"
    assert (Pattern(source).match("ä"), bool(Pattern(source).match("http:äx"))) == (None, True)


def test_no_slow_pattern_runs_after_the_shared_time_is_spent() -> None:
    with shared_budget():
        for _ in range(1000):
            with pytest.raises(BudgetExceededError):
                Pattern(SLOW).match("a" * 100 + "b")
        with pytest.raises(BudgetExceededError):
            Pattern("(a|b)+").match("ab")
    assert Pattern("(a|b)+").match("ab")


def test_bounded_patterns_match_as_re(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "_is_quick", lambda *_: False)
    monkeypatch.setattr(pattern, "LONGEST_RUN", 10)
    seed = random.randrange(1 << 32)
    rng = random.Random(seed)
    compared = 0
    for _ in range(6000):
        source = "".join(rng.choices(ATOMS, k=rng.randint(1, 8)))
        source += ")" * (source.count("(") - source.count(")"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exact = re.compile(source)
            except (re.error, OverflowError, RecursionError):
                continue
        text = "".join(rng.choices(SIGNS, k=rng.randint(0, 7)))
        try:
            found = Pattern(source).search(text)
            parts = Pattern(source).split(text)
        except BudgetExceededError:
            continue
        expected = exact.search(text)
        as_told = f"seed {seed}: {source!r} in {text!r}"
        assert (found and (found.span(), found.groups())) == (expected and (expected.span(), expected.groups())), (
            as_told
        )
        assert parts == exact.split(text), as_told
        compared += 1
    assert compared > 500


@pytest.mark.parametrize(
    ("source", "length", "quick"),
    [
        ("[a-z][a-z0-9-]*", 60, True),
        (r"^\d+\.\d+\.\d+$", 15, True),
        ("^(a|b)-c$", 1000, True),
        ("(a+)?b", 100, True),
        ("(a+)+", 10, False),
        ("(?:a|b){2}", 10, False),
        ("(?x)(a+) +", 10, False),
        ("a*a*a*", 60, False),
        ("a?" * 21, 30, False),
    ],
)
def test_re_matches_patterns_with_few_steps(source: str, length: int, quick: bool) -> None:
    assert pattern._is_quick(source, length) is quick


@pytest.mark.parametrize("source", ["(", "[", "*", "a**", "(?P<1>a)", "(?<=a*)b", r"\p{L}"])
def test_patterns_that_re_rejects_are_rejected_with_its_message(source: str) -> None:
    with pytest.raises(re.error) as expected:
        re.compile(source)
    with pytest.raises(re.error) as found:
        Pattern(source)
    assert str(found.value) == str(expected.value)

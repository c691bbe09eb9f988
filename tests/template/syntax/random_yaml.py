"""Comparison of the parser with Heat's own loader on random YAML and JSON texts, valid and invalid.

`python -m tests.template.syntax.random_yaml --texts 100000` prints a shortened text for each difference.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from random import Random, SystemRandom

from heatstudio.template import Reader, parse_template
from tests.template.syntax.engine_reading import client_reads, heat_reads, same

TOKENS = (
    *("a", "b", "c", ": ", ": ", ":", "\n", "\n", "\n  ", "\n    ", "  ", " ", "- ", "-", "\t", "{", "}", "[", "]"),
    *(",", ", ", '"', "'", "|", ">", "|\n", ">-\n", "|2\n", "|+\n", " # c", "#", "&x ", "*x", "!t ", "!!str ", "? "),
    *("<<: *x", "%", "---", "--- ", "...", "\ufeff", "\u2028", "\x85", "\r", "\r\n", "é", "😀", "1", "~", "@", "\\"),
    *("=", "on", "1.5", "0x1F", "1e3", "2001-01-01", "null", "!!set ", "\xa0", "\x07", "{{ x }}"),
)
SCALARS = (
    *(
        "a",
        "b c",
        "1",
        "1.0",
        "010",
        "0o7",
        "1_0",
        "1:30",
        "yes",
        "on",
        "~",
        "null",
        "",
        "'it''s'",
        '"a\\tb"',
        "=",
        "<<",
    ),
    *("2001-12-14", "2001-12-14t21:59:43.10-05:00", ".inf", ".NaN", "0b_", "0b10", "- a", "a: b", "a #b", "a#b", "'"),
    *(
        "!!binary aGk=",
        "[a, b]",
        "{a: b}",
        "{a:, b: c}",
        "[b:]",
        "{a}",
        "[a,]",
        '{"a":1}',
        "*x",
        "&x a",
        "!!str 1",
        "!x a",
        "@a",
        "%a",
    ),
    *("|\n{}\tx", ">\n{} \tx", "|-\n{}a\n{}b", ">+\n{}a\n\n", '"a\n{}b"', "'a\n\n{}b'", "a\n{}b", "{{ x }}", "\ufeffa"),
)
KEYS = (
    *("a", "b", "c", "heat_template_version", "resources", "5", "1", "on", "true", "1.5", "~", "null", "'q'", '"d"'),
    *("? a", "[a]", "2001-12-14", "=", "<<", "&x k", "!!str 5", "a b", "é", "\ufeffa", "*x "),
)
ENDS = ("", "", "\n", "\n\n", "\n\t", "\n  \t\n", "\n...\n", "\n---\n", " ", "\x85", "\ufeff", "\n# c", "\n}")
STARTS = ("", "", "", "\n", "---\n", "--- ", "# c\n", " ", "  ", "\n  ", "\ufeff", "\t", "%YAML 1.1\n---\n", "\x85")
OUR_LIMITS = {"too-large", "too-deep"}
"""Codes of texts that Heat rejects only at a higher limit, or accepts, such as maps that contain themselves."""
_ODD = re.compile(r"\ufeff(?! ?\w)|!(?=[\s,\]}]|$)")
"""Valid syntax that the two parsers of PyYAML interpret differently."""
_ONLY_TO_PYYAML = re.compile(r"[|>][^\n]*\n\s*\t|:[,\]}]|\ufeff|\?\s*[,\]}]|^%", re.MULTILINE)
_ONLY_TO_LIBYAML = re.compile(r"\t|\?|[|>]#|\ufeff")
"""Syntax that only one parser accepts. Heat rejects a text with both kinds; parsing piece by piece accepts it."""


def random_text(dice: Random) -> str:
    """Return a random text: a sequence of tokens, a nested structure or JSON, often with a few changed characters."""
    kind = dice.randrange(8)
    if kind < 2:
        text = "".join(dice.choice(TOKENS) for _ in range(dice.randint(1, 16)))
        return dice.choice(("", "k:\n  ", "k:\n  a: 1\n  b: ")) + text
    text = json.dumps(_data(dice, 3), indent=dice.choice((None, 2))) if kind == 2 else _map(dice, 0, 3)
    for _ in range(dice.choice((0, 0, 1, 1, 2, 4))):
        at = dice.randint(0, len(text))
        text = text[:at] + dice.choice((*TOKENS, "")) + text[at + dice.choice((0, 0, 1, 2)) :]
    return dice.choice(STARTS) + text + dice.choice(ENDS)


def _map(dice: Random, indent: int, depth: int) -> str:
    lines = []
    for _ in range(dice.randint(1, 4)):
        key = dice.choice(KEYS)
        lines.append(f"{' ' * indent}{key}:{_value(dice, indent, depth)}")
        if dice.random() < 0.1:
            lines.append(dice.choice(("", "# c", " " * indent + "# c", "   ", "\t", "\t# c")))
    return dice.choice(("\n", "\n", "\n", "\r\n")).join(lines)


def _value(dice: Random, indent: int, depth: int) -> str:
    if depth and dice.random() < 0.5:
        inner = indent + dice.choice((1, 2, 2, 2, 4))
        if dice.random() < 0.3:
            dash = " " * (indent + dice.choice((0, 2)))
            items = [f"{dash}-{_value(dice, len(dash) + 2, depth - 1)}" for _ in range(dice.randint(1, 3))]
            return "\n" + "\n".join(items)
        return "\n" + _map(dice, inner, depth - 1)
    return " " + dice.choice(SCALARS).replace("{}", " " * (indent + dice.choice((1, 2, 2, 4))), 2)


def _data(dice: Random, depth: int) -> object:
    if depth and dice.random() < 0.6:
        return {dice.choice("abcde"): _data(dice, depth - 1) for _ in range(dice.randint(0, 3))}
    if depth and dice.random() < 0.3:
        return [_data(dice, depth - 1) for _ in range(dice.randint(0, 3))]
    return dice.choice((1, 1e3, "a", "é\n", None, True, -0.0, 10**20, ""))


def difference(text: str) -> str | None:
    """Return a description of a difference from Heat or its client; None if there is none."""
    if _ODD.search(text):
        return None
    for name, reader, oracle in (("client", Reader.CLIENT, client_reads), ("Heat", Reader.HEAT, heat_reads)):
        accepted, data = oracle(text)
        template = parse_template(text, reader=reader)
        is_limit = accepted and {one.code for one in template.problems} & OUR_LIMITS
        is_mixture = not accepted and _ONLY_TO_PYYAML.search(text) and _ONLY_TO_LIBYAML.search(text)
        if template.complete != accepted and not is_limit and not is_mixture:
            return f"{name} {'accepts' if accepted else 'refuses'} it: {[one.message for one in template.problems]}"
        if template.complete and isinstance(data, dict) and not same(template.data, data):
            return f"{name} makes {data!r} of it, not {template.data!r}"
    return None


def find_difference(seed: int, texts: int) -> tuple[str, str] | None:
    """Return the first random text with a difference, shortened, and the difference; None if there is none."""
    dice = Random(seed)
    for _ in range(texts):
        text = random_text(dice)
        if difference(text) is not None:
            text = shortened(text)
            return text, difference(text) or ""
    return None


def shortened(text: str) -> str:
    """Return a text with as many characters removed as possible that still has a difference."""
    size = len(text) // 2
    while size:
        at = 0
        while at < len(text):
            shorter = text[:at] + text[at + size :]
            if difference(shorter) is not None:
                text = shorter
            else:
                at += size
        size //= 2
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else SystemRandom().getrandbits(48)
    dice, shown = Random(seed), dict[str, str]()
    for _ in range(arguments.texts):
        text = random_text(dice)
        if difference(text) is not None:
            text = shortened(text)
            shown.setdefault(text, difference(text) or "")
    for text, what in sorted(shown.items(), key=lambda pair: len(pair[0])):
        sys.stdout.write(f"{text!r}: {what}\n")
    sys.stdout.write(f"seed {seed}: {len(shown)} differences in {arguments.texts} texts\n")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())

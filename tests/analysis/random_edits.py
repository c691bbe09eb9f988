"""Random edits of templates, including malformed text as from typing and pasting."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

PIECES = (
    *(" ", "  ", "\n", "\n\n", "\t", "\r\n", "\r", ":", ": ", " :", ",", ", ", "#", " # ", "- ", "? ", "-", "=", "~"),
    *("'", '"', "''", '"\\x', "{", "}", "[", "]", "{}", "[]", "{a: 1}", "[a, b]", "{a:, b: c}", "[b:]", "{{ x }}"),
    *("&a ", "&b ", "*a", "*b", "*a ", "<<: *a\n", "<<: [*a, *b]\n", "&a [*a]", "!x ", "!!str ", "!!set ", "!!int "),
    *("|", "|\n", ">-\n", "|2\n", "%", "@", "`", "---\n", "...\n", "--- ", "%YAML 1.1\n", "\ufeff", "\u2028", "\x85"),
    *("\x07", "\x00", "é", "😀", "\ud800", "0b_", "1e3", "010", "null", "true", "yes", "on", "1", "1.0", "2001-01-01"),
    *(
        "<<",
        "a: b\n",
        "  a: b\n",
        "    - b\n",
        "default: 1\n",
        "condition: big\n",
        "depends_on: [a]\n",
        "type: a.yaml\n",
    ),
)
VALUES = (
    *("{get_param: size}", "{get_param: nothing}", "{get_param: [size, 0]}", "{get_resource: net}", "{Ref: net}"),
    *("{get_attr: [net, name]}", "{get_attr: [group, refs]}", "{get_file: x.txt}", "{if: [big, 1, 2]}", "{not: big}"),
    *("{list_join: [',', [a, b]]}", "{resource_facade: metadata}", "{Fn::Select: [0, [a]]}", "{'Fn::Join': ['', [a]]}"),
    *("{str_replace: {template: a, params: {a: b}}}", "{equals: [{get_param: size}, 3]}", "{and: [big, {not: big}]}"),
    *("a", "'1'", "3", "-1", "0.5", "false", "~", "''", "[]", "{}", "big", "number", "string", "json", "my.yaml"),
    *("OS::Heat::None", "OS::Heat::RandomString", "OS::Neutron::Port", "OS::Nova::Server", "OS::Heat::ResourceGroup"),
)
VERSIONS = (
    *("2013-05-23", "2014-10-16", "2015-04-30", "2015-10-15", "2016-04-08", "2016-10-14", "newton", "ocata", "pike"),
    *("queens", "rocky", "wallaby", "2018-08-31", "2021-04-16", "2010-09-09", "2012-12-12", "2099-01-01", "2016-10"),
)
_VERSION = re.compile(r"(?:heat_template_version|HeatTemplateFormatVersion|AWSTemplateFormatVersion)\W+([\w-]+)")
_KEY = re.compile(r"^[ \t-]*[\"']?([\w.:-]*\w)[\"']?[ \t]*:(?=\s)", re.MULTILINE)
_WORD = re.compile(r"\w+(?:::\w+)*")
_VALUE = re.compile(r"(?<=: )[^\s#{\[][^\n#]*")
_MOST_CHARACTERS = 20_000
_LONGEST_BLOCK = 12


class RandomEdits:
    """A generator of successive random edits of a text, deterministic for a seed of `dice`."""

    def __init__(self, dice: Random, text: str, others: Sequence[str] = ()) -> None:
        self._dice = dice
        self._others = others
        self._past = [text]
        self._future: list[str] = []
        self._clipboard = "  a: &a {b: 1}\n"
        self._limit = len(text) + _MOST_CHARACTERS
        self._kinds: tuple[tuple[int, Callable[[str], str]], ...] = (
            (6, self._piece),
            (4, self._delete),
            (3, self._line),
            (3, self._indent),
            (3, self._cut),
            (3, self._paste),
            (4, self._rename),
            (3, self._value),
            (3, self._word),
            (2, self._anchor),
            (1, self._version),
            (1, self._foreign),
            (1, self._wrap),
            (1, self._marker),
        )

    @property
    def text(self) -> str:
        return self._past[-1]

    def step(self) -> str:
        """Make one more edit, undo or redo, and return the text."""
        dice = self._dice
        if len(self._past) > 1 and dice.random() < 0.12:
            for _ in range(dice.choice((1, 1, 2, 5))):
                if len(self._past) > 1:
                    self._future.append(self._past.pop())
        elif self._future and dice.random() < 0.5:
            self._past.append(self._future.pop())
        else:
            (edit,) = dice.choices([kind for _, kind in self._kinds], [weight for weight, _ in self._kinds])
            self._future.clear()
            self._past.append(edit(self.text)[: self._limit])
        return self.text

    def _spot(self, text: str) -> int:
        """Return a random offset, often at the start or at the indentation of a line."""
        at = self._dice.randint(0, len(text))
        kind = self._dice.randrange(4)
        if kind < 2:
            at = text.rfind("\n", 0, at) + 1
        if kind == 0:
            at += len(text[at:]) - len(text[at:].lstrip(" "))
        return at

    def _lines(self, text: str) -> tuple[list[str], int, int]:
        """Return the lines, and the start and end of a random block of lines."""
        lines = text.splitlines(keepends=True) or [""]
        start = self._dice.randrange(len(lines))
        return (
            lines,
            start,
            min(len(lines), start + self._dice.choice((1, 1, 1, 2, 3, self._dice.randint(1, _LONGEST_BLOCK)))),
        )

    def _piece(self, text: str) -> str:
        at = self._spot(text)
        return text[:at] + self._dice.choice(PIECES) + text[at + self._dice.choice((0, 0, 0, 1, 2)) :]

    def _delete(self, text: str) -> str:
        at = self._spot(text)
        return text[:at] + text[at + self._dice.choice((1, 1, 1, 2, 3, 7)) :]

    def _line(self, text: str) -> str:
        lines, start, end = self._lines(text)
        kind = self._dice.randrange(4)
        if kind == 0:
            return "".join(lines[:start] + lines[end:])
        if kind == 1:
            return "".join(lines[:end] + lines[start:])
        if kind == 2:
            other = self._dice.randrange(len(lines))
            lines[start], lines[other] = lines[other], lines[start]
            return "".join(lines)
        return "".join([*lines[:start], self._dice.choice(("\n", "  \n", "\t\n", "# c\n", "   # c\n")), *lines[start:]])

    def _indent(self, text: str) -> str:
        lines, start, end = self._lines(text)
        if self._dice.random() < 0.5:
            sign = self._dice.choice((" ", "  ", "  ", "\t", "- "))
            block = [sign + line for line in lines[start:end]]
        else:
            by = self._dice.choice((1, 2, 2, 4))
            block = [line[min(by, len(line) - len(line.lstrip(" "))) :] for line in lines[start:end]]
        return "".join([*lines[:start], *block, *lines[end:]])

    def _cut(self, text: str) -> str:
        lines, start, end = self._lines(text)
        self._clipboard = "".join(lines[start:end])
        return "".join(lines[:start] + lines[end:])

    def _paste(self, text: str) -> str:
        lines, start, _ = self._lines(text)
        return "".join([*lines[:start], self._clipboard, *lines[start:]])

    def _foreign(self, text: str) -> str:
        """Paste a block of lines from another text."""
        if self._others:
            lines, start, end = self._lines(self._dice.choice(self._others))
            self._clipboard = "".join(lines[start:end])
        return self._paste(text)

    def _rename(self, text: str) -> str:
        """Rename a key, in one place or at all occurrences of its name."""
        keys = [found.span(1) for found in _KEY.finditer(text)]
        if not keys:
            return text
        start, end = self._dice.choice(keys)
        old = text[start:end]
        new = self._dice.choice((old + "x", old[:-1], self._dice.choice(_WORD.findall(text) or ["x"]), "a", "5", "on"))
        if self._dice.random() < 0.3:
            return re.sub(rf"\b{re.escape(old)}\b", new.replace("\\", ""), text)
        return text[:start] + new + text[end:]

    def _value(self, text: str) -> str:
        values = [found.span() for found in _VALUE.finditer(text)]
        if not values:
            return text
        start, end = self._dice.choice(values)
        return text[:start] + self._dice.choice(VALUES) + text[end:]

    def _word(self, text: str) -> str:
        """Replace a word with another word of the text."""
        words = [found.span() for found in _WORD.finditer(text)]
        if not words:
            return text
        start, end = self._dice.choice(words)
        first, last = self._dice.choice(words)
        return text[:start] + text[first:last] + text[end:]

    def _anchor(self, text: str) -> str:
        """Insert an anchor, an alias or a merge key."""
        spots = [found.end() for found in re.finditer(r":[ ]+(?=\S)|:(?=\r?\n)|^[ ]+(?=\w)|- ", text, re.MULTILINE)]
        if not spots:
            return text
        at = self._dice.choice(spots)
        sign = self._dice.choice(("&a ", " &a", "&b ", "*a", "*a ", " *b", "<<: *a\n"))
        return text[:at] + sign + text[at:]

    def _version(self, text: str) -> str:
        found = _VERSION.search(text)
        return text[: found.start(1)] + self._dice.choice(VERSIONS) + text[found.end(1) :] if found else text

    def _wrap(self, text: str) -> str:
        """Surround a piece of the text with brackets, quotes or a comment."""
        start = self._spot(text)
        end = min(len(text), start + self._dice.choice((1, 5, 20, 100)))
        opening, closing = self._dice.choice(
            (("{", "}"), ("[", "]"), ('"', '"'), ("'", "'"), ("# ", "\n"), ("{a: ", "}"))
        )
        return text[:start] + opening + text[start:end] + closing + text[end:]

    def _marker(self, text: str) -> str:
        kind = self._dice.randrange(5)
        if kind == 0:
            return self._dice.choice(("---\n", "\ufeff", " ", "\n", "# c\n", "\t", "{")) + text
        if kind == 1:
            return text + self._dice.choice(
                ("---\n", "...\n", "\t", "  ", "}", "\n", "\ufeff", "# c", "a: b", "  a: b")
            )
        if kind == 2:
            return text.replace("\n", "\r\n") if "\r" not in text else text.replace("\r", "")
        lines, start, _ = self._lines(text)
        return "".join(
            [*lines[:start], self._dice.choice(("---\n", "...\n", "--- # c\n", "%TAG ! a\n")), *lines[start:]]
        )

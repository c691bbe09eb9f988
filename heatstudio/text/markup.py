"""Text of the output formats: other text, such as names in a template, has to be escaped to become part of it."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import ClassVar, Self

from heatstudio.text.invisible import visible

_FENCES = re.compile("`+")
_BAR = re.compile(r"(?<!\\)\|")
_SPECIAL = re.compile(r"[\\`*\[\]<>#|~&@$]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=w)\.|(?<=\d)[.)](?=\s|$)|(?<!\S)[-+=]")
"""What has, or may have, a meaning in Markdown, depending on the place."""


class Markup(str):
    """Text of an output format. The methods of `str` return ordinary text, which mypy does not accept as markup."""

    _bold: ClassVar[str]
    _line_end: ClassVar[str]

    @classmethod
    def escape(cls, text: object) -> Self:
        """Return a text in this format, in one line: line ends and invisible characters become visible escapes."""
        return text if isinstance(text, cls) else cls(cls._escape(visible(str(text))))

    @classmethod
    def code(cls, text: object) -> Self:
        """Return a text as code."""
        raise TypeError(cls)

    @classmethod
    def sentence(cls, text: str) -> Self:
        """Return a sentence that has its code in backticks, in one line."""
        parts = " ".join(filter(None, map(str.strip, text.split("\n")))).split("`")
        if len(parts) % 2 == 0:
            return cls.escape("`".join(parts))
        return cls("".join(cls.code(part) if at % 2 else cls.escape(part) for at, part in enumerate(parts)))

    @classmethod
    def popup(cls, title: str, lines: Iterable[str]) -> Self:
        """Return sentences below a bold title."""
        head = [cls(cls._bold).fill(cls.sentence(title))] if title else []
        return cls(cls._line_end).join((*head, *(cls.sentence(line) for line in lines if line)))

    def fill(self, *parts: object) -> Self:
        """Insert texts at each `{}`, escaped unless they have this format already."""
        return type(self)(self.format(*map(self.escape, parts)))

    def join(self, parts: Iterable[str], /) -> Self:
        """Join texts, escaped unless they have this format already."""
        return type(self)(super().join(map(self.escape, parts)))

    @classmethod
    def _escape(cls, text: str) -> str:
        raise TypeError(cls)


class Xml(Markup):
    """XML, which may not contain most control characters even as references."""

    @classmethod
    def _escape(cls, text: str) -> str:
        return escape(text).replace("##", "#&#35;")  # `##[error]` is a command in the output of a job


class Html(Xml):
    """HTML that Qt displays."""

    _bold = "<b>{}</b>"
    _line_end = "<br>"

    @classmethod
    def code(cls, text: object) -> Self:
        """Return a text in the code font."""
        return cls("<code>{}</code>").fill(text)


class Markdown(Markup):
    """GitHub Flavored Markdown: https://github.github.com/gfm/."""

    _bold = "**{}**"
    _line_end = "\n\n"

    @classmethod
    def code(cls, text: object) -> Self:
        """Return a text between backticks that are more than its own."""
        shown = visible(str(text))
        if not shown.strip() or "##" in shown:  # `##[error]` is a command in the output of a job
            return cls.escape(shown)
        fence = "`" * (max(map(len, _FENCES.findall(shown)), default=0) + 1)
        space = " " if "`" in (shown[0], shown[-1]) else ""
        return cls(f"{fence}{space}{shown}{space}{fence}")

    @classmethod
    def table(cls, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Self:
        """Return a table, in which a vertical bar is escaped even in code."""
        lines = (columns, [cls("---")] * len(columns), *rows)
        cells = ((cls(_BAR.sub(r"\\|", cls.escape(part))) for part in line) for line in lines)
        return cls("\n").join(cls("| {} |").fill(cls(" | ").join(line)) for line in cells)

    def below_title(self, part: Self) -> Self:
        """Return the page with a part below its first line."""
        title, line_end, rest = self.partition("\n")
        return type(self)(f"{title}{line_end}{part}{rest}")

    @classmethod
    def _escape(cls, text: str) -> str:
        return _SPECIAL.sub(r"\\\g<0>", text)

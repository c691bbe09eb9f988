"""A parsed template: data with spans."""

import re
from collections.abc import Mapping
from functools import cached_property

from heatstudio.template.dialect import VERSION_KEYS, Dialect, DialectChoice, choose_dialect, misspelled_version
from heatstudio.template.syntax.lookup import Located, OffsetPlace, Part, find, place_at
from heatstudio.template.syntax.nodes import Entry, Key, Section, SyntaxProblem, TreePath
from heatstudio.template.syntax.parse import SIZE_LIMIT as READ_LIMIT
from heatstudio.template.syntax.parse import Reader, read_text
from heatstudio.template.syntax.reading import Known, Reading
from heatstudio.text import Severity, Span

SIZE_LIMIT = 524288
"""Heat's default max_template_size (heat/common/config.py)."""

_JINJA = "jinja-template"
_STATEMENT = re.compile(r"^[ \t]*\{%", re.MULTILINE)
_EXPRESSION = re.compile(r"\{\{-?\s*[\w.][^{}\n]*\}\}")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")


class Template:
    """An immutable parsed text: its data, and the span of every value."""

    def __init__(
        self, text: str, reader: Reader, reading: Reading, choice: DialectChoice, problems: tuple[SyntaxProblem, ...]
    ) -> None:
        self.text = text
        self.reader = reader
        self.problems = problems
        self.dialect: Dialect = choice.dialect
        self.version_key = choice.version_key
        self.version = choice.version
        self.version_message = choice.message
        """Heat's message if it rejects the version."""
        self.complete = reading.complete
        """False if Heat cannot read the text, which then may contain more than the data."""
        self.is_json = reading.json
        self.reading = reading
        self.sections: Mapping[Key, Section] = {section.name: section for section in reading.sections}
        self.data: dict[object, object] = reading.data if isinstance(reading.data, dict) else {}

    def entries(self, section: Key) -> Mapping[Key, Entry]:
        """Return the entries of a section by name; empty unless the section is a map."""
        found = self.sections.get(section)
        return found.entries if found else {}

    def section(self, name: Key) -> Mapping[object, object]:
        """Return the data of a section; empty unless the section is a map."""
        found = self.data.get(name)
        return found if isinstance(found, Mapping) else {}

    def find(self, path: TreePath) -> Located | None:
        """Return the node at a path with its key and shift; None if the path does not exist."""
        return find(self.reading, self.sections, path)

    def locate(self, path: TreePath, part: Part = Part.VALUE) -> Span:
        """Return the span of a path, or of the key of its nearest existing ancestor."""
        for length in range(len(path), 0, -1) if path else (0,):
            located = self.find(path[:length])
            if located is not None:
                exists = length == len(path) or located.key is None
                span = located.span(part if exists else Part.KEY)
                # In an invalid text, an anchor and its alias may be in different chunks.
                end = min(span.end, len(self.text))
                return Span(min(span.start, end), end)
        return Span(0, 0)

    def path_at(self, offset: int) -> OffsetPlace:
        """Return the innermost value or key at an offset."""
        return place_at(self.reading, offset)

    def key_offset(self, offset: int) -> int:
        """Return an offset in the key before an offset if only blanks follow the key, otherwise the offset."""
        before = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
        key = before.rstrip(" ").removesuffix(":")
        return offset - len(before) + len(key) if key.strip() else offset

    @cached_property
    def known(self) -> Known:
        """The reusable entries for the next reading."""
        return {
            (section.name, placed.entry.text): placed.entry
            for section in self.reading.sections
            for placed in section.by_name.values()
            if placed.entry.reusable
        }


def parse_template(text: str, previous: Template | None = None, reader: Reader = Reader.CLIENT) -> Template:
    """Parse any text as a template, with its errors as problems; reuse the entries unchanged since `previous`."""
    if previous is not None and (text, reader) == (previous.text, previous.reader):
        return previous
    reading = read_text(text, previous.known if previous else {}, reader)
    choice = choose_dialect(reading.data if isinstance(reading.data, dict) else {})
    problems = [*reading.problems]
    if reading.complete:
        problems += _shape_problems(text, reading, choice)
    elif (found := _STATEMENT.search(text)) is not None:
        message = "This is a Jinja template. Render it, then check the result."
        span = Span(found.end() - 2, found.end())
        problems = [SyntaxProblem(_JINJA, message, span, Severity.INFORMATION)]
    else:
        problems = [_as_expression(text, problem) for problem in problems]
    if SIZE_LIMIT < len(text) <= READ_LIMIT:
        message = f"The template has {len(text)} characters; Heat's default limit is {SIZE_LIMIT}. Split the template."
        problems.append(SyntaxProblem("too-large", message, Span(SIZE_LIMIT, len(text))))
    return Template(text, reader, reading, choice, tuple(problems))


def _as_expression(text: str, problem: SyntaxProblem) -> SyntaxProblem:
    """Replace a problem on a line with a Jinja expression with a problem about Jinja.

    Quoted expressions are valid text for other programs, such as Ansible.
    """
    if problem.severity is not Severity.ERROR:
        return problem
    start = text.rfind("\n", 0, problem.span.start) + 1
    line = text[start : text.find("\n", problem.span.start) % (len(text) + 1)]
    for found in _EXPRESSION.finditer(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), line)):
        message = "Heat cannot read `{{`. Quote the text, or render the template with Jinja first."
        return SyntaxProblem(_JINJA, message, Span(*found.span()).shifted(start))
    return problem


def _shape_problems(text: str, reading: Reading, choice: DialectChoice) -> list[SyntaxProblem]:
    first_line = Span(0, len(text) if "\n" not in text else text.index("\n"))
    if not isinstance(reading.data, dict) and (reading.data is not None or reading.json):
        message = "A template must be a map of sections such as `resources:`."
        return [SyntaxProblem("not-a-mapping", message, first_line)]
    if not isinstance(reading.data, dict) or not any(key in reading.data for key in VERSION_KEYS):
        written = misspelled_version(reading.data) if isinstance(reading.data, dict) else None
        section = next((one for one in reading.sections if written is not None and one.name == written[0]), None)
        if written is not None and section is not None:
            span = Span(section.key.start, section.key.end).shifted(section.shift)
            return [SyntaxProblem("no-version", f"Unknown key `{written[0]}`; did you mean `{written[1]}`?", span)]
        words = choice.dialect
        message = f"The version is missing: start the template with `{words.version_key}: {words.version}`."
        return [SyntaxProblem("no-version", message, first_line)]
    return []

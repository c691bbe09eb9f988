"""Reading of a text into sections and entries: entry by entry, or as a whole where entries depend on each other.

The result does not depend on `known`: reused entries equal newly read ones.
"""

import json
from enum import Enum, auto

from msgspec.structs import replace

from heatstudio.template.syntax.chunks import read_chunks, salvage
from heatstudio.template.syntax.nodes import SyntaxProblem
from heatstudio.template.syntax.reading import Known, Reading, read_whole
from heatstudio.text import Span

_MARK = "\ufeff"
SIZE_LIMIT = 1_048_576
"""Heat's default max_json_body_size (heat/common/wsgi.py); longer texts are not read."""


class Reader(Enum):
    """The program that reads a text: Heat or python-heatclient."""

    CLIENT = auto()
    """python-heatclient, which reads a stack's template and sends its data (heatclient/common/template_format.py).

    The client strips the text; a text that then begins with `{` is JSON.
    """
    HEAT = auto()
    """Heat, which reads nested templates as JSON or, if that fails, as YAML (heat/common/template_format.py)."""
    ENVIRONMENT = auto()
    """Either program, which reads an environment as YAML (heatclient/common/environment_format.py)."""


def read_text(text: str, known: Known, reader: Reader = Reader.CLIENT) -> Reading:
    """Read a text; `known` entries whose text is unchanged are reused."""
    if len(text) > SIZE_LIMIT:
        return _unread(text)
    if reader is not Reader.CLIENT:
        return _read(text, known, allow_json=reader is Reader.HEAT)
    stripped = text.strip()
    start = len(text) - len(text.lstrip())
    is_json = stripped.startswith("{")
    reading = _shifted(_read(stripped, known, allow_json=is_json), start)
    if is_json and reading.complete and not reading.json:
        return _refused(reading, _no_json(stripped).shifted(start))
    if start and not reading.complete:
        indented = _read(text.rstrip(), known, allow_json=False)
        if indented.complete:
            message = "Remove the indentation of all lines: python-heatclient strips only the first line's."
            span = Span(text.rfind("\n", 0, start) + 1, start)
            return _refused(indented, SyntaxProblem("client-syntax", message, span))
    return reading


def _unread(text: str) -> Reading:
    message = f"Not checked: with {len(text)} characters, this file exceeds the size limit of a Heat request."
    problem = SyntaxProblem("too-large", message, Span(0, len(text)))
    return Reading((), None, (problem,), complete=False)


def _read(text: str, known: Known, *, allow_json: bool) -> Reading:
    if text.startswith(_MARK) and not text.startswith(_MARK, 1):
        # JSON parsers reject a byte order mark; YAML parsers skip one, and a second one is text.
        return _shifted(_read(text[1:], known, allow_json=False), 1)
    reading = None if text.startswith(_MARK) else read_chunks(text, known)
    if reading is not None:
        return reading
    reading = read_whole(text, known, allow_json=allow_json)
    if reading.json or reading.tree is None or reading.tree.problem is None:
        return reading
    saved = salvage(text, reading.tree.problem, known)
    return saved if len(saved.sections) >= len(reading.sections) else reading


def _shifted(reading: Reading, by: int) -> Reading:
    if not by:
        return reading
    sections = tuple(section.shifted(by) for section in reading.sections)
    problems = tuple(problem.shifted(by) for problem in reading.problems)
    return replace(reading, sections=sections, problems=problems, shift=reading.shift + by)


def _refused(reading: Reading, problem: SyntaxProblem) -> Reading:
    """Return a reading of a text that Heat accepts but python-heatclient rejects."""
    return replace(reading, problems=(problem, *reading.problems), complete=False)


def _no_json(text: str) -> SyntaxProblem:
    """Return the JSON error of a text that begins with a brace."""
    at = len(text)
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        at = error.pos
    before = text[:at].rstrip()
    if text[at : at + 1] in ("}", "]") and before.endswith(","):
        at = len(before) - 1
    if text[at : at + 1] == ",":
        message = "Remove this comma: python-heatclient reads the text as JSON."
        return SyntaxProblem("client-syntax", message, Span(at, at + 1))
    message = "This is not JSON; python-heatclient reads any text that begins with `{` as JSON."
    return SyntaxProblem("client-syntax", message, Span(at, min(at + 1, len(text))))

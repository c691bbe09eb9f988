"""A character that is not seen, or that makes a text look like another one."""

import json
from collections.abc import Iterator
from itertools import islice
from unicodedata import name

from heatstudio.analysis.scope import Diagnostic
from heatstudio.template import Part, Template
from heatstudio.template.syntax.nodes import ScalarNode
from heatstudio.text import Applicability, Fix, Severity, Span, TextEdit
from heatstudio.text.invisible import BIDI_CONTROLS, SPACES, escaped, invisible_in_lines, line_around

CODE = "invisible-character"
_LINE_ENDS = "\x85\u2028\u2029"
"""The characters that also end a line in YAML 1.1."""
_MOST = 1_000
"""Maximum number of characters examined: a text with more of them is unreadable anyway."""


def check(template: Template) -> Iterator[Diagnostic]:
    """Yield the keys, values and comments with such characters; comments only if the text is shown in another order."""
    text, line, found = template.text, Span(0, 0), dict[tuple[Span, ScalarNode | None], list[int]]()
    spaces = () if text.isascii() else (space.start() for space in SPACES.finditer(text))
    for at in sorted({*islice(invisible_in_lines(text), _MOST), *islice(spaces, _MOST)}):
        place = template.path_at(at)
        scalar = place.node if isinstance(place.node, ScalarNode) and place.span.start <= at < place.span.end else None
        line = line if at < line.end else line_around(text, at)
        is_name = scalar is not None and place.part is Part.KEY
        is_comment = scalar is None and "#" in text[line.start : at]
        is_shown = bool(SPACES.match(text, at)) and not is_name
        if at and not is_shown and not (is_comment and not BIDI_CONTROLS.match(text, at)):  # at 0: a byte order mark
            found.setdefault((place.span if scalar is not None else line, scalar), []).append(at)
    for (span, scalar), offsets in found.items():
        places = [Span(at, at + 1) for at in offsets]
        fixes = tuple(_fixes(template, span, scalar, offsets))
        message = _message(text[offsets[0]], len(offsets) - 1)
        yield Diagnostic(None, CODE, Severity.WARNING, message, places[0], tuple(places[1:]), ready_fixes=fixes)


def _message(sign: str, others: int) -> str:
    effect = "Invisible character"
    if BIDI_CONTROLS.match(sign):
        effect = "Most programs show this text in another order"
    elif SPACES.match(sign):
        effect = "This is not a space"
    more = f", and {others} more" if others else ""
    return f"{effect}: U+{ord(sign):04X} ({name(sign, 'control character').lower()}){more}."


def _fixes(template: Template, span: Span, scalar: ScalarNode | None, offsets: list[int]) -> Iterator[Fix]:
    text = template.text
    removals = tuple(TextEdit(Span(at, at + 1), "") for at in offsets)
    yield Fix("Remove what is not seen", removals, Applicability.DECISION)
    if scalar is None or scalar.tag is not None or "\n" in text[span.start : span.end]:
        return
    if any(text[at - 1] == "\\" or text[at] in _LINE_ENDS for at in offsets):
        return
    if scalar.style == '"':
        edits = tuple(TextEdit(Span(at, at + 1), _escape(text[at], template)) for at in offsets)
    else:
        signs = {text[at] for at in offsets}
        quoted = json.dumps(scalar.value, ensure_ascii=False)
        edits = (TextEdit(span, "".join(_escape(sign, template) if sign in signs else sign for sign in quoted)),)
    yield Fix("Write escapes, such as `\\u200b`", edits, Applicability.DECISION)


def _escape(sign: str, template: Template) -> str:
    return json.dumps(sign)[1:-1] if template.is_json else escaped(sign)

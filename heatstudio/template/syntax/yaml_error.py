"""Conversion of libyaml's errors to problems that say where and how to fix them."""

import re

import yaml

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.template.syntax.nodes import SyntaxProblem
from heatstudio.text import Span

_KNOWN = read_data(resource_path("yaml_errors.json"), dict[str, str])
"""Replacements of libyaml's messages; the first key that a message contains applies."""
_BEHIND_A_VALUE = ("did not find expected key", "did not find expected '-' indicator")
_ENDED = "Unexpected text after the value. Quote the whole value, or move the text to its own line."
_CLOSERS = ('"', "'", "}", "]")
_COLON = re.compile(r":(?=\s|$)")
_TAB_INDENT = re.compile(r"[ ]*\t")


def unreadable_character(text: str, offset: int) -> SyntaxProblem:
    """Return the problem of a character that is illegal in YAML."""
    code = f"U+{ord(text[offset]):04X}" if offset < len(text) else "of an unknown kind"
    message = f"The character {code} is not allowed: remove it, or write it as an escape in double quotes."
    return SyntaxProblem("control-character", message, Span(offset, min(offset + 1, len(text))))


def explain(text: str, error: yaml.MarkedYAMLError) -> SyntaxProblem:
    """Convert an error of the loader to a problem."""
    reason = error.problem or ""
    mark, context = error.problem_mark, error.context_mark
    offset = min(mark.index, len(text)) if mark else len(text)
    tab = _tab_that_indents(text, offset)
    if tab is not None:
        return SyntaxProblem("yaml-syntax", "Tabs are not allowed for indentation. Use spaces.", Span(tab, tab + 1))
    if "mapping values are not allowed" in reason:
        found = _misplaced_colon(text, offset)
        if found is not None:
            return found
    if context and mark and context.line < mark.line and _is_caused_by_context(reason, error.context or ""):
        offset = context.index
    message = next((words for sign, words in _KNOWN.items() if sign in reason), f"This is not valid YAML: {reason}.")
    if reason in _BEHIND_A_VALUE and _is_behind_a_value(text, offset):
        message = _ENDED
    return SyntaxProblem("yaml-syntax", message, _rest_of_line(text, offset))


def _misplaced_colon(text: str, colon: int) -> SyntaxProblem | None:
    """Return the problem of a first colon in a line, which the lines above cause; None for any other colon."""
    start = text.rfind("\n", 0, colon) + 1
    key = text[start:colon]
    if _COLON.search(key):
        return None
    above = _written_line_above(text, start)
    before = text[above.start : above.end] if above is not None else ""
    if above is not None and not _COLON.search(before) and before[0] not in "-\"'{[":
        message = "A `:` is missing after this key."
        if ":" in before.split(maxsplit=1)[0].strip(":"):
            message = "A space is missing after this `:`."
        return SyntaxProblem("yaml-syntax", message, above)
    message = "This line is indented too far. Correct its indentation."
    return SyntaxProblem("yaml-syntax", message, Span(start + len(key) - len(key.lstrip()), colon + 1))


def _written_line_above(text: str, start: int) -> Span | None:
    """Return the span of the nearest line above that is neither empty nor a comment."""
    while start > 0:
        end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
        line = text[start:end]
        content = line.strip()
        if content and not content.startswith("#"):
            at = start + len(line) - len(line.lstrip())
            return Span(at, at + len(content))
    return None


def _is_caused_by_context(reason: str, context: str) -> bool:
    """Return whether to report the start of the unfinished construct instead of where the parser stopped."""
    return "could not find expected ':'" in reason or "quoted scalar" in context or "flow" in context


def _is_behind_a_value(text: str, offset: int) -> bool:
    """Return whether a closing quote or bracket precedes an offset in its line."""
    return text[text.rfind("\n", 0, offset) + 1 : offset].rstrip(" \t").endswith(_CLOSERS)


def _tab_that_indents(text: str, offset: int) -> int | None:
    start = text.rfind("\n", 0, offset) + 1
    found = _TAB_INDENT.match(text, start)
    return found.end() - 1 if found and text[found.end() - 1 :].strip("\t ")[:1] not in ("", "\r", "\n") else None


def _rest_of_line(text: str, offset: int) -> Span:
    if offset >= len(text):
        offset = len(text.rstrip())
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    line = text[start:end]
    if not text[offset:end].strip():
        offset = start + len(line) - len(line.lstrip())
    return Span(min(offset, start + len(line.rstrip())), start + len(line.rstrip()))

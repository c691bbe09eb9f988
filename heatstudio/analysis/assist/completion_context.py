"""The context of completion: the path, the typed prefix, and the template without the prefix."""

import re

from msgspec import Struct

from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at
from heatstudio.template import Context, Template, TreePath, context_at, parse_template
from heatstudio.template.context import flow_context
from heatstudio.text import Span
from heatstudio.text.yaml_lexer import LineState, TokenRole, lex_line, state_at

_WORD_BEHIND = re.compile(r"[\w.-]*(?:::[\w.-]+)*")
_FOLLOWING = re.compile(r"\s*\S")
_TOKEN = re.compile(r"""\#[^\n]*|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\n]|'')*'|[\[\]{}]""")
_FARTHEST = 100
"""Maximum number of lines searched for the bracket around the caret."""
_CLOSERS = {"[": "]", "{": "}"}


class CaretContext(Struct, frozen=True):
    """The context at the caret."""

    model: SemanticModel
    """The model of the template without the word being typed."""
    path: TreePath
    """The path of the map to complete a key in, or of the value to complete."""
    prefix: str
    replace: Span
    """The span of the word at the caret, in the original text."""
    is_key: bool
    is_value: bool
    present: frozenset[str]
    """The other keys of the map."""
    in_flow: bool
    quote: str
    """The open quote before the word, if any."""
    before: str
    """The line before the word."""
    behind: str
    """The line after the word."""
    is_json: bool
    is_readable: bool
    """Whether the text has no syntax error, so that its offsets are those of the model."""
    following: str
    """The white space after the word and its quote, with the next character; in YAML, only within the line."""

    @property
    def margin(self) -> str:
        """The additional indentation of further lines."""
        return " " * len(self.before.lstrip(" \t"))


def writing_at(model: SemanticModel, offset: int) -> CaretContext | None:
    """Return the context at an offset; None in comments and block scalars."""
    template = model.template
    text = template.text
    offset = max(0, min(offset, len(text)))
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    above = state_at(text, start)
    runs, state = lex_line(text[start:offset] + "x", above.encode())
    if above.is_script(text[start:end], offset - start) or (runs and runs[-1].role is TokenRole.COMMENT):
        return None
    context = _context_in_brackets(text, start, offset) or context_at(text, offset)
    prefix = context.prefix if text.endswith(context.prefix, 0, offset) else ""
    begin = offset - len(prefix)
    found = _WORD_BEHIND.match(text, offset, end)
    replace = Span(begin, found.end() if found else offset)
    fixed = _fixed(template, start, begin, _end_of_lost(text, begin - start, end) if context.is_key else end)
    word = text[replace.start : replace.end]
    behind = text[replace.end : end].rstrip("\r")
    keeps_own = fixed is template and behind.lstrip("\"'").startswith(":")
    present = {str(key) for key in map_at(fixed, context.path)} if context.is_key else set()
    is_json = template.is_json or text.lstrip("\ufeff \t\r\n").startswith("{")
    return CaretContext(
        model.with_template(fixed),
        context.path,
        prefix,
        replace,
        is_key=context.is_key,
        is_value=context.is_value,
        present=frozenset(present - ({word} if keeps_own or fixed is template else set())),
        in_flow=is_json or LineState.decode(state).depth > 0,
        quote=text[begin - 1] if begin > start and text[begin - 1] in "\"'" else "",
        before=text[start:begin],
        behind=behind,
        is_json=is_json,
        is_readable=fixed is template,
        following=_following(text, replace.end, len(text) if is_json else end),
    )


def _following(text: str, start: int, end: int) -> str:
    start += text[start : start + 1] in ('"', "'")
    found = _FOLLOWING.match(text, start, end)
    return found.group() if found else ""


def _context_in_brackets(text: str, start: int, offset: int) -> Context | None:
    """Return the context in brackets that open on a line of their own below their key, or None."""
    at = start
    for _ in range(_FARTHEST):
        above_start = text.rfind("\n", 0, max(at - 1, 0)) + 1
        line = text[at : at + 200].split("\n", 1)[0].strip()
        above = text[above_start : max(at - 1, 0)].rstrip()
        if line.startswith(("[", "{")) and above.endswith(":") and at < start:
            bracket = text.index(line[0], at)
            context = flow_context(text[bracket:offset], context_at(text, bracket).path)
            return context if context.is_key or context.is_value else None
        if above.endswith(":") or not above_start:
            return None
        at = above_start
    return None


def _fixed(template: Template, start: int, begin: int, end: int) -> Template:
    """Return the template without the text from `begin` to `end`, its brackets closed; unchanged if it is valid."""
    if template.complete:
        return template
    text = template.text
    begin -= begin > start and text[begin - 1] in "\"'"
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return parse_template(text[:begin] + _closing(text[:begin]), template)
    head = text[start:begin]
    return parse_template(text[:start] + head + _closing(head) + text[end:], template)


def _end_of_lost(text: str, column: int, end: int) -> int:
    """Return the end of the lines that belong to a key without a colon: deeper lines and list items in its column."""
    while end < len(text):
        following = text.find("\n", end + 1)
        following = len(text) if following < 0 else following
        line = text[end + 1 : following]
        indentation = len(line) - len(line.lstrip(" "))
        is_item = indentation == column and line.lstrip(" ").startswith("- ")
        if line.strip() and indentation <= column and not is_item:
            break
        end = following
    return end


def _closing(text: str) -> str:
    """Return the brackets that close the open ones of a piece of text."""
    brackets: list[str] = []
    for found in _TOKEN.finditer(text):
        sign = found.group()
        if sign in _CLOSERS:
            brackets.append(sign)
        elif sign in "]}" and brackets:
            brackets.pop()
    return "".join(_CLOSERS[bracket] for bracket in reversed(brackets))

"""Rendering of suggestions in the style of their context: block or flow, quotes, indentation."""

import json
import re
from collections.abc import Iterable, Sequence

from msgspec.structs import astuple

from heatstudio.analysis.assist.completion_context import CaretContext
from heatstudio.analysis.assist.expectation import Role
from heatstudio.analysis.assist.signature import Signature
from heatstudio.analysis.assist.suggestion import Body, CallText, Completion, Form, Key, Raw, Suggestion, Value
from heatstudio.template.editing.writer import scalar_text
from heatstudio.text import Span

_STEP = re.compile(r"^([ ]+)[^ \n#-]", re.MULTILINE)
_STOP = re.compile(r"\$\{(\d+):((?:[^}\\]|\\.)*)\}")
_NAMES = frozenset({Role.PARAMETER, Role.RESOURCE_NAME, Role.CONDITION, Role.FILE, Role.MAPPING, Role.NAME})
"""The roles for which the editor opens completion as soon as the caret is at the argument."""


def completions_of(suggestions: Iterable[Suggestion], writing: CaretContext) -> list[Completion]:
    """Render suggestions, the most likely first; of suggestions with the same label and kind, keep the first."""
    labels: dict[tuple[str, str], Suggestion] = {}
    for suggestion in suggestions:
        labels.setdefault((suggestion.label, suggestion.kind), suggestion)
    best = _best(list(labels.values()), writing)
    completions = [_completion(suggestion, writing, best=suggestion is best) for suggestion in labels.values()]
    return sorted(completions, key=lambda completion: completion.sort_key)


def _best(suggestions: Sequence[Suggestion], writing: CaretContext) -> Suggestion | None:
    """Return the only suggestion of the lowest rank, except on an empty line, where Enter breaks the line."""
    least = min((one.rank for one in suggestions), default=0)
    first = [one for one in suggestions if one.rank == least and not one.deprecated]
    is_clear = len(first) == 1 and first[0].further is None
    return first[0] if is_clear and writing.before.strip() and writing.is_value else None


def _completion(suggestion: Suggestion, writing: CaretContext, *, best: bool) -> Completion:
    text = _text(suggestion.body, writing)
    span = writing.replace
    if suggestion.follows:
        text, span = f"\n{text}", Span(span.end, span.end)
    if isinstance(suggestion.body, Key) and _ends_in_quote(writing):
        text += f"{writing.quote}: "
        span = Span(span.start, span.end + 1)
    if isinstance(suggestion.body, Key) and writing.in_flow and _is_before_member(writing):
        text += ("" if "${" in text else "${1}") + ("," if writing.following[0].isspace() else ", ")
    if writing.margin and "\n" in text and not suggestion.follows:
        text = text.replace("\n", "\n" + writing.margin)
    if writing.before.endswith(":") and not writing.in_flow:
        text = " " + text
    return Completion(*astuple(suggestion), insert_text=text, replace=span, best=best)


def _ends_in_quote(writing: CaretContext) -> bool:
    """Return whether the caret is in a quoted key that has no colon yet."""
    behind = writing.behind
    return bool(writing.quote) and behind[:1] == writing.quote and not behind[1:].lstrip().startswith(":")


def _is_before_member(writing: CaretContext) -> bool:
    """Return whether another member of the map follows without a comma."""
    return writing.following[-1:] not in ("", ",", "}", "]", ":", "#")


def escaped(text: str) -> str:
    """Escape a text for use in a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$")


def step_of(text: str) -> str:
    """Return the indentation of one level."""
    found = _STEP.search(text)
    return found.group(1) if found and len(found.group(1)) <= 8 else "  "


def _text(body: Body, writing: CaretContext) -> str:
    match body:
        case Key():
            return _key(body, writing)
        case Value(data):
            return escaped(_scalar(data, writing))
        case CallText(signature, arguments):
            return _call(signature, arguments, writing)
        case Raw(text):
            return text


def _scalar(data: str | float | bool | None, writing: CaretContext, *, key: bool = False) -> str:
    if writing.quote:
        return data if isinstance(data, str) else json.dumps(data)
    if writing.is_json:
        return json.dumps(data, ensure_ascii=False)
    return scalar_text(data, flow=writing.in_flow, key=key)


def _key(body: Key, writing: CaretContext) -> str:
    name = escaped(_scalar(body.name, writing, key=True))
    if writing.behind.lstrip("\"' \t").startswith(":") or writing.quote:
        return name
    if writing.in_flow:
        brackets = {Form.MAP: "{${1}}", Form.LIST: "[${1}]", Form.VALUE: body.value}
        return f"{name}: {brackets[body.shape]}"
    step = step_of(writing.model.template.text)
    if body.lines:
        return f"{name}:" + "".join(f"\n{step}{line}" for line in body.lines)
    if body.shape is Form.VALUE:
        return f"{name}: {body.value}"
    return f"{name}:\n{step}{'- ' if body.shape is Form.LIST else ''}"


def _call(signature: Signature, arguments: str | None, writing: CaretContext) -> str:
    given = arguments if arguments is not None else _arguments(signature)
    name = escaped(_scalar(signature.name, writing, key=True))
    if writing.is_json:
        given = _json_arguments(given)
    if not writing.is_key:
        return f"{{{name}: {given}}}"
    if writing.behind.lstrip("\"' \t").startswith(":"):
        return name
    if writing.in_flow:
        opened = writing.before.rstrip().endswith("{")
        closed = writing.behind.lstrip().startswith("}") or not opened
        return f"{name}: {given}" if closed else f"{name}: {given}}}"
    if signature.block and arguments is None:
        step = step_of(writing.model.template.text)
        return f"{name}:" + "".join(f"\n{step}{line}" for line in signature.block)
    return f"{name}: {given}"


def _arguments(signature: Signature) -> str:
    """Return the snippet of the arguments; a first argument that is a name is empty, to open completion there."""
    first = signature.role(None) or signature.role(0)
    if first not in _NAMES:
        return signature.snippet
    return _STOP.sub(lambda stop: "${1}" if stop[1] == "1" else stop[0], signature.snippet)


def _json_arguments(snippet: str) -> str:
    """Return a snippet of arguments as JSON, with its strings and keys quoted."""
    quoted = re.sub(r"'?(\$\{\d+(?::(?:[^}\\]|\\.)*)?\})'?", r'"\1"', snippet)
    return re.sub(r"([{,] ?)([a-z_]+):", r'\1"\2":', quoted)

"""Headlines: Heat's messages in the terms of the template's author, each with the fix if that is known.

The data is in resources/messages.json: a message of Heat with fields in braces, and a headline with the same fields.
The name of a field determines its rendering: `reason` is itself a message, `kind` a Python type, `choice` a list of
values, `items` a list with an item that is not in `choice`, `value` any value, `unmapped` a value that is no map,
`text` plain words; any other field is code.
"""

import json
import re
from functools import cache, lru_cache, partial

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.text import enumerated

LONGEST = 80
_WIDTHS = (60, 40, 24, 12)
"""Maximum characters of a field, tried in order until the headline fits."""
_FIELD = re.compile(r"\{(\w+)\}")
_MAP_OR_LIST = re.compile(r"\{\}|\[\]|[\[{](?:[-'\"\[{\d]|None|True|False|Unknown).*[\]}]")
"""Data as Python writes it, in contrast to a string that begins with a bracket."""
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_KINDS = {
    **{"str": "a string", "dict": "a map", "list": "a list", "tuple": "a list", "bool": "a boolean"},
    **{"int": "a number", "float": "a number", "NoneType": "null"},
}


@lru_cache(maxsize=1024)
def headline(message: str) -> str:
    """Return the headline of a message of Heat; the message itself if it has none."""
    for parts, words in _headlines():
        fields = _fields(parts, message)
        if fields is not None:
            shown = (_FIELD.sub(partial(_shown, fields, width), words) for width in _WIDTHS)
            text = min(shown, key=lambda one: max(len(one), LONGEST))  # the first that fits, else the shortest
            return text[:1].upper() + text[1:]
    return message


@cache
def _headlines() -> tuple[tuple[list[str], str], ...]:
    """Return the split messages of Heat (text and field names in turn) with their headlines."""
    messages = read_data(resource_path("messages.json"), dict[str, str])
    return tuple((_FIELD.split(heat), words) for heat, words in messages.items())


def _fields(parts: list[str], message: str) -> dict[str, str] | None:
    """Return the fields of a message, each as short as possible; None if the message does not match the parts."""
    first, *pairs = parts
    if not message.startswith(first) or not message.endswith(parts[-1]):
        return None
    fields, start = {}, len(first)
    for at, after in enumerate(pairs[1::2]):
        name, following = pairs[2 * at], pairs[2 * at + 3 :]
        end = message.find(after, start) if following else max(len(message) - len(after), start)
        if after == " " and following:  # the name of a resource may contain spaces, the key after it contains none
            end = message.rfind(after, start, message.find(following[0], start))
        if end < 0 or not message.startswith(after, end):
            return None
        fields[name], start = message[start:end], end + len(after)
    return fields if start == len(message) else None


def _shown(fields: dict[str, str], width: int, field: re.Match[str]) -> str:
    name, text = field[1], " ".join(fields[field[1]].split())
    short = text if len(text) <= width else f"{text[: width - 1]}…"
    match name:
        case "reason":
            reason = headline(fields[field[1]])
            return reason[:1].lower() + reason[1:] if reason != fields[field[1]] else text
        case "kind":
            return _KINDS.get(text, text)
        case "text":
            return short
        case "choice":
            return _choice(text, width)
        case "items":
            return _refused(text, fields["choice"], width)
        case "value" if text == "None" or text.startswith("<"):
            return "null" if text == "None" else "this value"
        case "value" if _MAP_OR_LIST.fullmatch(text):
            return "a map" if text.startswith("{") else "a list"
        case "unmapped" if _MAP_OR_LIST.fullmatch(text) and text.startswith("["):
            return "a list"
    return short if _NUMBER.fullmatch(text) else f"`{short}`" if text else "an empty string"


def _refused(text: str, choice: str, width: int) -> str:
    """Return the first item that is not among the values."""
    try:
        allowed = json.loads(f"[{choice}]")
        refused = next(item for item in json.loads(f"[{text}]") if item not in allowed)
    except (ValueError, StopIteration):
        return text[:width]
    return f"`{refused}`"[:width]


def _choice(text: str, width: int) -> str:
    """Return the values, or as many of them as fit."""
    try:
        values = sorted(json.loads(f"[{text}]"), key=lambda value: bool(_NUMBER.fullmatch(str(value))))  # words first
        names = [f"`{value}`" for value in values]
    except ValueError:
        return text[:width]
    while len(names) > 1 and len(", ".join(names)) > width:
        names[-2:] = ["others"]
    return enumerated(names, "or")

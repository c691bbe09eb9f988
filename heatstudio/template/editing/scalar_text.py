"""Writing of scalars that read back unchanged, quoted only if necessary."""

import json
import re
from functools import lru_cache

from yaml.representer import SafeRepresenter

from heatstudio.template.syntax.construct import construct, is_text
from heatstudio.template.syntax.nodes import Scalar
from heatstudio.template.syntax.yaml_reader import UNREADABLE, read_yaml

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}[-_][A-Za-z0-9_-]{0,99}")
"""Texts, such as most names, that are plain strings everywhere in YAML and need not be read back."""


def json_text(value: Scalar) -> str:
    """Return a scalar as JSON."""
    return json.dumps(value, ensure_ascii=False)


@lru_cache(maxsize=4096, typed=True)
def scalar_text(value: Scalar, quote: str = "", *, flow: bool = False, key: bool = False) -> str:
    """Return a scalar as one line of YAML; `quote` is the preferred quote of a string."""
    if not isinstance(value, str):
        return str(SafeRepresenter().represent_data(value).value)
    if not quote and _NAME.fullmatch(value):
        return value
    forms = [_quoted(value, quote)] if quote else []
    forms += [value, _quoted(value, "'")]
    return next((form for form in forms if _reads_back(form, value, flow=flow, key=key)), _quoted(value, '"'))


def block_lines(value: str) -> list[str] | None:
    """Return the header and unindented lines of a literal block; None if it cannot represent the text."""
    body = value.rstrip("\n")
    if "\n" not in body or body[0] in " \t\n" or body[-1] in " \t" or UNREADABLE.search(value):
        return None
    if any(sign in value for sign in ("\r", "\x85", "\u2028", "\u2029", "\ufeff")):
        return None
    ends = len(value) - len(body)
    header = "|-" if ends == 0 else "|" if ends == 1 else "|+"
    return [header, *body.split("\n"), *([""] * (ends - 1))]


def _quoted(value: str, quote: str) -> str:
    if quote == "'":
        return "'" + value.replace("'", "''") + "'"
    text = json.dumps(value, ensure_ascii=False)
    return "".join(_escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    if sign in "\x85\u2028\u2029\ufeff\xa0" or UNREADABLE.match(sign):
        code = ord(sign)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return sign


def _reads_back(form: str, value: str, *, flow: bool, key: bool) -> bool:
    """Return whether a written form reads back as the value, as a key or value in a flow or block map."""
    if "\n" in form or "\r" in form or (len(form) > 1000 and key):
        return False
    if key and form == value and not is_text(value):
        return False
    text = f"{form}: x" if key else f"x: {form}"
    tree = read_yaml(f"{{a: 1, {text}, b: 2}}" if flow else f"{text} # c\n")
    if tree.problem is not None:
        return False
    found = construct(tree)
    expected: dict[str, object] = {value: "x"} if key else {"x": value}
    return found.whole and found.data == ({"a": 1} | expected | {"b": 2} if flow else expected) and not tree.shared

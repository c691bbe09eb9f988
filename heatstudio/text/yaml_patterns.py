"""The patterns of the parts of a YAML line, and the names of Heat's functions."""

import json
import re
from typing import Final

from heatstudio.assets import resource_path
from heatstudio.text.line_state import Expected

FUNCTIONS: Final = frozenset(json.loads(resource_path("functions.json").read_text(encoding="utf-8")))
"""The keys that are function calls anywhere, besides every key with `Fn::`."""

EXPECTED: Final = {
    **dict.fromkeys(("get_resource", "get_param", "Ref", "depends_on", "DependsOn", "condition"), Expected.NAMES),
    **dict.fromkeys(("get_attr", "Fn::GetAtt", "if", "Fn::If", "!GetAtt", "!If"), Expected.FIRST_NAME),
    "!Ref": Expected.NAMES,
}
TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:::[A-Za-z0-9_]+)+$")
NUMBER: Final = re.compile(
    r"(?:[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.inf|\.nan)"
    r"|true|false|yes|no|on|off|null|~|[0-9]{4}-[0-9]{2}-[0-9]{2})$",
    re.IGNORECASE,
)
QUOTED: Final = {'"': re.compile(r'(?:[^"\\]|\\.)*("?)', re.DOTALL), "'": re.compile(r"(?:[^']|'')*('?)(?!')")}
QUOTED_KEY: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?=\s|$)""")
PLAIN_KEY: Final = re.compile(
    r"((?:[^\s,\[\]{}#&*!|>'\"%@`?:-]|[?:-](?=\S))(?:[^\s:#]|:(?=\S)|(?<!\s)#|\s++(?!#|:(?:\s|$)))*)\s*:(?=\s|$)"
)
BLOCK_HEADER: Final = re.compile(r"[|>](?![1-9][+-]?[1-9])([1-9])?([+-]?)([1-9])?(?=\s*(?:$|#))")
"""The header of a block scalar: the second group is the chomping indicator, the others the indentation indicator."""
PROPERTY: Final = re.compile(r"[&!][^\s,\[\]{}]*|\*[^\s,\[\]{}]+")
PLAIN: Final = re.compile(r"(?:[^\s#]|(?<!\s)#|\s++(?!#|$))+")
FLOW_PLAIN: Final = re.compile(
    r"(?:[^\s,\[\]{}:#]|:(?![\s,\[\]{}]|$)|(?<!\s)#|[ \t](?![\s#]|[,\[\]{}]|:(?:[\s,\[\]{}]|$)))+"
)
COLON_BEHIND_FLOW_KEY: Final = re.compile(r"\s*:(?=[\s,\[\]{}]|$)")
COLON_BEHIND_JSON_KEY: Final = re.compile(r"\s*:")
JINJA: Final = re.compile(
    r"\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*+\}\}"
    r"|\{%(?:[^%{]|%(?!\})|\{(?!%))*+%\}"
    r"|\{\#(?:[^#{]|\#(?!\})|\{(?!\#))*+\#\}"
)
SPACES: Final = re.compile(r"[ \t]*")

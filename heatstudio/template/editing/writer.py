"""Writing of plain data that reads back unchanged, in the style of a file (indents, line endings, lists) or as JSON."""

import json
import re
from collections import Counter
from functools import lru_cache

from yaml.representer import SafeRepresenter

from heatstudio.template.editing.rendering_plan import CannotEditError, Existing, resolved
from heatstudio.template.syntax.construct import construct, is_text
from heatstudio.template.syntax.lookup import Located
from heatstudio.template.syntax.nodes import BLOCK_STYLES, MappingNode, Scalar, ScalarNode, SequenceNode
from heatstudio.template.syntax.yaml_reader import UNREADABLE, read_yaml
from heatstudio.template.template import Template

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,99}[-_][A-Za-z0-9_-]{0,99}")
"""Texts, such as most names, that are plain strings everywhere in YAML and need not be read back."""
_NESTED = re.compile(r"^([ ]*)(?![ #-])[^\n]*:[ ]*\r?\n([ ]+)(?=[^ \r\n#-])", re.MULTILINE)
_LIST = re.compile(r"^([ ]*)(?:- )?(?![ #-])[^\n]*:[ ]*\r?\n([ ]*)- ", re.MULTILINE)
_SAMPLE = 20_000
"""The number of characters from which the style of a file is detected."""

_REFERENCES = frozenset({"get_param", "get_resource", "get_attr", "get_file", "Ref", "Fn::GetAtt"})
"""The functions written in one line, such as `{get_param: name}`."""


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


class Writer:
    """A writer of values in the style of a template.

    Without `verbatim`, it writes each `Existing` from its data; without `blocks`, texts of several lines are quoted.
    """

    def __init__(self, template: Template, *, verbatim: bool = True, blocks: bool = True) -> None:
        text = template.text
        self._template = template
        self._verbatim = verbatim and blocks and not template.is_json
        self._blocks = blocks
        self.json = template.is_json
        self.eol = "\r\n" if "\r\n" in text else "\n"
        self.step = max(_usual_step(_NESTED, text, 2), 1)
        self._list_step = max(_usual_step(_LIST, text, self.step), 0)

    def key(self, name: str, quote: str = "", *, flow: bool = False) -> str:
        """Return a key, quoted if necessary."""
        return json_text(name) if self.json else scalar_text(name, quote, flow=flow, key=True)

    def flow(self, value: object, quote: str = "") -> str:
        """Return a value in flow style."""
        value = resolved(value, self._template.data)
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self._flow_key(key)}: {self.flow(below)}" for key, below in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.flow(item) for item in value) + "]"
        scalar = _scalar(value)
        return json_text(scalar) if self.json else scalar_text(scalar, quote, flow=True)

    def after_colon(self, value: object, indent: int, quote: str = "") -> str:
        """Return the text after the colon of a key in the column `indent`: a space and a value, or lines below."""
        if isinstance(value, Existing):
            return self._existing(value, indent)
        if _is_reference(value):
            return " " + self.flow(value)
        if isinstance(value, dict) and value:
            return self.eol + self._mapping(value, indent + self.step)
        if isinstance(value, list) and value:
            return self.eol + self._sequence(value, indent + self._list_step)
        return " " + self._scalar(value, indent, quote)

    def after_dash(self, value: object, indent: int) -> str:
        """Return the text after a dash in the column `indent`."""
        inner = indent + 2
        if isinstance(value, Existing):
            return self._existing(value, inner, is_item=True)
        if _is_reference(value):
            return " " + self.flow(value)
        if isinstance(value, dict) and value:
            return " " + self._mapping(value, inner)[inner:]
        if isinstance(value, list) and value:
            return " " + self._sequence(value, inner)[inner:]
        return " " + self._scalar(value, indent, "")

    def pair(self, key: str, value: object, indent: int) -> str:
        """Return a pair in a block, without the indentation of its first line."""
        return f"{self.key(key)}:{self.after_colon(value, indent)}"

    def _flow_key(self, key: object) -> str:
        scalar = _scalar(key)
        if self.json:
            return json_text(scalar if isinstance(scalar, str) else str(scalar))
        return scalar_text(scalar, flow=True, key=True)

    def _mapping(self, value: dict[object, object], indent: int) -> str:
        margin = " " * indent
        keys = {key: scalar_text(_scalar(key), key=True) for key in value}
        return self.eol.join(f"{margin}{keys[key]}:{self.after_colon(value[key], indent)}" for key in value)

    def _sequence(self, items: list[object], indent: int) -> str:
        return self.eol.join(f"{' ' * indent}-{self.after_dash(item, indent)}" for item in items)

    def _scalar(self, value: object, indent: int, quote: str) -> str:
        if isinstance(value, dict):
            return "{}"
        if isinstance(value, list):
            return "[]"
        scalar = _scalar(value)
        lines = block_lines(scalar) if isinstance(scalar, str) and self._blocks and not quote else None
        if lines is None:
            return scalar_text(scalar, quote)
        margin = " " * (indent + self.step)
        return self.eol.join([lines[0], *(margin + line if line else "" for line in lines[1:])])

    def _existing(self, value: Existing, indent: int, *, is_item: bool = False) -> str:
        located = self._template.find(value.path) if self._verbatim else None
        if located is None:
            data = resolved(value, self._template.data)
            return self.after_dash(data, indent - 2) if is_item else self.after_colon(data, indent)
        span = located.span()
        written = self._template.text[span.start : span.end]
        column = span.start - (self._template.text.rfind("\n", 0, span.start) + 1)
        node = located.node
        if isinstance(node, MappingNode | SequenceNode) and not node.flow:
            if is_item:
                return " " + self._shifted(written, column, indent)
            inner = indent + (self.step if isinstance(node, MappingNode) else self._list_step)
            return self.eol + " " * inner + self._shifted(written, column, inner)
        inner = indent + (0 if is_item else self.step)
        return " " + self._shifted(written, self._body_column(located, written), inner)

    def _shifted(self, written: str, column: int, indent: int) -> str:
        """Return a text whose lines after the first are moved from one column to another."""
        first, *others = written.split("\n")
        shifted = [
            " " * (indent + _indentation(line) - column) + line.lstrip(" ") if line.strip() else line.strip(" ")
            for line in others
        ]
        return "\n".join([first, *shifted])

    def _body_column(self, located: Located, written: str) -> int:
        """Return the least indentation after the first line; for a block scalar, the indentation of its first line."""
        columns = [_indentation(line) for line in written.split("\n")[1:] if line.strip()]
        if isinstance(located.node, ScalarNode) and located.node.style in BLOCK_STYLES:
            first = next((line for line in written.split("\n")[1:] if line.strip()), "")
            return _indentation(first)
        return min(columns, default=0)


def _usual_step(pattern: re.Pattern[str], text: str, default: int) -> int:
    """Return the most frequent indentation step; `pattern` matches an outer and an inner indentation."""
    steps = Counter(len(inner) - len(outer) for outer, inner in pattern.findall(text, 0, _SAMPLE))
    return steps.most_common(1)[0][0] if steps else default


def _is_reference(value: object) -> bool:
    if not isinstance(value, dict) or len(value) != 1:
        return False
    name, argument = next(iter(value.items()))
    arguments = argument if isinstance(argument, list) else [argument]
    return name in _REFERENCES and all(isinstance(item, str | int) for item in arguments)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _scalar(value: object) -> Scalar:
    if value is None or isinstance(value, str | int | float):
        return value
    raise CannotEditError("This value cannot be written as YAML.")

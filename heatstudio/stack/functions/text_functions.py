"""Functions that produce text (heat/engine/hot/functions.py)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar
from urllib.parse import quote, urlencode, urlunsplit

from heatstudio.stack.functions.budget import ITEM
from heatstudio.stack.functions.function import OMITTED, Evaluation, Function, FunctionError, ListFunction
from heatstudio.stack.numeric import integer
from heatstudio.stack.unknown import LISTS, Shape, Unknown, derived, fits, has_unknown, joined, length, type_name

LONGEST_QUOTE = 200
HIGHEST_PORT = 65535
_URL_PARTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
AS_JSON = "json"
_SCALARS = (Shape.NUMBER, Shape.BOOLEAN)
_COMPOUND = (*LISTS, Shape.MAP)


class Join(ListFunction, frozen=True):
    """`list_join: [delimiter, list]` before 2015-10-15, and `Fn::Join`, which join strings and nulls only."""

    JOINS_JSON: ClassVar[bool] = False
    USAGE = 'Incorrect arguments to "{0}" should be: "{0}" : [ " ", [ "str1", "str2"]]'

    def result(self, evaluation: Evaluation) -> object:
        """Return the joined string; a null item counts as an empty string."""
        delimiter, *lists = self.items
        resolved = [evaluation.resolve(item) for item in lists]
        for number, value in enumerate(resolved, 1):
            if not self._is_list(value):
                raise FunctionError(f'"{self.name}" must operate on a list', self.name_path, argument=(number,))
        delimiter = evaluation.resolve(delimiter)
        if not isinstance(delimiter, (str, Unknown)):
            raise TypeError(f'"{self.name}" delimiter must be a string')
        known = ((number, value) for number, value in enumerate(resolved, 1) if isinstance(value, list))
        texts = [self._text_at(item, number, index) for number, items in known for index, item in enumerate(items)]
        if isinstance(delimiter, Unknown) or any(isinstance(value, Unknown) for value in resolved):
            return self.unknown(delimiter, *resolved)
        evaluation.budget.spend(sum(map(length, texts)) + len(delimiter) * len(texts))
        return joined([piece for text in texts for piece in (delimiter, text)][1:])

    def _is_list(self, value: object) -> bool:
        if isinstance(value, Unknown):
            return value.shape in (Shape.ANY, *LISTS)
        return value is None or isinstance(value, list)

    def _text_at(self, item: object, *place: int) -> str | Unknown:
        shape = item.shape if isinstance(item, Unknown) else None
        if isinstance(item, Unknown) and item.shape not in (_SCALARS if self.JOINS_JSON else (*_SCALARS, *_COMPOUND)):
            return item
        if item is None or isinstance(item, str):
            return item or ""
        if self.JOINS_JSON and isinstance(item, (Mapping, list)):
            return derived(AS_JSON, item) if has_unknown(item) else json.dumps(item, sort_keys=True)
        kinds = "string, map or list" if self.JOINS_JSON else "strings"
        shown = f"a {shape.name.lower()}" if shape is not None else repr(item)[:LONGEST_QUOTE]
        raise FunctionError(f"Items to join must be {kinds} not {shown}", self.name_path, argument=place)


class JoinMultiple(Join, frozen=True):
    """`list_join: [delimiter, list, list, ...]` since 2015-10-15, which joins maps and lists as JSON."""

    JOINS_JSON = True
    LENGTHS = ListFunction.TWO_OR_MORE
    USAGE = 'Incorrect arguments to "{0}" should be: "{0}" : [ " ", [ "str1", "str2"] ...]'

    def _is_list(self, value: object) -> bool:
        return not value or super()._is_list(value)


class Replace(Function, frozen=True):
    """`str_replace: {template, params}` before 2015-10-15; the values are strings, numbers, booleans or nulls."""

    STRICT: ClassVar[bool] = False
    """Whether every placeholder must occur in the template."""
    EMPTY_ALLOWED: ClassVar[bool] = True

    def check(self) -> None:
        """Require a map with both keys, and a map or a function as `params`."""
        template_and_values = self._parts()
        if not isinstance(template_and_values[1], (dict, Function)):
            raise TypeError(f'"{self.name}" parameters must be a mapping')

    def _parts(self) -> tuple[object, object]:
        """Return the template and the params. Raise TypeError, KeyError or ValueError if the arguments are invalid."""
        if not isinstance(self.arguments, dict):
            raise TypeError(f'Arguments to "{self.name}" must be a map')
        if "params" not in self.arguments or "template" not in self.arguments:
            raise self.wrong_syntax("template: This is var1 template var2", "params:", "  var1: a", "  var2: string")
        return self.arguments["template"], self.arguments["params"]

    def result(self, evaluation: Evaluation) -> object:
        """Return the template with all placeholders replaced in one pass, longer placeholders first."""
        template, values = map(evaluation.resolve, self._parts())
        if not isinstance(template, (str, Unknown)):
            raise TypeError(f'"{self.name}" template must be a string')
        if not isinstance(values, (Mapping, Unknown)):
            raise TypeError(f'"{self.name}" params must be a map')
        if isinstance(template, Unknown) or isinstance(values, Unknown):
            return self.unknown(template, values)
        pieces: list[str | Unknown] = [template]
        missing: list[str] = []
        for placeholder in sorted(sorted(values), key=len, reverse=True):
            if not isinstance(placeholder, str):
                raise TypeError(f'"{self.name}" param placeholders must be strings')
            text = self._text(values[placeholder], placeholder)
            found = _replace(pieces, placeholder, text, evaluation) if placeholder in template else None
            if found is None:
                missing.append(placeholder)
            else:
                pieces = found
        if self.STRICT and missing:
            raise ValueError(f"The following params were not found in the template: {','.join(missing)}")
        return joined(pieces)

    def _text(self, value: object, placeholder: str) -> str | Unknown:
        """Return the text that replaces a placeholder. Raise TypeError or ValueError for an invalid value."""
        if isinstance(value, Unknown):
            return value
        if value is None:
            return ""
        if not isinstance(value, (str, int, float)):
            message = f'"{self.name}" params must be strings or numbers, param {placeholder} is not valid'
            raise FunctionError(message, self.name_path, argument=("params", placeholder))
        return str(value)


def _replace(
    pieces: list[str | Unknown], placeholder: str, text: str | Unknown, evaluation: Evaluation
) -> list[str | Unknown] | None:
    """Replace a placeholder in the pieces at even positions, the template's text; return None if it never occurs."""
    result: list[str | Unknown] = []
    found = False
    for position, piece in enumerate(pieces):
        if position % 2 or isinstance(piece, Unknown):
            result.append(piece)
            continue
        parts = piece.split(placeholder)
        found = found or len(parts) > 1
        evaluation.budget.spend((len(parts) - 1) * (ITEM + length(text)))
        for number, part in enumerate(parts):
            result.extend([text, part] if number else [part])
    return result if found else None


class ReplaceJson(Replace, frozen=True):
    """`str_replace` since 2015-10-15, which inserts maps and lists as JSON."""

    def _text(self, value: object, placeholder: str) -> str | Unknown:
        if isinstance(value, Unknown):
            return value
        if not isinstance(value, (str, int, float, Mapping, list)) and value is not None:
            message = f'"{self.name}" params must be strings, numbers, list or map.'
            raise FunctionError(message, self.name_path, argument=("params", placeholder))
        empty = value is None or (not isinstance(value, (int, float)) and len(value) == 0)
        if empty and not self.EMPTY_ALLOWED:
            fault = f"has an undefined or empty value for param {placeholder}"
            raise ValueError(f"{self.name} {fault}, must be a defined non-empty value")
        if isinstance(value, (Mapping, list)):
            return derived(AS_JSON, value) if has_unknown(value) else json.dumps(value, sort_keys=True)
        return "" if value is None else str(value)


class ReplaceJsonStrict(ReplaceJson, frozen=True):
    """`str_replace_strict`, which requires every placeholder in the template."""

    STRICT = True


class ReplaceJsonVeryStrict(ReplaceJsonStrict, frozen=True):
    """`str_replace_vstrict`, which also requires non-empty values."""

    EMPTY_ALLOWED = False


class Digest(Function, frozen=True):
    """`digest: [algorithm, text]`."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the hexadecimal digest of the text in Latin-1."""
        import hashlib

        arguments = evaluation.resolve(self.arguments)
        if isinstance(arguments, Unknown):
            return self.unknown(arguments)
        known = [item for item in arguments if not isinstance(item, Unknown)] if isinstance(arguments, list) else [None]
        texts = [item for item in known if isinstance(item, str)]
        if not isinstance(arguments, list) or len(texts) < len(known):
            raise TypeError(f'Argument to function "{self.name}" must be a list of strings')
        if len(arguments) != 2:
            raise ValueError(f'Function "{self.name}" usage: ["<algorithm>", "<value>"]')
        algorithm = arguments[0]
        if isinstance(algorithm, str) and algorithm.lower() not in hashlib.algorithms_available:
            raise ValueError(f"Algorithm must be one of {hashlib.algorithms_available}")
        if len(texts) < 2:
            return self.unknown(arguments)
        digest = hashlib.new(texts[0], usedforsecurity=False)
        digest.update(texts[1].encode("latin-1"))
        return digest.hexdigest()


class StrSplit(Function, frozen=True):
    """`str_split: [delimiter, text]` or `[delimiter, text, index]`."""

    @property
    def _example(self) -> str:
        return f'"{self.name}" : [ ",", "apples,pears", <index>]'

    def check(self) -> None:
        """Reject a string or a map."""
        if isinstance(self.arguments, (str, dict)):
            raise TypeError(f'Incorrect arguments to "{self.name}" should be: {self._example}')

    def result(self, evaluation: Evaluation) -> object:
        """Return the parts, or the part at the index; None for a null text."""
        arguments = evaluation.resolve(self.arguments)
        if isinstance(arguments, Unknown):
            return self.unknown(arguments)
        if not isinstance(arguments, list) or len(arguments) < 2:
            raise ValueError(f'Incorrect arguments to "{self.name}" should be: {self._example}')
        delimiter, text, *rest = arguments
        if text is None:
            return None
        if fits(text, str) and has_unknown([delimiter, text, *rest[:1]]):
            return replace(self.unknown(delimiter, text, *rest[:1]), shape=Shape.TEXT if rest else Shape.LIST)
        if not isinstance(text, str):
            raise AttributeError(f"'{type_name(text)}' object has no attribute 'split'")
        parts = text.split(delimiter)
        if not rest:
            return parts
        try:
            index = integer(rest[0])
        except ValueError:
            raise ValueError(f'Incorrect index to "{self.name}" should be: {self._example}') from None
        if not -len(parts) <= index < len(parts):
            raise ValueError(f'Incorrect index to "{self.name}" should be between 0 and {len(parts) - 1}')
        return parts[index]


class MakeURL(Function, frozen=True):
    """`make_url` with any of scheme, username, password, host, port, path, query and fragment."""

    def validate(self, evaluation: Evaluation) -> None:
        """Require a map with these keys; as in Heat, `fragment` is not checked if there is a query."""
        if not isinstance(self.arguments, dict):
            raise TypeError(f'The arguments to "{self.name}" must be a map')
        if wrong := set(self.arguments) - set(_URL_PARTS):
            raise ValueError(f'Invalid arguments to "{self.name}": {", ".join(wrong)}')
        self._check_values(self.arguments)

    def _check_values(self, arguments: Mapping[str, object]) -> None:
        """Raise TypeError or ValueError for an invalid value."""
        for key in _URL_PARTS:
            value = arguments.get(key, OMITTED)
            known = not isinstance(value, (Function, Unknown)) and value is not OMITTED
            if key == "query" and value is not OMITTED:
                if known and not isinstance(value, Mapping):
                    raise TypeError(f'The "{key}" argument to "{self.name}" must be a map')
                return
            if known and key == "port":
                self._check_port(value, arguments)
            elif known and not isinstance(value, str):
                raise TypeError(f'The "{key}" argument to "{self.name}" must be a string')

    def _check_port(self, value: object, arguments: object) -> None:
        try:
            port = value if isinstance(value, int) else integer(value)
        except ValueError:
            raise ValueError(f'Invalid URL port "{value}" for {self.name} called with {arguments}') from None
        if not 0 < port <= HIGHEST_PORT:
            raise ValueError(f"Invalid URL port {port:d}, must be in range 1-65535")

    def result(self, evaluation: Evaluation) -> object:
        """Return the URL from the quoted parts."""
        arguments = evaluation.resolve(self.arguments)
        if isinstance(arguments, Unknown):
            return self.unknown(arguments)
        if not isinstance(arguments, dict):
            raise AttributeError(f"'{type(arguments).__name__}' object has no attribute 'get'")
        self._check_values(arguments)
        scheme = arguments.get("scheme", "")
        if not isinstance(scheme, Unknown) and ":" in scheme:
            raise ValueError("URL \"scheme\" should not contain ':'")
        if has_unknown(arguments):
            return self.unknown(arguments)
        path = quote(arguments.get("path", ""))
        query = urlencode(arguments.get("query", {})).replace("%2F", "/")
        return urlunsplit((scheme, "".join(_authority(arguments)), path, query, quote(arguments.get("fragment", ""))))


def _authority(arguments: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts of `user:password@host:port`."""
    username = quote(arguments.get("username", ""), safe="")
    password = quote(arguments.get("password", ""), safe="")
    if username or password:
        yield username
        yield f":{password}@" if password else "@"
    host = arguments.get("host", "")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    host = quote(host, safe=":")
    yield f"[{host}]" if ":" in host else host
    if port := arguments.get("port", ""):
        yield f":{port}"

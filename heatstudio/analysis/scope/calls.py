"""Calls of intrinsic functions anywhere in plain data, including places that Heat does not evaluate."""

from collections.abc import Container, Iterable, Iterator, Mapping

from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.functions.language import Language
from heatstudio.stack.path import step
from heatstudio.template import Dialect, TreePath

GET_FILE = "get_file"
GET_PARAM = "get_param"
GET_RESOURCE = "get_resource"
REF = "Ref"
OF_ATTRIBUTES = ("get_attr", "Fn::GetAtt")
IF = ("if", "Fn::If")
EQUALS = ("equals", "Fn::Equals")
_CONDITIONS = ("not", "and", "or", "Fn::Not", "Fn::And", "Fn::Or")
_DEFINITION = 2
"""The length of the path of the definition of a condition."""
_UNREAD = "Fn::GetAZs"
"""A function whose argument Heat ignores (heat/engine/cfn/functions.py)."""

Call = tuple[str, object, TreePath]
"""The single key of a map, its value, and the path of the value."""


PlacedMap = tuple[Mapping[object, object], TreePath]
"""A map, and its path."""


def calls(data: object, path: TreePath) -> Iterator[Call]:
    """Yield every map in data with a single string key, function or not."""
    return calls_among(maps(data, path))


def calls_among(found: Iterable[PlacedMap]) -> Iterator[Call]:
    """Yield the maps with a single string key, function or not."""
    for value, above in found:
        if len(value) == 1:
            ((name, arguments),) = value.items()
            if isinstance(name, str):
                yield name, arguments, (*above, name)


def maps(data: object, path: TreePath, without: Container[TreePath] = ()) -> Iterator[PlacedMap]:
    """Yield every map with its path, except at and below the paths in `without`."""
    pending: list[tuple[object, TreePath]] = [(data, path)]
    while pending:
        value, above = pending.pop()
        if above in without:
            continue
        if isinstance(value, dict):
            yield value, above
            items = [(item, (*above, step(key))) for key, item in value.items() if isinstance(item, (dict, list))]
        elif isinstance(value, list):
            items = [(item, (*above, index)) for index, item in enumerate(value) if isinstance(item, (dict, list))]
        else:
            continue
        pending += reversed(items)


def values(data: object, path: TreePath) -> Iterator[tuple[object, TreePath]]:
    """Yield data and every value in it, in order, each with its path."""
    pending = [(data, path)]
    while pending:
        value, above = pending.pop()
        yield value, above
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        pending += [(item, (*above, step(key))) for key, item in reversed([*items])]


def files_asked_for(found: Iterable[Call], language: Language) -> Iterator[tuple[str, TreePath]]:
    """Yield every file that a call names, and the path of its name."""
    if GET_FILE in language.functions:
        for name, arguments, place in found:
            if name == GET_FILE and isinstance(arguments, str):
                yield arguments, place


def parameters_read(found: Iterable[Call], stack: StackReader) -> Iterator[tuple[str, TreePath]]:
    """Yield every parameter name in the calls, and its path."""
    for function, arguments, path in found:
        if function not in (GET_PARAM, REF) or stack.language.state(function) != "function" or _UNREAD in path:
            continue
        used = arguments[0] if isinstance(arguments, list) and arguments else arguments
        if isinstance(used, str) and (function == GET_PARAM or not stack.names_resource(used)):
            yield used, (*path, 0) if isinstance(arguments, list) else path


def is_condition(path: TreePath, words: Dialect) -> bool:
    """Return whether the value at a path is a condition: a definition, or an argument of a function of conditions."""
    above = path[:-1] if isinstance(path[-1], int) else path
    is_first = above[-1] in IF and path[-1] == 0
    is_definition = path[0] == words.conditions and len(path) == _DEFINITION
    return is_definition or is_first or above[-1] in _CONDITIONS


def attribute_call(
    words: Dialect, resource: str, attribute: str = "", rest: Iterable[object] = ()
) -> dict[str, object]:
    """Return a call that reads an attribute, or the reference ID if the attribute is empty."""
    if not attribute:
        return {GET_RESOURCE if words.is_hot else REF: resource}
    return {OF_ATTRIBUTES[not words.is_hot]: [resource, attribute, *rest]}


def referenced(value: object) -> str:
    """Return the name of the resource to which a written value refers; an empty string if it is no reference."""
    name = value.get(GET_RESOURCE, value.get(REF)) if isinstance(value, Mapping) and len(value) == 1 else None
    return name if isinstance(name, str) else ""

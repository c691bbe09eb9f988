"""How the selection of an item is written without `Fn::Select`, where it is certain what it selects from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heatstudio.analysis.successors.call import Call, Rewriting
from heatstudio.analysis.successors.move import MISSING, value_at

_STRUCTURED = ("comma_delimited_list", "json")
"""The types of parameters whose parts `get_param` reaches; in others `Fn::Select` reads JSON."""


def selections(call: Call) -> Iterator[Rewriting]:
    """The ways to write `Fn::Select: [index or key, collection]`."""
    if len(call.items) != 2:
        return
    index, collection = call.items
    if isinstance(collection, Mapping) and len(collection) == 1:
        ((name, arguments),) = collection.items()
        if isinstance(name, str) and call.language.state(name) != "unknown":
            yield from _of_function(call, name, arguments)
            return
    step = _position(index) if isinstance(collection, list) else index
    if isinstance(step, str | int) and value_at(collection, (step,)) is not MISSING:
        yield Rewriting(f"Replace `{call.name}` by what it selects", call.replaced(call.argument(1, step)))


def _of_function(call: Call, name: str, arguments: object) -> Iterator[Rewriting]:
    """Functions that take a path can go one step further."""
    title = f"Replace `{call.name}` by a step of `{name}`"
    index = call.items[0]
    step = index if _position(index) is None else _position(index)
    if name == "get_param":
        declared = _type_of(call, arguments[0] if isinstance(arguments, list) and arguments else arguments)
        if declared in _STRUCTURED:
            step = index if declared == "json" else step
            doubt = "text is not read as JSON then" if isinstance(arguments, list) and len(arguments) > 1 else ""
            yield Rewriting(title, call.replaced({name: _longer(call, name, arguments, step)}), name, doubt)
    elif name == "get_attr" and isinstance(arguments, list) and len(arguments) > 1:
        doubt = "what is missing is null then, no longer ''"
        yield Rewriting(title, call.replaced({name: _longer(call, name, arguments, step)}), name, doubt)
    elif name == "str_split" and isinstance(arguments, list) and len(arguments) == 2:
        doubt = "what is missing is an error then, no longer ''"
        yield Rewriting(title, call.replaced({name: _longer(call, name, arguments, step)}), name, doubt)


def _longer(call: Call, name: str, arguments: object, step: object) -> list[object]:
    """The arguments of a function that follows a path, with one more step."""
    if not isinstance(arguments, list):
        return [call.argument(1, name), step]
    return [*(call.argument(1, name, position) for position in range(len(arguments))), step]


def _type_of(call: Call, name: object) -> object:
    """The declared type of a parameter."""
    words = call.language.dialect
    return value_at(call.template.data, (words.parameters, name, words.type)) if isinstance(name, str) else None


def _position(index: object) -> int | None:
    text = str(index)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None

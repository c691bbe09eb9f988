"""Equivalents of CFN functions in HOT, and the reverse (heat/engine/cfn and heat/engine/hot)."""

from collections.abc import Callable, Iterator, Mapping

from heatstudio.analysis.migrations.call import Call, Rewriting, under_name
from heatstudio.analysis.migrations.move import MISSING, value_at
from heatstudio.stack.conversion.to_hot import FACADE, RENAMED

_STRUCTURED = ("comma_delimited_list", "json")
"""The parameter types whose parts `get_param` can select; for other types, `Fn::Select` parses the value as JSON."""
_PSEUDO_PARAMETERS = {"AWS::StackId": "OS::stack_id", "AWS::StackName": "OS::stack_name"}
_Way = Callable[[Call], Iterator[Rewriting]]


def selections(call: Call) -> Iterator[Rewriting]:
    """Yield the equivalents of `Fn::Select: [index or key, collection]`."""
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
        yield Rewriting(f"Replace `{call.name}` with the selected value", call.replaced(call.argument(1, step)))


def _of_function(call: Call, name: str, arguments: object) -> Iterator[Rewriting]:
    """Yield the equivalents of `Fn::Select` of a function that takes a path, with a longer path."""
    title = f"Replace `{call.name}` with a path in `{name}`"
    index = call.items[0]
    step = index if _position(index) is None else _position(index)
    if name == "get_param":
        declared = _type_of(call, arguments[0] if isinstance(arguments, list) and arguments else arguments)
        if declared in _STRUCTURED:
            step = index if declared == "json" else step
            doubt = "strings would not be parsed as JSON" if isinstance(arguments, list) and len(arguments) > 1 else ""
            yield Rewriting(title, call.replaced({name: _longer(call, name, arguments, step)}), name, doubt)
    elif name == "get_attr" and isinstance(arguments, list) and len(arguments) > 1:
        doubt = "missing values would be null instead of ''"
        yield Rewriting(title, call.replaced({name: _longer(call, name, arguments, step)}), name, doubt)
    elif name == "str_split" and isinstance(arguments, list) and len(arguments) == 2:
        doubt = "missing values would be an error instead of ''"
        yield Rewriting(title, call.replaced({name: _longer(call, name, arguments, step)}), name, doubt)


def _longer(call: Call, name: str, arguments: object, step: object) -> list[object]:
    """Return the arguments of a function that takes a path, with one more step."""
    if not isinstance(arguments, list):
        return [call.argument(1, name), step]
    return [*(call.argument(1, name, position) for position in range(len(arguments))), step]


def _type_of(call: Call, name: object) -> object:
    """Return the declared type of a parameter."""
    declared = call.stack.declaration(name) if isinstance(name, str) else None
    return declared.get(call.language.dialect.type) if isinstance(declared, Mapping) else None


def _position(index: object) -> int | None:
    text = str(index)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def rewritings(call: Call) -> Iterator[Rewriting]:
    """Yield the equivalents of a call in the template's own language, if the function is from the other language."""
    if call.language.is_hot:
        name = RENAMED.get(call.name)
        if name is not None and isinstance(call.arguments, list):
            yield under_name(call, name)
        elif call.name in _TO_HOT:
            yield from _TO_HOT[call.name](call)
        return
    for name, same in RENAMED.items():
        if same == call.name and len(call.items) in (2, 3):
            yield under_name(call, name)
    if call.name in _TO_CFN:
        yield from _TO_CFN[call.name](call)


def _reference(call: Call) -> Iterator[Rewriting]:
    words, name = call.language.dialect, call.arguments
    pseudo = _PSEUDO_PARAMETERS.get(name) if isinstance(name, str) else None
    if isinstance(name, str) and call.stack.names_resource(name):
        yield under_name(call, "get_resource")
    elif name in call.stack.names(words.parameters):
        yield under_name(call, "get_param")
    elif pseudo is not None:
        yield under_name(call, "get_param", pseudo)


def _attribute(call: Call) -> Iterator[Rewriting]:
    if len(call.items) == 2:
        yield under_name(call, "get_attr" if call.language.is_hot else "Fn::GetAtt")


def _replacement(call: Call) -> Iterator[Rewriting]:
    if len(call.items) == 2:
        arguments = {"template": call.argument(1), "params": call.argument(0)}
        yield under_name(call, "str_replace", arguments)


def _base64(call: Call) -> Iterator[Rewriting]:
    """Yield the argument itself: Heat does not encode it."""
    if isinstance(call.arguments, str | Mapping):
        yield Rewriting(f"Remove `{call.name}`, which has no effect", call.replaced(call.argument()))


def _facade(call: Call) -> Iterator[Rewriting]:
    part = FACADE.get(call.arguments) if isinstance(call.arguments, str) else None
    if part is not None:
        yield under_name(call, "resource_facade", part)


def _negation(call: Call) -> Iterator[Rewriting]:
    if len(call.items) == 1:
        yield under_name(call, "not", call.argument(0))


def _to_reference(call: Call) -> Iterator[Rewriting]:
    if isinstance(call.arguments, str):
        yield under_name(call, "Ref")


def _to_replacement(call: Call) -> Iterator[Rewriting]:
    if isinstance(call.arguments, Mapping) and set(call.arguments) == {"template", "params"}:
        arguments = [call.argument("params"), call.argument("template")]
        yield under_name(call, "Fn::Replace", arguments)


_TO_HOT: Mapping[str, _Way] = {
    "Ref": _reference,
    "Fn::GetAtt": _attribute,
    "Fn::Replace": _replacement,
    "Fn::Base64": _base64,
    "Fn::ResourceFacade": _facade,
    "Fn::Not": _negation,
    "Fn::Select": selections,
}
_TO_CFN: Mapping[str, _Way] = {
    "get_param": _to_reference,
    "get_resource": _to_reference,
    "get_attr": _attribute,
    "str_replace": _to_replacement,
}

"""Function calls, and the equivalents of CFN functions in HOT and the reverse (heat/engine/cfn, heat/engine/hot)."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from heatstudio.analysis.migrations.use import MISSING, value_at
from heatstudio.stack.conversion.convert import FACADE, RENAMED
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.functions.language import Language
from heatstudio.template import Change, Existing, RenameKey, SetValue, TreePath

_STRUCTURED = ("comma_delimited_list", "json")
"""The parameter types whose parts `get_param` can select; for other types, `Fn::Select` parses the value as JSON."""
_PSEUDO_PARAMETERS = {"AWS::StackId": "OS::stack_id", "AWS::StackName": "OS::stack_name"}


class Call(Struct, frozen=True):
    """One function call; `path` is the path of the arguments, which ends with the name of the function."""

    stack: StackReader
    path: TreePath
    arguments: object

    @property
    def language(self) -> Language:
        """The language of the template."""
        return self.stack.language

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(self.path[-1])

    @property
    def items(self) -> list[object]:
        """The arguments if they are a list, else an empty list."""
        return self.arguments if isinstance(self.arguments, list) else []

    @property
    def in_conditions(self) -> bool:
        """Whether the call is in the section of conditions."""
        return self.path[0] == self.language.dialect.conditions

    def argument(self, *steps: str | int) -> Existing:
        """Return a reference to a part of the arguments as written."""
        return Existing((*self.path, *steps))

    def replaced(self, value: object) -> tuple[Change, ...]:
        """Return the changes that replace the call with a value."""
        return (SetValue(self.path[:-1], value),)


class Rewriting(Struct, frozen=True):
    """An equivalent call."""

    title: str
    changes: tuple[Change, ...]
    function: str | None = None
    """The function of the equivalent call; None if the result is not a call."""
    doubt: str = ""
    """The possible difference in meaning; empty if there is none."""


_Way = Callable[[Call], Iterator[Rewriting]]


def under_name(call: Call, name: str, *arguments: object) -> Rewriting:
    """Return the call of another function, with other arguments if given."""
    changes: tuple[Change, ...] = (RenameKey(call.path, name), *(SetValue(call.path, one) for one in arguments))
    return Rewriting(f"Replace `{call.name}` with `{name}`", changes, name)


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

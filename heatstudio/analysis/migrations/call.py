"""A call of an intrinsic function as written, and an equivalent one."""

from msgspec import Struct

from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.functions.language import Language
from heatstudio.template import Change, Existing, RenameKey, SetValue, TreePath


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


def under_name(call: Call, name: str, *arguments: object) -> Rewriting:
    """Return the call of another function, with other arguments if given."""
    changes: tuple[Change, ...] = (RenameKey(call.path, name), *(SetValue(call.path, one) for one in arguments))
    return Rewriting(f"Replace `{call.name}` with `{name}`", changes, name)

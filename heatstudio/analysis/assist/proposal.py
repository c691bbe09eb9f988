"""A completion suggestion, before it is written in the style of its context."""

from collections.abc import Callable
from enum import Enum, auto

from msgspec import Struct

from heatstudio.analysis.assist.signature import Signature
from heatstudio.template.nodes import Scalar
from heatstudio.text import Span


class Shape(Enum):
    """What follows a key."""

    VALUE = auto()
    MAP = auto()
    LIST = auto()


class Key(Struct, frozen=True):
    """A key with the start of its value."""

    name: str
    shape: Shape = Shape.VALUE
    value: str = ""
    """A snippet for a short value."""
    lines: tuple[str, ...] = ()
    """A snippet for a value in lines of its own, relative to the key's first level below."""


class Value(Struct, frozen=True):
    """A scalar."""

    data: Scalar


class CallText(Struct, frozen=True):
    """A function call; without arguments, the arguments of the signature become tab stops."""

    signature: Signature
    arguments: str | None = None


class Raw(Struct, frozen=True):
    """A snippet as it is."""

    text: str


Body = Key | Value | CallText | Raw


class Proposal(Struct, frozen=True):
    """One suggestion."""

    label: str
    body: Body
    kind: str
    """The icon: section, type, property, resource, parameter, condition, attribute, function, value."""
    detail: str = ""
    rank: int = 5
    """Proposals of a lower rank come first, those of the same rank by `order`, then by name."""
    order: int = 0
    deprecated: bool = False
    document: Callable[[], str] | None = None
    foreign: bool = False
    """Whether it belongs to the other kind of template, and is seldom meant."""


class Completion(Struct, frozen=True):
    """A suggestion in the form that the editor inserts."""

    label: str
    detail: str
    insert_text: str
    """With tab stops; its lines but the first are indented as the line they go into."""
    kind: str
    replace: Span
    sort_key: str
    deprecated: bool = False
    document: Callable[[], str] | None = None
    foreign: bool = False

    @property
    def documentation(self) -> str:
        """Rich text, made when it is looked at."""
        return self.document() if self.document is not None else ""

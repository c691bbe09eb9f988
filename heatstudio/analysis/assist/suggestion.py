"""Suggestions for completion, independent of the YAML or JSON style at the caret."""

from collections.abc import Callable
from enum import Enum, auto

from msgspec import Struct

from heatstudio.analysis.assist.sentences import Documentation
from heatstudio.analysis.assist.signature import Signature
from heatstudio.template.syntax.nodes import Scalar
from heatstudio.text import Span, TextEdit


class Form(Enum):
    """The kind of value after a key."""

    VALUE = auto()
    MAP = auto()
    LIST = auto()


class Key(Struct, frozen=True):
    """A key with the start of its value."""

    name: str
    shape: Form = Form.VALUE
    value: str = ""
    """The snippet of a one-line value."""
    lines: tuple[str, ...] = ()
    """The snippet of a multi-line value, relative to the level below the key."""


class Value(Struct, frozen=True):
    """A scalar."""

    data: Scalar


class CallText(Struct, frozen=True):
    """A function call, by default with the snippet of the signature's arguments."""

    signature: Signature
    arguments: str | None = None


class Raw(Struct, frozen=True):
    """A literal snippet."""

    text: str


Body = Key | Value | CallText | Raw


class Suggestion(Struct, frozen=True):
    """A suggestion for completion."""

    label: str
    body: Body
    kind: str
    """The kind of icon: section, type, property, resource, parameter, condition, attribute, function, value."""
    detail: str = ""
    rank: int = 5
    """The sort rank, lowest first; then `order`, then name."""
    order: int = 0
    deprecated: bool = False
    document: Callable[[], Documentation | None] | None = None
    foreign: bool = False
    """Whether the type belongs to the other template language and is rarely meant."""
    follows: bool = False
    """Whether it is inserted in the line below the word, which stays."""
    further: Callable[[], tuple[TextEdit, ...]] | None = None
    """The edits elsewhere in the text that belong to it."""


class Completion(Suggestion, frozen=True, kw_only=True):
    """A suggestion rendered for insertion."""

    insert_text: str
    """The snippet; further lines get the indentation of the first line."""
    replace: Span
    best: bool = False
    """Whether it is the only one of the most likely rank, so that Enter accepts it before a letter is typed."""

    @property
    def sort_key(self) -> str:
        """The key that orders completions, the most likely first and deprecated ones last."""
        return f"{int(self.deprecated)}{self.rank:02}{self.order:04}{self.label}"

    @property
    def documentation(self) -> Documentation | None:
        """The documentation, composed on demand."""
        return self.document() if self.document is not None else None

    @property
    def further_edits(self) -> tuple[TextEdit, ...]:
        """The edits elsewhere in the text for which the suggestion was made, computed on demand."""
        return self.further() if self.further is not None else ()

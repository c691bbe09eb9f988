"""Property groups: rules between the properties of one resource (specification: property group).

A group is one expression over property values, composed of:

* a `Member`, which tests whether the values at a path are given and satisfy its constraints, if any;
* a `Combination`, which joins members with an operator and may contain combinations and references to other groups;
* for operators that relate values (`LE`, `UNIQUE`, ...), terms as members: the values at a path, sums, products.

A group applies only if `when` holds. `scope` applies the group to every element of a nested schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from heatstudio.catalog.schema import Constraint, PropertyType


class Operator(StrEnum):
    """The relation of the members of a group; the first three and DEPENDS_ON are in the specification."""

    AND = "AND"
    OR = "OR"
    XOR = "XOR"
    """Exactly one member holds."""
    DEPENDS_ON = "DEPENDS_ON"
    """If the first member holds, all others hold."""
    NONE = "NONE"
    AT_MOST_ONE = "AT_MOST_ONE"
    LE = "LE"
    """Each value is at most the next one."""
    EQUAL = "EQUAL"
    UNIQUE = "UNIQUE"
    """No value occurs more than once."""
    SUBSET = "SUBSET"
    """Every value of the first is a value of the second."""
    DISJOINT = "DISJOINT"
    """No value of the first is a value of the second."""

    @property
    def relates_values(self) -> bool:
        """Whether the operator compares the values of its members instead of their truth."""
        return self in _RELATIONS


_RELATIONS = frozenset({Operator.LE, Operator.EQUAL, Operator.UNIQUE, Operator.SUBSET, Operator.DISJOINT})


class Presence(StrEnum):
    """The three tests that Heat's plug-ins use for the presence of a property."""

    GIVEN = "given"
    """Not null."""
    TRUTHY = "truthy"
    """Neither null nor empty, zero or false."""
    KEY = "key"
    """The key exists, whatever its value."""


class Quantifier(StrEnum):
    """The evaluation of a path that matches several list items."""

    ANY = "any"
    EACH = "each"
    """Every element counts as a separate member."""


class Root(StrEnum):
    """The start of a path."""

    SCOPE = ""
    """The element of the group's scope, or the top if it has no scope."""
    TOP = "/"
    """The top of the properties."""
    FACT = "@"
    """Data besides the properties: `metadata`, `update_policy` or `stack`."""


EACH_ELEMENT = "[*]"
EACH_KEY = "*"


class MemberPath(Struct, frozen=True):
    """A path such as `networks[*].port`; the steps are names, EACH_ELEMENT and EACH_KEY."""

    steps: tuple[str, ...]
    root: Root = Root.SCOPE

    def __str__(self) -> str:
        return self.root + ".".join(self.steps).replace("." + EACH_ELEMENT, EACH_ELEMENT)


class Format(StrEnum):
    """Formats of values that no constraint of a schema describes."""

    BASE64 = "base64"
    IP_ADDRESS = "ip"
    DURATION = "duration"
    """An ISO 8601 duration of hours, minutes and seconds; constraints apply to its seconds."""
    RESOURCE = "resource"
    """The name or reference ID of a resource of the stack."""
    REQUIRED_RESOURCE = "required-resource"
    """Like RESOURCE; the named resource must also be a dependency, so that it is created first."""


class Member(Struct, frozen=True):
    """The values at a path, and the tests that they must pass."""

    path: MemberPath
    presence: Presence = Presence.GIVEN
    constraints: tuple[Constraint, ...] = ()
    format: Format | None = None
    type: PropertyType | None = None
    """The type to which the value must be convertible."""
    quantifier: Quantifier = Quantifier.ANY
    where: Expression | None = None
    """A filter of the elements, relative to the innermost element on the path."""
    follow: str | None = None
    """The property to continue with, of the resource to which the value refers."""
    keys: bool = False
    """Whether operators that relate values compare the keys of maps."""
    once: bool = False
    """Whether duplicates in one list count once."""
    excepted: tuple[str, ...] = ()
    """The keys that EACH_KEY skips."""

    @property
    def is_presence(self) -> bool:
        """Whether only presence is tested, so that adding or removing the property changes the result."""
        return not self.constraints and self.format is None and self.type is None


class GroupReference(Struct, frozen=True):
    """Another group of the same type and scope; a referenced group is not checked on its own."""

    name: str


class ClientVersion(Struct, frozen=True):
    """A condition: the API version of a client plug-in is in a range, including both ends."""

    client_plugin: str
    first: tuple[int, ...]
    last: tuple[int, ...] | None = None

    def supports(self, version: tuple[int, ...]) -> bool:
        """Return whether a version is in the range."""
        return self.first <= version and (self.last is None or version <= self.last)


class Arithmetic(Struct, frozen=True):
    """The sum or the product of terms; a missing value is skipped."""

    operation: str
    terms: tuple[Term, ...]


class Constant(Struct, frozen=True):
    """A term of fixed values."""

    values: tuple[object, ...]


class Combination(Struct, frozen=True):
    """Members joined by an operator."""

    operator: Operator
    members: tuple[Expression | Term, ...]


Term = Member | Arithmetic | Constant
Expression = Member | GroupReference | ClientVersion | Combination


class ExceptionKind(StrEnum):
    """The exceptions of heat/common/exception.py that report a violated group."""

    CONFLICT = "conflict"
    UNSPECIFIED = "unspecified"
    DEPENDENCY = "dependency"
    VALUE_DEPENDENCY = "value_dependency"
    TEXT = "text"

    @property
    def pattern(self) -> str:
        """Heat's message, with `{}` for names."""
        return _PATTERNS[self]


_PATTERNS = {
    ExceptionKind.CONFLICT: "Cannot define the following properties at the same time: {}.",
    ExceptionKind.UNSPECIFIED: "At least one of the following properties must be specified: {}.",
    ExceptionKind.DEPENDENCY: "{} cannot be specified without {}.",
    ExceptionKind.VALUE_DEPENDENCY: "{} property should only be specified for {} with value {}.",
    ExceptionKind.TEXT: "{}",
}


class ViolationKind(StrEnum):
    """The kinds of violation for which Heat has different messages."""

    ALWAYS = "always"
    """Any violation."""
    NONE = "none"
    """No member holds, but one must."""
    MANY = "many"
    """Too many members hold."""


class HeatMessage(Struct, frozen=True):
    """Heat's message. `names` fill the pattern of the kind; the text of TEXT has `{path}` fields."""

    kind: ExceptionKind
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The message with unresolved `{path}` fields."""
        if self.kind in (ExceptionKind.CONFLICT, ExceptionKind.UNSPECIFIED):
            return self.kind.pattern.format(", ".join(self.names))
        return self.kind.pattern.format(*self.names)


class PropertyGroup(Struct, frozen=True):
    """A named group of a resource type."""

    name: str
    expression: Combination
    when: Expression | None = None
    scope: MemberPath | None = None
    messages: Mapping[ViolationKind, HeatMessage] = field(default_factory=lambda: MappingProxyType({}))
    client_version: ClientVersion | None = None
    """The API versions in which the properties of the group exist."""
    usual: str = ""
    """The property in `when` that most authors set instead of the members of the group."""
    words: str = ""
    """The requirement in our words; empty to make them from the members."""
    exempt: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """The values of other properties of a list item with which the item does not count."""
    states_types: bool = False
    """Whether the group is about the types of values, which Heat does not validate in nested stacks."""
    referenced: bool = False
    """Whether another group refers to this group, which then is not checked on its own."""

    def message(self, situation: ViolationKind | None) -> HeatMessage | None:
        """Return Heat's message for a kind of violation; None if it has none."""
        return self.messages.get(situation or ViolationKind.ALWAYS) or self.messages.get(ViolationKind.ALWAYS)


PropertyGroups = tuple[PropertyGroup, ...]

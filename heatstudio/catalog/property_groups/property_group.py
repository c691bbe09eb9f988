"""Property groups: what must hold between the properties of one resource (specification: property group).

A group is one expression over property values. Few parts compose:

* a `Member` tests the values found at a path: whether they are given and, if it has constraints, keep those;
* a `Combination` joins members by an operator, and combinations may be nested or refer to other groups by name;
* for operators that relate values (`LE`, `UNIQUE`, ...) the members are terms: the values at a path, sums, products.

`when` guards a group, `scope` declares it inside a nested schema: it then holds for every element there.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from heatstudio.catalog.schema import Constraint, PropertyType


class Operator(StrEnum):
    """How the members of a group belong together; the first three and DEPENDS_ON are the specification's."""

    AND = "AND"
    OR = "OR"
    XOR = "XOR"
    """Exactly one."""
    DEPENDS_ON = "DEPENDS_ON"
    """When the first holds, all others hold."""
    NONE = "NONE"
    AT_MOST_ONE = "AT_MOST_ONE"
    ALL_OR_NONE = "ALL_OR_NONE"
    LE = "LE"
    """Each value is at most the next one."""
    EQUAL = "EQUAL"
    UNIQUE = "UNIQUE"
    """No value occurs twice."""
    SUBSET = "SUBSET"
    """Every value of the first is a value of the second."""
    DISJOINT = "DISJOINT"
    """No value of the first is a value of the second."""

    @property
    def relates_values(self) -> bool:
        """Whether the operator looks at the values of its members and not at whether they hold."""
        return self in _RELATIONS


_RELATIONS = frozenset({Operator.LE, Operator.EQUAL, Operator.UNIQUE, Operator.SUBSET, Operator.DISJOINT})


class Presence(StrEnum):
    """The three tests that Heat's plug-ins use to see whether a property is there."""

    GIVEN = "given"
    """Not null."""
    TRUTHY = "truthy"
    """Neither null nor empty, zero or false."""
    KEY = "key"
    """The key exists, whatever its value."""


class Quantifier(StrEnum):
    """What a path that meets several list elements means."""

    ANY = "any"
    EVERY = "every"
    EACH = "each"
    """Every element counts as a member of its own."""


class Root(StrEnum):
    """Where a path starts."""

    SCOPE = ""
    """Beside the peers of the group: the element of its scope, or the top if it has no scope."""
    TOP = "/"
    """At the top of the properties."""
    FACT = "@"
    """At a fact beside the properties: `metadata`, `update_policy` or `stack`."""


EACH_ELEMENT = "[*]"
EACH_KEY = "*"


class MemberPath(Struct, frozen=True):
    """A path such as `networks[*].port`; the steps are names, EACH_ELEMENT and EACH_KEY."""

    steps: tuple[str, ...]
    root: Root = Root.SCOPE

    @property
    def innermost_element(self) -> MemberPath:
        """The list element nearest to the end of the path."""
        if EACH_ELEMENT not in self.steps:
            return MemberPath((), self.root)
        return MemberPath(self.steps[: len(self.steps) - self.steps[::-1].index(EACH_ELEMENT)], self.root)

    def __str__(self) -> str:
        return self.root + ".".join(self.steps).replace("." + EACH_ELEMENT, EACH_ELEMENT)


class Format(StrEnum):
    """Forms of a value that no constraint of a schema describes."""

    BASE64 = "base64"
    IP_ADDRESS = "ip"
    DURATION = "duration"
    """An ISO 8601 duration of hours, minutes and seconds; constraints then see its seconds."""
    RESOURCE = "resource"
    """The name or reference id of a resource of the stack."""
    REQUIRED_RESOURCE = "required-resource"
    """The same, and this resource refers to it, so that it is made first."""


class Member(Struct, frozen=True):
    """The values at a path, and what they must be to count."""

    path: MemberPath
    presence: Presence = Presence.GIVEN
    constraints: tuple[Constraint, ...] = ()
    format: Format | None = None
    type: PropertyType | None = None
    """The value converts to this type."""
    quantifier: Quantifier = Quantifier.ANY
    where: Expression | None = None
    """Only the elements count for which this holds; seen from the innermost element on the path."""
    follow: str | None = None
    """Go on to this property of the resource to which the value refers."""
    keys: bool = False
    """The keys of the maps found, in place of the maps; for operators that relate values."""
    once: bool = False
    """A value counts once for the list it is in, however often that list holds it."""
    excepted: tuple[str, ...] = ()
    """Keys that EACH_KEY leaves out."""

    @property
    def is_presence(self) -> bool:
        """Whether only presence is tested, so that adding or removing the property changes the answer."""
        return not self.constraints and self.format is None and self.type is None


class GroupReference(Struct, frozen=True):
    """Another group of the same type and scope; a group that is referred to is not checked by itself."""

    name: str


class ClientVersion(Struct, frozen=True):
    """Whether a client plug-in's API version is in a range; both ends belong to it."""

    client_plugin: str
    first: tuple[int, ...]
    last: tuple[int, ...] | None = None

    def supports(self, version: tuple[int, ...]) -> bool:
        """Whether this version is in the range."""
        return self.first <= version and (self.last is None or version <= self.last)


class Arithmetic(Struct, frozen=True):
    """The sum or the product of terms; a value that is missing adds nothing."""

    operation: str
    terms: tuple[Term, ...]


class Constant(Struct, frozen=True):
    """Fixed values."""

    values: tuple[object, ...]


class Combination(Struct, frozen=True):
    """Members joined by an operator."""

    operator: Operator
    members: tuple[Expression | Term, ...]


Term = Member | Arithmetic | Constant
Expression = Member | GroupReference | ClientVersion | Combination


class ExceptionKind(StrEnum):
    """The exceptions of heat/common/exception.py that tell of a broken group."""

    CONFLICT = "conflict"
    UNSPECIFIED = "unspecified"
    DEPENDENCY = "dependency"
    VALUE_DEPENDENCY = "value_dependency"
    TEXT = "text"

    @property
    def pattern(self) -> str:
        """Heat's words, where `{}` stands for names."""
        return _PATTERNS[self]


_PATTERNS = {
    ExceptionKind.CONFLICT: "Cannot define the following properties at the same time: {}.",
    ExceptionKind.UNSPECIFIED: "At least one of the following properties must be specified: {}.",
    ExceptionKind.DEPENDENCY: "{} cannot be specified without {}.",
    ExceptionKind.VALUE_DEPENDENCY: "{} property should only be specified for {} with value {}.",
    ExceptionKind.TEXT: "{}",
}


class Situation(StrEnum):
    """How a group is broken, where Heat has different words for it."""

    ALWAYS = "always"
    """However it is broken."""
    NONE = "none"
    """No member holds where one is needed."""
    MANY = "many"
    """More members hold than may."""


class HeatMessage(Struct, frozen=True):
    """What Heat says. `names` fill the pattern of the kind; the text of TEXT holds `{path}` fields."""

    kind: ExceptionKind
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """The message, with its fields still open."""
        if self.kind in (ExceptionKind.CONFLICT, ExceptionKind.UNSPECIFIED):
            return self.kind.pattern.format(", ".join(self.names))
        return self.kind.pattern.format(*self.names)


class PropertyGroup(Struct, frozen=True):
    """One named group of a resource type."""

    name: str
    expression: Combination
    when: Expression | None = None
    scope: MemberPath | None = None
    messages: Mapping[Situation, HeatMessage] = field(default_factory=lambda: MappingProxyType({}))
    client_version: ClientVersion | None = None
    """The versions that know the properties of this group at all."""
    usual: str = ""
    """The property of `when` that most authors set where the group does not hold."""
    referenced: bool = False
    """It is a part of another group, not a rule by itself."""

    def message(self, situation: Situation | None) -> HeatMessage | None:
        """Heat's words for a situation, if the group knows them."""
        return self.messages.get(situation or Situation.ALWAYS) or self.messages.get(Situation.ALWAYS)


PropertyGroups = tuple[PropertyGroup, ...]

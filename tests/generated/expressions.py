"""Random function calls, valid and invalid, in any version of the template languages."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from heatstudio.stack.functions.language import Language

PARAMETERS: Mapping[str, tuple[str, object]] = {
    "text": ("string", "alpha"),
    "empty": ("string", ""),
    "digits": ("string", "2"),
    "number": ("number", 3),
    "list": ("comma_delimited_list", "a,b,c"),
    "map": ("json", {"a": 1, "b": {"c": [1, "two"]}, "alpha": "x"}),
    "items": ("json", ["x", {"k": "v"}, None]),
    "flag": ("boolean", "true"),
}
"""Parameters by name: the HOT type and the value."""


class Existing(NamedTuple):
    """The data of an existing resource in Heat."""

    reference_id: str
    attributes: dict[str, object]


RESOURCE_DATA = {
    "made": Existing(
        "made-id", {"text": "t", "list": ["p", "q"], "map": {"k": ["v"], "n": 1}, "value": "v", "show": {"k": 1}}
    ),
    "other": Existing(
        "other-id", {"text": "", "list": [], "map": {"k": [], "n": 2}, "value": "a,b", "show": {"k": "w"}}
    ),
}
WAYS: Mapping[str, Sequence[object]] = {"list": [0], "map": ["n"], "show": ["k"]}
"""Valid path elements below attributes."""
RESOURCES = tuple(RESOURCE_DATA)
ANY_ATTRIBUTES = "AWS::CloudFormation::Stack"
"""A type with arbitrary attributes."""
PLAIN = "OS::Heat::RandomString"
"""A type with the attributes `show` and `value`."""
CONDITIONS = ("yes", "no")
FILES = {"script.txt": "echo $text\n"}
MAPPINGS = {"zones": {"east": {"a": "one", "b": ["two"]}, "alpha": {"a": 3}}}
ODD: tuple[object, ...] = (
    *(None, "", "x", "a,b", 0, 1, -1, 7.5, True, [], ["a"], [None], {}, {"a": "b"}, [["a", 1]], [{"a": 1}]),
    *({"get_param": "absent"}, {"get_attr": ["other", "map", "no"]}, {"get_attr": ["made", "list"]}, {"Ref": "text"}),
)
"""Values that are invalid in most places."""
TEXTS = ("", "a", "alpha", "$text", "a,b,c", "x-y", "1", "2.5", "ä", "True")
NAMES = ("a", "b", "k", "$text", "alpha")
PSEUDO_PARAMETERS = (
    "OS::stack_id",
    "OS::stack_name",
    "OS::project_id",
    "AWS::StackId",
    "AWS::StackName",
    "AWS::Region",
)
"""The pseudo parameters of both languages."""
YAQL = (
    "$.data",
    "$.data.len()",
    "$.data.a",
    "$.data.where($ != a)",
    "$.data.select($)",
    "1 + $.data",
    "$.data.keys().orderBy($)",
)


class Expressions:
    """A generator of values with calls in one version of a language; `oddity` is the share of invalid values."""

    attributes: Sequence[str] = ("text", "list", "map")

    def __init__(self, language: Language, dice: random.Random, oddity: float = 0.05) -> None:
        self.functions = [name for name in ARGUMENTS if language.state(name) == "function" and name not in FACADES]
        self.tests = [name for name in CHOICES if name in language.condition_functions]
        self._dice = dice
        self._oddity = oddity
        self._depth = 0

    def one(self, choice: Sequence[object]) -> object:
        return self._dice.choice(choice)

    def chance(self, share: float) -> bool:
        return self._dice.random() < share

    def is_odd(self) -> bool:
        return self.chance(self._oddity * 3)

    def some(self, make: Callable[[], object], least: int = 0, most: int = 3) -> list[object]:
        return [make() for _ in range(self._dice.randint(least, most))]

    def value(self) -> object:
        return self._dice.choice((self.text, self.text, self.number, self.items, self.map, self.call))()

    def text(self) -> object:
        return self._made(
            lambda: self.one(TEXTS), "list_join str_replace get_param get_resource Ref Fn::Join Fn::If if"
        )

    def number(self) -> object:
        return self._made(lambda: self.one((0, 1, 2, "1", 3.5)), "get_param")

    def items(self) -> object:
        return self._made(
            lambda: self.some(self.text if self.chance(0.8) else self.value),
            "str_split list_concat Fn::Split get_attr repeat if",
        )

    def map(self) -> object:
        return self._made(self._entries, "map_merge map_replace get_attr if")

    def _entries(self) -> object:
        return {str(self.one(NAMES)): self.value() for _ in range(self._dice.randint(0, 3))}

    def condition(self) -> object:
        if self._depth > 4 or not self.tests or self.chance(0.5):
            return self.one((*CONDITIONS, True) if self.tests else (True, False))
        return self.call("" if self.chance(0.03) else str(self.one(self.tests)))

    def attribute(self) -> object:
        """Return a call that reads an attribute."""
        return self.call("get_attr" if "get_attr" in self.functions else "Fn::GetAtt")

    def call(self, name: str = "") -> object:
        """Return a call of a function of the version, or occasionally of another version."""
        name = name or str(self.one(list(ARGUMENTS) if self.chance(0.05) else self.functions))
        return {name: self._odd(lambda: (ARGUMENTS | CHOICES)[name](self))}

    def _made(self, plain: Callable[[], object], names: str) -> object:
        """Return a plain value, or a call that mostly returns a value of the same kind."""
        fitting = [name for name in names.split() if name in self.functions]
        if self._depth > 4 or not fitting or self.chance(0.6):
            return self._odd(plain)
        return self.call() if self.chance(self._oddity * 2) else self.call(str(self.one(fitting)))

    def _odd(self, make: Callable[[], object]) -> object:
        self._depth += 1
        made = self.one(ODD) if self._depth > 8 or self.chance(self._oddity) else make()
        self._depth -= 1
        return made


Make = Callable[[Expressions], object]


def _get_param(made: Expressions) -> object:
    if made.is_odd():
        return [made.one([*PARAMETERS]), *made.some(lambda: made.one(("a", "b", "c", 0, 1, "1", "alpha")))]
    pseudo = made.one(PSEUDO_PARAMETERS) if made.chance(0.1) else "text"
    return made.one((*PARAMETERS, pseudo, ["list", 1], ["map", "a"], ["map", "b", "c", 1], ["items", 1, "k"]))


def _get_attr(made: Expressions) -> object:
    attribute = str(made.one(made.attributes))
    odd = made.some(lambda: made.one(("k", "n", 0, 1, "0"))) if made.is_odd() else WAYS.get(attribute, ())
    return [made.one(RESOURCES), attribute, *(odd if made.chance(0.5) else ())]


def _str_replace(made: Expressions) -> object:
    return {"template": made.text(), "params": made.map()}


def _repeat(made: Expressions) -> object:
    more = {"permutations": made.one((True, False))} if made.chance(0.2) else {}
    return {"template": made.one(("$text", {"$text": "b"}, made.value())), "for_each": made.map()} | more


def _make_url(made: Expressions) -> object:
    parts = {"scheme": "http", "host": "h.example", "port": 80, "path": "/p", "query": {"a": "b"}, "fragment": "f"}
    return {name: value if made.chance(0.8) else made.value() for name, value in parts.items() if made.chance(0.7)}


def _if(made: Expressions) -> object:
    return [made.condition(), made.value(), *made.some(made.value, 1, 1)][: 2 + made.chance(0.9)]


def _two(first: str, second: str) -> Make:
    return lambda made: [getattr(made, first)(), getattr(made, second)()]


def _conditions(made: Expressions) -> object:
    return made.some(made.condition, 2 - made.chance(0.1), 3)


ARGUMENTS: dict[str, Make] = {
    "get_param": _get_param,
    "get_resource": lambda made: made.one(RESOURCES),
    "get_attr": _get_attr,
    "get_file": lambda made: "script.txt",
    "list_join": lambda made: [made.text(), *made.some(made.items, 1, 2)],
    "str_replace": _str_replace,
    "str_replace_strict": _str_replace,
    "str_replace_vstrict": _str_replace,
    "repeat": _repeat,
    "digest": lambda made: [made.one(("md5", "sha256", "crc")), made.text()],
    "str_split": lambda made: [made.one((",", "-")), made.text(), *made.some(lambda: made.one((0, 1, "1", 5)), 0, 1)],
    "map_merge": lambda made: made.some(made.map),
    "map_replace": lambda made: [made.map(), {"keys": made.map(), "values": made.map()}],
    "yaql": lambda made: {"expression": made.one(YAQL), "data": made.value()},
    "if": _if,
    "filter": _two("items", "items"),
    "make_url": _make_url,
    "list_concat": lambda made: made.some(made.items),
    "list_concat_unique": lambda made: made.some(made.items),
    "contains": _two("value", "items"),
    "resource_facade": lambda made: made.one(("metadata", "deletion_policy", "update_policy")),
    "Ref": lambda made: made.one((*PARAMETERS, *RESOURCES, *PSEUDO_PARAMETERS)),
    "Fn::GetAtt": lambda made: [made.one(RESOURCES), made.one(made.attributes)],
    "Fn::FindInMap": lambda made: ["zones", made.one(("east", {"Ref": "text"})), made.one(("a", "b"))],
    "Fn::Join": _two("text", "items"),
    "Fn::Split": _two("text", "text"),
    "Fn::Select": lambda made: [made.one((0, "1", 2, "a")), made.map() if made.chance(0.5) else made.items()],
    "Fn::Replace": _two("map", "text"),
    "Fn::Base64": lambda made: made.text(),
    "Fn::MemberListToMap": lambda made: [made.one(NAMES), made.one(NAMES), [".member.0.a=k", ".member.0.b=v"]],
    "Fn::If": _if,
}
FACADES = ("resource_facade", "Fn::ResourceFacade")
"""Functions that work only in nested stacks."""
CHOICES: dict[str, Make] = {
    "equals": _two("value", "value"),
    "not": lambda made: made.condition(),
    "and": _conditions,
    "or": _conditions,
    "Fn::Equals": _two("value", "value"),
    "Fn::Not": lambda made: [made.condition()],
    "Fn::And": _conditions,
    "Fn::Or": _conditions,
}
"""The condition functions."""


def template(language: Language, resources: Mapping[str, object], kind: str = ANY_ATTRIBUTES) -> dict[str, object]:
    """Return a template with all entries that expressions refer to, with resources of one type, and more resources."""
    words = language.dialect
    types = dict(
        zip(("string", "number", "comma_delimited_list", "json", "boolean"), words.parameter_types, strict=True)
    )
    sections: dict[str, object] = {
        words.version_key: words.version,
        words.parameters: {
            name: {words.type: types[kind], words.default: value} for name, (kind, value) in PARAMETERS.items()
        },
        words.resources: {name: {words.type: kind} for name in RESOURCES} | dict(resources),
    }
    if words.has_conditions:
        sections[words.conditions] = {"yes": True, "no": False}
    if words.has_mappings:
        sections[words.mappings] = MAPPINGS
    return sections

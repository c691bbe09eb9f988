"""Conversion of a whole template between HOT and CFN.

heat/engine/cfn/functions.py and heat/engine/cfn/template.py compared with heat/engine/hot.
"""

from collections.abc import Iterator, Mapping
from itertools import chain

from msgspec import Struct

from heatstudio.catalog.attribute_shape import ANY, AttributeKind
from heatstudio.catalog.schema import PropertyType
from heatstudio.stack.conversion.converter import ConversionNote, Converter
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.inputs.parameters import DEFAULT_REGION, REGION, STACK_ID
from heatstudio.template import CannotEditError, Dialect, Template, TreePath, parse_template
from heatstudio.template.dialect import AWS, NEWEST_HOT
from heatstudio.template.editing.writer import Writer

RENAMED = {
    "Fn::Join": "list_join",
    "Fn::Split": "str_split",
    "Fn::If": "if",
    "Fn::Equals": "equals",
    "Fn::And": "and",
    "Fn::Or": "or",
}
"""The functions with the same arguments and another name in HOT."""
_STACK_ARN = "AWS::StackId"
_PSEUDO = {"AWS::StackName": "OS::stack_name", _STACK_ARN: STACK_ID, REGION: "OS::region"}
FACADE = {"Metadata": "metadata", "DeletionPolicy": "deletion_policy", "UpdatePolicy": "update_policy"}
"""The arguments of `Fn::ResourceFacade` and their HOT names."""
_LIMITS = {"range": ("MinValue", "MaxValue"), "length": ("MinLength", "MaxLength")}
_CHOICES = {"allowed_values": "AllowedValues", "allowed_pattern": "AllowedPattern"}
_CONSTRAINTS = {*chain.from_iterable(_LIMITS.values()), *_CHOICES.values(), "ConstraintDescription"}
_GROUPS = frozenset({"CommaDelimitedList", "Json"})
_KEPT = ("Ref", "Fn::Join", "Fn::Split", "Fn::Select", "Fn::Replace", "Fn::ResourceFacade", "Fn::Base64", "Fn::GetAZs")
"""The CFN functions that early HOT versions also have."""
_WITH_PATH = {"get_attr": "Fn::GetAtt", "str_split": "Fn::Split"}
"""Functions that in HOT also accept the path of an item in their result."""
_WITH_TWO_ARGUMENTS = {"list_join": "Fn::Join"}
"""Functions that in HOT may have more than two arguments."""
_TEXT_CALLS = ("list_join", "str_replace")
_COLLECTION_CALLS = ("str_split", "map_merge", "map_replace", "list_concat", "list_concat_unique", "filter", "repeat")
_MOST_KEYS = 50
"""The maximum number of keys: each adds a nested function, and Heat's limit is 200 levels."""
_NO_TEXT = "CFN can select only from lists and maps."
_SAME = dict(zip(_KEPT, _KEPT, strict=True)) | {"get_resource": "Ref"}
_SAME |= {word: name for name, word in RENAMED.items() if word not in _WITH_PATH | _WITH_TWO_ARGUMENTS}
_PSEUDO_WORDS = {word: name for name, word in _PSEUDO.items()}
_FACADE_WORDS = {word: name for name, word in FACADE.items()}


class ToHot(Converter):
    """The conversion of a CFN template to HOT.

    HOT has no mappings: they become parameters of type json, from which `get_param` can select.
    """

    def parameters(self) -> dict[object, object]:
        """Return the section of parameters, which includes the mappings."""
        return super().parameters() | self._maps()

    def parameter(self, name: str, entry: Mapping[object, object]) -> dict[str, object]:
        """Return the declaration of a parameter in HOT."""
        words, target = self.words, self.target
        found: dict[str, object] = {target.type: self.parameter_type(name, entry)}
        keys = {words.label: target.label, words.description: target.description, words.default: target.default}
        found |= {key: entry[word] for word, key in keys.items() if word in entry}
        if str(entry.get(words.hidden, False)).lower() == "true":
            found[target.hidden] = True
        constraints = _constraints(entry)
        if constraints:
            found[target.constraints] = constraints
        known = {words.type, words.default, words.description, words.label, words.hidden} | _CONSTRAINTS
        for unknown in (str(key) for key in entry if key not in known):
            self.lose((words.parameters, name, unknown), unknown, "HOT parameters have no such key.")
        return found

    def _maps(self) -> dict[object, object]:
        """Return the mappings as parameters."""
        section = self.template.section(self.words.mappings)
        return {
            self._parameter_of_map(str(name)): {
                self.target.type: "json",
                self.target.description: f"The mapping {name}.",
                self.target.default: _with_text_keys(value),
            }
            for name, value in section.items()
        }

    def _parameter_of_map(self, name: str) -> str:
        taken = self.template.section(self.words.parameters)
        while name in taken:
            name = f"{name}_map"
        return name

    def call(self, name: str, arguments: object, path: TreePath) -> object:
        """Return a call of a CFN function as a call in HOT."""
        if name in RENAMED:
            return {RENAMED[name]: self.value(arguments, path)}
        match name:
            case "Ref" if isinstance(arguments, str):
                return self._ref(arguments, path)
            case "Fn::GetAtt":
                return {"get_attr": self.value(arguments, path)}
            case "Fn::Base64":
                return self.value(arguments, path)
            case "Fn::Not" if isinstance(arguments, list) and len(arguments) == 1:
                return {"not": self.value(arguments[0], (*path, 0))}
            case "Fn::Replace" if isinstance(arguments, list) and len(arguments) == 2:
                values, text = (self.value(item, place) for item, place in self.items(arguments, path))
                return {"str_replace": {"template": text, "params": values}}
            case "Fn::ResourceFacade" if str(arguments) in FACADE:
                return {"resource_facade": FACADE[str(arguments)]}
            case "Fn::FindInMap" if isinstance(arguments, list) and isinstance(next(iter(arguments), None), str):
                keys = [self.value(item, place) for item, place in self.items(arguments, path)][1:]
                return {"get_param": [self._parameter_of_map(arguments[0]), *map(_text_key, keys)]}
            case "Fn::Select" if isinstance(arguments, list) and len(arguments) == 2:
                return self._select(arguments, path)
        self.lose(path, name, "HOT has no equivalent function.")
        return {name: self.value(arguments, path)}

    def _ref(self, name: str, path: TreePath) -> object:
        """Convert `Ref`; resources take precedence over parameters (heat/engine/cfn/functions.py, Ref)."""
        if name in self.template.section(self.words.resources):
            return {"get_resource": name}
        if name in _PSEUDO and name not in self.template.section(self.words.parameters):
            if name == REGION:
                self.note(path, name, "Converted to a constant: in CFN, Heat returns the same region for every cloud.")
                return DEFAULT_REGION
            if name == _STACK_ARN:
                self.note(path, name, "In HOT, this is the stack ID; in CFN, the ARN, which ends with the stack ID.")
            return {"get_param": _PSEUDO[name]}
        return {"get_param": name}

    def _select(self, arguments: list[object], path: TreePath) -> object:
        """Convert `Fn::Select`: HOT appends the key to the arguments of the function that returns the collection."""
        index, whole = arguments
        key = int(index) if isinstance(index, str) and index.isdigit() else index
        literal = isinstance(key, str) or (isinstance(key, int) and not isinstance(key, bool) and key >= 0)
        if isinstance(whole, list) and isinstance(key, int):
            return self.value(whole[key], (*path, 1, key)) if 0 <= key < len(whole) else ""
        inner = self.value(whole, (*path, 1))
        name, called = next(iter(inner.items())) if isinstance(inner, dict) and len(inner) == 1 else ("", None)
        behind = called if isinstance(called, list) else [called]
        if literal and self._is_collection(whole, name, behind, key):
            if name == "str_split" and isinstance(key, int) and not _has_part(behind, key):
                self.note(path, "Fn::Select", "If the string has fewer parts, CFN returns '' and HOT fails.")
            if name == "get_attr" and path[-3:-1] != ("Fn::Select", 1):  # once for nested calls
                self.note(path, "Fn::Select", "Without such an item, or before it exists, CFN returns '' and HOT null.")
            return {name: [*behind, key]}
        message = "HOT can select only from a parameter, an attribute or a split string."
        self.lose((*path[:-1], "Fn::Select"), "Fn::Select", message)
        return {"Fn::Select": [index, inner]}

    def _is_collection(self, whole: object, name: str, behind: list[object], key: object) -> bool:
        """Return whether a HOT function accepts the key and selects the same item with it."""
        if name == "str_split":
            return isinstance(key, int) and len(behind) == 2
        if name == "get_param":
            if isinstance(whole, Mapping) and "Fn::FindInMap" in whole:
                return True
            declared = self.template.section(self.words.parameters).get(behind[0])
            return isinstance(declared, Mapping) and declared.get(self.words.type) in _GROUPS
        return name == "get_attr" and self._may_contain(behind, key)

    def _may_contain(self, place: list[object], key: object) -> bool:
        """Return whether the value at a path of an attribute is a collection with such keys; a string may be JSON."""
        if len(place) < 2 or not self.is_collection_attribute(place):
            return False
        shape = self.attribute_shape(place)
        for step in place[2:]:
            shape = shape.keys.get(step, shape.item or ANY) if isinstance(step, str) else shape.item or ANY
        fitting = AttributeKind.LIST if isinstance(key, int) else AttributeKind.MAP
        return shape.kind is fitting or (shape.kind is AttributeKind.ANY and len(place) > 2)


def _has_part(arguments: list[object], index: int) -> bool:
    """Return whether a split text certainly has a part at an index."""
    separator, text = arguments
    if isinstance(separator, str) and separator and isinstance(text, str):
        return index < len(text.split(separator))
    return index == 0


def _constraints(entry: Mapping[object, object]) -> list[object]:
    found: list[dict[str, object]] = []
    for word, (low, high) in _LIMITS.items():
        limits = {key: entry[name] for key, name in (("min", low), ("max", high)) if name in entry}
        if limits:
            found.append({word: limits})
    found += [{word: entry[key]} for word, key in _CHOICES.items() if key in entry]
    if "ConstraintDescription" in entry:
        found = [{**constraint, "description": entry["ConstraintDescription"]} for constraint in found]
    return list(found)


def cfn_constraint(constraint: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the keys of a parameter in CFN that state a constraint of HOT, as far as CFN has it."""
    for word, value in constraint.items():
        if word in _LIMITS and isinstance(value, Mapping):
            yield from (
                (key, value[end]) for key, end in zip(_LIMITS[word], ("min", "max"), strict=True) if end in value
            )
        elif word in _CHOICES:
            yield _CHOICES[word], value


def _with_text_keys(value: object) -> object:
    """Return a value with string keys, as in JSON, for a parameter of type json."""
    if isinstance(value, Mapping):
        return {str(_text_key(key)): _with_text_keys(below) for key, below in value.items()}
    return [_with_text_keys(item) for item in value] if isinstance(value, list) else value


def _text_key(key: object) -> object:
    return str(key) if isinstance(key, int | float) and not isinstance(key, bool) else key


class ToCfn(Converter):
    """The conversion of a HOT template to CFN."""

    def parameter(self, name: str, entry: Mapping[object, object]) -> dict[str, object]:
        """Return the declaration of a parameter in CFN."""
        words, target = self.words, self.target
        path = (words.parameters, name)
        found: dict[str, object] = {target.type: self.parameter_type(name, entry)}
        keys = {words.label: target.label, words.description: target.description, words.default: target.default}
        for key, value in entry.items():
            if key in keys:
                found[keys[str(key)]] = value
            elif key == words.hidden:
                found[target.hidden] = bool(value)
            elif key == words.constraints and isinstance(value, list):
                for index, constraint in enumerate(value):
                    self._constrain(found, constraint, (*path, words.constraints, index))
            elif key != words.type and not (key == words.constraints and value is None):
                self.lose((*path, str(key)), str(key), "CFN parameters have no such key.")
        if name in self.template.section(words.resources):
            self.lose(path, "Ref", "A resource has the same name; `Ref` would be ambiguous.")
        return found

    def _constrain(self, found: dict[str, object], constraint: object, path: TreePath) -> None:
        for word, value in constraint.items() if isinstance(constraint, Mapping) else ():
            if word in _LIMITS and isinstance(value, Mapping):
                found.update(cfn_constraint({str(word): value}))
            elif word in _CHOICES and _CHOICES[str(word)] not in found:
                found[_CHOICES[str(word)]] = value
            elif word == "description":
                found.setdefault("ConstraintDescription", value)
            else:
                self.lose((*path, str(word)), str(word), "CFN does not have this constraint, or allows it only once.")

    def call(self, name: str, arguments: object, path: TreePath) -> object:
        """Return a call of a HOT function as a call in CFN."""
        delimiter, *lists = arguments if name == "list_join" and isinstance(arguments, list) and arguments else [None]
        written = [one for one in lists if isinstance(one, list)]
        if len(lists) > 1 and len(written) == len(lists):
            return self._join(delimiter, written, path)
        self._report_arguments(name, arguments, path)
        is_parameter = isinstance(arguments, str) and arguments not in self.template.section(self.words.resources)
        if name == "Ref" and is_parameter:
            return self._get_param(arguments, path)
        if name in _SAME or (name in _WITH_TWO_ARGUMENTS and isinstance(arguments, list) and len(arguments) == 2):
            return {_SAME.get(name) or _WITH_TWO_ARGUMENTS[name]: self.value(arguments, path)}
        if name in _WITH_PATH and isinstance(arguments, list) and len(arguments) > 1:
            items = [self.value(item, place) for item, place in self.items(arguments, path)]
            if len(items) > 2 and isinstance(items[0], str) and self.attribute_type(items) is PropertyType.STRING:
                self.lose(path, "Fn::Select", _NO_TEXT)
            return self._selected({_WITH_PATH[name]: items[:2]}, items[2:], path)
        match name:
            case "get_param":
                return self._get_param(arguments, path)
            case "not":
                return {"Fn::Not": [self.value(arguments, path)]}
            case "str_replace" if isinstance(arguments, Mapping) and {"template", "params"} == set(arguments):
                text, values = (self.value(arguments[key], (*path, key)) for key in ("template", "params"))
                return {"Fn::Replace": [values, text]}
            case "resource_facade" if str(arguments) in _FACADE_WORDS:
                return {"Fn::ResourceFacade": _FACADE_WORDS[str(arguments)]}
        self.lose(path, name, "CFN has no equivalent function.")
        return {name: self.value(arguments, path)}

    def _join(self, delimiter: object, lists: list[list[object]], path: TreePath) -> object:
        """Return the call that joins the items of several written lists."""
        self._report_arguments("list_join", [delimiter, [item for one in lists for item in one]], path)
        found = [self.value(item, at) for n, one in enumerate(lists, 1) for item, at in self.items(one, (*path, n))]
        return {"Fn::Join": [self.value(delimiter, (*path, 0)), found]}

    def _report_arguments(self, name: str, arguments: object, path: TreePath) -> None:
        """Report arguments that the equivalent CFN function rejects."""
        if name in _TEXT_CALLS and any(map(self._is_collection, _inserted(name, arguments))):
            accepted = "strings" if name == "list_join" else "strings and numbers"
            self.lose(path, name, f"CFN accepts only {accepted} here, not lists or maps as JSON.")
        if name == "list_join" and not all(map(_may_be_list, _joined(arguments))):
            self.lose(path, name, "CFN can join only lists.")
        if name == "if" and isinstance(arguments, list) and len(arguments) < 3:
            self.lose(path, name, "CFN requires a value for both cases.")

    def _get_param(self, arguments: object, path: TreePath) -> object:
        items = arguments if isinstance(arguments, list) and arguments else [arguments]
        name = str(items[0])
        if name in self.language.pseudo_parameters and name not in _PSEUDO_WORDS:
            self.lose(path, name, "CFN has no such pseudo parameter.")
        if name == "OS::region":
            self.note(path, name, "In CFN templates, Heat returns a constant, not the region of the cloud.")
        if name == STACK_ID:
            self.note(path, name, "In CFN, this parameter is the ARN of the stack, which ends with the stack ID.")
        below = [self.value(item, (*path, index)) for index, item in enumerate(items)][1:]
        if below and self.is_condition(path):
            self.lose(path, "Fn::Select", "A CFN condition cannot select from a parameter.")
        elif below and not self._is_collection({"get_param": name}):
            self.lose(path, "Fn::Select", _NO_TEXT)
        return self._selected({"Ref": _PSEUDO_WORDS.get(name, name)}, below, path)

    def _selected(self, whole: object, keys: list[object], path: TreePath) -> object:
        """Return nested `Fn::Select` calls for a path of keys into a value."""
        if len(keys) > _MOST_KEYS:
            self.lose(path, "Fn::Select", "Too many keys to select.")
        for key in keys[:_MOST_KEYS]:
            whole = {"Fn::Select": [str(key) if isinstance(key, int) else key, whole]}
        return whole

    def _is_collection(self, value: object) -> bool:
        """Return whether a value is known to be a list or a map."""
        if not isinstance(value, Mapping) or len(value) != 1:
            return isinstance(value, list | Mapping)
        ((name, arguments),) = value.items()
        if name == "get_attr" and isinstance(arguments, list) and len(arguments) == 2:
            return self.is_collection_attribute(arguments)
        if name != "get_param":
            return name in _COLLECTION_CALLS or self.language.state(str(name)) != "function"
        declared = self.template.section(self.words.parameters).get(arguments) if isinstance(arguments, str) else None
        return isinstance(declared, Mapping) and declared.get(self.words.type) in ("json", "comma_delimited_list")


def _inserted(name: str, arguments: object) -> list[object]:
    """Return the values that a function inserts into a text."""
    if name == "list_join":
        lists = (items for items in _joined(arguments) if isinstance(items, list))
        return [branch for items in lists for item in items for branch in _branches(item)]
    params = arguments.get("params") if isinstance(arguments, Mapping) else None
    return [branch for value in params.values() for branch in _branches(value)] if isinstance(params, Mapping) else []


def _joined(arguments: object) -> list[object]:
    """Return the possible lists that `list_join` joins, if it joins one list."""
    return [*_branches(arguments[1])] if isinstance(arguments, list) and len(arguments) == 2 else []


def _may_be_list(value: object) -> bool:
    """Return whether a value may be a list; an item of `str_split` is a text, which HOT joins only if it is empty."""
    split = value.get("str_split") if isinstance(value, Mapping) and len(value) == 1 else None
    return isinstance(value, list | Mapping) and not (isinstance(split, list) and len(split) > 2)


def _branches(value: object) -> Iterator[object]:
    """Yield the possible results of a value: the results of both branches for `if`, otherwise the value."""
    choice = value.get("if") if isinstance(value, Mapping) and len(value) == 1 else None
    if not isinstance(choice, list):
        yield value
        return
    for branch in choice[1:]:
        yield from _branches(branch)


class Conversion(Struct, frozen=True):
    """A converted template."""

    text: str
    dialect: Dialect
    remarks: tuple[ConversionNote, ...] = ()
    """The constructs that were not converted, or whose meaning changed slightly."""


def convert(template: Template, knowledge: Knowledge) -> Conversion | None:
    """Return the template in the other language as YAML without comments; None if Heat cannot read it."""
    if not template.complete or template.version_message or not template.data:
        return None
    target = AWS if template.dialect.is_hot else NEWEST_HOT
    converter = (ToCfn if template.dialect.is_hot else ToHot)(template, target, knowledge)
    data = converter.data()
    try:
        text = _written(data, target)
    except CannotEditError:
        return None
    return Conversion(text, target, tuple(converter.remarks))


def _written(data: dict[object, object], target: Dialect) -> str:
    """Return YAML with an empty line between sections and between resources."""
    writer = Writer(parse_template(""))
    sections = []
    for name, section in data.items():
        if name == target.resources and isinstance(section, dict) and section:
            pairs = [f"  {writer.pair(str(key), value, 2)}" for key, value in section.items()]
            sections.append(f"{name}:\n" + "\n\n".join(pairs))
        else:
            sections.append(writer.pair(str(name), section, 0))
    return "\n\n".join(sections) + "\n"

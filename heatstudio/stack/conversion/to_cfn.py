"""Conversion from HOT to CFN."""

from collections.abc import Iterator, Mapping

from heatstudio.catalog import PropertyType
from heatstudio.stack.conversion.converter import Converter
from heatstudio.stack.conversion.to_hot import PSEUDO, RENAMED
from heatstudio.stack.inputs.parameters import STACK_ID
from heatstudio.template import TreePath

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
_PSEUDO = {word: name for name, word in PSEUDO.items()}
_FACADE = {"metadata": "Metadata", "deletion_policy": "DeletionPolicy", "update_policy": "UpdatePolicy"}
_LIMITS = {"range": ("MinValue", "MaxValue"), "length": ("MinLength", "MaxLength")}
_CHOICES = {"allowed_values": "AllowedValues", "allowed_pattern": "AllowedPattern"}


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
                low, high = _LIMITS[str(word)]
                found.update({key: value[end] for key, end in ((low, "min"), (high, "max")) if end in value})
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
        if (
            name == "Ref"
            and isinstance(arguments, str)
            and arguments not in self.template.section(self.words.resources)
        ):
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
            case "resource_facade" if str(arguments) in _FACADE:
                return {"Fn::ResourceFacade": _FACADE[str(arguments)]}
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
        if name in self.language.pseudo_parameters and name not in _PSEUDO:
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
        return self._selected({"Ref": _PSEUDO.get(name, name)}, below, path)

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
        return [
            branch for items in _joined(arguments) if isinstance(items, list) for i in items for branch in _branches(i)
        ]
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

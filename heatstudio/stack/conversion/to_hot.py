"""Conversion from CFN to HOT (heat/engine/cfn/functions.py and template.py compared with heat/engine/hot).

HOT has no mappings: they become parameters of type json, from which `get_param` can select.
"""

from collections.abc import Mapping

from heatstudio.catalog.attribute_shape import ANY, AttributeKind
from heatstudio.stack.conversion.converter import Converter
from heatstudio.stack.inputs.parameters import DEFAULT_REGION, REGION, STACK_ID
from heatstudio.template import TreePath

RENAMED = {
    "Fn::Join": "list_join",
    "Fn::Split": "str_split",
    "Fn::If": "if",
    "Fn::Equals": "equals",
    "Fn::And": "and",
    "Fn::Or": "or",
}
"""The functions with the same arguments and another name in HOT."""
STACK_ARN = "AWS::StackId"
PSEUDO = {"AWS::StackName": "OS::stack_name", STACK_ARN: STACK_ID, REGION: "OS::region"}
FACADE = {"Metadata": "metadata", "DeletionPolicy": "deletion_policy", "UpdatePolicy": "update_policy"}
"""The arguments of `Fn::ResourceFacade` and their HOT names."""
_LIMITS = (("range", "MinValue", "MaxValue"), ("length", "MinLength", "MaxLength"))
_CHOICES = (("allowed_values", "AllowedValues"), ("allowed_pattern", "AllowedPattern"))
_CONSTRAINTS = {key for _, *keys in (*_LIMITS, *_CHOICES) for key in keys} | {"ConstraintDescription"}
_GROUPS = frozenset({"CommaDelimitedList", "Json"})


class ToHot(Converter):
    """The conversion of a CFN template to HOT."""

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
        if name in PSEUDO and name not in self.template.section(self.words.parameters):
            if name == REGION:
                self.note(path, name, "Converted to a constant: in CFN, Heat returns the same region for every cloud.")
                return DEFAULT_REGION
            if name == STACK_ARN:
                self.note(path, name, "In HOT, this is the stack ID; in CFN, the ARN, which ends with the stack ID.")
            return {"get_param": PSEUDO[name]}
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
    for word, low, high in _LIMITS:
        limits = {key: entry[name] for key, name in (("min", low), ("max", high)) if name in entry}
        if limits:
            found.append({word: limits})
    found += [{word: entry[key]} for word, key in _CHOICES if key in entry]
    if "ConstraintDescription" in entry:
        found = [{**constraint, "description": entry["ConstraintDescription"]} for constraint in found]
    return list(found)


def _with_text_keys(value: object) -> object:
    """Return a value with string keys, as in JSON, for a parameter of type json."""
    if isinstance(value, Mapping):
        return {str(_text_key(key)): _with_text_keys(below) for key, below in value.items()}
    return [_with_text_keys(item) for item in value] if isinstance(value, list) else value


def _text_key(key: object) -> object:
    return str(key) if isinstance(key, int | float) and not isinstance(key, bool) else key

"""Functions that read parameters, resources, files and the facade of a stack (heat/engine/hot/functions.py)."""

from collections.abc import Mapping
from typing import ClassVar

from heatstudio.stack.functions.function import (
    ALL_ATTRIBUTES,
    Evaluation,
    Function,
    FunctionError,
    ListFunction,
    MissingKind,
)
from heatstudio.stack.resource_proxy import PathAttribute, ResourceProxy
from heatstudio.stack.unknown import SEQUENCES, UNREADABLE, Shape, Unknown, derived, has_unknown


def select(value: object, path: list[object], *, text_indices: bool = False) -> object:
    """Return the value at a path of keys and indices; unknown if a step of the path is unknown.

    Raise LookupError, TypeError or ValueError if there is none. With `text_indices`, list indices may be strings.
    """
    for position, key in enumerate(path):
        if isinstance(key, Unknown) or (isinstance(value, Unknown) and value.shape is Shape.ANY):
            return derived("select", value, path[position:])
        if not isinstance(key, (str, int)):
            raise TypeError("Path components must be strings")
        if isinstance(value, Unknown) and (text_indices or isinstance(key, int) or value.shape not in SEQUENCES):
            value = value.item(key)
        elif isinstance(value, Mapping):
            value = value[key]
        elif isinstance(value, (list, str)) and (text_indices or isinstance(key, int)):
            value = value[int(key)]
        else:
            raise TypeError("can't traverse path")
    return value


def attribute_at(value: object, path: list[object], *, with_path: bool = True) -> object:
    """Return the value at a path in the value of an attribute; raise the same errors as `select`.

    `with_path` determines whether the resource receives the path in addition to the name of the attribute.
    """
    if not isinstance(value, PathAttribute):
        return select(value, path)
    return value.at(tuple(path)) if with_path else select(value.at(()), path)


class GetParam(Function, frozen=True):
    """`get_param: name` or `get_param: [name, key or index, ...]`."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the value of the parameter, or the value at a path into it, or '' if there is none."""
        arguments = evaluation.resolve(self.arguments)
        if isinstance(arguments, Unknown):
            return self.unknown(arguments)
        if not arguments:
            raise ValueError(f'Function "{self.name}" must have arguments')
        if not isinstance(arguments, (str, list)):
            raise TypeError(f'Argument to "{self.name}" must be string or list')
        name, path = (arguments, []) if isinstance(arguments, str) else (arguments[0], arguments[1:])
        if isinstance(name, Unknown) and name.shape not in (Shape.LIST, Shape.NUMBER, Shape.BOOLEAN):
            return self.unknown(arguments)
        if not isinstance(name, str):
            raise TypeError(f'Parameter name in "{self.name}" must be string')
        try:
            value = parameter_value(name, evaluation)
        except KeyError:
            message = f"The Parameter ({name}) was not provided."
            first = self.arguments[0] if isinstance(self.arguments, list) and self.arguments else self.arguments
            written = name == first
            raise FunctionError(message, self.name_path, MissingKind.PARAMETER if written else None) from None
        try:
            return select(value, path, text_indices=True)
        except (LookupError, TypeError, ValueError):
            return ""


def parameter_value(name: str, evaluation: Evaluation) -> object:
    """Return the value of a parameter. Raise KeyError if it is not declared, ValueError if Heat fails to read it."""
    value = evaluation.stack.parameter(name)
    if isinstance(value, Unknown) and isinstance(value.key, tuple) and value.key[0] == UNREADABLE:
        raise ValueError(value.key[1])
    return value


class GetResource(Function, frozen=True):
    """`get_resource: name`."""

    def needed_resource(self, evaluation: Evaluation) -> object:
        """Return the name of the resource."""
        return evaluation.resolve(self.arguments)

    def result(self, evaluation: Evaluation) -> object:
        """Return the reference ID of the resource."""
        name = self.needed_resource(evaluation)
        return self.unknown(name) if has_unknown(name) else proxy(self, evaluation, name).reference_id()


def proxy(function: Function, evaluation: Evaluation, name: object) -> ResourceProxy:
    """Return the resource with a name. Raise FunctionError if there is none, TypeError if the name is unhashable."""
    try:
        return evaluation.stack.resource(name)
    except KeyError:
        message = f'The specified reference "{name}" (in unknown) is incorrect.'
        raise FunctionError(message, function.name_path, MissingKind.RESOURCE) from None


class GetAttThenSelect(ListFunction, frozen=True):
    """`get_attr: [resource, attribute, key or index, ...]` of 2013-05-23, the base of the later versions."""

    ASKS_WITH_PATH: ClassVar[bool] = False
    """Whether the resource computes the value at the path, instead of the whole attribute."""
    LENGTHS = ListFunction.TWO_OR_MORE
    USAGE = 'Arguments to "{0}" must be of the form [resource_name, attribute, (path), ...]'
    NO_LIST = 'Argument to "{0}" must be a list'

    def _argument(self, position: int) -> object:
        written = self.arguments
        return written[position] if isinstance(written, (list, str)) and len(written) > position else None

    @property
    def _path(self) -> list[object]:
        return self.items[2:]

    def needed_resource(self, evaluation: Evaluation) -> object:
        """Return the name of the resource."""
        return evaluation.resolve(self._argument(0))

    def needed_attribute(self, evaluation: Evaluation) -> object:
        """Return the attribute without the path, which selects within the value."""
        return evaluation.resolve(self._argument(1))

    def validate(self, evaluation: Evaluation) -> None:
        """Require a resource that exists and whose type has the attribute."""
        name = self.needed_resource(evaluation)
        if has_unknown(name):
            return
        resource = proxy(self, evaluation, name)
        attribute = evaluation.resolve(self._argument(1))
        if not has_unknown(attribute) and not resource.has_attribute(attribute):
            raise ValueError(f"The Referenced Attribute ({self._argument(0)} {attribute}) is incorrect.")

    def result(self, evaluation: Evaluation) -> object:
        """Return the value of the attribute, or at a path into it; None before creation or if there is none."""
        attribute = evaluation.resolve(self._argument(1))
        name = self.needed_resource(evaluation)
        if has_unknown(name) or has_unknown(attribute):
            return self.unknown(name, attribute, evaluation.resolve(self._path))
        resource = proxy(self, evaluation, name)
        if resource.data is not None and not resource.is_ready:
            return None
        try:
            value = resource.attribute(attribute)
        except KeyError:
            message = f"The Referenced Attribute ({name} {self.needed_attribute(evaluation)}) is incorrect."
            raise FunctionError(message, self.name_path) from None
        if value is None:
            return None
        path = evaluation.resolve(self._path)
        if not isinstance(path, list):
            return value
        try:
            return attribute_at(value, path, with_path=self.ASKS_WITH_PATH)
        except (LookupError, TypeError):
            return None


class GetAtt(GetAttThenSelect, frozen=True):
    """`get_attr` since 2014-10-16: the resource computes the value at the path."""

    ASKS_WITH_PATH = True

    def needed_attribute(self, evaluation: Evaluation) -> object:
        """Return the attribute, with the path if there is one."""
        attribute = evaluation.resolve(self._argument(1))
        path = evaluation.resolve(self._path)
        return (attribute, *path) if isinstance(path, list) and path else attribute

    def result(self, evaluation: Evaluation) -> object:
        """Return the value of the attribute, or at a path into it; always raise errors in the path."""
        evaluation.resolve(self._path)
        return super().result(evaluation)


class GetAttAllAttributes(GetAtt, frozen=True):
    """`get_attr` since 2015-10-15: `[resource]` alone returns all attributes."""

    USAGE = 'Arguments to "{0}" can be of the next forms: [resource_name] or [resource_name, attribute, (path), ...]'

    def check(self) -> None:
        """Require a non-empty list; Heat also accepts a string of one character."""
        if not self.arguments:
            raise ValueError(self.USAGE.format(self.name))
        if not isinstance(self.arguments, list) and not (isinstance(self.arguments, str) and len(self.arguments) == 1):
            raise TypeError(self.NO_LIST.format(self.name))

    def needed_attribute(self, evaluation: Evaluation) -> object:
        """Return the attribute, or ALL_ATTRIBUTES if none is named."""
        return ALL_ATTRIBUTES if self._argument(1) is None else super().needed_attribute(evaluation)

    def validate(self, evaluation: Evaluation) -> None:
        """Require a resource that exists and whose type has the attribute, if one is named."""
        if self._argument(1) is not None:
            super().validate(evaluation)
        elif not has_unknown(name := self.needed_resource(evaluation)):
            proxy(self, evaluation, name)

    def result(self, evaluation: Evaluation) -> object:
        """Return the value of the attribute or the map of all attributes; None before creation."""
        if self._argument(1) is not None:
            return super().result(evaluation)
        name = self.needed_resource(evaluation)
        return self.unknown(name) if has_unknown(name) else proxy(self, evaluation, name).attributes()


class GetFile(Function, frozen=True):
    """`get_file: name`."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the content of the file."""
        name = evaluation.resolve(self.arguments)
        if isinstance(name, Unknown):
            return self.unknown(name)
        if not isinstance(name, str):
            raise TypeError(f'Argument to "{self.name}" must be a string')
        content = evaluation.stack.file(name)
        if content is None:
            message = f'No content found in the "files" section for {self.name} path: {name}'
            missing = MissingKind.FILE if isinstance(self.arguments, str) else None
            raise FunctionError(message, self.name_path, missing)
        return content


class ResourceFacade(Function, frozen=True):
    """`resource_facade: metadata | deletion_policy | update_policy`, in nested templates only."""

    WORDS: ClassVar[tuple[str, str, str]] = ("metadata", "deletion_policy", "update_policy")

    def check(self) -> None:
        """Require one of the three words, or a function."""
        if not isinstance(self.arguments, Function) and self.arguments not in self.WORDS:
            raise ValueError(self._usage)

    def check_in(self, evaluation: Evaluation) -> None:
        """Require a function that returns one of the three words."""
        if not isinstance(self.arguments, Function):
            return
        try:
            word = evaluation.resolve(self.arguments)
        except FunctionError:
            word = None
        if not has_unknown(word) and word not in self.WORDS:
            raise ValueError(self._usage)

    @property
    def _usage(self) -> str:
        return f'Incorrect arguments to "{self.name}" should be one of: {", ".join(self.WORDS)}'

    def result(self, evaluation: Evaluation) -> object:
        """Return the metadata or policy of the facade."""
        word = evaluation.resolve(self.arguments)
        if has_unknown(word):
            return self.unknown(word)
        parent = evaluation.stack.parent_resource
        if parent is None:
            missing = "metadata_get" if word == self.WORDS[0] else "t"
            raise AttributeError(f"'NoneType' object has no attribute '{missing}'")
        aspects = (parent.metadata, parent.deletion_policy, parent.update_policy)
        return dict(zip(self.WORDS, aspects, strict=True)).get(word) if isinstance(word, str) else None


class Removed(Function, frozen=True):
    """A function of an older version."""

    def validate(self, evaluation: Evaluation) -> None:
        """Always raise ValueError."""
        reason = f"The function {self.name} is not supported in this version of HOT."
        raise ValueError(f"The template version is invalid: {reason}")

    def result(self, evaluation: Evaluation) -> object:
        """Return an unknown value; `validate` reports the problem."""
        return Unknown(("broken", self.path), frozenset({f"function:{self.name}"}))


class RemovedInCondition(Removed, frozen=True):
    """A removed function in a condition: Heat treats the call as a map, and rejects it only in named conditions."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the call as plain data."""
        return {self.name: evaluation.resolve(self.arguments)}


class Forbidden(Function, frozen=True):
    """A function that conditions may not use."""

    def check(self) -> None:
        """Always raise ValueError."""
        raise ValueError(f'The function "{self.name}" is invalid in this context')

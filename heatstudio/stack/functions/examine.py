"""Analysis of parsed data without resolving the data: problems, dependencies, attribute reads."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.stack.functions.budget import BudgetExceededError
from heatstudio.stack.functions.function import (
    EVALUATION_ERRORS,
    NESTED,
    OMITTED,
    Broken,
    Evaluation,
    Function,
    FunctionError,
    Marker,
    StackView,
)
from heatstudio.stack.path import BranchIndex, dotted
from heatstudio.stack.unknown import has_unknown
from heatstudio.template import TreePath

AttributeKey = str | tuple[object, ...] | Marker
"""The name of an attribute, or the name and the path into its value, or ALL_ATTRIBUTES."""
AttributeRead = tuple[Function, str, AttributeKey]
"""A call that reads an attribute, the name of the resource, and the attribute."""
UNREACHABLE = (FunctionError, BudgetExceededError, *EVALUATION_ERRORS)


class FunctionProblem(Struct, frozen=True):
    """An invalid call that Heat finds before it resolves anything."""

    path: TreePath
    """The path to the name of the function."""
    message: str
    stage: Literal["parse", "validate"]
    missing_resource: str | None = None
    """The name of the missing resource, if this is the problem; `dependencies` yields Heat's first message about it."""


class Reference(Struct, frozen=True):
    """A call that makes one resource depend on another."""

    resource: str
    path: TreePath
    """The path to the map that is the call."""
    message: str | None = None
    """Heat's message if there is no such enabled resource."""
    uncertain: bool = False
    """Whether the call is in a branch of `if` whose condition is unknown."""
    is_broken: bool = False
    """Whether the name of the resource cannot be evaluated."""


def validate(parsed: object, stack: StackView) -> Iterator[FunctionProblem]:
    """Yield the invalid calls in parsed data that Heat finds without resolving the data."""
    evaluation = Evaluation(stack)
    for function, _ in _calls(parsed, evaluation):
        yield from _problems(function, evaluation)


def dependencies(parsed: object, stack: StackView) -> Iterator[Reference]:
    """Yield the references to resources in Heat's order, except references whose name is Unknown."""
    evaluation = Evaluation(stack)
    for function, uncertain in _calls(parsed, evaluation):
        yield from _references(function, evaluation)
        for branch in uncertain:
            for reference in dependencies(branch, stack):
                yield replace(reference, uncertain=True)


def dep_attrs(parsed: object, stack: StackView) -> Iterator[tuple[str, AttributeKey]]:
    """Return the resource and the attribute of each call that reads an attribute, except Unknown ones."""
    found = attribute_reads(parsed, stack, with_uncertain=True)
    return ((resource, attribute) for _, resource, attribute in found)


def attribute_reads(parsed: object, stack: StackView, *, with_uncertain: bool = False) -> Iterator[AttributeRead]:
    """Yield the attribute reads with their calls; include undecided branches of `if` only if `with_uncertain`."""
    evaluation = Evaluation(stack)
    for function, uncertain in _calls(parsed, evaluation):
        try:
            attribute = function.needed_attribute(evaluation)
            resource = function.needed_resource(evaluation) if attribute is not OMITTED else OMITTED
        except UNREACHABLE:
            continue
        attribute = (attribute,) if attribute is None or isinstance(attribute, (int, list, dict)) else attribute
        if isinstance(resource, str) and isinstance(attribute, (str, tuple, Marker)) and not has_unknown(attribute):
            yield function, resource, attribute
        for branch in uncertain if with_uncertain else ():
            yield from attribute_reads(branch, stack, with_uncertain=True)


def resource_calls(parsed: object, stack: StackView) -> Iterator[tuple[str, Function]]:
    """Yield the calls that read a resource, each with the name of the resource, unless the name is Unknown."""
    evaluation = Evaluation(stack)
    for function, uncertain in _calls(parsed, evaluation):
        with suppress(*UNREACHABLE):
            resource = function.needed_resource(evaluation)
            if isinstance(resource, str):
                yield resource, function
        for branch in uncertain:
            yield from resource_calls(branch, stack)


def _calls(parsed: object, evaluation: Evaluation) -> Iterator[tuple[Function, tuple[object, ...]]]:
    """Yield the calls that an evaluation reaches, innermost first, each with the arguments that it may evaluate."""
    if isinstance(parsed, Function):
        try:
            certain, uncertain = parsed.children(evaluation)
        except UNREACHABLE:
            certain, uncertain = (), ()
        for child in certain:
            if isinstance(child, NESTED):
                yield from _calls(child, evaluation)
        yield parsed, uncertain
    elif isinstance(parsed, (dict, list)):
        for item in parsed.values() if isinstance(parsed, dict) else parsed:
            if isinstance(item, NESTED):
                yield from _calls(item, evaluation)


def _references(function: Function, evaluation: Evaluation) -> Iterator[Reference]:
    try:
        name = function.needed_resource(evaluation)
        if name is OMITTED or has_unknown(name):
            return
        evaluation.stack.resource(name)
    except KeyError as error:
        name = error.args[0]
        message = f'The specified reference "{name}" (in {_reference_place(function.path)}) is incorrect.'
        yield Reference(str(name), function.path, message)
    except UNREACHABLE as error:
        yield Reference("", function.path, str(error), is_broken=True)
    else:
        yield Reference(str(name), function.path)


def _problems(function: Function, evaluation: Evaluation) -> Iterator[FunctionProblem]:
    if isinstance(function, Broken):
        yield FunctionProblem(function.name_path, function.message, "parse")
        return
    try:
        function.check_in(evaluation)
    except BudgetExceededError:
        return
    except UNREACHABLE as error:
        yield FunctionProblem(_origin(error, function), str(error), "parse")
        return
    if any(isinstance(step, BranchIndex) and step == 0 for step in function.path):
        return  # Heat resolves inline conditions, but does not validate them
    try:
        function.validate(evaluation)
    except BudgetExceededError:
        return
    except UNREACHABLE as error:
        references = _references(function, evaluation)
        missing = next((one.resource for one in references if one.message is not None and not one.is_broken), None)
        yield FunctionProblem(function.name_path, str(error), "validate", missing_resource=missing)


def _origin(error: Exception, function: Function) -> TreePath:
    """Return the place of an error: outside of the call for a condition whose definition fails, else the call."""
    is_outside = isinstance(error, FunctionError) and error.path and error.path[: len(function.path)] != function.path
    return error.path if isinstance(error, FunctionError) and is_outside else function.name_path


def _reference_place(path: TreePath) -> str:
    """Return the path of a call in a resource as Heat writes it: `server.Properties.networks[0]`."""
    if len(path) < 3:
        return dotted(path)
    return dotted((path[1], str(path[2]).title().replace("_", ""), *path[3:]))

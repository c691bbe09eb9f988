"""Problems of the values that plug-ins read when Heat validates a stack, before any resource exists."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from heatstudio.catalog.rules.validation_read import ValidationRead
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.functions.examine import dependencies
from heatstudio.stack.functions.function import Function, StackView
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError, PropertyProblem


def is_pending(view: StackView, parsed: object) -> bool:
    """Return whether a value depends on resources that do not exist yet."""
    nested = isinstance(parsed, (Function, dict, list))
    return nested and next(dependencies(parsed, view), None) is not None


def pending_names(view: StackView, parsed: object) -> Iterator[str]:
    """Yield the names of the properties that refer to other resources."""
    given = parsed.items() if isinstance(parsed, dict) else ()
    return (name for name, value in given if is_pending(view, value))


def unreadable_values(reads: Iterable[ValidationRead], properties: Properties) -> Iterator[PropertyProblem]:
    """Yield the problems of the values that the plug-in reads, for which Heat rejects a nested stack."""
    for read in reads:
        if read.property in properties.names and read.happens(properties.value):
            try:
                properties.property_value(read.property, validate=read.looked_up)
            except PropertyError as error:
                yield from error.problems


def early_problems(
    reads: Iterable[ValidationRead], kind: ResourceType, properties: Properties, pending: Iterable[str]
) -> Iterator[PropertyProblem]:
    """Yield the problems of `pending` values that the plug-in looks up before their resources exist."""
    waiting = set(pending)
    for read in reads:
        name = read.property
        if not read.looked_up or name not in waiting or not read.happens(properties.value):
            continue
        value = properties.value(name)
        if isinstance(value, Unknown) and value.is_attribute:
            value = ""
        try:
            Properties({name: kind.properties[name]}, {name: value}).property_value(name, validate=True)
        except PropertyError as error:
            words = "Invalid until the referenced resource exists"
            yield from (replace(one, message=f"{words}: {one.message}") for one in error.problems)

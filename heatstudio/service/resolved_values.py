"""The computed conditions, resource properties and outputs of a stack, without a cloud."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

from heatstudio.catalog.headlines import headline
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reads import Read, recording
from heatstudio.stack.definition.secrets import MASK, Secrets, find_secrets
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.functions.budget import shared_budget
from heatstudio.stack.functions.function import OMITTED, FunctionError, resolve
from heatstudio.stack.resource_proxy import NodeData


def resolved(
    source: Source, knowledge: Knowledge, data: Mapping[str, NodeData], *, shows_hidden: bool = False
) -> dict[str, object]:
    """Return the conditions, resources and outputs of a stack, and the errors; `data` is about existing resources."""
    with shared_budget():
        stack, _types = define(source, knowledge, resource_data=data.get)
        return _Answer(stack, None if shows_hidden else find_secrets(source)).everything()


class _Answer:
    """The resolved values of a stack; `errors` has the values that cannot be resolved."""

    def __init__(self, stack: StackDefinition, secrets: Secrets | None) -> None:
        self._stack = stack
        self._secrets = secrets
        self.errors: list[dict[str, str]] = []

    def everything(self) -> dict[str, object]:
        stack = self._stack
        conditions = {
            name: self._value(f"conditions.{name}", partial(stack.condition, name)) for name in stack.conditions.names
        }
        resources = {name: self._resource(name) for name in stack.enabled_resource_names}
        outputs = {
            name: self._resolved(f"outputs.{name}", stack.output_definition(name).value)
            for name in stack.output_names
            if stack.is_output_enabled(name) is not False
        }
        return {"conditions": conditions, "resources": resources, "outputs": outputs, "errors": self.errors}

    def _resource(self, name: str) -> dict[str, object]:
        definition = self._stack.resource_definition(name)
        parts: dict[str, object] = {"type": definition.type}
        if isinstance(definition.properties, Mapping):
            values = {
                key: self._resolved(f"resources.{name}.properties.{key}", value)
                for key, value in definition.properties.items()
            }
            parts["properties"] = {key: value for key, value in values.items() if value is not OMITTED}
        else:
            parts["properties"] = self._resolved(f"resources.{name}.properties", definition.properties)
        if definition.metadata is not None:
            parts["metadata"] = self._resolved(f"resources.{name}.metadata", definition.metadata)
        parts["requires"] = sorted(self._stack.required_resource_names(name))
        return parts

    def _resolved(self, place: str, parsed: object) -> object:
        value = self._value(place, lambda: resolve(parsed, self._stack, nullable=True))
        return value if self._secrets is None or value is OMITTED else self._shown(parsed, value, self._secrets)

    def _shown(self, parsed: object, value: object, secrets: Secrets) -> object:
        """Return a value without what functions compute from hidden parameters."""
        if isinstance(parsed, dict) and isinstance(value, Mapping):
            return {secrets.masked(key): self._shown(parsed.get(key), item, secrets) for key, item in value.items()}
        if isinstance(parsed, list) and isinstance(value, list) and len(parsed) == len(value):
            return [self._shown(*pair, secrets) for pair in zip(parsed, value, strict=True)]
        reads: set[Read] = set()
        with suppress(FunctionError, ValueError):
            resolve(parsed, recording(self._stack, reads), nullable=True)
        is_hidden = value is not None and any(map(self._stack.is_hidden, reads))
        return MASK if is_hidden else secrets.masked(value)

    def _value(self, place: str, compute: Callable[[], object]) -> object:
        try:
            return compute()
        except (FunctionError, ValueError) as error:
            message = str(error) if self._secrets is None else self._secrets.mask(str(error))
            self.errors.append({"path": place, "message": headline(message), "heat_message": message})
            return None

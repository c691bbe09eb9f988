"""One side of an update: the definition of a stack, and the values of its resources that Heat compares."""

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from heatstudio.catalog import Family, ResourceType
from heatstudio.stack.definition.files import NO_FILES, Files
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import FoundType, Types
from heatstudio.stack.functions.examine import resource_calls
from heatstudio.stack.functions.function import FunctionError, resolve
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.resource_definition import ResourceDefinition, as_deletion_policy
from heatstudio.stack.resource_proxy import FindNode
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.properties import Properties, resource_properties
from heatstudio.update.running_stack import Resources
from heatstudio.update.sides.outer_value import Explain
from heatstudio.update.sides.update_truth import Side

DefinedStack = tuple[StackDefinition, Types]
Define = Callable[[FindNode, DefinedStack | None], DefinedStack]
"""A function that defines a stack from the data of its resources and another definition whose parts it may reuse."""


class Blueprint(Struct, frozen=True):
    """A function that defines a stack, with the environments, the files and the nesting depth of the stack."""

    define: Define
    environments: tuple[EnvironmentFile, ...] = ()
    files: Files = NO_FILES
    depth: int = 0


def blueprint(source: Source, knowledge: Knowledge) -> Blueprint:
    """Return the blueprint of a source."""

    def define_source(data: FindNode, before: DefinedStack | None) -> DefinedStack:
        return define(source, knowledge, resource_data=data, previous=before)

    return Blueprint(define_source, source.environments, source.files, source.depth)


class StackSide(Struct, frozen=True):
    """The stack definition of one side of an update."""

    definition: StackDefinition
    types: Types
    blueprint: Blueprint

    def resolved(self, parsed: object) -> object:
        """Return the value of parsed data; a failure is an unknown value, with the message as its key."""
        try:
            return resolve(parsed, self.definition)
        except FunctionError as error:
            return Unknown(("failed", error.message), frozenset({"an invalid value"}))

    def parameter(self, name: str) -> object:
        """Return the value of a parameter, or an unknown value if reading it fails."""
        try:
            return self.definition.parameter(name)
        except (KeyError, FunctionError, ValueError):
            return Unknown(("parameter", name), frozenset({f"parameter:{name}"}))

    def side(self, definition: ResourceDefinition, kind: ResourceType | None) -> Side:
        """Return a resource with the property values that its type derives from the definition."""
        resource_type = kind or ResourceType(definition.type, definition.type)
        properties = self.properties(definition, resource_type)
        parts = {} if Family.NO_OP in resource_type.families else self._parts(definition)
        reads = any(resource_calls(definition.metadata, self.definition))
        data = definition.data if reads and isinstance(definition.data, Mapping) else {}
        metadata = data.get(self.definition.language.dialect.metadata)
        return Side(resource_type, properties, parts, metadata)

    def properties(self, definition: ResourceDefinition, kind: ResourceType) -> Properties:
        """Return the values of a resource's properties."""
        return resource_properties(definition, kind, self.definition, finder=lambda _rule, _entity, value: value)

    def _parts(self, definition: ResourceDefinition) -> dict[str, object]:
        """Return the resolved parts of a definition that Heat compares, by name (heat/engine/rsrc_defn.py)."""
        word = self.definition.language.dialect.depends_on
        has_dependencies = isinstance(definition.data, Mapping) and word in definition.data
        parts: dict[str, object] = {
            "properties": definition.properties,
            "metadata": definition.metadata,
            "deletion_policy": as_deletion_policy(self.resolved(definition.deletion_policy)),
            "update_policy": definition.update_policy,
            "depends_on": list(definition.depends_on) if has_dependencies else None,
            "condition": definition.condition,
        }
        found = {name: self.resolved(part) for name, part in parts.items() if part is not None}
        return {"type": definition.type, **found}


class Owner(Struct, frozen=True):
    """A resource with a nested stack, on one side."""

    stack: StackSide
    definition: ResourceDefinition
    found: FoundType
    side: Side
    explain: Explain
    """A function that returns why values that depend on a resource of the owner's stack change."""
    running: Resources = field(default_factory=dict)
    """The known running resources of the nested stack."""
    is_current: bool = True
    """Whether the running resource has the definition of the stack's template."""

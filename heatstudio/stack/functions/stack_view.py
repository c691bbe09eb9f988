"""The interface through which functions read a stack (specification: StackDefinition class)."""

from typing import Protocol

from heatstudio.stack.resource_proxy import ParentResourceProxy, ResourceProxy
from heatstudio.stack.unknown import Unknown


class StackView(Protocol):
    """The only interface through which functions read a stack."""

    def parameter(self, name: str) -> object:
        """The value of a parameter, or Unknown. Raises KeyError when there is no such parameter."""
        ...

    def resource(self, name: object) -> ResourceProxy:
        """The proxy of a resource. Raises KeyError when it does not exist or is disabled, TypeError if unhashable."""
        ...

    def names_resource(self, name: object) -> bool:
        """Whether the template has a resource of this name, be it disabled. Raises TypeError if unhashable."""
        ...

    def condition(self, name: object) -> bool | Unknown:
        """Whether a condition holds. Raises ValueError when there is no such condition, else FunctionError."""
        ...

    def condition_definition(self, name: str) -> object:
        """The parsed definition of a condition. Raises KeyError."""
        ...

    def supposed(self, condition: object) -> bool | None:
        """Whether a parsed condition is supposed to hold; None if nothing is supposed of it."""
        ...

    def file(self, name: str) -> str | Unknown | None:
        """The content of a file, or None."""
        ...

    def mapping(self, name: object) -> object:
        """One map of the section Mappings. Raises KeyError."""
        ...

    def availability_zones(self) -> object:
        """The availability zones of the cloud, usually Unknown."""
        ...

    @property
    def parent_resource(self) -> ParentResourceProxy | None:
        """The facade when the stack is nested."""
        ...

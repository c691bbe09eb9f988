"""The view of a stack for functions (specification: StackDefinition class)."""

from typing import Protocol

from heatstudio.stack.functions.budget import YaqlLimits
from heatstudio.stack.resource_proxy import ParentResourceProxy, ResourceProxy
from heatstudio.stack.unknown import Unknown


class StackView(Protocol):
    """The interface through which functions read a stack."""

    def parameter(self, name: str) -> object:
        """Return the value of a parameter, or Unknown. Raise KeyError if it is not declared."""

    def resource(self, name: object) -> ResourceProxy:
        """Return the proxy of a resource. Raise KeyError if it is missing or disabled, TypeError if unhashable."""

    def names_resource(self, name: object) -> bool:
        """Return whether the template has a resource, enabled or not. Raise TypeError if the name is unhashable."""

    def condition(self, name: object) -> bool | Unknown:
        """Return whether a condition holds. Raise ValueError if it does not exist, FunctionError if it fails."""

    def condition_definition(self, name: str) -> object:
        """Return the parsed definition of a condition. Raise KeyError for an unknown name."""

    def supposed(self, condition: object) -> bool | None:
        """Return whether a parsed condition is supposed to hold; None without a supposition on it."""

    def file(self, name: str) -> str | Unknown | None:
        """Return the content of a file, or None."""

    def mapping(self, name: object) -> object:
        """Return one map of the section Mappings. Raise KeyError for an unknown name."""

    def availability_zones(self) -> object:
        """Return the availability zones of the cloud, usually Unknown."""

    @property
    def yaql_limits(self) -> YaqlLimits:
        """The limits of the cloud for YAQL expressions."""

    @property
    def parent_resource(self) -> ParentResourceProxy | None:
        """The facade, if the stack is nested."""

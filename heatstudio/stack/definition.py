"""All data about the definition of a stack, behind the one interface that functions see.

Specification: StackDefinition class; heat/engine/stk_defn.py.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import Protocol

from heatstudio.stack.files import NO_FILES, Contents
from heatstudio.stack.functions.conditions import Conditions
from heatstudio.stack.functions.examine import (
    AttributeKey,
    Reference,
    dep_attrs,
    dependencies,
)
from heatstudio.stack.functions.function import EVALUATION_ERRORS, FunctionError, resolve
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.environment import NO_ENVIRONMENT, Environment
from heatstudio.stack.inputs.parameters import STACK_NAMES, Parameters
from heatstudio.stack.reading import Identity, Read, ReadKind, RecordingView
from heatstudio.stack.resource_definition import OutputDefinition, ResourceDefinition, define_output, define_resource
from heatstudio.stack.resource_proxy import NodeData, ParentResourceProxy, ResourceProxy
from heatstudio.stack.unknown import Shape, Unknown, freeze, has_unknown


class Types(Protocol):
    """What a stack needs to know of resource types."""

    def attribute_names(self, resource_name: str, type_name: str) -> Collection[str] | None:
        """The attributes of the type that implements a resource; None if the type is unknown."""
        ...


class StackDefinition:
    """A template with its environment, files, parameter values, resource data and parent.

    Nothing in it changes; what is computed is computed when first asked for and kept. `previous` is the definition of
    an earlier version of the same stack: what was parsed of entries whose data are still the very same objects is
    taken over.
    """

    def __init__(
        self,
        data: Mapping[str, object],
        language: Language,
        environment: Environment = NO_ENVIRONMENT,
        *,
        parameter_values: Mapping[str, object] | None = None,
        pseudo_parameters: Mapping[str, object] | None = None,
        resource_data: Mapping[str, NodeData] | None = None,
        parent: ParentResourceProxy | None = None,
        files: Contents = NO_FILES,
        types: Types | None = None,
        stack_name: str | None = "stack",
        zones: object = None,
        previous: StackDefinition | None = None,
    ) -> None:
        words = language.dialect
        self.data = data
        self.language = language
        self.environment = environment
        self.files = files
        self.stack_name = stack_name
        self._parent = parent
        self._types = types
        self._resource_data = resource_data if resource_data is not None else {}
        self._zones = zones
        self._parameter_values = parameter_values
        names = {name: stack_name for name in language.pseudo_parameters if name in STACK_NAMES}
        self._pseudo = names | dict(pseudo_parameters or {})
        self.parameters: Parameters = Parameters(
            data.get(words.parameters),
            language,
            environment,
            values=parameter_values,
            pseudo=self._pseudo,
            previous=previous.parameters if previous is not None else None,
        )
        conditions = data.get(words.conditions, {}) if words.has_conditions else {}
        before = previous.conditions if previous is not None else None
        self.conditions: Conditions = Conditions(conditions, language, words.conditions, before)
        self._raw_resources = _named(data.get(words.resources))
        self._raw_outputs = _named(data.get(words.outputs))
        self._definitions: dict[str, ResourceDefinition] = {}
        self._outputs: dict[str, OutputDefinition] = {}
        self._enabled: dict[str, bool | Unknown | FunctionError] = {}
        self._enabled_names: tuple[str, ...] | None = None
        self._proxies: dict[str, ResourceProxy] = {}
        self._references: dict[str, tuple[Reference, ...]] = {}
        self._reads: dict[tuple[ReadKind, Hashable], Read] = {}
        if previous is not None and previous.language is language:
            self._take_over(previous)

    def _take_over(self, previous: StackDefinition) -> None:
        for name, definition in previous._definitions.items():
            if name in self._raw_resources and self._raw_resources[name] is definition.data:
                self._definitions[name] = definition
        for name, output in previous._outputs.items():
            if name in self._raw_outputs and self._raw_outputs[name] is output.data:
                self._outputs[name] = output
        if self._is_surrounded_like(previous):
            self._take_over_decisions(previous)

    def _take_over_decisions(self, previous: StackDefinition) -> None:
        """What parameters, conditions and maps decide is the same as before where the definition is the same."""
        unchanged = frozenset(self._definitions)
        self._enabled = {name: previous._enabled[name] for name in unchanged if name in previous._enabled}
        if self._raw_resources.keys() != previous._raw_resources.keys():
            return
        changed = (name for name in self._raw_resources if name not in self._enabled)
        if all(self.is_enabled(name) == previous.is_enabled(name) for name in changed):
            kept = previous._references.items()
            self._references = {name: found for name, found in kept if name in unchanged}

    def _is_surrounded_like(self, previous: StackDefinition) -> bool:
        words = self.language.dialect
        return (
            self.environment is previous.environment
            and self._parameter_values == previous._parameter_values
            and self._parent is previous._parent
            and all(
                _is_same(self.data.get(section), previous.data.get(section))
                for section in (words.parameters, words.conditions, words.mappings)
            )
        )

    def clone_with_new_template(
        self, data: Mapping[str, object], language: Language | None = None, *, clear_resource_data: bool = False
    ) -> StackDefinition:
        """The same stack by another template."""
        return StackDefinition(
            data,
            language or self.language,
            self.environment,
            parameter_values=self._parameter_values,
            pseudo_parameters=self._pseudo,
            resource_data={} if clear_resource_data else self._resource_data,
            parent=self._parent,
            files=self.files,
            types=self._types,
            stack_name=self.stack_name,
            zones=self._zones,
            previous=self,
        )

    # What functions see

    def parameter(self, name: str) -> object:
        """The value of a parameter, or Unknown. Raises KeyError when there is no such parameter."""
        return self.parameters.value(name)

    def resource(self, name: object) -> ResourceProxy:
        """The proxy of a resource. Raises KeyError when it does not exist or is disabled, TypeError if unhashable."""
        if name not in self._proxies:
            definition = self.resource_definition(name)
            if self.is_enabled(definition.name) is False:
                raise KeyError(name)
            names = self._types.attribute_names(definition.name, definition.type) if self._types is not None else None
            node = self._resource_data.get(definition.name)
            self._proxies[definition.name] = ResourceProxy(definition.name, definition, node, names)
        return self._proxies[str(name)]

    def names_resource(self, name: object) -> bool:
        """Whether the template has a resource of this name, be it disabled. Raises TypeError if unhashable."""
        return name in self._raw_resources

    def condition(self, name: object) -> bool | Unknown:
        """Whether a condition holds. Raises ValueError when there is no such condition, else FunctionError."""
        return self.conditions.is_enabled(name, self)

    def file(self, name: str) -> str | Unknown | None:
        """The content of a file, or None."""
        return self.files.get(name)

    def mapping(self, name: object) -> object:
        """One map of the section of mappings. Raises KeyError."""
        words = self.language.dialect
        section = self.data.get(words.mappings) if words.has_mappings else None
        if not isinstance(section, Mapping) or name not in section:
            raise KeyError(name)
        value: object = section[name]
        return value

    def availability_zones(self) -> object:
        """The availability zones of the cloud, an Unknown list if they were not given."""
        origins = frozenset({"function:Fn::GetAZs"})
        return self._zones if self._zones is not None else Unknown(("availability zones",), origins, Shape.LIST)

    @property
    def parent_resource(self) -> ParentResourceProxy | None:
        """The facade when the stack is nested."""
        return self._parent

    # Definitions

    @property
    def all_resource_names(self) -> tuple[str, ...]:
        """All resources, be they disabled, in the order of the text."""
        return tuple(self._raw_resources)

    def enabled_resource_names(self) -> tuple[str, ...]:
        """The resources that are enabled, or may be as far as anybody knows."""
        if self._enabled_names is None:
            self._enabled_names = tuple(name for name in self._raw_resources if self.is_enabled(name) is not False)
        return self._enabled_names

    def resource_definition(self, name: object) -> ResourceDefinition:
        """The definition of a resource, be it disabled. Raises KeyError, and TypeError if unhashable."""
        if name not in self._definitions:
            if not isinstance(name, str):
                raise KeyError(name)
            self._definitions[name] = define_resource(name, self._raw_resources[name], self.language)
        return self._definitions[str(name)]

    @property
    def output_names(self) -> tuple[str, ...]:
        """All outputs, in the order of the text."""
        return tuple(self._raw_outputs)

    def output_definition(self, name: str) -> OutputDefinition:
        """The definition of an output, be it disabled. Raises KeyError."""
        if name not in self._outputs:
            self._outputs[name] = define_output(name, self._raw_outputs[name], self.language)
        return self._outputs[name]

    def is_enabled(self, name: str) -> bool | Unknown:
        """Whether a resource is enabled; unknown while its condition is unknown or wrong. Raises KeyError."""
        if name not in self._enabled:
            self._enabled[name] = self.decide(self.resource_definition(name).condition)
        decided = self._enabled[name]
        return Unknown(("condition of", name)) if isinstance(decided, FunctionError) else decided

    def is_output_enabled(self, name: str) -> bool | Unknown:
        """Whether an output has a value. Raises KeyError."""
        decided = self.decide(self.output_definition(name).condition)
        return Unknown(("condition of output", name)) if isinstance(decided, FunctionError) else decided

    def decide(self, condition: object) -> bool | Unknown | FunctionError:
        """Whether a parsed condition holds; the error if Heat cannot tell."""
        try:
            value = resolve(condition, self)
            return value if isinstance(value, Unknown) else self.conditions.is_enabled(value, self)
        except ValueError as error:
            return FunctionError(str(error))
        except FunctionError as error:
            return error.with_traceback(None)

    def references(self, name: str) -> tuple[Reference, ...]:
        """Every function of a resource that needs another resource. Raises KeyError."""
        if name not in self._references:
            definition = self.resource_definition(name)
            parts = (definition.properties, definition.metadata)
            self._references[name] = tuple(reference for part in parts for reference in dependencies(part, self))
        return self._references[name]

    def required_resource_names(self, name: str) -> tuple[str, ...]:
        """The resources that a resource depends on, explicitly or by functions, as far as they exist."""
        definition = self.resource_definition(name)
        if definition.external_id is not None:
            return ()
        implicit = (reference.resource for reference in self.references(name) if reference.message is None)
        explicit = (other for other in definition.depends_on if other in self._raw_resources)
        return tuple(dict.fromkeys((*explicit, *implicit)))

    def dep_attrs(self, name: str) -> Iterator[tuple[str, AttributeKey]]:
        """The resource and attribute of every attribute that a resource reads. Raises KeyError."""
        definition = self.resource_definition(name)
        for part in (definition.properties, definition.metadata):
            yield from dep_attrs(part, self)

    def output_dep_attrs(self, name: str) -> Iterator[tuple[str, AttributeKey]]:
        """The resource and attribute of every attribute that an output reads. Raises KeyError."""
        if self.is_output_enabled(name) is not False:
            yield from dep_attrs(self.output_definition(name).value, self)

    # Reuse

    def recording(self, reads: set[Read]) -> RecordingView:
        """The same interface for functions, which notes everything that they look at."""
        return RecordingView(self, reads)

    def read(self, kind: ReadKind, name: Hashable) -> Read:
        """What a function sees of one thing: as long as it is equal, so is all that was computed from it."""
        key = (kind, name)
        if key not in self._reads:
            self._reads[key] = Read(kind, name, self._seen(kind, name))
        return self._reads[key]

    def _seen(self, kind: ReadKind, name: Hashable) -> Hashable:
        try:
            if kind is ReadKind.RESOURCE:
                return self._seen_resource(name)
            if kind is ReadKind.PARAMETER:
                return self._seen_parameter(str(name))
            if kind is ReadKind.CONDITION:
                return freeze(self.condition(name))
            if kind is ReadKind.FILE:
                return freeze(self.file(str(name)))
            if kind is ReadKind.NAMES:
                return self.names(str(name))
            if kind is ReadKind.DEFINITION:
                return Identity(self._raw_resources.get(str(name)))
            return Identity(self.mapping(name) if kind is ReadKind.MAPPING else self._parent)
        except (FunctionError, *EVALUATION_ERRORS) as error:
            return ("error", str(error))

    def names(self, section: str) -> tuple[str, ...]:
        """The names in a section; of resources those that are enabled."""
        words = self.language.dialect
        if section == words.parameters:
            return (*self.parameters.names, *self.parameters.pseudo_names)
        if section == words.conditions:
            return self.conditions.names
        return self.enabled_resource_names() if section == words.resources else ()

    def _seen_parameter(self, name: str) -> Hashable:
        value = self.parameter(name)
        return (freeze(value), Identity(self.parameters.schema(name))) if has_unknown(value) else freeze(value)

    def _seen_resource(self, name: Hashable) -> Hashable:
        if not self.names_resource(name):
            return None
        enabled = self.is_enabled(str(name))
        if enabled is False:
            return False
        proxy = self.resource(name)
        decided = self._enabled[str(name)]
        state = decided.message if isinstance(decided, FunctionError) else freeze(enabled)
        return (proxy.definition.type, Identity(proxy.data), Identity(proxy.attribute_names), state)


def _is_same(section: object, other: object) -> bool:
    """Whether the entries of two sections are the very same objects."""
    if not isinstance(section, Mapping) or not isinstance(other, Mapping):
        return section is other
    return section.keys() == other.keys() and all(other[name] is entry for name, entry in section.items())


def _named(section: object) -> Mapping[str, object]:
    """The entries of a section that have text for a name, which are all that can be referred to."""
    if not isinstance(section, Mapping):
        return {}
    return {name: entry for name, entry in section.items() if isinstance(name, str)}

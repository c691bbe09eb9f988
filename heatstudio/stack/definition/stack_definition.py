"""The definition of a stack, which implements the interface that functions use.

Specification: StackDefinition class; heat/engine/stk_defn.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.facts import maps_in
from heatstudio.stack.definition.client_files import ClientFiles, FileFault
from heatstudio.stack.definition.files import NO_FILES, Files
from heatstudio.stack.definition.reads import Identity, Read, ReadKind, Tracked, noted
from heatstudio.stack.functions.budget import YaqlLimits
from heatstudio.stack.functions.conditions import Conditions, Supposition, decide
from heatstudio.stack.functions.examine import Reference, dep_attrs, dependencies
from heatstudio.stack.functions.function import ALL_ATTRIBUTES, EVALUATION_ERRORS, FunctionError
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.environment import NO_ENVIRONMENT, Environment
from heatstudio.stack.inputs.parameter_schema import ParameterSchema
from heatstudio.stack.inputs.parameters import STACK_NAMES, Parameters
from heatstudio.stack.resource_definition import (
    DefinitionPlace,
    OutputDefinition,
    ResourceDefinition,
    define_output,
    define_resource,
    resolved_external_id,
)
from heatstudio.stack.resource_proxy import FindNode, ParentResourceProxy, ResourceProxy, no_data
from heatstudio.stack.unknown import Shape, Unknown, freeze, has_unknown

NOTHING: Mapping[str, Any] = MappingProxyType({})
ALL = "*"
"""Placeholder for every attribute except `show`."""


class TypeLookup(Protocol):
    """The interface to resource types that a stack needs."""

    def attribute_names(self, resource_name: str, type_name: str) -> Collection[str] | None:
        """Return the attributes of the type that implements a resource; None if any name may be valid."""


class StackInputs(Struct, frozen=True):
    """What a stack reads besides its template."""

    environment: Environment = NO_ENVIRONMENT
    parameter_values: Mapping[str, object] | None = None
    pseudo_parameters: Mapping[str, object] = NOTHING
    resource_data: FindNode = no_data
    parent: ParentResourceProxy | None = None
    files: Files = NO_FILES
    client_files: ClientFiles | None = None
    types: TypeLookup | None = None
    stack_name: str | None = "stack"
    zones: object = None
    places: Mapping[str, DefinitionPlace] = NOTHING
    """The places of the definitions of a group's members."""


NO_INPUTS = StackInputs()


class StackDefinition:
    """A template with what it reads: environment, files, parameter values, resource data and parent stack.

    The object is immutable and computes results on first access. `previous` is the definition of an earlier version of
    the same stack; its parsed definitions are reused for entries whose data are still the same objects.
    """

    def __init__(
        self,
        data: Mapping[str, object],
        language: Language,
        inputs: StackInputs = NO_INPUTS,
        *,
        supposition: Supposition | None = None,
        previous: StackDefinition | None = None,
    ) -> None:
        words = language.dialect
        self.data = data
        self.language = language
        self.inputs = inputs
        self.environment = inputs.environment
        self.client_files: ClientFiles = inputs.client_files or ClientFiles(inputs.files)
        self.supposition = supposition
        self._facts = dict(supposition.facts) if supposition is not None else {}
        self._supposed_values = dict(supposition.values) if supposition is not None else {}
        self._supposing: dict[Supposition, StackDefinition] = {}
        names = {name: inputs.stack_name for name in language.pseudo_parameters if name in STACK_NAMES}
        self.parameters: Parameters = Parameters(
            data.get(words.parameters),
            language,
            inputs.environment,
            values=inputs.parameter_values,
            pseudo=names | dict(inputs.pseudo_parameters),
            nested=inputs.parent is not None,
            previous=previous.parameters if previous is not None else None,
        )
        self.conditions: Conditions = _conditions(data, language, previous.conditions if previous is not None else None)
        self._raw_resources = _named(data.get(words.resources))
        self._raw_outputs = _named(data.get(words.outputs))
        self._definitions: dict[str, ResourceDefinition] = {}
        self._outputs: dict[str, OutputDefinition] = {}
        self._enabled: dict[str, bool | Unknown | FunctionError] = {}
        self._proxies: dict[str, ResourceProxy] = {}
        self._references: dict[str, Tracked[tuple[Reference, ...]]] = {}
        self._earlier_references: dict[str, Tracked[tuple[Reference, ...]]] = {}
        self._reads: dict[tuple[ReadKind, type, Hashable], Read] = {}
        self._confirmed: set[Read] = set()
        if previous is not None and previous.language is language:
            self._take_over(previous)

    def _take_over(self, previous: StackDefinition) -> None:
        if previous.data is self.data:  # a supposition: there may be one per resource, so share instead of copying
            self._raw_resources, self._raw_outputs = previous._raw_resources, previous._raw_outputs
            self._definitions, self._outputs = previous._definitions, previous._outputs
            self._earlier_references = previous._references
            return
        for name, definition in previous._definitions.items():
            if name in self._raw_resources and self._raw_resources[name] is definition.data:
                self._definitions[name] = definition
                if name in previous._references:
                    self._earlier_references[name] = previous._references[name]
        for name, output in previous._outputs.items():
            if name in self._raw_outputs and self._raw_outputs[name] is output.data:
                self._outputs[name] = output

    def supposing(self, supposition: Supposition | None) -> StackDefinition:
        """Return this stack with the supposed values of conditions and parameters; cached by supposition."""
        if supposition is None or supposition == self.supposition:
            return self
        if supposition not in self._supposing:
            self._supposing[supposition] = self._like(self.inputs, supposition)
        return self._supposing[supposition]

    def created(self, resource_data: FindNode) -> StackDefinition:
        """Return this stack with other data of its resources."""
        return self._like(replace(self.inputs, resource_data=resource_data), self.supposition)

    def _like(self, inputs: StackInputs, supposition: Supposition | None) -> StackDefinition:
        inputs = replace(inputs, client_files=self.client_files)
        return StackDefinition(self.data, self.language, inputs, supposition=supposition, previous=self)

    # The interface of functions

    def parameter(self, name: str) -> object:
        """Return the value of a parameter, or Unknown. Raise KeyError if it is not declared."""
        value = self.parameters.value(name)
        return self._supposed_values.get(name, value)

    def resource(self, name: object) -> ResourceProxy:
        """Return the proxy of a resource. Raise KeyError if it is missing or disabled, TypeError if unhashable."""
        if name not in self._proxies:
            definition = self.resource_definition(name)
            if self.is_enabled(definition.name) is False:
                raise KeyError(name)
            types = self.inputs.types
            names = types.attribute_names(definition.name, definition.type) if types is not None else None
            node = self.inputs.resource_data(definition.name)
            self._proxies[definition.name] = ResourceProxy(definition.name, node, names)
        return self._proxies[str(name)]

    def names_resource(self, name: object) -> bool:
        """Return whether the template has a resource, enabled or not. Raise TypeError if the name is unhashable."""
        return name in self._raw_resources

    def condition(self, name: object) -> bool | Unknown:
        """Return whether a condition holds. Raise ValueError if it does not exist, FunctionError if it fails."""
        return self.conditions.is_enabled(name, self)

    def condition_definition(self, name: str) -> object:
        """Return the parsed definition of a condition. Raise KeyError for an unknown name."""
        return self.conditions.definition(name)

    def supposed(self, condition: object) -> bool | None:
        """Return whether a parsed condition is supposed to hold; None without a supposition on it."""
        return self._facts.get(repr(condition)) if self._facts else None

    def file(self, name: str) -> str | Unknown | None:
        """Return the content of a file as Heat receives it, or None."""
        return self.inputs.files.sent(name)

    def mapping(self, name: object) -> object:
        """Return one map of the section of mappings. Raise KeyError for an unknown name."""
        words = self.language.dialect
        section = self.data.get(words.mappings) if words.has_mappings else None
        if not isinstance(section, Mapping) or name not in section:
            raise KeyError(name)
        value: object = section[name]
        return value

    @property
    def yaql_limits(self) -> YaqlLimits:
        """The limits of the cloud for YAQL expressions."""
        return self.language.yaql_limits

    def availability_zones(self) -> object:
        """Return the availability zones of the cloud; an Unknown list if they are not given."""
        if self.inputs.zones is not None:
            return self.inputs.zones
        return Unknown(("availability zones",), frozenset({"function:Fn::GetAZs"}), Shape.LIST)

    @property
    def parent_resource(self) -> ParentResourceProxy | None:
        """The facade, if the stack is nested."""
        return self.inputs.parent

    # Definitions

    @property
    def all_resource_names(self) -> tuple[str, ...]:
        """All resources, enabled or not, in the template's order."""
        return tuple(self._raw_resources)

    @cached_property
    def enabled_resource_names(self) -> tuple[str, ...]:
        """The resources that are enabled or may be enabled."""
        return tuple(name for name in self._raw_resources if self.is_enabled(name) is not False)

    def resource_definition(self, name: object) -> ResourceDefinition:
        """Return the definition of a resource, enabled or not. Raise KeyError if missing, TypeError if unhashable."""
        if name not in self._definitions:
            if not isinstance(name, str):
                raise KeyError(name)
            raw, place = self._raw_resources[name], self.inputs.places.get(name)
            self._definitions[name] = define_resource(name, raw, self.language, place)
        return self._definitions[str(name)]

    @property
    def output_names(self) -> tuple[str, ...]:
        """All outputs, in the template's order."""
        return tuple(self._raw_outputs)

    def output_definition(self, name: str) -> OutputDefinition:
        """Return the definition of an output, enabled or not. Raise KeyError for an unknown name."""
        if name not in self._outputs:
            self._outputs[name] = define_output(name, self._raw_outputs[name], self.language)
        return self._outputs[name]

    def is_enabled(self, name: str) -> bool | Unknown:
        """Return whether a resource is enabled; unknown if its condition is unknown or invalid. Raise KeyError."""
        if name not in self._enabled:
            self._enabled[name] = decide(self.resource_definition(name).condition, self)
        decided = self._enabled[name]
        return Unknown(("condition of", name)) if isinstance(decided, FunctionError) else decided

    def is_uncertain(self, name: str) -> bool:
        """Return whether the condition of a resource is unknown. Raise KeyError for an unknown name."""
        self.is_enabled(name)
        return isinstance(self._enabled[name], Unknown)

    def is_output_enabled(self, name: str) -> bool | Unknown:
        """Return whether an output has a value. Raise KeyError for an unknown name."""
        decided = decide(self.output_definition(name).condition, self)
        return Unknown(("condition of output", name)) if isinstance(decided, FunctionError) else decided

    def references(self, name: str) -> tuple[Reference, ...]:
        """Return the references of a resource to other resources. Raise KeyError for an unknown name."""
        if name not in self._references:
            definition = self.resource_definition(name)
            kept = self._earlier_references.get(name)
            if kept is None or not self.confirms(kept.reads):
                parts = [definition.properties, definition.metadata]
                kept = noted(self, lambda stack: tuple(dependencies(parts, stack)))
            self._references[name] = kept
        return self._references[name].value

    def required_resource_names(self, name: str) -> tuple[str, ...]:
        """Return the existing resources that a resource depends on, explicitly or by functions."""
        definition = self.resource_definition(name)
        if resolved_external_id(definition, self):  # an empty ID keeps the dependencies
            return ()
        implicit = (reference.resource for reference in self.references(name) if reference.message is None)
        explicit = (other for other in definition.depends_on if other in self._raw_resources)
        return tuple(dict.fromkeys((*explicit, *implicit)))

    def loaded_attributes(self, name: str) -> frozenset[str]:
        """Return the attributes of a resource that properties, metadata and outputs read; Heat loads only these.

        heat/engine/resource.py, node_data.
        """
        return frozenset(self._loaded.get(name, ()))

    @cached_property
    def _loaded(self) -> dict[str, set[str]]:
        enabled = map(self.resource_definition, self.enabled_resource_names)
        parts: list[object] = [part for one in enabled for part in (one.properties, one.metadata)]
        outputs = (name for name in self.output_names if self.is_output_enabled(name) is not False)
        parts += [self.output_definition(name).value for name in outputs]
        loaded: dict[str, set[str]] = {}
        for resource, key in dep_attrs(parts, self):
            first = key[0] if isinstance(key, tuple) else key
            loaded.setdefault(resource, set()).add(ALL if first is ALL_ATTRIBUTES else str(first))
        return loaded

    # Reuse

    def is_hidden(self, read: Read) -> bool:
        """Return whether a read is of a hidden parameter."""
        schema = self.parameters.schema(str(read.name)) if read.kind is ReadKind.PARAMETER else None
        return schema is not None and schema.hidden

    def read(self, kind: ReadKind, name: Hashable) -> Read:
        """Return the current state of one input; results computed from it are valid while it stays equal."""
        key = (kind, type(name), name)
        if key not in self._reads:
            self._reads[key] = Read(kind, name, self._seen(kind, name), self.supposition)
        return self._reads[key]

    def confirms(self, reads: frozenset[Read]) -> bool:
        """Return whether all inputs have the same state here as in the stack where they were read."""
        for read in reads - self._confirmed:
            if self.supposing(read.supposition).read(read.kind, read.name).seen != read.seen:
                return False
            self._confirmed.add(read)
        return True

    def _seen(self, kind: ReadKind, name: Any) -> Hashable:
        try:
            if kind is ReadKind.RESOURCE:  # the most frequent kind
                return self._seen_resource(name)
            look: dict[ReadKind, Callable[[], Hashable]] = {
                ReadKind.PARAMETER: lambda: self._seen_parameter(name),
                ReadKind.DECLARATION: lambda: Identity(self.declaration(name)),
                ReadKind.CONDITION: lambda: freeze(self.condition(name)),
                ReadKind.CONDITION_DEFINITION: lambda: Identity(self.conditions.written(name)),
                ReadKind.FILE: lambda: freeze(self.file(name)),
                ReadKind.FILE_FAULT: lambda: self.file_fault(name),
                ReadKind.MAPPING: lambda: Identity(self.mapping(name)),
                ReadKind.PARENT: lambda: Identity(self.inputs.parent),
                ReadKind.NAMES: lambda: self.names(name),
                ReadKind.DEFINITION: lambda: Identity(self._raw_resources.get(name)),
                ReadKind.LOADED: lambda: self.loaded_attributes(name),
                ReadKind.CALLED: lambda: self.called_functions,
                ReadKind.TYPES: lambda: Identity(self.inputs.types),
                ReadKind.NAMES_BY_TYPE: lambda: tuple(self.names_by_type.items()),
            }
            return look[kind]()
        except (FunctionError, *EVALUATION_ERRORS) as error:
            return ("error", str(error))

    @cached_property
    def called_functions(self) -> frozenset[str]:
        """The keys of all maps with a single key, whether they are functions or not."""
        return frozenset(key for one in maps_in(self.data) if len(one) == 1 for key in one if isinstance(key, str))

    @cached_property
    def names_by_type(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the enabled resources of each type, as written."""
        found: dict[str, list[str]] = {}
        for name in self.names(self.language.dialect.resources):
            found.setdefault(self.resource_type(name), []).append(name)
        return {kind: tuple(names) for kind, names in found.items()}

    def declaration(self, name: str) -> object:
        """Return the data of the declaration of a parameter; None if it is not declared."""
        return self.parameters.raw(name)

    def schema(self, name: str) -> ParameterSchema | None:
        """Return the schema of a parameter; None if it is not declared or the declaration is invalid."""
        return self.parameters.schema(name)

    def resource_type(self, name: str) -> str:
        """Return the type of a resource as written, enabled or not. Raise KeyError for an unknown name."""
        return self.resource_definition(name).type

    def resource_condition(self, name: str) -> object:
        """Return the parsed condition of a resource, None if it has none. Raise KeyError for an unknown name."""
        return self.resource_definition(name).condition

    def file_fault(self, name: str) -> FileFault | None:
        """Return the reason why python-heatclient fails to read a file that the template names; None if it succeeds."""
        return self.client_files.fault(name)

    def names(self, section: str) -> tuple[str, ...]:
        """Return the names in a section; for resources, only the enabled ones."""
        words = self.language.dialect
        if section == words.parameters:
            return (*self.parameters.names, *self.parameters.pseudo_names)
        if section == words.conditions:
            return self.conditions.names
        return self.enabled_resource_names if section == words.resources else ()

    def _seen_parameter(self, name: str) -> Hashable:
        value = self.parameter(name)
        return (freeze(value), Identity(self.parameters.schema(name))) if has_unknown(value) else freeze(value)

    def _seen_resource(self, name: Hashable) -> Hashable:
        if not self.names_resource(name):
            return None
        enabled, condition = self.is_enabled(str(name)), repr(self.resource_condition(str(name)))
        if enabled is False:
            return (False, self.resource_type(str(name)), condition)
        proxy = self.resource(name)
        decided = self._enabled[str(name)]
        state = decided.message if isinstance(decided, FunctionError) else freeze(enabled)
        return (self.resource_type(str(name)), Identity(proxy.data), Identity(proxy.attribute_names), state, condition)


def _conditions(data: Mapping[str, object], language: Language, previous: Conditions | None) -> Conditions:
    words = language.dialect
    section = data.get(words.conditions, {}) if words.has_conditions else {}
    return Conditions(section, language, words.conditions, previous)


def _named(section: object) -> Mapping[str, object]:
    """Return the entries of a section with string names; no function can refer to other entries."""
    if not isinstance(section, Mapping):
        return {}
    return {name: entry for name, entry in section.items() if isinstance(name, str)}

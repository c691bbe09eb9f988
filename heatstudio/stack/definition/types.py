"""Lookup of the type that implements a resource: a type of the catalog or a user's template."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from enum import Enum, auto
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import PLAIN, UpdateBehavior
from heatstudio.catalog.schema import AttributeSchema, Family, PropertySchema, PropertyType, ResourceType
from heatstudio.stack.definition.files import Files
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY, Environment
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, SchemaError, parse_parameter_schema
from heatstudio.stack.inputs.registry import MORE, TEMPLATE_ENDINGS
from heatstudio.stack.resource_definition import define_output, unknown_output_keys
from heatstudio.stack.unknown import Unknown
from heatstudio.template import Reader, Template, parse_template

DEEPEST_NESTING = 5
"""Heat's default max_nested_stack_depth (heat/common/config.py)."""
TEMPLATE_CLASS = "heat.engine.resources.template_resource.TemplateResource"
ANSWERS_ITSELF = "get_attribute"
OWN_NAMESPACES = ("OS::", "AWS::")
_ENDINGS = (".yaml", ".yml", ".env", ".json")
"""The endings of the names of environments."""
_MOST_BESIDE = 100
"""Maximum number of files beside a template that are searched for mappings of types."""


class Origin(Enum):
    """The origin of a resource type."""

    CATALOG = auto()
    TEMPLATE = auto()
    UNREAD_TEMPLATE = auto()
    """A template that was not read, so that any use may be valid."""
    MISSING_TEMPLATE = auto()
    BROKEN_TEMPLATE = auto()
    PLUGIN = auto()
    """A type of an unknown third-party plug-in."""
    CIRCULAR = auto()
    """A type mapped to itself, directly or indirectly, or to too many types; the target has the details."""
    MISSING = auto()
    """A type that Heat does not have."""


class FoundType(Struct, frozen=True):
    """The resolution of a type name in one environment."""

    name: str
    """The type name as written."""
    target: str
    """The final target of the mapping: a type of the catalog, or the name of a template file."""
    origin: Origin
    type: ResourceType | None = None
    template: Template | None = None
    files: Files | None = None
    """The files relative to the template's folder."""
    resource: str = ""
    """The name of the resource with this type."""


class TreeSize(NamedTuple):
    """The number of resources of a template with its nested stacks."""

    least: int = 0
    """Without resources that have a condition, and groups whose size is not a number in the template."""
    nested: int = 0
    """The number of resources in nested templates to examine, counted for every use of a template."""
    depth: int = 0
    """The number of levels of nested stacks."""


class Types:
    """The types of a template, resolved in its environment and cached."""

    def __init__(self, knowledge: Knowledge, environment: Environment, files: Files, depth: int = 0) -> None:
        self.knowledge = knowledge
        self.environment = environment
        self.files = files
        self.depth = depth
        self._found: dict[tuple[str, str], FoundType] = {}
        self._templates: dict[str, FoundType] = {}
        self.sizes: dict[Hashable, TreeSize] = {}
        """The sizes of nested templates, see `tree_size`."""

    @cached_property
    def mapped_beside(self) -> Mapping[str, str]:
        """The type names that files beside the template map as environments, each with the first such file."""
        found: dict[str, str] = {}
        beside = (file for file in self.files.names() if "/" not in file)
        for file in islice(beside, _MOST_BESIDE):
            text = self.files.get(file) if PurePath(file).suffix in _ENDINGS else None
            if isinstance(text, str) and RESOURCE_REGISTRY in text:
                registry = parse_once(text).data.get(RESOURCE_REGISTRY)
                for name in registry if isinstance(registry, Mapping) else ():
                    found.setdefault(str(name), file)
        return found

    def find(self, type_name: str, resource_name: str = "") -> FoundType:
        """Return the type that implements a resource of this type and name."""
        key = (type_name, resource_name)
        if key not in self._found:
            self._found[key] = self._look_up(type_name, resource_name)
        return self._found[key]

    def behavior(self, found: FoundType) -> UpdateBehavior:
        """Return the update rules of a type."""
        return self.knowledge.update_behaviors.get(found.target, PLAIN)

    def attribute_names(self, resource_name: str, type_name: str) -> Collection[str] | None:
        """Return the attributes of the type that implements a resource; None if any name may be valid.

        heat/engine/resource.py, node_data: a plug-in with its own `get_attribute` may accept any name.
        """
        found = self.find(type_name, resource_name).type
        return None if found is None or answers_itself(found) else found.attributes

    def _look_up(self, type_name: str, resource_name: str) -> FoundType:
        target = self.environment.registry.target(type_name, resource_name)
        if target is not None:
            known = self.knowledge.catalog.get(target)
            if known is not None:
                return FoundType(type_name, target, Origin.CATALOG, known)
            if target.endswith(TEMPLATE_ENDINGS):
                return replace(self._template_type(type_name, target), name=type_name, resource=resource_name)
        cycle = self.environment.registry.circle(type_name, resource_name) if target is None else ()
        if cycle:
            words = "to too many types" if cycle[-1] == MORE else "in a cycle"
            return FoundType(type_name, f"{words}: {' → '.join(cycle)}", Origin.CIRCULAR)
        mapped = self.environment.registry.mapped_to(type_name, resource_name)
        own = any(self._is_of_heat(name) for name in (mapped, type_name))
        missing = own or "::" not in mapped
        return FoundType(type_name, target or type_name, Origin.MISSING if missing else Origin.PLUGIN)

    def _is_of_heat(self, type_name: str) -> bool:
        """Return whether only Heat has types with such a name: plug-ins also use `OS::Vendor::Name`."""
        namespace = type_name.upper().rpartition("::")[0]
        is_other = namespace.startswith("OS::") and namespace not in _namespaces(self.knowledge.type_names)
        return type_name.upper().startswith(OWN_NAMESPACES) and not is_other

    def _template_type(self, type_name: str, target: str) -> FoundType:
        content = self.files.get(target)
        is_stock = not isinstance(content, str) and target in self.knowledge.stock_templates
        if isinstance(content, Unknown) or is_stock:
            return FoundType(type_name, target, Origin.UNREAD_TEMPLATE, self._stock_type(target))
        if content is None:
            return FoundType(type_name, target, Origin.MISSING_TEMPLATE)
        if target not in self._templates:
            self._templates[target] = self._read_template(type_name, target, content)
        return self._templates[target]

    def _stock_type(self, target: str) -> ResourceType | None:
        """Return the type that one of Heat's own templates defines."""
        stock, defaults = self.knowledge.stock_templates.get(target), self.environment.parameter_defaults
        return template_type(target, parse_once(stock), self.knowledge, defaults) if stock is not None else None

    def _read_template(self, type_name: str, target: str, content: str) -> FoundType:
        template = parse_once(content)
        siblings = self.files.below(target)
        if not template.complete or template.version_message or not template.data:
            return FoundType(type_name, target, Origin.BROKEN_TEMPLATE, template=template, files=siblings)
        return FoundType(
            type_name,
            target,
            Origin.TEMPLATE,
            template_type(target, template, self.knowledge, self.environment.parameter_defaults),
            template,
            siblings,
        )


@lru_cache(maxsize=8)
def _namespaces(type_names: frozenset[str]) -> frozenset[str]:
    """Return the beginnings of type names in capital letters, such as `OS::NOVA`."""
    return frozenset(name.upper().rpartition("::")[0] for name in type_names)


def answers_itself(resource_type: ResourceType) -> bool:
    """Return whether a plug-in overrides `get_attribute`, so that it may accept any attribute name."""
    return ANSWERS_ITSELF in resource_type.overrides


@lru_cache(maxsize=512)
def parse_once(content: str) -> Template:
    """Return the template in a file; cached, because many nested stacks often share a file."""
    return parse_template(content, reader=Reader.HEAT)


def template_type(name: str, template: Template, knowledge: Knowledge, defaults: Mapping[str, object]) -> ResourceType:
    """Return the resource type that a template defines: parameters are properties, outputs are attributes.

    `defaults` are the parameter defaults of environments, which replace the declared defaults.
    heat/engine/resources/template_resource.py; properties.py, Schema.from_parameter.
    """
    language = knowledge.language(template.dialect)
    words = template.dialect
    properties: dict[str, PropertySchema] = {}
    for parameter, declared in _items(template.data.get(words.parameters)):
        try:
            schema = parse_parameter_schema(parameter, declared, language)
        except SchemaError:
            properties[parameter] = PropertySchema(parameter, PropertyType.ANY, update_allowed=True)
        else:
            properties[parameter] = _property_of(schema, defaults.get(parameter, schema.default) is None)
    attributes = {output: AttributeSchema(output) for output, _ in _items(template.data.get(words.outputs))}
    show = {"show": AttributeSchema("show", PropertyType.MAP)}
    return ResourceType(
        name,
        TEMPLATE_CLASS,
        properties=properties,
        attributes={**attributes, **show},
        families=frozenset({Family.TEMPLATE}),
        overrides={ANSWERS_ITSELF: TEMPLATE_CLASS},
    )


def unread_template_type(name: str, properties: Iterable[object]) -> ResourceType:
    """Return the type of a template that was not read, which may have any properties."""
    schemas = {str(key): PropertySchema(str(key), PropertyType.ANY, update_allowed=True) for key in properties}
    return ResourceType(name, TEMPLATE_CLASS, properties=schemas, families=frozenset({Family.TEMPLATE}))


def outline_faults(template: Template, language: Language) -> Iterator[str]:
    """Yield the reasons why Heat cannot use a template as a resource type: invalid parameters and outputs."""
    words = template.dialect
    for name, declared in _items(template.data.get(words.parameters)):
        try:
            parse_parameter_schema(name, declared, language)
        except SchemaError as error:
            yield str(error)
    for name, output in _items(template.data.get(words.outputs)):
        yield from (problem.message for problem in define_output(name, output, language).problems)
        yield from (f"Unknown key `{key}` in output `{name}`." for key in unknown_output_keys(output, words))


def _property_of(parameter: ParameterSchema, required: bool) -> PropertySchema:
    kind = parameter.type.property_type
    return PropertySchema(
        parameter.name,
        kind,
        required=required,
        update_allowed=True,
        allow_conversion=kind in (PropertyType.MAP, PropertyType.LIST),
        constraints=parameter.constraints,
        description=parameter.description or "",
    )


def _items(section: object) -> list[tuple[str, object]]:
    return [(str(key), value) for key, value in section.items()] if isinstance(section, Mapping) else []

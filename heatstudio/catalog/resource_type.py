"""Resource types."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from heatstudio.catalog.release import SUPPORTED, SupportStatus
from heatstudio.catalog.rules.translation_rule import TranslationRule
from heatstudio.catalog.schema import NO_SCHEMA, AttributeSchema, PropertySchema, PropertyType


class Family(StrEnum):
    """The base classes of plug-ins that change how Heat treats a type."""

    NEUTRON = "neutron"
    """heat/engine/resources/openstack/neutron/neutron.py: no reference ID before creation."""
    STACK = "stack"
    """heat/engine/resources/stack_resource.py: owns a nested stack."""
    NO_OP = "no-op"
    """heat/engine/resources/openstack/heat/none_resource.py: accepts everything, does nothing."""
    TEMPLATE = "template"
    """heat/engine/resources/template_resource.py: implemented by a template of the user."""


class ReferenceBeforeCreation(StrEnum):
    """The value of get_resource while the resource does not exist."""

    NAME = "name"
    """The resource's name in the template."""
    NULL = "null"
    NONE_TEXT = "None"
    """The string `None`, due to a bug in the plug-in."""


class ResourceType(Struct, frozen=True, forbid_unknown_fields=True):
    """A resource type of the catalog, or one that a nested template implements."""

    name: str = ""
    class_name: str = field(default="", name="class")
    """The implementing class, which Heat compares instead of names to detect a changed type."""
    support_status: SupportStatus = field(default=SUPPORTED, name="status")
    properties: Mapping[str, PropertySchema] = field(default_factory=lambda: NO_SCHEMA)
    attributes: Mapping[str, AttributeSchema] = field(default_factory=dict)
    """The attributes of the type, including the attributes of every type (`show`)."""
    translation_rules: tuple[TranslationRule, ...] = ()
    update_policy: Mapping[str, PropertySchema] = field(default_factory=lambda: NO_SCHEMA)
    snapshot_allowed: bool = False
    """Whether the deletion policy `Snapshot` is allowed."""
    client_plugin: str | None = None
    service_extension: str | None = None
    entity: str | None = None
    families: frozenset[Family] = frozenset()
    overrides: Mapping[str, str] = field(default_factory=dict)
    """The overridden hooks of heat/engine/resource.py with the class that defines each."""
    reference_before_creation: ReferenceBeforeCreation = ReferenceBeforeCreation.NAME
    reference_property: str | None = None
    """The property whose value get_resource returns if it is set, also before creation."""
    description: str = ""

    @property
    def created_entity(self) -> str:
        """The kind of cloud object that the type creates, such as `neutron.network`; by default named like the type."""
        entity = self.entity or self.name.rpartition("::")[2].lower()
        return f"{self.client_plugin}.{entity}".rstrip("s")

    def fits(self, schema: PropertySchema) -> bool:
        """Return whether the value of a property may be a resource of this type."""
        if schema.type is PropertyType.LIST:
            return False
        return self.name in schema.refers or (not schema.external and self.created_entity in schema.entities)

    @property
    def service(self) -> str:
        """The prefix of the name that groups types, such as `OS::Nova`."""
        return self.name.rpartition("::")[0] or self.name

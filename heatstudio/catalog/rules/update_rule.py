"""Type-specific rules that decide between update and replacement, in addition to the flags of properties.

The rules are in resources/update/rules.json, derived from the overrides of needs_replace*, _needs_update and
handle_update in the plug-ins of Heat 27.0.1.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

AllowedValuesOf = Mapping[str, tuple[object, ...]]
"""Required values of properties; all of them must match."""


class UpdateRule(Struct, frozen=True, forbid_unknown_fields=True):
    """One reason to replace a resource or to reject its update. All its conditions must be true."""

    outcome: Literal["replaced", "not_supported", "updated"]
    """`updated` only describes the effect of an update in place."""
    reason: str
    only_may: bool = False
    """Whether the outcome also depends on something outside the template."""
    changed: tuple[str, ...] = ()
    """Any of these properties changed; `*` means any property."""
    after: AllowedValuesOf = field(default_factory=dict)
    """The required new values, or old values if the new side has none."""
    newly_set: tuple[str, ...] = ()
    """Any of these properties changed to a non-empty value."""
    before_set: tuple[str, ...] = ()
    section: str = ""
    """The changed part of the resource's definition, such as `metadata`."""
    decreased: str = ""
    not_superset: str = ""
    one_side_empty: str = ""
    inner_changed: tuple[str, ...] = ()
    """A property, and the path of the changed part of its value."""

    @property
    def refuses(self) -> bool:
        """Whether the plug-in rejects the update."""
        return self.outcome == "not_supported"

    @property
    def replaces(self) -> bool:
        """Whether the resource is replaced."""
        return self.outcome == "replaced"

    @property
    def explains(self) -> bool:
        """Whether the rule does not affect the outcome."""
        return self.outcome == "updated"


class InputRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The inputs of a software config whose change replaces the deployment."""

    config: str
    """The property that refers to the config."""
    values: str
    """The property with values by input name."""
    inputs: str
    """The config's property with its inputs."""
    name: str
    """The key of an input's name."""
    default: str
    replaces: str
    """The key of the flag that requests a replacement."""


class RollingRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The batch-wise (rolling) update of a group's members."""

    policy: str
    """The key of the update policy, or the property, with the numbers."""
    in_properties: bool = False
    batch: str
    in_service: str = ""
    """Empty if the type keeps no members in service."""
    pause: str
    """Key of the pause: seconds, or an ISO 8601 duration."""
    changed: tuple[str, ...]
    """The properties whose change starts the rolling update; `*` means every update."""


class LaunchRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The definition of group members by a launch configuration."""

    config: str
    """The group's property that refers to the launch configuration."""
    config_types: tuple[str, ...]
    """The types that Heat accepts as a launch configuration."""
    type: str
    """The type of all members."""
    stands_for: str
    """The type to which the group maps `type`, whatever the environment maps it to."""
    server: str
    """The property, of group and launch configuration, with a server from which members are copied."""
    of_server: tuple[str, ...]
    """The properties that are copied from that server."""
    policy: str
    """The key of the update policy without which existing members stay unchanged."""

    @property
    def stand_ins(self) -> Mapping[str, str]:
        """The `resource_registry` of the group's own, which takes precedence over that of the environment."""
        return {self.type: self.stands_for}


class UniqueRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Properties whose values together must be unique among the resources of a cloud or project."""

    properties: tuple[str, ...]
    """The first one must have a value; `a.b` is the key `b` of each item of `a`, the only list of a rule."""
    freed: bool = False
    """Whether Heat frees the values before it replaces the resource (prepare_for_replace)."""


class AttributeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The conditions under which an update in place may change the value of an attribute."""

    follows: tuple[str, ...] = ()
    """The properties, or parts of the definition, whose change may change the value; `*` means every update."""
    value_of: str = ""
    """The property whose value is the value of the attribute; empty if there is none."""


class MemberAttributeKind(StrEnum):
    """The computation of an attribute of a group or nested stack from the members."""

    REFERENCES = "references"
    """The list of the members' reference IDs."""
    REFERENCE_MAP = "reference_map"
    """The reference IDs by member name."""
    SIZE = "size"
    LIST = "list"
    """The list of one attribute of each member."""
    MAP = "map"
    """The values of one attribute by member name."""
    OUTPUTS = "outputs"
    """All outputs of the nested stack, by name."""
    OUTPUT = "output"
    """One output: the attribute's name is a prefix, followed by the output's name."""


class MemberAttribute(Struct, frozen=True, forbid_unknown_fields=True):
    """One attribute of a resource with a nested stack."""

    kind: MemberAttributeKind
    of: str = ""
    """The attribute of the members; if empty, the first step of the path names it."""
    ignores_path: bool = False
    """Whether Heat ignores the path and returns the whole value."""


class MemberRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the nested stack of a type, by the names of the properties that define it."""

    count: tuple[str, ...] = ()
    """The properties with the number of members; the first property with a value applies."""
    limits: tuple[str, str] | None = None
    """The properties with minimum and maximum size; within them a group without `count` keeps its size."""
    definition: str = ""
    """The property with the type, properties and metadata of each member."""
    index: str = ""
    """The property with the placeholder for a member's name."""
    removed: tuple[str, str] | None = None
    """The property with the removal policies, and the key of the names in each."""
    forgets: tuple[str, str] | None = None
    """A property, and its value that clears the list of previously removed names."""
    scales: bool = False
    """Whether Heat generates member names and scaling may have changed their number; the oldest are removed first."""
    types: str = ""
    """The property with the type of each member."""
    shared: str = ""
    """The property with the common properties of all members."""
    attributes: Mapping[str, MemberAttribute] = field(default_factory=dict)
    """The derivation of the owner's attributes."""
    passes_on: bool = False
    """Whether any other attribute of the group is the list of this attribute of all members."""
    for_each: str = ""
    """The property with a map of member names to values."""
    each: str = ""
    """The member's property with this value; the other properties of a member come from the group."""
    type: str = ""
    """The type of all members."""
    template: str = ""
    """The property with a template's text or file name."""
    is_file: bool = False
    parameters: str = ""
    """The property with the template's parameters."""
    context: str = ""
    """The property with the other region or cloud in which the stack is created."""
    launch: LaunchRule | None = None

    @property
    def spread(self) -> tuple[str, ...]:
        """The attributes whose path starts with an attribute name of the members."""
        kinds = (MemberAttributeKind.LIST, MemberAttributeKind.MAP)
        return tuple(name for name, one in self.attributes.items() if one.kind in kinds and not one.of)


class UpdateBehavior(Struct, frozen=True, forbid_unknown_fields=True):
    """The update behavior of a type, beyond the flags of its properties."""

    rules: tuple[UpdateRule, ...] = ()
    always_replaced: str = ""
    """The reason why every stack update replaces the resource; empty if none does."""
    always_replaced_when: AllowedValuesOf = field(default_factory=dict)
    always_updated: bool = False
    always_updated_when: AllowedValuesOf = field(default_factory=dict)
    reference_changes: tuple[str, ...] = ()
    """The properties whose update in place changes the reference ID; `*` means that any update may change it."""
    replaced_by_keys: tuple[str, str] | None = None
    """A property with names, and a map property: a change of a named key replaces the resource."""
    replaced_by_inputs: InputRule | None = None
    reference_named_by: str = ""
    """The naming property: while it is set and unchanged, a replacement keeps the reference ID."""
    reference_attribute: str = ""
    """The attribute whose value is the reference ID (get_reference_id of the plug-in); empty if there is none."""
    reference_stays: bool = False
    """Whether a replacement always keeps the reference ID, such as the resource's name."""
    attributes: Mapping[str, AttributeRule] = field(default_factory=dict)
    """The rules of attributes for updates in place; `*` means all others."""
    survives_failed_check: bool = False
    """Whether an update keeps a resource whose only failure is a failed check."""
    rolling: RollingRule | None = None
    members: MemberRule | None = None
    unique: tuple[UniqueRule, ...] = ()
    aws_refuses: tuple[str, ...] = ()
    """The properties that AWS documents as "Updates are not supported" while Heat updates or replaces; `*` for all."""


PLAIN = UpdateBehavior()


def load_update_behaviors(folder: Path | None = None) -> Mapping[str, UpdateBehavior]:
    """Load the behaviors of the types that have any. Raise OSError or ValueError if the data is damaged."""
    where = folder or resource_path("update")
    behaviors = read_data(where / "rules.json", dict[str, UpdateBehavior])
    attributes = read_data(where / "attributes.json", dict[str, dict[str, str | tuple[str, ...]]])
    for name, found in attributes.items():
        rules = {attribute: _attribute(follows) for attribute, follows in found.items()}
        behaviors[name] = replace(behaviors.get(name, PLAIN), attributes=rules)
    return behaviors


def _attribute(follows: str | tuple[str, ...]) -> AttributeRule:
    """Return the rule of an attribute: a single property also provides the value; any of several may change it."""
    return AttributeRule((follows,), follows) if isinstance(follows, str) else AttributeRule(follows)

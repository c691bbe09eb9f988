"""Type-specific rules that decide between update and replacement, in addition to the flags of properties.

The rules are data in resources/update/rules.json; their source is the overriding of needs_replace*, _needs_update
and handle_update by the plug-ins of Heat 27.0.1.
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
"""Properties with the values that a rule asks for; all of them must hold."""


class UpdateRule(Struct, frozen=True, forbid_unknown_fields=True):
    """One reason to replace a resource, or to refuse its update. All conditions that are given must hold."""

    outcome: Literal["replaced", "not_supported", "updated"]
    """`updated` neither replaces nor refuses: it only says what happens to the thing while it is updated in place."""
    reason: str
    only_may: bool = False
    """Whether it hangs on something that is no part of the template, too."""
    changed: tuple[str, ...] = ()
    """Any of these properties changed; `*` stands for any property at all."""
    after: AllowedValuesOf = field(default_factory=dict)
    """The new values, or the old ones where the new side has none."""
    newly_set: tuple[str, ...] = ()
    """Any of these properties changed to something that is not empty."""
    before_set: tuple[str, ...] = ()
    section: str = ""
    """A part of the resource's definition changed, such as `metadata`."""
    decreased: str = ""
    not_superset: str = ""
    one_side_empty: str = ""
    inner_changed: tuple[str, ...] = ()
    """A property, and a path into its value that changed."""

    @property
    def refuses(self) -> bool:
        """Whether the plug-in refuses the update."""
        return self.outcome == "not_supported"

    @property
    def replaces(self) -> bool:
        """Whether the resource is replaced."""
        return self.outcome == "replaced"

    @property
    def explains(self) -> bool:
        """Whether the rule changes nothing about the outcome."""
        return self.outcome == "updated"


class InputRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a config, another resource, whose change replaces what deploys it."""

    config: str
    """The property that refers to the config."""
    values: str
    """The property with values by name of input."""
    inputs: str
    """The property of the config with its inputs."""
    name: str
    """The key of an input's name."""
    default: str
    replaces: str
    """The key of the flag that asks for a replacement."""


class RollingRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a group updates its members batch by batch."""

    policy: str
    """The key of the update policy, or the property, that holds the numbers."""
    in_properties: bool = False
    batch: str
    in_service: str = ""
    """Empty where a type keeps nothing in service."""
    pause: str
    """Seconds, or a duration of ISO 8601."""
    changed: tuple[str, ...]
    """The properties whose change starts it; `*` stands for every update."""


class LaunchRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Members that are made by a launch configuration, another resource."""

    config: str
    """The property of the group that refers to it."""
    type: str
    """The type of all members, which the environment may map."""
    stands_for: str
    """What that type is where no environment maps it."""
    server: str
    """The property of the group, and of the launch configuration, with a server that members are made after."""
    of_server: tuple[str, ...]
    """The properties that are taken from that server."""
    policy: str
    """The key of the update policy without which members that are there stay as they are."""

    @property
    def stand_ins(self) -> Mapping[str, str]:
        """What the type of members is unless an environment says something else."""
        return {self.type: self.stands_for}


class AttributeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """When an update in place may give an attribute another value."""

    follows: tuple[str, ...] = ()
    """When any of these properties, or parts of the definition, changes; `*` stands for every update."""
    value_of: str = ""
    """The property whose value the attribute has, unless that value is empty."""


class MemberAttributeKind(StrEnum):
    """How an attribute of a group, or of the owner of a nested stack, is made of what is inside."""

    REFERENCES = "references"
    """The list of the members' reference ids."""
    REFERENCE_MAP = "reference_map"
    """The same by the members' names."""
    SIZE = "size"
    LIST = "list"
    """The list of one attribute of each member."""
    MAP = "map"
    """The same by the members' names."""
    OUTPUTS = "outputs"
    """All outputs of the nested stack, by name."""
    OUTPUT = "output"
    """One output; the name of the attribute is a prefix, and the name of the output follows."""


class MemberAttribute(Struct, frozen=True, forbid_unknown_fields=True):
    """One attribute of the owner of a nested stack."""

    kind: MemberAttributeKind
    of: str = ""
    """The attribute of the members that is meant; where it is empty, the path into the attribute begins with it."""
    ignores_path: bool = False
    """Whether Heat gives the whole value, whatever path is asked for."""


class MemberRule(Struct, frozen=True, forbid_unknown_fields=True):
    """What the nested stack of a type consists of, by the names of the properties that say so."""

    count: tuple[str, ...] = ()
    """The first of these that has a value is the number of members."""
    limits: tuple[str, str] | None = None
    """The least and the most members; within them a group keeps its size where the first of `count` has no value."""
    definition: str = ""
    """The property with type, properties and metadata of each member."""
    index: str = ""
    """The property with the text that stands for a member's name."""
    removed: tuple[str, str] | None = None
    """The property with the policies of removal, and the key of the names in each."""
    forgets: tuple[str, str] | None = None
    """A property, and the value of it that forgets which members were removed before."""
    scales: bool = False
    """Whether members have names made up by Heat, and scaling may have changed their number; the oldest go first."""
    types: str = ""
    """The property with a type for each member."""
    shared: str = ""
    """The property with the properties of every member."""
    attributes: Mapping[str, MemberAttribute] = field(default_factory=dict)
    """How the attributes of the owner are made of what is inside."""
    passes_on: bool = False
    """Whether the name of any other attribute is that of an attribute of each member."""
    for_each: str = ""
    """The property with the names of the members and a value for each."""
    each: str = ""
    """The property of a member that takes this value; all others are those of the group."""
    type: str = ""
    """The type of all members."""
    template: str = ""
    """The property with the text of a template, or with the name of its file."""
    is_file: bool = False
    parameters: str = ""
    """The property with the parameters of that template."""
    launch: LaunchRule | None = None

    @property
    def spread(self) -> tuple[str, ...]:
        """The attributes of the group whose path begins with the name of an attribute of each member."""
        kinds = (MemberAttributeKind.LIST, MemberAttributeKind.MAP)
        return tuple(name for name, one in self.attributes.items() if one.kind in kinds and not one.of)


class UpdateBehavior(Struct, frozen=True, forbid_unknown_fields=True):
    """All that sets a type apart from the flags of its properties."""

    rules: tuple[UpdateRule, ...] = ()
    always_replaced: str = ""
    """The reason for which every stack update replaces the resource; empty if none does."""
    always_replaced_when: AllowedValuesOf = field(default_factory=dict)
    always_updated: bool = False
    always_updated_when: AllowedValuesOf = field(default_factory=dict)
    reference_changes: tuple[str, ...] = ()
    """An update in place of any of these properties gives the resource a new reference id; of any at all, it may."""
    replaced_by_keys: tuple[str, str] | None = None
    """A property with names, and a map property: a change of a named key replaces."""
    replaced_by_inputs: InputRule | None = None

    reference_named_by: str = ""
    """The property that names the thing: as long as it is given and stays, a replacement has the same reference id."""
    reference_stays: bool = False
    """Whether a replacement always has the same reference id, such as the name of the resource."""
    attributes: Mapping[str, AttributeRule] = field(default_factory=dict)
    """What is known of attributes when the resource is updated in place; `*` stands for all that are not named."""
    survives_failed_check: bool = False
    """Whether a check that failed is not enough to replace the resource."""
    rolling: RollingRule | None = None
    members: MemberRule | None = None
    aws_refuses: tuple[str, ...] = ()
    """Properties that AWS documents as "Updates are not supported" while Heat updates or replaces; `*` for all."""


PLAIN = UpdateBehavior()


def load_update_behaviors(folder: Path | None = None) -> Mapping[str, UpdateBehavior]:
    """Return the behavior of each type that has one of its own, by name. Raises ValueError if the data are damaged."""
    where = folder or resource_path("update")
    behaviors = read_data(where / "rules.json", dict[str, UpdateBehavior])
    attributes = read_data(where / "attributes.json", dict[str, dict[str, str | tuple[str, ...]]])
    for name, found in attributes.items():
        rules = {attribute: _attribute(follows) for attribute, follows in found.items()}
        behaviors[name] = replace(behaviors.get(name, PLAIN), attributes=rules)
    return behaviors


def _attribute(follows: str | tuple[str, ...]) -> AttributeRule:
    """A property alone gives the attribute its value; of several, any may change it."""
    return AttributeRule((follows,), follows) if isinstance(follows, str) else AttributeRule(follows)

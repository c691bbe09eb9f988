"""How particular types decide between update and replacement, beyond the flags of their properties.

The rules are data in resources/update/rules.json; their source is the overriding of needs_replace*, _needs_update
and handle_update by the plug-ins of Heat 27.0.1.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

AllowedValuesOf = tuple[tuple[str, tuple[object, ...]], ...]
"""Properties with the values that a rule asks for; all of them must hold."""


class UpdateRule(Struct, frozen=True):
    """One reason to replace a resource, or to refuse its update. All conditions that are given must hold."""

    replaces: bool
    """Replace; otherwise refuse."""
    reason: str
    explains: bool = False
    """Neither replaces nor refuses: only says what happens to the thing while it is updated in place."""
    only_may: bool = False
    """Whether it hangs on something that is no part of the template, too."""
    changed: tuple[str, ...] = ()
    """Any of these properties changed; `*` stands for any property at all."""
    after: AllowedValuesOf = ()
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
        return not self.replaces and not self.explains


class InputRule(Struct, frozen=True):
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


class RollingRule(Struct, frozen=True):
    """How a group updates its members batch by batch."""

    policy: str
    """The key of the update policy, or the property, that holds the numbers."""
    in_properties: bool
    batch: str
    in_service: str
    """Empty where a type keeps nothing in service."""
    pause: str
    """Seconds, or a duration of ISO 8601."""
    changed: tuple[str, ...]
    """The properties whose change starts it; `*` stands for every update."""


class LaunchRule(Struct, frozen=True):
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


class MemberRule(Struct, frozen=True):
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
    spread: tuple[str, ...] = ()
    """The attributes of the group whose path begins with the name of an attribute of each member."""
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


class UpdateBehavior(Struct, frozen=True):
    """All that sets a type apart from the flags of its properties."""

    rules: tuple[UpdateRule, ...] = ()
    always_replaced: str = ""
    """The reason for which every stack update replaces the resource; empty if none does."""
    always_replaced_when: AllowedValuesOf = ()
    always_updated: bool = False
    always_updated_when: AllowedValuesOf = ()
    reference_changes: tuple[str, ...] = ()
    """An update in place of any of these properties gives the resource a new reference id."""
    replaced_by_keys: tuple[str, str] | None = None
    """A property with names, and a map property: a change of a named key replaces."""
    replaced_by_inputs: InputRule | None = None

    reference_named_by: str = ""
    """The property that names the thing: as long as it is given and stays, a replacement has the same reference id."""
    survives_failed_check: bool = False
    """Whether a check that failed is not enough to replace the resource."""
    rolling: RollingRule | None = None
    members: MemberRule | None = None
    aws_refuses: tuple[str, ...] = ()
    """Properties that AWS documents as "Updates are not supported" while Heat updates or replaces; `*` for all."""


PLAIN = UpdateBehavior()

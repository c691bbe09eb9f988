"""What Heat accepts, but a service refuses or nobody wants; the rules are in resources/suspicious.json."""

from collections.abc import Mapping

from msgspec import Struct

CLOUD_CONFIG = "#cloud-config"
"""The first line of a cloud-config."""


class Waiting(Struct, frozen=True, forbid_unknown_fields=True):
    """A type of resources that need another resource."""

    mine: tuple[str, ...]
    """The properties whose references lead to the shared resource."""
    why: str
    """The end of a sentence: what happens without the needed resource."""
    given: str = ""
    """The property without which nothing is needed; empty for none."""


class Need(Struct, frozen=True, forbid_unknown_fields=True):
    """A resource that must exist before others, which share a resource with it, although Heat makes nothing wait."""

    on: str
    """The type of the needed resource."""
    theirs: tuple[str, ...]
    """The properties of the needed resource whose references lead to the shared resource."""
    through: str
    """The type of the shared resource."""
    by: Mapping[str, Waiting]
    """The types that need it."""


class UserData(Struct, frozen=True, forbid_unknown_fields=True):
    """The property of a server whose text cloud-init reads when the server starts."""

    property: str
    most: int
    """The number of bytes, in base64, that Nova accepts (nova/api/openstack/compute/schemas/servers.py)."""
    format: str = ""
    """The property that decides what Heat does with the text; empty if there is none."""
    as_script: str = ""
    """The format with which Heat has the text run as a script, whatever it is (heat/engine/clients/os/nova.py)."""
    unchanged: str = ""
    """The format with which Heat passes the text on."""
    deployed: str = ""
    """The format without which a server never gets its software deployments."""


class UniqueKey(Struct, frozen=True, forbid_unknown_fields=True):
    """The values of a resource that no other resource may have together."""

    key: tuple[str, ...]
    """The properties that must have a value, of each item if there is a list; `a|b` is a new and an old name."""
    each: str = ""
    """The property with the list; empty if there is none."""
    also: tuple[str, ...] = ()
    """Further properties of the resource; no value is a value too."""


class Unique(Struct, frozen=True, forbid_unknown_fields=True):
    """What a service accepts only once."""

    why: str
    """A sentence."""
    by: Mapping[str, UniqueKey]
    """The key of each type; the keys of several types are compared with each other."""


class Suspicions(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules by kind."""

    needs: tuple[Need, ...] = ()
    unique: tuple[Unique, ...] = ()
    references: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    """The types to which a property of a type must refer."""
    user_data: Mapping[str, UserData] = {}
    deployments: Mapping[str, str] = {}
    """The property of each type of deployment that refers to its servers."""
    cloud_configs: Mapping[str, str] = {}
    """The property of each type that is a cloud-config."""
    cloud_config_keys: frozenset[str] = frozenset()
    """The keys at the top of a cloud-config (cloudinit/config/schemas/schema-cloud-config-v1.json of cloud-init)."""
    offline_keys: frozenset[str] = frozenset()
    """The keys at the top of a cloud-config that need no network."""
    file_modes: frozenset[str] = frozenset()
    """The keys inside a cloud-config whose numbers cloud-init reads as meant (cc_write_files.py, decode_perms)."""

"""Template versions (heat/engine/hot/template.py, heat/engine/cfn/template.py)."""

from collections.abc import Mapping

from msgspec import Struct, field

REMOVED = "Removed"
"""The class name of a removed function, whose use is an error."""


class TemplateVersion(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a version key; two names of one version (`2018-08-31`, `rocky`) share `class_name`."""

    key: str
    """The section that states the version, such as `heat_template_version`."""
    name: str
    class_name: str = field(name="class")
    sections: tuple[str, ...]
    resource_keys: tuple[str, ...]
    recognized_resource_keys: tuple[str, ...]
    """The keys that pass Heat's first check; Heat rejects keys not in `resource_keys` later with another message."""
    output_keys: tuple[str, ...]
    parameter_keys: tuple[str, ...]
    parameter_types: tuple[str, ...]
    parameter_constraints: tuple[str, ...]
    """The keys of a parameter's `constraints`; empty for CFN, which has no such key."""
    pseudo_parameters: tuple[str, ...]
    deletion_policies: tuple[str, ...]
    functions: Mapping[str, str]
    """The implementing class of each function, or `REMOVED`."""
    condition_functions: Mapping[str, str]
    """The functions allowed in conditions; any other known function is invalid there."""

"""The checks, with one module per diagnostic code: the condition, the message and the fixes."""

from importlib import import_module

from heatstudio.analysis.scope import Check

_MODULES = (
    "unknown_version",
    "unknown_section",
    "invalid_section",
    "invalid_parameter",
    "invalid_parameter_group",
    "invalid_environment",
    "unused_default",
    "invalid_condition",
    "duplicate_name",
    "too_many_resources",
    "circular_dependency",
    "unknown_resource",
    "not_checked",
    "unknown_parameter",
    "misspelled_function",
    "unknown_file",
    "outside_folder",
    "attribute_path",
    "attribute_support",
    "member_attribute",
    "not_in_cloud",
    "not_in_release",
    "invalid_output",
    "invalid_resource",
    "unknown_type",
    "type_support",
    "invalid_policy",
    "invalid_function",
    "unknown_property",
    "missing_property",
    "wrong_value_type",
    "refused_value",
    "conflicting_properties",
    "unresolvable_value",
    "unimplemented_property",
    "property_support",
    "property_group",
    "nesting_too_deep",
    "nested_template",
    "facade_mismatch",
    "cloud_name",
    "own_rule",
    "never_equal",
    "yaml_number",
    "missing_dependency",
    "user_data",
    "placeholder_value",
    "unused_parameter",
    "unused_condition",
    "unused_resource",
    "exposed_secret",
    "open_port",
    "lost_data",
    "implied_dependency",
    "near_limit",
    "text_variable",
    "parameter_path",
    "used_twice",
    "wrong_reference",
)
"""The modules of the checks, in about the order in which Heat makes them."""
_CHECKS = tuple(
    found
    for name in _MODULES
    for found in vars(import_module(f"{__name__}.{name}")).values()
    if isinstance(found, Check)
)
TEMPLATE_CHECKS = tuple(check for check in _CHECKS if check.of_templates)
RESOURCE_CHECKS = tuple(check for check in _CHECKS if check.of_resources)

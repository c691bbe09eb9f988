"""The checks, with one module per diagnostic code: the condition, the message and the fixes."""

from collections.abc import Callable, Iterator

from heatstudio.analysis.checks import (
    attribute_path,
    attribute_support,
    circular_dependency,
    cloud_name,
    conflicting_properties,
    duplicate_name,
    facade_mismatch,
    invalid_condition,
    invalid_environment,
    invalid_function,
    invalid_output,
    invalid_parameter,
    invalid_parameter_group,
    invalid_policy,
    invalid_resource,
    invalid_section,
    member_attribute,
    missing_property,
    misspelled_function,
    nested_template,
    nesting_too_deep,
    not_checked,
    not_in_cloud,
    not_in_release,
    outside_folder,
    property_group,
    property_support,
    refused_value,
    too_many_resources,
    type_support,
    unimplemented_property,
    unknown_file,
    unknown_parameter,
    unknown_property,
    unknown_resource,
    unknown_section,
    unknown_type,
    unknown_version,
    unresolvable_value,
    unused_default,
    wrong_value_type,
)
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope, TemplateScope

TemplateCheck = Callable[[TemplateScope], Iterator[Finding]]
ResourceCheck = Callable[[ResourceScope], Iterator[Finding]]

_TEMPLATE_CHECKS = (
    unknown_version,
    unknown_section,
    invalid_section,
    invalid_parameter,
    invalid_parameter_group,
    invalid_environment,
    unused_default,
    invalid_condition,
    duplicate_name,
    too_many_resources,
    circular_dependency,
    not_checked,
    unknown_parameter,
    misspelled_function,
    unknown_file,
    outside_folder,
    attribute_path,
    attribute_support,
    member_attribute,
    not_in_cloud,
    not_in_release,
    invalid_output,
    unknown_resource,
)
_RESOURCE_CHECKS = (
    invalid_resource,
    unknown_type,
    type_support,
    invalid_policy,
    invalid_function,
    unknown_property,
    missing_property,
    wrong_value_type,
    refused_value,
    conflicting_properties,
    unresolvable_value,
    unimplemented_property,
    property_support,
    property_group,
    nesting_too_deep,
    nested_template,
    facade_mismatch,
    cloud_name,
)
_ADVICE = (
    type_support,
    property_support,
    attribute_support,
    cloud_name,
    not_checked,
    not_in_cloud,
    not_in_release,
    outside_folder,
    unused_default,
)
"""The checks whose findings never make Heat reject a template."""
_OF_BOTH = (
    invalid_condition,
    unknown_resource,
    misspelled_function,
    unknown_parameter,
    unknown_file,
    not_checked,
    not_in_cloud,
    not_in_release,
    too_many_resources,
)
"""The checks of both resources and other sections."""
_OF_CALLS = (outside_folder, attribute_path, attribute_support, member_attribute)
"""The checks of function calls in resources and in outputs."""
TEMPLATE_CHECKS: tuple[TemplateCheck, ...] = tuple(module.check for module in _TEMPLATE_CHECKS)
RESOURCE_CHECKS: tuple[ResourceCheck, ...] = (
    *(module.check for module in (*_RESOURCE_CHECKS, *_OF_CALLS)),
    *(module.check_resource for module in _OF_BOTH),
)
DISABLED_RESOURCE_CHECKS: tuple[ResourceCheck, ...] = (
    invalid_resource.check,
    invalid_condition.check_resource,
    invalid_function.check,
    unknown_file.check_resource,
)
"""The checks of resources disabled by a condition: Heat parses their definitions, the client reads their files."""
CREATION_CHECKS = (
    missing_property.check,
    wrong_value_type.check,
    refused_value.check,
    unresolvable_value.check,
    nested_template.check,
)
"""The checks of values that change when the resources to which they refer exist."""
NOT_OF_MEMBERS = (misspelled_function.check_resource, unknown_file.check_resource, attribute_support.check)
"""The checks of written calls and files, which the group of a member has already made."""
SUPPOSED_TEMPLATE_CHECKS: tuple[TemplateCheck, ...] = tuple(
    module.check for module in (duplicate_name, circular_dependency, invalid_output, *_OF_BOTH[1:], *_OF_CALLS)
)
"""The checks whose findings depend on the values of conditions."""
REFUSING_TEMPLATE_CHECKS = tuple(module.check for module in _TEMPLATE_CHECKS if module not in _ADVICE)
REFUSING_RESOURCE_CHECKS: tuple[ResourceCheck, ...] = (
    invalid_condition.check_resource,
    unknown_resource.check_resource,
    unknown_parameter.check_resource,
    attribute_path.check,
    member_attribute.check,
    outside_folder.check,
    *(module.check for module in _RESOURCE_CHECKS if module not in _ADVICE),
)

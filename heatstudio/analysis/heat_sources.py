"""Where Heat itself decides what each code is about: file and function of the release that the catalog describes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_PARSE = "heat/common/template_format.py, simple_parse"
_PROPERTIES = "heat/engine/properties.py, Properties.validate"
_NESTED = "heat/engine/resources/stack_resource.py, StackResource.validate_nested_stack"
_SUPPORT = "heat/engine/support.py, SupportStatus"
_PARAMETER = "heat/engine/parameters.py, Parameter.value"

HEAT_SOURCES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "yaml-syntax": (_PARSE,),
        "client-syntax": ("heatclient/common/template_format.py, parse",),
        "no-version": ("heat/common/template_format.py, parse",),
        "too-deep": (_PARSE,),
        "too-large": ("heat/common/template_format.py, validate_template_limit",),
        "control-character": (_PARSE,),
        "unknown-tag": (_PARSE,),
        "complex-key": (_PARSE,),
        "merge-key": (_PARSE,),
        "invalid-value": (_PARSE,),
        "not-a-mapping": (_PARSE,),
        "empty-section": ("heat/common/environment_format.py, validate",),
        "attribute-support": (_SUPPORT,),
        "circular-dependency": ("heat/engine/dependencies.py, Graph.toposort",),
        "cloud-name": ("heat/engine/constraints.py, BaseCustomConstraint.validate",),
        "conflicting-properties": ("heat/engine/translation.py, Translation.replace",),
        "duplicate-name": ("heat/engine/stack.py, Stack.validate",),
        "facade-mismatch": ("heat/engine/resources/template_resource.py, TemplateResource._validate_against_facade",),
        "invalid-condition": ("heat/engine/conditions.py, Conditions.is_enabled",),
        "invalid-environment": (
            "heat/common/environment_format.py, validate",
            "heat/engine/parameters.py, Parameters._validate_user_parameters",
        ),
        "invalid-function": ("heat/engine/template.py, parse", "heat/engine/hot/functions.py"),
        "invalid-output": ("heat/engine/template_common.py, CommonTemplate.outputs",),
        "invalid-parameter": (
            "heat/engine/parameters.py, Schema",
            "heat/engine/parameters.py, Parameter.validate",
        ),
        "invalid-parameter-group": ("heat/engine/parameter_groups.py, ParameterGroups.validate",),
        "invalid-policy": ("heat/engine/resource.py, Resource.validate_deletion_policy",),
        "invalid-resource": (
            "heat/engine/hot/template.py, HOTemplate20130523.validate_section",
            "heat/engine/template_common.py, CommonTemplate._rsrc_defn_args",
        ),
        "invalid-section": ("heat/engine/template.py, Template.validate",),
        "member-attribute": (
            _NESTED,
            "heat/engine/resources/template_resource.py, TemplateResource.get_attribute",
        ),
        "missing-property": ("heat/engine/properties.py, Properties._get_property_value",),
        "nested-template": (_NESTED,),
        "nesting-too-deep": (_NESTED,),
        "not-in-cloud": ("heat/engine/environment.py, ResourceRegistry.get_resource_info",),
        "property-group": ("heat/engine/resources, validate of the plug-in of the type",),
        "property-support": (_SUPPORT,),
        "refused-value": ("heat/engine/constraints.py, Schema.validate_constraints",),
        "too-many-resources": (
            "heat/engine/service.py, EngineService._validate_new_stack",
            "heat/engine/resources/stack_resource.py, StackResource._validate_nested_resources",
        ),
        "type-support": (_SUPPORT,),
        "unimplemented-property": (_PROPERTIES,),
        "unknown-file": ("heat/engine/hot/functions.py, GetFile.result",),
        "unknown-parameter": (_PARAMETER, "heat/engine/hot/functions.py, GetParam.result"),
        "unknown-property": (_PROPERTIES,),
        "unknown-resource": (
            "heat/engine/hot/functions.py, GetResource._resource",
            "heat/engine/hot/functions.py, GetAttThenSelect._resource",
        ),
        "unknown-section": ("heat/engine/template.py, Template.validate",),
        "unknown-type": ("heat/engine/environment.py, ResourceRegistry.get_resource_info",),
        "unknown-version": ("heat/engine/template.py, get_template_class",),
        "unresolvable-value": (_PROPERTIES, "heat/engine/hot/functions.py"),
        "wrong-value-type": ("heat/engine/properties.py, Property.get_value",),
    }
)
"""By code; a code that is not here is our own, Heat says nothing of it."""


def heat_section(code: str) -> str:
    """The part of a page that tells where Heat decides."""
    sources = HEAT_SOURCES.get(code)
    said = "Heat does not report this."
    if sources is not None:
        said = "\n".join(
            f"- `{file}`{comma}{function}" for file, comma, function in (s.partition(", ") for s in sources)
        )
    return f"\n\n## In Heat\n\n{said}"

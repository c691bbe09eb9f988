"""The parts of Heat's classes that the harvest reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

Facts = dict[str, object]
"""Facts as JSON data; facts with their default value are omitted."""


class StatusLike(Protocol):
    """heat/engine/support.py, SupportStatus."""

    status: str
    version: str | None
    message: str | None
    substitute_class: type | None
    previous_status: StatusLike | None


class ConstraintLike(Protocol):
    """heat/engine/constraints.py, Constraint; the other members depend on the subclass."""

    description: str | None


class SchemaLike(Protocol):
    """heat/engine/properties.py, Schema."""

    type: str
    description: str | None
    default: object
    schema: Mapping[str, SchemaLike] | None
    required: bool
    constraints: Sequence[ConstraintLike]
    implemented: bool
    update_allowed: bool
    immutable: bool
    allow_conversion: bool
    support_status: StatusLike


class AttributeLike(Protocol):
    """heat/engine/attributes.py, Schema."""

    type: str | None
    description: str | None
    cache_mode: str
    support_status: StatusLike


class RuleLike(Protocol):
    """heat/engine/translation.py, TranslationRule."""

    rule: str
    translation_path: Sequence[str]
    value: object
    value_name: str | None
    value_path: Sequence[str] | None
    custom_value_path: Sequence[str] | None
    client_plugin: object
    finder: str | None
    entity: str | None


class PluginClass(Protocol):
    """A class that implements a resource type (heat/engine/resource.py, Resource)."""

    __name__: str
    __module__: str
    __doc__: str | None
    __mro__: tuple[type, ...]
    support_status: StatusLike
    properties_schema: Mapping[str, SchemaLike]
    attributes_schema: Mapping[str, AttributeLike]
    base_attributes_schema: Mapping[str, AttributeLike]
    update_policy_schema: Mapping[str, SchemaLike]
    default_client_name: str | None
    required_service_extension: str | None
    entity: str | None


class ConstraintClass(Protocol):
    """A class that implements a custom constraint."""

    __module__: str


class TemplateClass(Protocol):
    """A class that implements a template version (heat/engine/template.py, Template)."""

    __name__: str
    SECTIONS: Sequence[str]
    OUTPUT_KEYS: Sequence[str]
    deletion_policies: Mapping[str, str]
    functions: Mapping[str, type]
    condition_functions: Mapping[str, type]

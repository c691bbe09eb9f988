"""The catalog of Heat: resource types with their properties and attributes, template versions, releases."""

from heatstudio.catalog.cloud.cloud_catalog import CloudCatalog
from heatstudio.catalog.cloud.cloud_names import CloudNames, KnownCloud
from heatstudio.catalog.load import REMOVED, Catalog, TemplateVersion, load_catalog
from heatstudio.catalog.release import (
    Release,
    Status,
    SupportStatus,
    find_release,
    load_releases,
    release_of,
    since,
    status_at,
    status_words,
)
from heatstudio.catalog.resource_type import Family, ReferenceBeforeCreation, ResourceType
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule, ValueOf
from heatstudio.catalog.schema import (
    ANY_ELEMENT,
    NO_SCHEMA,
    AllowedPattern,
    AllowedValues,
    AttributeSchema,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    PropertyType,
    Range,
)

__all__ = [
    "ANY_ELEMENT",
    "NO_SCHEMA",
    "REMOVED",
    "AllowedPattern",
    "AllowedValues",
    "AttributeSchema",
    "Catalog",
    "CloudCatalog",
    "CloudNames",
    "Constraint",
    "CustomConstraint",
    "Family",
    "KnownCloud",
    "Length",
    "Modulo",
    "PropertySchema",
    "PropertyType",
    "Range",
    "ReferenceBeforeCreation",
    "Release",
    "ResourceType",
    "Status",
    "SupportStatus",
    "TemplateVersion",
    "TranslationKind",
    "TranslationRule",
    "ValueOf",
    "find_release",
    "load_catalog",
    "load_releases",
    "release_of",
    "since",
    "status_at",
    "status_words",
]

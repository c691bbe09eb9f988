"""The two languages of templates, and what each version accepts (heat/engine/hot, heat/engine/cfn)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace


class Language(Enum):
    """The family of a template."""

    HOT = "HOT"
    CFN = "CFN"


class Dialect(Struct, frozen=True):
    """One version of a template language: its words, and the keys it accepts."""

    language: Language
    version_key: str
    version: str
    """The date of the version; names such as `rocky` stand for the date they belong to."""
    release: str
    """The OpenStack release that brought it."""
    sections: tuple[str, ...]
    resource_keys: tuple[str, ...]
    parameter_keys: tuple[str, ...]
    parameter_types: tuple[str, ...]
    output_keys: tuple[str, ...]
    deletion_policies: tuple[str, ...]
    pseudo_parameters: tuple[str, ...]
    resources: str = "resources"
    parameters: str = "parameters"
    outputs: str = "outputs"
    conditions: str = "conditions"
    mappings: str = "mappings"
    parameter_groups: str = "parameter_groups"
    description: str = "description"
    type: str = "type"
    properties: str = "properties"
    metadata: str = "metadata"
    depends_on: str = "depends_on"
    deletion_policy: str = "deletion_policy"
    update_policy: str = "update_policy"
    condition: str = "condition"
    external_id: str = "external_id"
    value: str = "value"
    default: str = "default"
    constraints: str = "constraints"
    hidden: str = "hidden"
    label: str = "label"
    immutable: str = "immutable"

    @property
    def is_hot(self) -> bool:
        """Whether this is a HOT version."""
        return self.language is Language.HOT

    @property
    def section_order(self) -> tuple[str, ...]:
        """The sections as templates usually have them."""
        data = (self.parameter_groups, self.parameters, self.mappings, self.conditions, self.resources, self.outputs)
        return (*VERSION_KEYS, self.description, *data)

    @property
    def has_conditions(self) -> bool:
        """Whether the version knows a section of conditions."""
        return self.conditions in self.sections

    @property
    def has_mappings(self) -> bool:
        """Whether the version knows a section of mappings."""
        return self.mappings in self.sections


class Choice(Struct, frozen=True):
    """The dialect of a template; if Heat refuses its version, `message` is what Heat says, and the dialect a guess."""

    dialect: Dialect
    version_key: str | None
    version: str | None
    message: str | None = None


HOT_KEY = "heat_template_version"
CFN_KEY = "AWSTemplateFormatVersion"
HEAT_CFN_KEY = "HeatTemplateFormatVersion"
VERSION_KEYS = (HOT_KEY, HEAT_CFN_KEY, CFN_KEY)

_HOT_RESOURCE = ("type", "properties", "metadata", "depends_on", "deletion_policy", "update_policy", "description")
_HOT_PARAMETER = ("type", "description", "default", "schema", "constraints", "hidden", "label", "immutable")
_HOT_2013 = Dialect(
    language=Language.HOT,
    version_key=HOT_KEY,
    version="2013-05-23",
    release="Icehouse",
    sections=(HOT_KEY, "description", "parameter_groups", "parameters", "resources", "outputs"),
    resource_keys=_HOT_RESOURCE,
    parameter_keys=_HOT_PARAMETER,
    parameter_types=("string", "number", "comma_delimited_list", "json", "boolean"),
    output_keys=("description", "value"),
    deletion_policies=("Delete", "Retain", "Snapshot"),
    pseudo_parameters=("OS::stack_id", "OS::project_id", "OS::stack_name", "OS::region"),
)
_HOT_2016 = replace(
    _HOT_2013,
    version="2016-10-14",
    release="Newton",
    sections=(*_HOT_2013.sections, "conditions"),
    resource_keys=(*_HOT_RESOURCE, "external_id", "condition"),
    output_keys=("description", "value", "condition"),
    deletion_policies=("Delete", "Retain", "Snapshot", "delete", "retain", "snapshot"),
)
_HOT_2018 = replace(_HOT_2016, version="2018-03-02", release="Queens", parameter_keys=(*_HOT_PARAMETER, "tags"))

_HEAT_CFN = Dialect(
    language=Language.CFN,
    version_key=HEAT_CFN_KEY,
    version="2012-12-12",
    release="Grizzly",
    sections=(CFN_KEY, HEAT_CFN_KEY, "Description", "Mappings", "Parameters", "Resources", "Outputs"),
    resource_keys=("Type", "Properties", "Metadata", "DependsOn", "DeletionPolicy", "UpdatePolicy", "Description"),
    parameter_keys=(
        "Type",
        "Default",
        "NoEcho",
        "AllowedValues",
        "AllowedPattern",
        "MaxLength",
        "MinLength",
        "MaxValue",
        "MinValue",
        "Description",
        "ConstraintDescription",
        "Label",
    ),
    parameter_types=("String", "Number", "CommaDelimitedList", "Json", "Boolean"),
    output_keys=("Description", "Value"),
    deletion_policies=("Delete", "Retain", "Snapshot"),
    pseudo_parameters=("AWS::StackId", "AWS::StackName", "AWS::Region"),
    resources="Resources",
    parameters="Parameters",
    outputs="Outputs",
    conditions="Conditions",
    mappings="Mappings",
    parameter_groups="ParameterGroups",
    description="Description",
    type="Type",
    properties="Properties",
    metadata="Metadata",
    depends_on="DependsOn",
    deletion_policy="DeletionPolicy",
    update_policy="UpdatePolicy",
    condition="Condition",
    external_id="ExternalId",
    value="Value",
    default="Default",
    constraints="Constraints",
    hidden="NoEcho",
    label="Label",
    immutable="Immutable",
)
_AWS = replace(
    _HEAT_CFN,
    version_key=CFN_KEY,
    version="2010-09-09",
    sections=(*_HEAT_CFN.sections, "Conditions"),
    resource_keys=(*_HEAT_CFN.resource_keys, "Condition"),
    output_keys=(*_HEAT_CFN.output_keys, "Condition"),
)
_WALLABY = replace(_HOT_2018, version="2021-04-16", release="Wallaby")

DIALECTS: tuple[Dialect, ...] = (
    _HOT_2013,
    replace(_HOT_2013, version="2014-10-16", release="Juno"),
    replace(_HOT_2013, version="2015-04-30", release="Kilo"),
    replace(_HOT_2013, version="2015-10-15", release="Liberty"),
    replace(_HOT_2013, version="2016-04-08", release="Mitaka"),
    _HOT_2016,
    replace(_HOT_2016, version="2017-02-24", release="Ocata"),
    replace(_HOT_2016, version="2017-09-01", release="Pike"),
    _HOT_2018,
    replace(_HOT_2018, version="2018-08-31", release="Rocky"),
    _WALLABY,
    _HEAT_CFN,
    _AWS,
)
ALIASES: Mapping[str, str] = {
    "newton": "2016-10-14",
    "ocata": "2017-02-24",
    "pike": "2017-09-01",
    "queens": "2018-03-02",
    "rocky": "2018-08-31",
    "wallaby": "2021-04-16",
}
"""The names that `heat_template_version` accepts for a date."""

NEWEST_HOT = _WALLABY
_BY_VERSION = {(dialect.version_key, dialect.version): dialect for dialect in DIALECTS}
_BY_VERSION |= {(HOT_KEY, name): _BY_VERSION[HOT_KEY, date] for name, date in ALIASES.items()}


def accepted_versions(version_key: str) -> list[str]:
    """The values that a version key accepts, as Heat lists them."""
    return sorted(version for key, version in _BY_VERSION if key == version_key)


def choose_dialect(data: Mapping[object, object]) -> Choice:
    """The dialect of a template's data (heat/common/template_format.py, heat/engine/template.py)."""
    written = [key for key in VERSION_KEYS if key in data]
    usable = [key for key in written if isinstance(data[key], str)]
    guess = _AWS if "Resources" in data and "resources" not in data else NEWEST_HOT
    if not written:
        return Choice(guess, None, None, "Template format version not found.")
    if len(usable) != 1:
        guess = NEWEST_HOT if HOT_KEY in written else _AWS
        said = f"Ambiguous versions ({', '.join(usable)})" if usable else "Template version was not provided"
        return Choice(guess, None, None, f"The template version is invalid: {said}")
    key, version = usable[0], str(data[usable[0]])
    dialect = _BY_VERSION.get((key, version))
    if dialect is not None:
        return Choice(dialect, key, version)
    accepted = accepted_versions(key)
    be = "should be one of" if len(accepted) > 1 else "should be"
    said = f'"{key}: {version}". "{key}" {be}: {", ".join(accepted)}'
    guess = NEWEST_HOT if key == HOT_KEY else _BY_VERSION[key, accepted[0]]
    return Choice(guess, key, version, f"The template version is invalid: {said}")

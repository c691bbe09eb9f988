"""`heatstudio types`: list or show resource types like `openstack orchestration resource type`."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from heatstudio.catalog.release import Status, SupportStatus, status_words
from heatstudio.catalog.rules.update_rule import PLAIN, UpdateBehavior, load_update_behaviors
from heatstudio.catalog.schema import AttributeSchema, PropertySchema, ResourceType
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, complain, say, say_json
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.update.decision.property_effect import property_effect

_Schema = TypeVar("_Schema", PropertySchema, AttributeSchema)


def run(options: Namespace) -> int:
    """Return 1 if the type does not exist or is hidden, else 0."""
    template = Path.cwd() / "template.yaml"  # the project file of the current folder counts
    target = Target(options.release.name if options.release is not None else "")
    catalog = Engine().knowledge_of(Snapshot("", template, target=target)).catalog
    if options.name is not None:
        kind = catalog.get(options.name)
        if kind is not None:
            return _show(kind, options.format)
        version = catalog.heat_version
        complain(f"Heat {version} has no resource type {options.name}; `heatstudio types` lists all types.")
        return EXIT_FOUND
    found = [kind for kind in map(catalog.get, catalog.visible_names) if kind is not None]
    if options.status is not None:
        found = [kind for kind in found if kind.support_status.status == options.status]
    if options.format == "json":
        say_json([{"name": kind.name, "support_status": _status(kind.support_status)} for kind in found])
    else:
        for kind in found:
            status = kind.support_status.status
            say(kind.name if status is Status.SUPPORTED else f"{kind.name} ({status})")
    return EXIT_FINE


def _show(kind: ResourceType, form: str) -> int:
    if kind.support_status.status is Status.HIDDEN:
        successor = kind.support_status.successor
        complain(f"{kind.name} is not supported." + (f" Use {successor} instead." if successor else ""))
        return EXIT_FOUND
    if form == "json":
        say_json(type_record(kind))
    else:
        _print_type(kind, _behavior(kind))
    return EXIT_FINE


def _behavior(kind: ResourceType) -> UpdateBehavior:
    return load_update_behaviors().get(kind.name, PLAIN)


def type_record(kind: ResourceType) -> dict[str, object]:
    """Return a type with its properties and attributes that are not hidden."""
    behavior = _behavior(kind)
    properties = {
        schema.name: _property(schema, property_effect(kind, behavior, schema.name).sentence)
        for schema in _visible(kind.properties)
    }
    return {
        "name": kind.name,
        "description": kind.description,
        "support_status": _status(kind.support_status),
        "properties": properties,
        "attributes": {schema.name: _attribute(schema) for schema in _visible(kind.attributes)},
    }


def _visible(schemas: Mapping[str, _Schema]) -> list[_Schema]:
    return [schema for schema in schemas.values() if schema.support_status.status is not Status.HIDDEN]


def _property(schema: PropertySchema, update: str) -> dict[str, object]:
    """Return a property; `update` is the effect of a change, also of a nested property."""
    found: dict[str, object] = {
        "type": schema.type.value,
        "description": schema.description,
        "required": schema.required,
        "default": schema.default,
        "update_allowed": schema.update_allowed,
        "immutable": schema.immutable,
        "update": update,
        "support_status": _status(schema.support_status),
    }
    if schema.constraints:
        found["constraints"] = [repr(constraint) for constraint in schema.constraints]
    if schema.children:
        found["schema"] = {name: _property(child, update) for name, child in schema.children.items()}
    return found


def _attribute(schema: AttributeSchema) -> dict[str, object]:
    kind = schema.type.value if schema.type is not None else None
    return {"type": kind, "description": schema.description, "support_status": _status(schema.support_status)}


def _status(status: SupportStatus) -> dict[str, object]:
    return {
        "status": str(status.status),
        "version": status.version,
        "message": status.message or None,
        "successor": status.successor,
        "substitute": status.substitute,
        "previous_status": _status(status.previous) if status.previous is not None else None,
    }


def _print_type(kind: ResourceType, behavior: UpdateBehavior) -> None:
    say(f"{kind.name}  {status_words(kind.support_status)}")
    _say_description("  ", kind)
    say("Properties")
    for schema in _visible(kind.properties):
        required = ", required" if schema.required else ""
        say(f"  {schema.name}: {schema.type.value}{required}. {property_effect(kind, behavior, schema.name).sentence}")
        _say_description("    ", schema)
    say("Attributes")
    for attribute in _visible(kind.attributes):
        say(f"  {attribute.name}: {attribute.description}".removesuffix(": "))


def _say_description(indent: str, described: ResourceType | PropertySchema) -> None:
    if described.description:
        say(f"{indent}{described.description}")

"""A misspelled key in bundled data raises an error instead of being ignored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heatstudio.analysis.assist.expectation import Role
from heatstudio.analysis.assist.signature import Signature
from heatstudio.analysis.assist.usage import TypeUsage
from heatstudio.analysis.example_values import Examples
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.attribute_shape import load_attribute_shapes
from heatstudio.catalog.cloud.known_cloud import NameKinds
from heatstudio.catalog.cloud.quota_rule import QuotaFacts
from heatstudio.catalog.load import OlderCatalog, PropertyReference, TypeDescriptions, load_catalog
from heatstudio.catalog.property_groups.load_groups import load_groups
from heatstudio.catalog.release import Release
from heatstudio.catalog.rules.implicit_dependency import ImplicitDependency
from heatstudio.catalog.rules.suspicion import Suspicions
from heatstudio.catalog.rules.update_rule import load_update_behaviors
from heatstudio.catalog.rules.validation_read import ExternalRules, load_validation_reads
from heatstudio.stack.inputs.environment import EventSink

Reader = Callable[[Path], object]


def of_form(form: type[object]) -> Reader:
    return lambda path: read_data(path, form)


def read_types(path: Path) -> object:
    catalog = load_catalog(path)
    return [catalog.get(name) for name in catalog.names()]


READERS: tuple[tuple[str, str, Reader], ...] = (
    ("attributes/shapes.json", "definitions", load_attribute_shapes),
    ("catalog/heat.json", "aliases", load_catalog),
    ("catalog/heat.json", "sections", load_catalog),
    ("catalog/heat.json", "class", read_types),
    ("catalog/heat.json", "required", read_types),
    ("catalog/heat.json", "previous", read_types),
    ("catalog/heat.json", "finder", read_types),
    ("catalog/older/18.json", "later", lambda path: read_data(path, OlderCatalog)),
    ("catalog/releases.json", "template_version", of_form(tuple[Release, ...])),
    ("cloud_names.json", "service", of_form(NameKinds)),
    ("dependencies/implicit.json", "mine", of_form(dict[str, tuple[ImplicitDependency, ...]])),
    ("descriptions/os-heat.json", "attributes", of_form(dict[str, TypeDescriptions])),
    ("event_sinks.json", "required", of_form(dict[str, EventSink])),
    ("examples.json", "texts", of_form(Examples)),
    ("functions.json", "placeholders", of_form(dict[str, Signature])),
    ("functions.json", "in_order", of_form(dict[str, Signature])),
    ("groups/nova.json", "operator", lambda path: load_groups(path.parent)),
    ("groups/nova.json", "since", lambda path: load_groups(path.parent)),
    ("groups/nova.json", "where", lambda path: load_groups(path.parent)),
    ("keywords.json", "resource-entry", of_form(dict[Role, dict[str, str]])),
    ("reads/external.json", "refused", of_form(ExternalRules)),
    ("reads/validation.json", "when", load_validation_reads),
    ("suspicious.json", "through", of_form(Suspicions)),
    ("quota.json", "freed_with", of_form(QuotaFacts)),
    ("references.json", "unique", of_form(dict[str, dict[str, PropertyReference]])),
    ("update/rules.json", "changed", lambda path: load_update_behaviors(path.parent)),
    ("update/rules.json", "kind", lambda path: load_update_behaviors(path.parent)),
    ("usage.json", "properties", of_form(dict[str, TypeUsage])),
)


@pytest.mark.parametrize(("name", "key", "read"), READERS)
def test_misspelled_key_is_rejected(name: str, key: str, read: Reader, tmp_path: Path) -> None:
    source = resource_path(*name.split("/"))
    for file in source.parent.glob("*.json"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    copy = tmp_path / source.name
    assert read(copy)
    text = copy.read_text("utf-8")
    assert f'"{key}":' in text
    copy.write_text(text.replace(f'"{key}":', f'"{key}x":', 1), "utf-8")
    with pytest.raises(ValueError, match=rf"^{source.name}\b.*{key}x?[`']"):
        read(copy)

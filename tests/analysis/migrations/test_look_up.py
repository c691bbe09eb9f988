"""Lookup of names and their ids, with a table instead of a cloud."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from heatstudio.analysis.checks.cloud_name import lookup_fixes
from heatstudio.analysis.migrations.use import value_at
from heatstudio.stack.values.written_properties import written_properties
from heatstudio.template import parse_template, render_fix
from heatstudio.text import Applicability, apply_edits
from tests.analysis.migrations.migrating import knowledge

Question = tuple[str, str, str | None, str]


@dataclass
class Table:
    """A fake cloud that finds the ids of its names and records the lookups."""

    ids: dict[str, str]
    asked: list[Question] = field(default_factory=list)

    def find(self, client_plugin: str, finder: str, entity: str | None, name: str) -> str | None:
        self.asked.append((client_plugin, finder, entity, name))
        return self.ids.get(name)


def text_of(kind: str, properties: str) -> str:
    return f"heat_template_version: 2018-08-31\nresources:\n  a:\n    type: {kind}\n    properties: {properties}\n"


def looked_up(kind: str, properties: str, table: Table) -> list[tuple[str, str]]:
    """Return the title of each fix, and the properties after applying it."""
    text = text_of(kind, properties)
    template = parse_template(text)
    resource_type = knowledge().catalog.get(kind)
    assert resource_type is not None
    place = ("resources", "a", "properties")
    found = []
    for written in written_properties(resource_type.properties, value_at(template.data, place)):
        for found_fix in lookup_fixes(resource_type, written, place, table.find):
            assert found_fix.applicability is Applicability.UNSAFE
            assert not found_fix.preferred
            fix = render_fix(template, found_fix)
            assert fix is not None
            after = apply_edits(text, fix.edits)
            found.append((found_fix.title, after.partition("    properties: ")[2].rstrip("\n")))
    return found


def test_a_name_is_replaced_by_its_id() -> None:
    table = Table({"private": "6f1b"})
    assert looked_up("OS::Neutron::Port", "{network: private, name: private}", table) == [
        (
            "Replace the name `private` with its ID `6f1b` (ties the template to one cloud)",
            "{network: 6f1b, name: private}",
        )
    ]
    assert table.asked == [("neutron", "find_resourceid_by_name_or_id", "network", "private")]


def test_properties_in_list_items_are_looked_up() -> None:
    table = Table({"b": "id-b"})
    properties = "{flavor: small, networks: [{network: a}, {network: b}]}"
    assert [after for _, after in looked_up("OS::Nova::Server", properties, table)] == [
        "{flavor: small, networks: [{network: a}, {network: id-b}]}"
    ]
    assert ("neutron", "find_resourceid_by_name_or_id", "network", "a") in table.asked
    assert ("nova", "find_flavor_by_name_or_id", None, "small") in table.asked


def test_lists_are_looked_up_item_by_item() -> None:
    table = Table({"fast": "id-1", "slow": "id-2", "q": "id-q"})
    properties = "{qos_specs: q, volume_types: [fast, {get_param: x}, '', 7, slow, other]}"
    assert [after for _, after in looked_up("OS::Cinder::QoSAssociation", properties, table)] == [
        "{qos_specs: id-q, volume_types: [fast, {get_param: x}, '', 7, slow, other]}",
        "{qos_specs: q, volume_types: [id-1, {get_param: x}, '', 7, slow, other]}",
        "{qos_specs: q, volume_types: [fast, {get_param: x}, '', 7, id-2, other]}",
    ]
    assert [name for *_, name in table.asked] == ["q", "fast", "slow", "other"]


def test_another_property_determines_the_kind_of_the_lookup() -> None:
    table = Table({"p": "id-p"})
    rest = "object_id: p, target_tenant: t, action: access_as_shared"
    assert len(looked_up("OS::Neutron::RBACPolicy", f"{{object_type: qos_policy, {rest}}}", table)) == 1
    assert table.asked[0] == ("neutron", "find_resourceid_by_name_or_id", "policy", "p")
    for kind in ("{get_param: kind}", "strange", "[]"):
        asked = Table({"p": "id-p"})
        assert looked_up("OS::Neutron::RBACPolicy", f"{{object_type: {kind}, {rest}}}", asked) == []
        assert ("neutron", "find_resourceid_by_name_or_id", "policy", "p") not in asked.asked


@pytest.mark.parametrize(
    "properties", ["{network: {get_resource: net}}", "{network: ''}", "{network: 7}", "{network: null}", "[]", "x"]
)
def test_values_that_are_not_plain_strings_are_not_looked_up(properties: str) -> None:
    table = Table({"": "x", "7": "y"})
    assert looked_up("OS::Neutron::Port", properties, table) == []
    assert table.asked == []


def test_ids_and_unknown_names_have_no_fix() -> None:
    assert looked_up("OS::Neutron::Port", "{network: 6f1b}", Table({"6f1b": "6f1b"})) == []
    assert looked_up("OS::Neutron::Port", "{network: nobody}", Table({})) == []

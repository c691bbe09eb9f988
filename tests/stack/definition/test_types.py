"""Resolution of resource types."""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.catalog.schema import PropertyType
from heatstudio.stack.definition.files import NO_FILES
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.types import Origin, Types
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.load import FolderFiles

TEMPLATE = """heat_template_version: 2018-08-31
parameters:
  size: {type: number}
  names: {type: comma_delimited_list, default: a}
  given: {type: string}
outputs:
  address: {value: x}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def types(knowledge: Knowledge, folder: Path, registry: object = None, defaults: object = None) -> Types:
    data = {"resource_registry": registry or {}, "parameter_defaults": defaults or {}}
    catalog = knowledge.catalog
    file = EnvironmentFile("env", data)
    environment = Environment([file], known_types=knowledge.type_names, aliases=catalog.aliases)
    return Types(knowledge, environment, FolderFiles(folder, folder))


def test_files_of_a_folder_are_listed_the_nearest_first(tmp_path: Path) -> None:
    for name in ("z.sh", "deep/er/c.yaml", "deep/b.yaml", ".git/config", "a.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert FolderFiles(tmp_path, tmp_path).names() == ["a.yaml", "z.sh", "deep/b.yaml", "deep/er/c.yaml"]
    assert FolderFiles(tmp_path / "gone", tmp_path).names() == []
    assert FolderFiles(tmp_path, tmp_path, read=lambda _path, _name: "").names() == []


def test_origins_of_types(tmp_path: Path, knowledge: Knowledge) -> None:
    (tmp_path / "own.yaml").write_text(TEMPLATE)
    (tmp_path / "broken.yaml").write_text("a: [")
    found = types(knowledge, tmp_path, {"My::Type": "own.yaml", "OS::Quantum*": "OS::Neutron*"})
    origins = {
        "OS::Nova::Server": Origin.CATALOG,
        "OS::Quantum::Port": Origin.CATALOG,
        "OS::Nova::Sever": Origin.MISSING,
        "os::nova::server": Origin.MISSING,
        "nested.yml": Origin.MISSING,
        "Vendor::Thing": Origin.PLUGIN,
        "My::Type": Origin.TEMPLATE,
        "own.yaml": Origin.TEMPLATE,
        "gone.yaml": Origin.MISSING_TEMPLATE,
        "broken.yaml": Origin.BROKEN_TEMPLATE,
        "../outside.yaml": Origin.UNREAD_TEMPLATE,
        "http://far.example/away.yaml": Origin.UNREAD_TEMPLATE,
    }
    assert {name: found.find(name).origin for name in origins} == origins
    assert found.find("OS::Quantum::Port").target == "OS::Neutron::Port"
    assert found.find("My::Type") is found.find("My::Type")


def test_template_defines_a_type(tmp_path: Path, knowledge: Knowledge) -> None:
    (tmp_path / "own.yaml").write_text(TEMPLATE)
    made = types(knowledge, tmp_path, defaults={"given": "x"}).find("own.yaml").type
    assert made is not None
    assert {name: schema.type for name, schema in made.properties.items()} == {
        "size": PropertyType.NUMBER,
        "names": PropertyType.LIST,
        "given": PropertyType.STRING,
    }
    assert [schema.name for schema in made.properties.values() if schema.required] == ["size"]
    assert set(made.attributes) == {"address", "show"}


def test_missing_file_contents_are_unknown(knowledge: Knowledge) -> None:
    environment = Environment(known_types=knowledge.type_names)
    assert Types(knowledge, environment, NO_FILES).find("own.yaml").origin is Origin.UNREAD_TEMPLATE


def test_type_that_resolves_attributes_itself_accepts_any(tmp_path: Path, knowledge: Knowledge) -> None:
    found = types(knowledge, tmp_path)
    names = found.attribute_names("r", "OS::Heat::RandomString")
    assert names is not None
    assert "value" in names
    assert found.attribute_names("r", "OS::Heat::ResourceGroup") is None
    assert found.attribute_names("r", "Vendor::Thing") is None


@pytest.mark.parametrize("name", ["\ud800.sh", "a\0.sh", "loop.sh", "x" * 300])
def test_invalid_file_name_is_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop.sh").symlink_to(tmp_path / "loop.sh")
    assert not isinstance(FolderFiles(tmp_path, tmp_path).get(name), str)

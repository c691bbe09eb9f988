"""Names of objects in other services, as the program and the real Heat find them."""

from __future__ import annotations

import pytest

from heatstudio.catalog.cloud.known_cloud import load_name_kinds
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.heat_verdict import validate
from heatstudio.cloud.read_services import read_names
from tests.cloud.stories import bare

pytestmark = pytest.mark.loopback

TEMPLATE = """\
heat_template_version: 2021-04-16
resources:
  server:
    type: OS::Nova::Server
    properties:
      image: cirros
      flavor: m1.small
      key_name: demo-key
      networks: [{network: private}]
"""


def test_names_of_other_services_are_read(demo: Connection) -> None:
    names = read_names(demo, load_name_kinds(), lambda _done, _total: None)
    assert set(names.names("nova.flavor")) == {"m1.small", "m1.large"}
    assert set(names.names("nova.keypair")) == {"demo-key"}
    assert set(names.names("glance.image")) == {"debian-12", "cirros", "windows", "old"}
    assert set(names.names("neutron.network")) == {"public", "private"}
    assert set(names.names("neutron.subnet")) == {"private-subnet"}
    assert set(names.names("cinder.vtype")) == {"lvm"}


@pytest.mark.parametrize(
    ("constraint", "name", "property_name"),
    [
        ("nova.flavor", "m1.small", "flavor"),
        ("glance.image", "cirros", "image"),
        ("nova.keypair", "demo-key", "key_name"),
        ("neutron.network", "private", "networks"),
    ],
)
def test_unknown_name_is_unknown_to_heat_too(constraint: str, name: str, property_name: str, demo: Connection) -> None:
    names = read_names(demo, load_name_kinds(), lambda _done, _total: None)
    assert (names.lacks(constraint, name), names.lacks(constraint, "absent")) == (False, True)
    opinion = validate(demo, bare(TEMPLATE.replace(name, "absent")))
    assert opinion.path[:3] == ("resources", "server", "properties")
    assert opinion.path[3] == property_name


def test_heat_finds_existing_names(demo: Connection) -> None:
    assert validate(demo, bare(TEMPLATE)).accepts

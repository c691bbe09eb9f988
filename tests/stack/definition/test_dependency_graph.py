from __future__ import annotations

import pytest

from heatstudio.stack.definition.dependency_graph import circle_graph, dependency_graph
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.order import circles
from heatstudio.template import parse_template


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def graph(knowledge: Knowledge, resources: str) -> dict[str, tuple[str, ...]]:
    template = parse_template(f"heat_template_version: 2021-04-16\nresources:\n{resources}")
    assert template.problems == ()
    return dependency_graph(*define(Source(template), knowledge, not_created=True))


SUBNETS = """\
  private: {type: OS::Neutron::Subnet, properties: {network: private, cidr: 10.0.0.0/24}}
  other: {type: OS::Neutron::Subnet, properties: {network_id: other, cidr: 10.0.1.0/24}}
"""


def test_port_depends_on_the_subnets_of_its_network_by_old_and_new_names(knowledge: Knowledge) -> None:
    ports = (
        "  one: {type: OS::Neutron::Port, properties: {network: private}}\n"
        "  two: {type: OS::Neutron::Port, properties: {network: other}}\n"
    )
    needs = graph(knowledge, SUBNETS + ports)
    assert needs["one"] == ("private",)
    assert needs["two"] == ("other",)


def test_networks_of_the_stack_are_indistinguishable_before_creation(knowledge: Knowledge) -> None:
    made = (
        "  net: {type: OS::Neutron::Net}\n"
        "  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}\n"
        "  net2: {type: OS::Neutron::Net}\n"
        "  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net2}}}\n"
    )
    assert graph(knowledge, made)["port"] == ("net2", "sub")


def test_server_depends_on_a_subnet_with_an_unknown_network(knowledge: Knowledge) -> None:
    made = (
        "  net: {type: OS::Neutron::Net}\n"
        "  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}\n"
        "  server: {type: OS::Nova::Server, properties: {flavor: f, image: i, networks: [{network: private}]}}\n"
        "  lonely: {type: OS::Nova::Server, properties: {flavor: f, image: i}}\n"
    )
    needs = graph(knowledge, SUBNETS + made)
    assert set(needs["server"]) == {"private", "sub"}
    assert needs["lonely"] == ()


def test_router_has_implied_dependencies_only_with_a_gateway(knowledge: Knowledge) -> None:
    routers = (
        "  plain: {type: OS::Neutron::Router}\n"
        "  gateway: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: other}}}\n"
        "  address: {type: OS::Neutron::FloatingIP, properties: {floating_network: other}}\n"
    )
    needs = graph(knowledge, SUBNETS + routers)
    assert needs["plain"] == ()
    assert needs["gateway"] == ("other",)
    assert needs["address"] == ("gateway",)


def test_floating_ip_depends_on_the_router_interface_of_its_port(knowledge: Knowledge) -> None:
    made = (
        "  port: {type: OS::Neutron::Port, properties: {network: n, fixed_ips: [{subnet: s}]}}\n"
        "  interface: {type: OS::Neutron::RouterInterface, properties: {router: r, subnet: s}}\n"
        "  elsewhere: {type: OS::Neutron::RouterInterface, properties: {router: r, subnet: t}}\n"
        "  address: {type: OS::Neutron::FloatingIP, properties: {floating_network: p, port_id: {get_resource: port}}}\n"
    )
    assert graph(knowledge, made)["address"] == ("port", "interface")


def test_explicit_dependencies_and_references_count_once(knowledge: Knowledge) -> None:
    made = (
        "  a: {type: OS::Heat::Value, properties: {value: 1}}\n"
        "  b: {type: OS::Heat::Value, depends_on: a, properties: {value: {get_attr: [a, value]}}}\n"
    )
    assert graph(knowledge, made) == {"a": (), "b": ("a",)}


def test_cycles_through_implied_dependencies_are_found(knowledge: Knowledge) -> None:
    made = (
        "  sub: {type: OS::Neutron::Subnet, depends_on: port, properties: {network: n, cidr: 10.0.0.0/24}}\n"
        "  port: {type: OS::Neutron::Port, properties: {network: n}}\n"
        "  free: {type: OS::Neutron::Port, properties: {network: n}}\n"
    )
    template = parse_template(f"heat_template_version: 2021-04-16\nresources:\n{made}")
    stack, types = define(Source(template), knowledge, not_created=True)
    graph = circle_graph(stack, types)
    assert list(circles(graph)) == [("sub", "port")]
    assert graph["free"] == ()
    assert list(circles(dependency_graph(stack, types))) == [("sub", "port")]

from __future__ import annotations

import json
import subprocess
import textwrap
from pathlib import Path

import pytest

from heatstudio.analysis import analyze
from heatstudio.analysis.assist.available import Available
from heatstudio.analysis.assist.snippet_library import resources_snippet, snippet_templates, why_no_snippet
from heatstudio.analysis.assist.snippets import (
    insertion_for,
    name_for,
    resource_text,
    snippet_insertion_for,
    unique_name,
)
from heatstudio.analysis.scope.calls import GET_PARAM, calls
from heatstudio.analysis.scope.semantic_model import map_at
from heatstudio.assets import resource_path
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.definition.source import Source
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import CannotEditError, Dialect, Template, parse_template
from heatstudio.template.dialect import AWS, CFN_KEY, NEWEST_HOT
from heatstudio.text import CheckFamily, Severity, apply_edits
from tests.analysis.semantic_models import HOT, completions, knowledge, model_of
from tests.analysis.snippet_text import snippet_text

HEADS = {NEWEST_HOT: HOT + "resources:\n", AWS: f"{CFN_KEY}: {AWS.version}\nResources:\n"}
NEEDS_ANOTHER = {"OS::Heat::InstanceGroup"}
"""Types that require another resource in the stack."""


def resource_type(name: str) -> ResourceType:
    found = knowledge().catalog.get(name)
    assert found is not None
    return found


def problems(template: Template) -> list[str]:
    return [one.message for one in analyze(Source(template), knowledge()).diagnostics if one.severity is Severity.ERROR]


def advice(template: Template) -> list[str]:
    found = analyze(Source(template), knowledge()).diagnostics
    return [one.message for one in found if one.family is CheckFamily.ADVICE]


def test_samples_follow_the_advice() -> None:
    samples = sorted(resource_path("samples").rglob("*.yaml"))
    assert samples
    assert [one for path in samples for one in advice(parse_template(path.read_text(encoding="utf-8")))] == []


@pytest.mark.parametrize("words", [NEWEST_HOT, AWS], ids=lambda words: words.version_key)
def test_inserted_resource_of_every_type_is_valid(words: Dialect) -> None:
    wrong = {}
    model = model_of(HEADS[words])
    for name in knowledge().catalog.visible_names:
        edit = insertion_for(model, 0, resource_type(name))
        said = problems(parse_template(apply_edits(model.template.text, [edit])))
        if said and name not in NEEDS_ANOTHER:
            wrong[name] = said
    assert wrong == {}


KINDS = ("Net", "Subnet", "Router", "Port", "SecurityGroup", "FloatingIP", "QoSPolicy", "AddressScope", "SubnetPool")
WIRED = HOT + (
    "parameters:\n  img: {type: string, constraints: [{custom_constraint: glance.image}]}\nresources:\n"
    + "".join(f"  {kind.lower()}: {{type: OS::Neutron::{kind}}}\n" for kind in KINDS)
    + "  listener: {type: OS::Octavia::Listener}\n  volume: {type: OS::Cinder::Volume}\n"
)


def test_inserted_resource_refers_to_what_fits() -> None:
    def inserted(name: str) -> dict[str, object]:
        model = model_of(WIRED)
        edit = insertion_for(model, len(WIRED), resource_type(name))
        after = parse_template(apply_edits(WIRED, [edit]))
        *_, last = map_at(after, ("resources",)).values()
        found = at(last, ("properties",))
        return found if isinstance(found, dict) else {}

    assert inserted("OS::Octavia::LoadBalancer") == {"vip_subnet": {"get_resource": "subnet"}}
    assert inserted("OS::Octavia::Pool")["listener"] == {"get_resource": "listener"}
    assert inserted("OS::Nova::Server")["image"] == {"get_param": "img"}
    assert inserted("OS::Neutron::Trunk") == {"port": {"get_resource": "port"}}
    ring = inserted("OS::Neutron::RouterInterface")
    assert ring == {"router": {"get_resource": "router"}, "subnet": {"get_resource": "subnet"}}


def test_wired_resource_of_every_type_is_valid() -> None:
    model, wrong = model_of(WIRED), {}
    before = set(problems(model.template))
    for name in knowledge().catalog.visible_names:
        edit = insertion_for(model, len(WIRED), resource_type(name))
        said = set(problems(parse_template(apply_edits(WIRED, [edit])))) - before
        if said and name not in NEEDS_ANOTHER:
            wrong[name] = said
    assert wrong == {}


def test_tab_stops_are_name_and_values() -> None:
    found = resource_type("OS::Neutron::RouterInterface")
    edit = snippet_insertion_for(model_of(""), 0, found)
    assert edit.text == (
        f"{HOT}\nresources:\n  ${{1:router_interface}}:\n    type: OS::Neutron::RouterInterface\n    properties:\n"
        "      router: ${2:<router>}\n      subnet: ${3:<subnet>}\n"
    )


def test_names_in_the_style_of_the_language() -> None:
    assert name_for(resource_type("OS::Nova::Server"), NEWEST_HOT) == "server"
    assert name_for(resource_type("OS::Neutron::FloatingIP"), NEWEST_HOT) == "floating_ip"
    assert name_for(resource_type("AWS::EC2::EIPAssociation"), AWS) == "EIPAssociation"


def test_unique_name_has_the_next_number() -> None:
    template = parse_template(HOT + "parameters: {a: {type: string}}\nresources: {a_2: {type: X}}\n")
    assert unique_name(template, "a") == "a_3"
    assert unique_name(template, "b") == "b"


@pytest.mark.parametrize(
    "text",
    [
        "",
        HOT,
        HOT + "resources:\n",
        HOT + "resources:\n  server:\n    type: X\n\n  b: {type: X}\noutputs: {}\n",
        HOT + "resources: {}\n",
        HOT + "resources:\n  server:\n    type: X\n    metadata:\n      script: |\n        a\n        b\n",
        HOT + "resources: {server: {type: X}}\n",
        '{"heat_template_version": "2021-04-16"}',
    ],
)
def test_insertion_is_valid_in_any_template(text: str) -> None:
    model = model_of(text)
    found = resource_type("OS::Nova::Server")
    edit = insertion_for(model, len(text) // 2, found)
    snippet = snippet_insertion_for(model, len(text) // 2, found)
    after = parse_template(apply_edits(text, [edit]))
    assert after.complete
    resources = after.data["resources"]
    assert isinstance(resources, dict)
    name = "server_2" if "server" in text else "server"
    assert resources[name]["type"] == "OS::Nova::Server"
    assert snippet_text(snippet.text) == edit.text
    assert f"${{1:{name}}}" in snippet.text.replace('"', "")


def test_resource_is_inserted_after_the_one_at_the_cursor() -> None:
    text = HOT + "resources:\n  a: {type: X}\n  b: {type: X}\n"
    edit = insertion_for(model_of(text), text.index("a:"), resource_type("OS::Heat::Value"))
    assert list(parse_template(apply_edits(text, [edit])).entries("resources")) == ["a", "value", "b"]


def test_no_insertion_into_an_unreadable_text() -> None:
    with pytest.raises(CannotEditError, match="syntax errors"):
        insertion_for(model_of(HOT + "resources: [\n"), 0, resource_type("OS::Heat::Value"))


@pytest.mark.parametrize("library", snippet_templates(), ids=lambda library: str(library.data["description"]))
def test_bundled_snippets_are_valid(library: Template) -> None:
    assert advice(library) == problems(library) == []
    model = model_of(HOT)
    source = resources_snippet(library, model, Available.at(model, ""))
    lines = snippet_text(source).split("\n")
    text = HOT + "resources:\n" + "\n".join(f"  {line}" if line else line for line in lines) + "\n"
    assert advice(parse_template(text)) == problems(parse_template(text)) == []
    assert GET_PARAM not in [call for call, *_ in calls(parse_template(text).data, ())]
    assert set(parse_template(text).entries("resources")) == set(library.entries("resources"))


def test_bundled_snippets_are_accepted_by_heat(heat_python: str, shared: Path) -> None:
    files = sorted(resource_path("snippets").glob("*.yaml"))
    listed = "\n".join(map(str, files))
    command = [heat_python, str(shared / "engine" / "ask_heat.py"), "validate", "--list", "/dev/stdin"]
    done = subprocess.run(command, input=listed, capture_output=True, text=True, check=True, timeout=300)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["full"] for answer in answers] == ["ok"] * len(files)


def test_bundled_snippet_refers_to_what_the_template_has() -> None:
    text = WIRED + "  near:\n    type: OS::Neutron::Subnet\n    properties: {network: {get_resource: net}}\n  ‸\n"
    found = {one.label: one.insert_text for one in completions(text)}
    assert "vip_subnet: {get_resource: ${1:near}}" in found["Load balancer with a pool, two members and a monitor"]
    assert "image: {get_param: ${4:img}}" in found["Load balancer with autoscaling behind it"]


USUAL = """heat_template_version: 2021-04-16
parameters:
  image: {type: string, constraints: [{custom_constraint: glance.image}]}
  flavor: {type: string, constraints: [{custom_constraint: nova.flavor}]}
  key: {type: string, constraints: [{custom_constraint: nova.keypair}]}
  public_net: {type: string, constraints: [{custom_constraint: neutron.network}]}
resources:
  net: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: {get_param: public_net}}}}
  interface:
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}
  web:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      key_name: {get_param: key}
      networks: [{network: {get_resource: net}}]
"""
GIVEN = {name: name for name in ("image", "flavor", "key", "public_net")}


@pytest.mark.parametrize("library", snippet_templates(), ids=lambda library: str(library.data["description"]))
def test_bundled_snippet_gives_no_diagnostic_in_a_usual_template(library: Template) -> None:
    source = resources_snippet(library, model_of(USUAL), Available.at(model_of(USUAL), ""))
    text = USUAL + textwrap.indent(snippet_text(source), "  ") + "\n"
    found = analyze(Source(parse_template(text), parameter_values=GIVEN), knowledge()).diagnostics
    assert [(one.code, one.message) for one in found] == []


def test_inserted_resource_waits_for_the_interface_of_a_router() -> None:
    model = model_of(USUAL)
    text = apply_edits(USUAL, [insertion_for(model, len(USUAL), resource_type("OS::Neutron::VPNService"))])
    assert at(parse_template(text).data, ("resources", "vpn_service", "depends_on")) == "interface"
    for kind in filter(None, map(knowledge().catalog.get, knowledge().catalog.visible_names)):
        inserted = parse_template(apply_edits(USUAL, [insertion_for(model, len(USUAL), kind)]))
        found = analyze(Source(inserted, parameter_values=GIVEN), knowledge()).diagnostics
        assert "missing-dependency" not in {one.code for one in found}, kind.name


def test_bundled_snippet_refers_to_the_type_that_a_property_names() -> None:
    text = HOT + "resources:\n  web:\n    type: OS::Nova::Server\n  vol‸\n"
    (volume,) = (one for one in completions(text) if one.label == "Volume that is attached to a server")
    assert "instance_uuid: {get_resource: ${2:web}}" in volume.insert_text


@pytest.mark.parametrize("words", [NEWEST_HOT, AWS], ids=lambda words: words.version_key)
@pytest.mark.parametrize("is_full", [False, True])
def test_text_of_a_resource_is_the_one_that_is_inserted(words: Dialect, is_full: bool) -> None:
    found = resource_type("OS::Neutron::RouterInterface")
    text = resource_text(found, words, knowledge(), is_full=is_full)
    assert list(parse_template(text).data) == [name_for(found, words)]
    inserted = insertion_for(model_of(HEADS[words]), 0, found)
    assert is_full or text.strip() == textwrap.dedent(inserted.text).strip()


def test_at_least_four_bundled_snippets_exist() -> None:
    words = " ".join(str(library.data["description"]) for library in snippet_templates())
    for word in ("floating IP", "Security group", "Autoscaling", "Script", "pool", "behind it", "DNS", "signals"):
        assert word in words


OWN = """heat_template_version: 2021-04-16
# of mine
parameters:
  size: {type: number, default: 3}
  zone: {type: string}
  tags: {type: json, default: {a: 1}}
resources:
  # the volume
  volume:
    type: OS::Cinder::Volume
    properties:
      size: {get_param: size}
      availability_zone: {get_param: zone}
      metadata: {get_param: [tags, a]}
      name: {get_param: 'OS::stack_name'}

  other: {type: OS::Heat::Value, properties: {value: {get_resource: volume}}}
outputs:
  o: {value: {get_attr: [volume, size]}}
"""


def test_users_snippet_is_suggested_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "heatstudio" / "snippets"
    folder.mkdir(parents=True)
    (folder / "my volume.yaml").write_text(OWN, encoding="utf-8")
    (folder / "broken.yaml").write_text("resources: [", encoding="utf-8")
    text = HOT + "resources:\n  volume: {type: OS::Heat::Value}\n  ‸"
    found = {one.label: one for one in completions(text)}
    assert "broken" not in found
    mine = found["my volume"]
    assert mine.detail == "2 resources, your own"
    inserted = snippet_text(mine.insert_text)
    assert inserted.startswith("# the volume\nvolume_2:\n  type: OS::Cinder::Volume\n")
    assert "    size: 3\n    availability_zone: zone\n" in inserted
    assert "metadata: {get_param: [tags, a]}" in inserted
    assert "{get_param: 'OS::stack_name'}" in inserted
    assert inserted.endswith("{value: {get_resource: volume_2}}}")


@pytest.mark.parametrize(
    "text",
    ["a: [", HOT, "heat_template_version: 2021-04-16\nresources: {a: {type: OS::Heat::None}}\n", "Resources: {}\n"],
)
def test_invalid_snippet_has_a_reason(text: str) -> None:
    assert why_no_snippet(parse_template(text)).endswith(".")

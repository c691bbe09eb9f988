"""Texts and files that a simulated user opens, types and drops."""

from __future__ import annotations

from pathlib import Path

from heatstudio.assets import resource_path
from heatstudio.ui.commands.files import SAMPLE
from tests.benchmarks.template_text import template_text

_NESTED = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 3}
resources:
  inner:
    type: leaf.yaml
    properties: {name: {get_param: size}}
  members:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: size}
      resource_def: {type: leaf.yaml, properties: {name: "%index%"}}
outputs:
  all: {value: {get_attr: [members, label]}}
"""
_LEAF = """\
heat_template_version: 2018-08-31
parameters:
  name: {type: string}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}
outputs:
  label: {value: {get_resource: net}}
"""
_CFN = """\
AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Flavor: {Type: String, Default: small}
Resources:
  Web:
    Type: AWS::EC2::Instance
    Properties: {ImageId: debian, InstanceType: {Ref: Flavor}}
Outputs:
  Address: {Value: {'Fn::GetAtt': [Web, PublicIp]}}
"""
FILES = {
    "shop.yaml": resource_path(*SAMPLE).read_text("utf-8"),
    "nested.yaml": _NESTED,
    "leaf.yaml": _LEAF,
    "cfn.yaml": _CFN,
    "environment.yaml": "parameters: {size: 4}\nresource_registry: {'My::Leaf': leaf.yaml}\n",
    "cells.yaml": template_text(60),
    "broken.yaml": "heat_template_version: 2018-08-31\nresources:\n  a: {type: [\n\tb: : 'x\n",
    "json.json": '{"heat_template_version": "2018-08-31", "resources": {"a": {"type": "OS::Heat::None"}}}\n',
    "empty.yaml": "",
}
"""Templates and other texts by file name, most of them valid."""
TYPES = ("OS::Nova::Server", "OS::Neutron::Port", "OS::Heat::ResourceGroup", "OS::Nothing::Known", "")
PIECES = (
    "a", "b", " ", "\n", ":", "- ", "  ", "'", '"', "{", "}", "[", "]", "#", "|", "\t", "&x ", "*x", "é", "\U0001f600",
    "name: ", "type: OS::Nova::Server\n", "get_param: ", "{get_resource: server}", "resources:\n  ", "properties:\n",
    "count: 3\n", "heat_template_version: 2021-04-16\n", "  web:\n    type: OS::Neutron::Net\n", "get_attr: [server, ",
    "# heatstudio: ignore[type-not-found]\n", "parameters:\n  p: {type: string}\n", "OS::", "%index%", "$.a", "null",
)  # fmt: skip


def write_files(folder: Path) -> None:
    """Fill a folder with templates, and with entries that cannot be opened."""
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "binary.yaml").write_bytes(bytes(range(256)))
    (folder / "folder.yaml").mkdir()
    (folder / "nowhere.yaml").symlink_to(folder / "missing")

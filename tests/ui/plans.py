"""A template before and after an update that changes a resource in each way."""

from __future__ import annotations

from functools import reduce

BEFORE = """heat_template_version: 2021-04-16
resources:
  data: {type: AWS::EC2::Volume, properties: {AvailabilityZone: nova, Size: '10'}}
  network: {type: OS::Neutron::Net, properties: {tenant_id: web}}
  text: {type: OS::Heat::RandomString, properties: {salt: {get_attr: [network, name]}}}
  server: {type: OS::Nova::Server, properties: {flavor: m1.small, networks: [{network: a}], image: b}}
  old: {type: OS::Heat::None}
"""
CHANGES = {"old": "new", "'10'": "'11'", "tenant_id: web": "name: web", "small": "large"}
AFTER = reduce(lambda text, change: text.replace(*change), CHANGES.items(), BEFORE)

"""Sample templates for random edits, with all kinds of dependencies between parts of a text."""

from __future__ import annotations

Sample = dict[str, str]
"""The texts of a template and of its other files, by name."""

_HOT = """heat_template_version: 2018-08-31
description: one of everything
parameters:
  size: {type: number, default: 3, constraints: [{range: {min: 0, max: 9}}]}
  name: {type: string}
  zones: {type: comma_delimited_list, default: "a,b"}
  facts: {type: json, default: {a: 1}}
parameter_groups:
  - {label: all, parameters: [size, name]}
conditions:
  big: {equals: [{get_param: size}, 3]}
  small: {not: big}
  both: {and: [big, small]}
  first: {or: [second, big]}
  second: {not: first}
resources:
  net: {type: OS::Neutron::Net, condition: big, properties: {name: {get_param: name}}}
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: 10.0.0.0/24
      enable_dhcp: {if: [big, true, {get_attr: [net, shw]}]}
  router: {type: OS::Neutron::Router}
  interface:
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}
  port:
    type: OS::Neutron::Port
    # heatstudio: ignore[unknown-property] kept
    properties: {network: {get_resource: net}, fixed_ips: [{subnet: {get_resource: subnet}}], nme: a}
  random: {type: OS::Heat::RandomString, depends_on: [subnet], properties: {length: {get_param: [size, 0]}}}
  group:
    type: OS::Heat::ResourceGroup
    condition: {not: {equals: [{get_param: size}, 0]}}
    properties:
      count: {get_param: size}
      resource_def: {type: OS::Heat::RandomString, properties: {lenght: 1, salt: {get_attr: [random, value]}}}
  server:
    type: OS::Nova::Server
    deletion_policy: {get_param: name}
    metadata: {group: {get_attr: [group, refs]}, of: {get_attr: [group, resource.0.vaule]}}
    properties:
      flavor: m1.small
      networks: [{port: {get_resource: port}}]
      user_data:
        str_replace:
          template: |
            hello $name
          params: {$name: {get_param: name}, $all: {list_join: [",", {get_param: zones}]}}
outputs:
  a: {value: {get_attr: [random, value]}, condition: big}
  b: {value: {get_attr: [group, value]}}
  c:
    value: {get_resource: server}
"""

_NESTED = """heat_template_version: 2016-10-14
parameters:
  size: {type: number}
  naming: {type: string, default: x}
  whole: {type: json, default: {}}
conditions:
  some: {equals: [{get_param: size}, 3]}
resources:
  one:
    type: my.yaml
    metadata: {a: 1}
    properties: {size: {get_param: size}}
  two: {type: my.yaml, properties: {size: 1, name: {get_param: naming}}, depends_on: one}
  three: {type: "My::Type", properties: {name: x}, metadata: {b: {get_attr: [one, there]}}}
  four:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: My::Type, properties: {size: {get_attr: [two, nowhere]}}}}
  five:
    type: OS::Heat::ResourceChain
    properties: {resources: [my.yaml, My::Type], resource_properties: {size: 2, name: a}}
  six: {type: OS::Heat::RandomString, condition: some, properties: {salt: {get_file: x.txt}}}
  seven: {type: deep/inner.yaml, properties: {wanted: {get_attr: [four, there]}}}
outputs:
  o: {value: {get_attr: [three, there]}}
"""
_INNER = """heat_template_version: 2016-10-14
parameters:
  size: {type: number}
  name: {type: string}
  list: {type: comma_delimited_list, default: ""}
resources:
  r:
    type: OS::Heat::RandomString
    metadata: {resource_facade: metadata}
    properties: {length: {get_param: size}, salt: {get_param: name}}
  deep: {type: deep/inner.yaml, properties: {wanted: {get_resource: r}}}
outputs:
  there: {value: {get_attr: [r, value]}}
"""
_DEEPEST = """heat_template_version: 2016-10-14
parameters:
  wanted: {type: string}
resources:
  last: {type: OS::Heat::RandomString, deletion_policy: {resource_facade: deletion_policy}}
"""
_ENVIRONMENT = """parameters:
  size: 4
parameter_defaults:
  name: given
resource_registry:
  My::Type: my.yaml
  resources:
    three: {"My::Type": deep/inner.yaml}
"""

_SHARED = """# anchors
heat_template_version: rocky
x-common: &common
  flavor: small
  image: &image cirros
resources:
  one:
    type: OS::Nova::Server
    properties: &props
      <<: *common
      name: one
  two:
    type: OS::Nova::Server
    properties:
      <<: *props
      name: two
  three: &three
    type: OS::Heat::RandomString
  four: *three
  five: {type: OS::Nova::Server, properties: {image: *image, flavor: x}}
outputs:
  o: {value: *image}
"""

_CFN = """HeatTemplateFormatVersion: '2012-12-12'
Parameters:
  Size: {Type: Number, Default: '2'}
  Key: {Type: String}
Mappings:
  Regions: {a: {image: one}, b: {image: two}}
Conditions:
  Big: {"Fn::Equals": [{Ref: Size}, '2']}
Resources:
  Server:
    Type: AWS::EC2::Instance
    Condition: Big
    Properties:
      ImageId: {"Fn::FindInMap": [Regions, a, image]}
      InstanceType: {"Fn::If": [Big, m1.large, {Ref: Nothing}]}
      KeyName: {Ref: Key}
  Address: {Type: "AWS::EC2::EIP", DependsOn: Server, Properties: {InstanceId: {Ref: Server}}}
  Wait: {Type: "AWS::CloudFormation::WaitConditionHandle"}
Outputs:
  Ip: {Value: {"Fn::GetAtt": [Server, PublicIp]}}
  Zones: {Value: {"Fn::Select": [0, {"Fn::GetAZs": ""}]}}
"""

_JSON = """{
  "heat_template_version": "2014-10-16",
  "parameters": {"size": {"type": "number", "default": 1e3}},
  "resources": {
    "one": {"type": "OS::Heat::RandomString", "properties": {"length": {"get_param": "size"}}},
    "two": {"type": "OS::Heat::RandomString", "depends_on": "one"}
  },
  "outputs": {"o": {"value": {"get_attr": ["one", "value"]}}}
}
"""

_OLD = """heat_template_version: 2013-05-23
parameters:
  which: {type: string, default: "1"}
resources:
  a:
    type: OS::Heat::RandomString
    properties: {salt: {"Fn::Select": [0, [x, y]]}}
  b:
    type: OS::Neutron::FloatingIP
    properties: {floating_network: public, port_id: {"Fn::Join": ["", [a, {get_attr: [a, value]}]]}}
  c: {type: OS::Heat::RandomString, properties: {salt: {str_split: [",", "a,b"]}}}
  d: {type: OS::Heat::RandomString, properties: {salt: {get_prm: which}, length: {yaql: {expression: "1", data: 2}}}}
  e: {type: OS::Nova::Server, properties: {image: i, flavour: f, networks: [{fixed_ip: 1.2.3.4}]}}
outputs:
  o: {value: {list_join: [",", [a, b]]}}
"""

_ODD_NAMES = """---
heat_template_version: 2021-04-16
parameters: {5: {type: string, default: a}, on: {type: boolean, default: on}}
resources:
  1:
    type: OS::Heat::RandomString
  on: {type: OS::Heat::RandomString, depends_on: '1'}
  ~: {type: OS::Heat::None}
  "quoted": {type: OS::Heat::None, depends_on: [on, "1"]}
  ? complex
  : type: OS::Heat::None
  text:
    type: OS::Heat::None
    properties:
      a: |
        resources:
          not: one
      b: >-

        folded
      'c': "x \\
        y"
"""

_LOOKS = """heat_template_version: 2021-04-16
parameters:
  net: {type: string, default: twice}
  policy: {type: string, default: delete}
  there: {type: boolean, default: true}
conditions:
  on: {get_param: there}
resources:
  network: {type: OS::Neutron::Net, external_id: {get_attr: [other, show]}, condition: on}
  other: {type: OS::Neutron::Net, deletion_policy: {get_param: policy}, properties: {tags: [a]}}
  port:
    type: OS::Neutron::Port
    update_policy: {a: {get_attr: [group, refs]}}
    properties: {network: private, name: {get_attr: [other, mtu]}, tags: [b], qos_policy: q}
  group:
    type: OS::Heat::AutoScalingGroup
    update_policy: {rolling_updates: {min_in_service: {get_attr: [other, mtu]}}}
    properties: {min_size: 1, max_size: 2, resource: {type: a.yaml, properties: {net: {get_param: net}}}}
  a: {type: a.yaml, properties: {net: {get_attr: [group, outputs, x]}}, condition: {not: on}}
  b: {type: b.yaml, external_id: x, depends_on: a}
  files: {type: OS::Heat::Value, properties: {value: [{get_file: c.yaml}, {get_file: gone.txt}]}}
  quota: {type: OS::Octavia::Quota, properties: {project: p, pool: 1}}
  chosen: {type: OS::Heat::Value, properties: {value: {if: [on, {get_attr: [a, y]}, {get_resource: network}]}}}
  domain: {type: OS::Designate::Domain, properties: {name: example.com., email: a@example.com}}
outputs:
  tags: {value: {contains: [a, {get_attr: [port, tags]}]}, condition: on}
"""
_CIRCLE = """heat_template_version: rocky
parameters: {net: {type: string}}
resources: {r: {type: OTHER.yaml, properties: {net: {get_param: net}}}}
outputs: {x: {value: {resource_facade: deletion_policy}}}
"""

SAMPLES: tuple[Sample, ...] = (
    {"main.yaml": _HOT},
    {"main.yaml": _NESTED, "my.yaml": _INNER, "deep/inner.yaml": _DEEPEST, "x.txt": "text", "env.yaml": _ENVIRONMENT},
    {"main.yaml": _SHARED},
    {"main.yaml": _CFN},
    {"main.yaml": _JSON},
    {"main.yaml": _OLD},
    {"main.yaml": _ODD_NAMES},
    {"main.yaml": _ENVIRONMENT},
    {
        "main.yaml": _LOOKS,
        "a.yaml": _CIRCLE.replace("OTHER", "b"),
        "b.yaml": _CIRCLE.replace("OTHER", "c"),
        "c.yaml": _CIRCLE.replace("OTHER", "a"),
        "env.yaml": "parameters: {there: false}\n",
    },
)

"""Realistic templates of any size."""

from __future__ import annotations

from textwrap import dedent, indent

HEAD = """\
heat_template_version: 2018-08-31

description: >
  A shop of several cells. Each has its network, its servers behind a load
  balancer, and a database on a volume of its own.

parameters:
  image: {type: string, default: debian-12, description: The image of every server}
  flavor:
    type: string
    default: m1.small
    constraints:
      - custom_constraint: nova.flavor
  key_name: {type: string}
  public_network: {type: string, default: public}
  volume_size:
    type: number
    default: 20
    constraints:
      - range: {min: 1, max: 2000}
        description: Between 1 and 2000 gigabytes
  with_backup: {type: boolean, default: true}

conditions:
  backup: {equals: [{get_param: with_backup}, true]}

resources:
"""

CELL = (
    """\
    network_{cell}:
      type: OS::Neutron::Net
      properties:
        name: {{list_join: ['-', [{{get_param: 'OS::stack_name'}}, cell, '{cell}']]}}
    """,
    """\
    subnet_{cell}:
      type: OS::Neutron::Subnet
      properties:
        network: {{get_resource: network_{cell}}}
        cidr: 10.{high}.{low}.0/24
        dns_nameservers: [9.9.9.9, 149.112.112.112]
        allocation_pools:
          - start: 10.{high}.{low}.10
            end: 10.{high}.{low}.200
    """,
    """\
    # Who may talk to the servers of cell {cell}
    firewall_{cell}:
      type: OS::Neutron::SecurityGroup
      properties:
        rules:
          - {{protocol: tcp, port_range_min: 22, port_range_max: 22}}
          - protocol: tcp
            port_range_min: 443
            port_range_max: 443
            remote_ip_prefix: 0.0.0.0/0
    """,
    """\
    port_{cell}:
      type: OS::Neutron::Port
      properties:
        network: {{get_resource: network_{cell}}}
        fixed_ips:
          - subnet: {{get_resource: subnet_{cell}}}
        security_groups:
          - {{get_resource: firewall_{cell}}}
    """,
    """\
    server_{cell}:
      type: OS::Nova::Server
      depends_on: [subnet_{cell}]
      properties:
        image: {{get_param: image}}
        flavor: {{get_param: flavor}}
        key_name: {{get_param: key_name}}
        networks:
          - port: {{get_resource: port_{cell}}}
        metadata: {{cell: '{cell}', role: shop}}
        user_data_format: RAW
        user_data:
          str_replace:
            params:
              $ADDRESS: {{get_attr: [port_{cell}, fixed_ips, 0, ip_address]}}
              $CELL: '{cell}'
            template: |
              #!/bin/sh -e
              echo "cell $CELL at $ADDRESS" > /etc/motd
              if [ -b /dev/vdb ]; then
                  mount /dev/vdb /var/lib/database
              fi
    """,
    """\
    volume_{cell}:
      type: OS::Cinder::Volume
      deletion_policy: Snapshot
      properties:
        size: {{get_param: volume_size}}
        description: "Data of cell {cell}: orders, customers"
    """,
    """\
    attachment_{cell}:
      type: OS::Cinder::VolumeAttachment
      properties:
        volume_id: {{get_resource: volume_{cell}}}
        instance_uuid: {{get_resource: server_{cell}}}
        mountpoint: /dev/vdb
    """,
    """\
    address_{cell}:
      type: OS::Neutron::FloatingIP
      condition: backup
      properties:
        floating_network: {{get_param: public_network}}
        port_id: {{get_resource: port_{cell}}}
    """,
)
"""The resources of one cell, in the order in which authors usually write them."""

OUTPUT = """\
  address_of_cell_{cell}:
    description: Where cell {cell} answers
    value: {{get_attr: [port_{cell}, fixed_ips, 0, ip_address]}}
"""


def template_text(resources: int) -> str:
    """Return a valid template with at least one resource, and an output for each complete cell."""
    blocks = [indent(dedent(block), "  ") for block in CELL]
    pieces = [HEAD]
    for number in range(resources):
        cell, part = divmod(number, len(blocks))
        pieces += (blocks[part].format(cell=cell, high=cell // 256, low=cell % 256), "\n")
    cells = resources // len(blocks)
    if cells:
        pieces += ["outputs:\n", *(OUTPUT.format(cell=cell) for cell in range(cells))]
    return "".join(pieces)

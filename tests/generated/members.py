"""Random templates whose members and nested templates use their parameters as property values."""

from __future__ import annotations

from collections.abc import Mapping

from tests.generated.projects import NAMES, Projects
from tests.generated.values import Data

USES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "string": (("OS::Heat::RandomString", "salt"), ("OS::Neutron::Net", "name"), ("OS::Nova::KeyPair", "name")),
    "number": (("OS::Heat::RandomString", "length"), ("OS::Heat::TestResource", "action_wait_secs")),
    "boolean": (("OS::Neutron::Net", "shared"), ("OS::Heat::TestResource", "fail")),
    "comma_delimited_list": (("OS::Neutron::Port", "security_groups"), ("OS::Neutron::Subnet", "dns_nameservers")),
    "json": (("OS::Neutron::Net", "value_specs"), ("OS::Heat::Value", "value"), ("OS::Neutron::Port", "fixed_ips")),
}
"""Properties that take a parameter of each type."""
REQUIRED: Mapping[str, Data] = {
    "OS::Neutron::Port": {"network": "n"},
    "OS::Neutron::Subnet": {"network": "n", "cidr": "10.0.0.0/24"},
    "OS::Nova::KeyPair": {"name": "k"},
}


class MemberTemplates(Projects):
    """A generator of projects in which most resources are members, deterministic for a seed of `dice`."""

    def _resource(self, parameters: tuple[str, ...], nested: tuple[str, ...], before: tuple[object, ...]) -> Data:
        if len(nested) < 3 and parameters and self._chance(0.7):
            return self._leaf(parameters)
        made = super()._resource(parameters, nested, before)
        if "properties" not in made or str(made["type"]).startswith("OS::Heat::") or self._chance(0.4):
            return made
        count = self._count(parameters, before)
        kinds: tuple[Data, ...] = (
            {"type": "OS::Heat::ResourceGroup", "properties": {"count": count, "resource_def": made}},
            {"type": "OS::Heat::AutoScalingGroup", "properties": {"min_size": 1, "max_size": 2, "resource": made}},
        )
        return self._dice.choice(kinds)

    def _leaf(self, parameters: tuple[str, ...]) -> Data:
        """Return a resource with parameters as the values of properties."""
        name = self._dice.choice(parameters)
        kind, taker = self._dice.choice(USES[self._kinds[name if self._chance(0.9) else self._dice.choice(NAMES)]])
        given: object = {"get_param": name}
        if self._chance(0.2):
            given = {"get_param": [name, self._dice.choice((0, "a", "b"))]}
        elif self._chance(0.1):
            given = {"list_join": [",", [given, "x"]]}
        return {"type": kind, "properties": REQUIRED.get(kind, {}) | {taker: given}}

"""A port that is open to the world."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope import Finding, Place, ResourceScope, resource_check
from heatstudio.catalog.rules.advice import InboundRules, advice_facts
from heatstudio.template import TreePath
from heatstudio.text import CheckFamily

_WORLD = frozenset({"0.0.0.0/0", "::/0"})
_PROTOCOLS = {"tcp": "TCP ", "6": "TCP ", "udp": "UDP ", "17": "UDP ", "any": "", "-1": ""}
_LAST = 65535


@resource_check(family=CheckFamily.ADVICE)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield a finding about the written rules that open all ports, or ports of administration or data, to the world."""
    form = advice_facts().inbound_rules.get(scope.type.name) if scope.type is not None else None
    if form is None:
        return
    places: dict[TreePath, str] = {}
    listed = scope.raw_properties.get(form.rules) if form.rules else [scope.raw_properties]
    for index, rule in enumerate(listed if isinstance(listed, list) else ()):
        path: TreePath = (*scope.properties_path, form.rules, index) if form.rules else scope.properties_path
        if isinstance(rule, Mapping) and _is_for_all(rule, form) and (opened := _opened(rule, form)):
            key = next((key for key in (form.first, form.source, form.protocol) if key in rule), None)
            places[path if key is None else (*path, key)] = opened
    if places:
        first, *others = places
        opened = ", ".join(dict.fromkeys(places.values()))
        message = f"Every address can reach {opened}. Limit `{form.source}`."
        yield scope.finding(message, first, also=tuple(map(Place, others)))


def _is_for_all(rule: Mapping[object, object], form: InboundRules) -> bool:
    is_inbound = not any(rule.get(key) == value for key, value in form.unless.items())
    source = rule.get(form.source, "0.0.0.0/0")
    is_limited = any(rule.get(key) is not None for key in form.limits)
    return is_inbound and not is_limited and isinstance(source, str) and source in _WORLD


def _opened(rule: Mapping[object, object], form: InboundRules) -> str:
    """Return what a rule opens, in words; empty if that is nothing to mention or unknown."""
    protocol = rule.get(form.protocol, "any")
    first, last = (rule.get(key) for key in (form.first, form.last))
    word = _PROTOCOLS.get(str(protocol).lower())
    if word is None:
        return ""
    if first is None and last is None:
        return f"all {word}ports"
    low, high = _port(first), _port(last if last is not None else first)
    if low is None or high is None:
        return ""
    if low <= 1 and high >= _LAST:
        return f"all {word}ports"
    open_ports = [f"port {port} ({service})" for port, service in advice_facts().ports.items() if low <= port <= high]
    return ", ".join(open_ports[:3])


def _port(value: object) -> int | None:
    return int(value) if isinstance(value, (int, str)) and str(value).isdecimal() and len(str(value)) <= 5 else None

"""Data that are lost with a resource."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.scope.check import resource_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.catalog.rules.advice import advice_facts
from heatstudio.template import AddEntry, DataFix, Part
from heatstudio.text import Applicability, CheckFamily

CODE = "lost-data"


@resource_check(in_members=False, family=CheckFamily.ADVICE)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every resource whose deletion loses data, and that does not say what happens to them."""
    copies = advice_facts().data.get(scope.type.name) if scope.type is not None else None
    key = scope.words.deletion_policy
    if copies is None or scope.data_at((*scope.path, key)) is not None or not scope.is_validated:
        return
    if any(scope.raw_properties.get(name) is not None for name in copies):
        return
    finding = scope.finding(CODE, f"Deleting `{scope.name}` loses its data. Set `{key}`.", scope.path, Part.KEY)
    fixes = (_fix(scope, key, policy) for policy in ("Retain", "Delete"))
    yield replace(finding, fixes=tuple(fixes))


def _fix(scope: ResourceScope, key: str, policy: str) -> DataFix:
    change = AddEntry(scope.path, key, policy)
    return DataFix(f"Set `{key}` to {policy}", (change,), Applicability.DECISION)

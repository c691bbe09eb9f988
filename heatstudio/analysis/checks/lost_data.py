"""Data that are lost with a resource."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.catalog.rules.advice import advice_facts
from heatstudio.template import AddEntry, DataFix, Part
from heatstudio.text import Applicability, CheckFamily


@resource_check(in_members=False, family=CheckFamily.ADVICE)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every resource whose deletion loses data, and that does not say what happens to them."""
    copies = advice_facts().data.get(scope.type.name) if scope.type is not None else None
    key = scope.words.deletion_policy
    if copies is None or scope.data_at((*scope.path, key)) is not None or not scope.is_validated:
        return
    if any(scope.raw_properties.get(name) is not None for name in copies):
        return
    fixes = tuple(
        DataFix(f"Set `{key}` to {policy}", (AddEntry(scope.path, key, policy),), Applicability.DECISION)
        for policy in ("Retain", "Delete")
    )
    message = f"Deleting `{scope.name}` loses its data. Set `{key}`."
    yield scope.finding(message, scope.path, Part.KEY, fixes=fixes)

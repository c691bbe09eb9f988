"""Ways out of old properties: what the type's translation rules make of them, written into the template.

Which of two names is the old one is told by their support status, not by the rule (spec: support status guide).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from heatstudio.analysis.successors.effect import effect, has_function
from heatstudio.analysis.successors.emptied import emptied, has_parts
from heatstudio.analysis.successors.rebase import data_after, rebased
from heatstudio.analysis.successors.remade import remade
from heatstudio.analysis.successors.replaced import replaced
from heatstudio.analysis.successors.use import OLD, Proposal, Use
from heatstudio.catalog import ResourceType
from heatstudio.stack.pairing import Written
from heatstudio.stack.path import Path
from heatstudio.template import Remedy
from heatstudio.text import Applicability


def property_remedies(
    resource_type: ResourceType, written: Written, properties_data: Mapping[object, object], properties_path: Path
) -> tuple[Remedy, ...]:
    """The ways out of one written property that is DEPRECATED or HIDDEN, the best first.

    None if no rule says what to do, or if Heat could not read what the rule makes of it.
    """
    if written.schema.support_status.status not in OLD:
        return ()
    use = Use(resource_type, written, properties_data)
    remedies = [remedy for proposal in _proposals(use) for remedy in _judged(use, proposal, properties_path)]
    return tuple(sorted(remedies, key=lambda remedy: -remedy.applicability))


def _proposals(use: Use) -> Iterable[Proposal]:
    if has_parts(use):
        return emptied(use)
    return list(replaced(use)) or remade(use)


def _judged(use: Use, proposal: Proposal, above: Path) -> Iterator[Remedy]:
    """The remedy that a proposal is, with how freely it may be applied; none if Heat would refuse what it makes."""
    after = data_after(use.data, proposal.changes)
    if not isinstance(after, Mapping):
        return
    result = effect(use.type, use.data, after)
    changes = tuple(rebased(change, above) for change in proposal.changes)
    chosen = (use.written.value, *map(use.value_at, proposal.beside)) if proposal.beside else ()
    is_choice = bool(chosen) and (result.was_refused is not None or any(map(has_function, chosen)))
    if result.same and result.is_refused is None and not is_choice:
        yield Remedy(proposal.title, changes, Applicability.SAFE, preferred=True)
    elif proposal.only_if_same or (result.breaks and not result.same):
        return
    elif is_choice:
        yield Remedy(proposal.title, changes, Applicability.DECISION)
    else:
        reason = "Heat reads another value then"
        if result.is_refused is not None:
            reason = f"Heat checks the value then: {result.is_refused}"
        elif result.was_refused is not None:
            reason = f"Heat refuses it as it is: {result.was_refused}"
        yield Remedy(f"{proposal.title} ({reason})", changes, Applicability.UNSAFE)

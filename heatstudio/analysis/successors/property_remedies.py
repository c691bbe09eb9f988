"""Ways out of old properties: what the type's translation rules make of them, written into the template.

Which of two names is the old one is told by their support status, not by the rule (spec: support status guide).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from heatstudio.analysis.successors.effect import Read, effect, has_function
from heatstudio.analysis.successors.emptied import emptied, has_parts
from heatstudio.analysis.successors.rebase import data_after, rebased
from heatstudio.analysis.successors.remade import remade
from heatstudio.analysis.successors.replaced import replaced
from heatstudio.analysis.successors.use import OLD, Proposal, Use
from heatstudio.catalog import ResourceType
from heatstudio.stack.path import Path
from heatstudio.stack.values.pairing import Written
from heatstudio.template import Remedy
from heatstudio.text import Applicability


def property_remedies(
    resource_type: ResourceType,
    written: Written,
    properties_data: Mapping[str, object],
    properties_path: Path,
    read: Read | None = None,
) -> tuple[Remedy, ...]:
    """The ways out of one written property that is DEPRECATED or HIDDEN, the best first; `read` as for `effect`.

    None if no rule says what to do, or if Heat could not read what the rule makes of it: see `obstacle`.
    """
    judged = _judged(resource_type, written, properties_data, read)
    found = sorted((way for way in judged if isinstance(way, Remedy)), key=lambda remedy: -remedy.applicability)
    return tuple(
        replace(
            remedy,
            changes=tuple(rebased(change, properties_path) for change in remedy.changes),
            preferred=index == 0 and remedy.applicability is Applicability.SAFE,
        )
        for index, remedy in enumerate(found)
    )


def obstacle(resource_type: ResourceType, written: Written, properties_data: Mapping[str, object]) -> str:
    """Why there is no way out though a rule names a successor; empty if there is one, or no successor."""
    judged = _judged(resource_type, written, properties_data)
    if any(isinstance(found, Remedy) for found in judged):
        return ""
    return next((found for found in judged if isinstance(found, str)), "")


def _judged(
    resource_type: ResourceType, written: Written, data: Mapping[str, object], read: Read | None = None
) -> list[Remedy | str]:
    """Every proposal as a remedy, or the reason why it is none."""
    if written.schema.support_status.status not in OLD:
        return []
    use = Use(resource_type, written, data)
    return [_verdict(use, proposal, read) for proposal in _proposals(use)]


def _proposals(use: Use) -> Iterable[Proposal]:
    if has_parts(use):
        return emptied(use)
    return list(replaced(use)) or remade(use)


def _verdict(use: Use, proposal: Proposal, read: Read | None) -> Remedy | str:
    """How freely a proposal may be applied, or why it may not be at all."""
    after = data_after(use.data, proposal.changes)
    if not isinstance(after, Mapping):
        return "there is no place for the value where the successor belongs"
    result = effect(use.type, use.data, after, read)
    chosen = (use.written.value, *map(use.value_at, proposal.beside)) if proposal.beside else ()
    was_refused = proposal.refused or result.was_refused or None
    is_choice = bool(chosen) and (was_refused is not None or any(map(has_function, chosen)))
    if result.same and result.is_refused is None and not is_choice and not proposal.refused:
        return Remedy(proposal.title, proposal.changes)
    if result.breaks and not result.same:
        return f"Heat would refuse the successor: {result.is_refused}"
    if proposal.only_if_same:
        return "Heat would read another value from the successor"
    if is_choice:
        return Remedy(proposal.title, proposal.changes, Applicability.DECISION)
    reason = "Heat reads another value then"
    if result.is_refused is not None:
        reason = f"Heat checks the value then: {result.is_refused}"
    elif was_refused is not None:
        reason = f"Heat refuses it as it is: {was_refused}"
    return Remedy(f"{proposal.title} ({reason})", proposal.changes, Applicability.UNSAFE)

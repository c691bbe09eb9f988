"""What edits of a template would do to its stack, from an update preview of the text before and after."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.analysis.migrations.fix_all import disturbances
from heatstudio.analysis.refactorings import Refactored
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import Severity, apply_edits, real_path
from heatstudio.update.plan.outcome import Outcome, outcome_of
from heatstudio.update.plan.update_plan import ResourceChange

NEUTRAL = "No effect on the stack."
REJECTED = "Heat rejects the template as it is, so no stack has it."
_MOST_NAMES = 4


class EditEffect(Struct, frozen=True):
    """The effect of edits."""

    sentence: str = ""
    """What an update of the stack would do; empty if the text is no template."""
    refusal: str = ""
    """The first error that the edits would cause; empty if they cause none."""


def edit_effect(engine: Engine, snapshot: Snapshot, analysis: Analysis, result: Refactored) -> EditEffect:
    """Return the effect of edits of an analyzed snapshot and of files beside it."""
    if isinstance(analysis, EnvironmentAnalysis):
        return EditEffect()
    texts = dict(snapshot.open_texts)
    if snapshot.path is not None:
        folder = snapshot.path.parent
        texts |= {real_path(folder / one.file): apply_edits(one.text, one.edits) for one in result.files}
    text = apply_edits(analysis.template.text, result.edits)
    after = engine.analyze(snapshot._replace(text=text, open_texts=texts), analysis)
    before, errors = _errors(analysis), _errors(after)
    if errors.total() > before.total():
        return EditEffect(refusal=f"This would cause an error: {next(iter(errors - before))}")
    if result.probe is not None:
        cases = (result.probe.before, result.probe.after)
        old, new = (_errors(engine.analyze(snapshot._replace(text=case), analysis)) for case in cases)
        if new.total() > old.total():
            return EditEffect(refusal=f"This would cause an error {result.probe.words}: {next(iter(new - old))}")
    if errors != before:
        return EditEffect(REJECTED)
    return EditEffect(_sentence(disturbances(analysis.source, after.source, analysis.knowledge)))


def _errors(analysis: Analysis) -> Counter[str]:
    return Counter(one.message for one in analysis.diagnostics if one.severity is Severity.ERROR)


def _sentence(changes: Iterable[ResourceChange]) -> str:
    """Return the outcomes of changes as a sentence, most severe first."""
    names: dict[tuple[Outcome, bool], list[str]] = {}
    for change in changes:
        names.setdefault((outcome_of(change), change.certain), []).append(f"`{change.name}`")
    order = list(Outcome)
    parts = [
        f"{_listed(names[key])} {key[0].words(certain=key[1])}"
        for key in sorted(names, key=lambda key: (order.index(key[0]), not key[1]))
    ]
    return f"A stack update: {', '.join(parts)}." if parts else NEUTRAL


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"

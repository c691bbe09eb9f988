"""What edits of a template would do to its stack, from an update preview of the text before and after."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.analysis.migrations.fix_all import disturbances
from heatstudio.analysis.refactorings import Refactored
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.groups.group_truth import at
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
    stacks = [*_stacks(engine, snapshot, analysis, result)]
    for file, old, new in stacks:
        before, errors = _errors(old), _errors(new)
        if errors.total() > before.total():
            where = f" in `{file}`" if file else ""
            return EditEffect(refusal=f"This would cause an error{where}: {next(iter(errors - before))}")
    if result.probe is not None:
        cases = (result.probe.before, result.probe.after)
        before, errors = (_errors(engine.analyze(snapshot._replace(text=case), analysis)) for case in cases)
        if errors.total() > before.total():
            return EditEffect(refusal=f"This would cause an error {result.probe.words}: {next(iter(errors - before))}")
    sentences = [sentence for stack in stacks if (sentence := _effect(*stack))]
    return EditEffect(" ".join(sentences) or NEUTRAL)


def _stacks(
    engine: Engine, snapshot: Snapshot, analysis: Analysis, result: Refactored
) -> Iterator[tuple[str, Analysis, Analysis]]:
    """Yield the analyses before and after for the template, then for that of another stack with its file."""
    texts, text = dict(snapshot.open_texts), apply_edits(analysis.template.text, result.edits)
    edited = {} if snapshot.path is None else {real_path(snapshot.path.parent / one.file): one for one in result.files}
    texts |= {path: apply_edits(one.text, one.edits) for path, one in edited.items()}
    yield "", analysis, engine.analyze(snapshot._replace(text=text, open_texts=texts), analysis)
    for path, one in edited.items():
        if one.file == result.stack and snapshot.path is not None:
            old = Snapshot(one.text, path, root=snapshot.root, open_texts=snapshot.open_texts, target=snapshot.target)
            before, all_texts = engine.analyze(old, None), {**texts, real_path(snapshot.path): text}
            yield one.file, before, engine.analyze(old._replace(text=texts[path], open_texts=all_texts), before)


def _effect(file: str, before: Analysis, after: Analysis) -> str:
    """Return what an update would do to a stack, and which values it would need; empty if nothing."""
    if _errors(before) != _errors(after):
        return f"Heat rejects `{file}` as it is, so no stack has it." if file else REJECTED
    outcomes = _outcomes(disturbances(before.source, after.source, after.knowledge))
    subject = f"An update of the stack of `{file}`" if file else "A stack update"
    words = after.template.dialect
    old, new = (one.template.section(words.parameters) for one in (before, after))
    needed = [f"`{name}`" for name, one in new.items() if name not in old and at(one, (words.default,)) is None]
    parts = [f"{subject}: {outcomes}."] if outcomes else []
    parts += [f"It needs a value for {_listed(needed)}."] if needed else []
    return " ".join(parts)


def _errors(analysis: Analysis) -> Counter[str]:
    return Counter(one.message for one in analysis.diagnostics if one.severity is Severity.ERROR)


def _outcomes(changes: Iterable[ResourceChange]) -> str:
    """Return the outcomes of changes in words, most severe first; empty if there are none."""
    names: dict[tuple[Outcome, bool], list[str]] = {}
    for change in changes:
        names.setdefault((outcome_of(change), change.certain), []).append(f"`{change.name}`")
    order = list(Outcome)
    return ", ".join(
        f"{_listed(names[key])} {key[0].words(certain=key[1])}"
        for key in sorted(names, key=lambda key: (order.index(key[0]), not key[1]))
    )


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"

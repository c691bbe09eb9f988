"""The output formats of an update plan: lines of text, Markdown, plain data for JSON."""

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping

from heatstudio.stack.definition.secrets import MASK
from heatstudio.stack.functions.partial_text import PartialText
from heatstudio.stack.path import Path
from heatstudio.stack.unknown import NewKey, Unknown
from heatstudio.text import counted
from heatstudio.text.markup import Markdown
from heatstudio.update.difference import compare, referred_resource
from heatstudio.update.plan.outcome import Outcome, count_outcomes, outcome_of, totals_line
from heatstudio.update.plan.update_plan import ORDER, Action, Cause, Reason, ResourceChange, UpdatePlan, Verdict

UNKNOWN = "(not known yet)"
NOT_SET = "(not set)"
INVALID = "(invalid)"
LONGEST_VALUE = 60
CONTEXT = 16
"""Number of characters shown before the first difference of two long texts."""
MOST_NAMES = 3
"""Maximum number of failing resources named in the headline."""
INDENT = "    "


def totals(plan: UpdatePlan) -> str:
    """Return one line with the number of changes of each outcome, including groups and nested stacks."""
    return totals_line(count_outcomes(plan.accepted_changes))


def headline(plan: UpdatePlan) -> str:
    """Return the verdict on the whole update as a sentence without a full stop."""
    verdict = plan.verdict
    if verdict is Verdict.REFUSED:
        return f"Heat would reject this: {counted(len(plan.refusals), 'error')}"
    if verdict is Verdict.FAILS or verdict is Verdict.MAY_FAIL:
        certain = verdict is Verdict.FAILS
        places = (failure.names for failure in plan.failures if failure.certain is certain)
        names = [" in ".join(f"`{name}`" for name in reversed(place)) for place in places]
        return f"The update {'would' if certain else 'may'} fail at {_enumerated(names)}"
    return "Heat would accept this update" if verdict is Verdict.RUNS else "The update would change nothing"


def _enumerated(names: list[str]) -> str:
    """Return the names as `a`, `b` and 3 more."""
    first, rest = names[:MOST_NAMES], len(names) - MOST_NAMES
    if rest > 0:
        return f"{', '.join(first)} and {rest} more"
    return " and ".join(filter(None, (", ".join(first[:-1]), first[-1])))


def gravest_first(changes: tuple[ResourceChange, ...]) -> list[ResourceChange]:
    """Return the changes sorted by their most severe outcome, including nested changes; ties keep their order."""
    return sorted(changes, key=lambda change: min(ORDER.index(inner.action) for inner in (change, *change.inner)))


def further_reasons(change: ResourceChange) -> tuple[Reason, ...]:
    """Return the reasons of a change that belong to none of its causes."""
    reported = {reason for cause in change.causes for reason in cause.because}
    return tuple(reason for reason in change.because if reason not in reported)


def _chain(reasons: tuple[Reason, ...]) -> str:
    return f"because {', then '.join(reasons)}"


def plan_lines(plan: UpdatePlan) -> Iterator[str]:
    """Yield the lines of the headline, the changes and the totals; unchanged resources are left out."""
    yield headline(plan)
    if plan.refusals:
        yield from (f"{Outcome.NOT_SUPPORTED.symbol} {refusal}" for refusal in plan.refusals)
        return
    for change in gravest_first(plan.changes):
        yield from _lines(change, "")
    yield totals(plan)


def _lines(change: ResourceChange, indent: str) -> Iterator[str]:
    if change.action is Action.UNCHANGED:
        return
    outcome = outcome_of(change)
    yield f"{indent}{outcome.symbol:<4}{change.name}  {outcome.words(certain=change.certain)}  {change.type}"
    below = indent + INDENT
    for cause in change.causes:
        name, before, after = in_short(cause)
        yield f"{below}{name}: {before} -> {after}"
        if cause.sentence:
            yield f"{below}{INDENT}{cause.sentence}"
        if cause.because:
            yield f"{below}{INDENT}{_chain(cause.because)}"
    if further := further_reasons(change):
        yield f"{below}{_chain(further)}"
    yield from (f"{below}{note}" for note in change.notes)
    for member in change.members:
        yield from _lines(member, below)


def plan_markdown(plan: UpdatePlan, title: str = "Update preview") -> Markdown:
    """Return the plan as a Markdown report, which counts unchanged resources but does not list them."""
    return Markdown("{}\n").fill(Markdown("\n").join(_markdown(plan, title)))


def _markdown(plan: UpdatePlan, title: str) -> Iterator[Markdown]:
    yield Markdown("# {}\n").fill(title)
    yield Markdown("**{}**\n").fill(Markdown.sentence(headline(plan)))
    yield from (Markdown("- ⊘ {}").fill(Markdown.sentence(str(refusal))) for refusal in plan.refusals)
    if plan.refusals:
        return
    yield Markdown("{}, {} unchanged\n").fill(totals(plan).removesuffix("."), plan.summary[Action.UNCHANGED])
    for change in gravest_first(plan.changes):
        yield from _markdown_item(change, Markdown(""))


def _markdown_item(change: ResourceChange, indent: Markdown) -> Iterator[Markdown]:
    if change.action is Action.UNCHANGED:
        return
    outcome = outcome_of(change)
    words = outcome.words(certain=change.certain)
    symbol = Markdown.code(outcome.symbol)
    yield Markdown("{}- {} **{}** ({}): {}").fill(indent, symbol, change.name, change.type, words)
    below = Markdown("{}  ").fill(indent)
    line = Markdown("{}- {}")
    for cause in change.causes:
        name, before, after = in_short(cause)
        values = Markdown("{}: {} → {}.").fill(*map(Markdown.code, (name, before, after)))
        sentence = Markdown(" {}").fill(Markdown.sentence(cause.sentence)) if cause.sentence else ""
        yield line.fill(below, Markdown("{}{}").fill(values, sentence))
        if cause.because:
            yield Markdown("{}  - {}").fill(below, Markdown.sentence(_chain(cause.because)))
    if further := further_reasons(change):
        yield line.fill(below, Markdown.sentence(_chain(further)))
    yield from (line.fill(below, Markdown.sentence(note)) for note in change.notes)
    for member in change.members:
        yield from _markdown_item(member, below)


def plan_data(plan: UpdatePlan) -> dict[str, object]:
    """Return the plan as plain data for JSON."""
    inside = Counter(inner.action for change in plan.accepted_changes for inner in change.inner)
    return {
        "verdict": str(plan.verdict),
        "headline": headline(plan),
        "refusals": [{"message": r.message, "line": r.line or None} for r in plan.refusals],
        "failures": [{"resource": list(f.names), "certain": f.certain} for f in plan.failures],
        "resources": [_change_data(change) for change in plan.accepted_changes],
        "summary": {str(action): count for action, count in plan.summary.items()},
        "summary_inside": {str(action): inside[action] for action in ORDER},
    }


def _change_data(change: ResourceChange) -> dict[str, object]:
    return {
        "name": change.name,
        "type": change.type,
        "action": str(change.action),
        "certain": change.certain,
        "has_effect": change.has_effect,
        "causes": [
            {
                "property": cause.property,
                "before": shown(cause.before, secret=cause.secret),
                "after": shown(cause.after, secret=cause.secret),
                "effect": str(cause.effect),
                "because": list(cause.because),
            }
            for cause in change.causes
        ],
        "because": list(change.because),
        "members": [_change_data(member) for member in change.members],
    }


def shown(value: object, *, secret: bool = False) -> object:
    """Return a value as plain data for display, with secrets masked and placeholders for unknown values."""
    if value is None or isinstance(value, (bool, int)):
        return MASK if secret and value is not None else value
    if secret:
        return MASK
    if isinstance(value, Unknown):
        if not isinstance(value.key, PartialText):
            return UNKNOWN
        return "".join(piece if isinstance(piece, str) else UNKNOWN for piece in value.key.pieces)
    if isinstance(value, Mapping):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    return value if isinstance(value, (str, float)) else str(value)


def one_line(value: object, *, secret: bool = False) -> str:
    """Return a value for display on one line, not shortened."""
    if value is None:
        return NOT_SET
    if isinstance(value, Unknown) and not secret:
        return _described(value.key)
    found = shown(value, secret=secret)
    return MASK if found == MASK else json.dumps(found, ensure_ascii=False)


def _given(value: object) -> object:
    """Return a value without the null entries of maps, which schemas add."""
    if isinstance(value, Mapping):
        return {key: _given(item) for key, item in value.items() if item is not None}
    return [_given(item) for item in value] if isinstance(value, list) else value


def _described(key: Hashable) -> str:
    """Return the description of an unknown value with this key, or the placeholder."""
    if isinstance(key, NewKey):
        name = referred_resource(Unknown(key.instead_of))
        return f"a new ID of `{name}` {UNKNOWN}" if name is not None else UNKNOWN
    if isinstance(key, PartialText):
        text = "".join(piece if isinstance(piece, str) else UNKNOWN for piece in key.pieces)
        return json.dumps(text, ensure_ascii=False)
    if isinstance(key, tuple) and key[:1] in (("invalid",), ("failed",)):
        return INVALID
    name = referred_resource(Unknown(key))
    return f"the ID of `{name}`" if name is not None else UNKNOWN


def in_short(cause: Cause) -> tuple[str, str, str]:
    """Return the exact property path of a difference, and both values shortened around the difference."""
    path, old, new = ((), cause.before, cause.after) if cause.secret else _narrowed(cause.before, cause.after)
    before, after = (one_line(_given(value), secret=cause.secret) for value in (old, new))
    if before == after:  # the values differ only in null entries
        before, after = (one_line(value, secret=cause.secret) for value in (old, new))
    suffix = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    pairs = zip(before, after, strict=False)
    common = next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))
    start = max(common - CONTEXT, 0)
    return cause.property + suffix, _cut(before, start), _cut(after, start)


def narrowed_path(cause: Cause) -> Path:
    """Return the exact path of the difference between the two values of a cause, relative to the cause's path."""
    return _narrowed(cause.before, cause.after)[0]


def _narrowed(before: object, after: object) -> tuple[Path, object, object]:
    """Return the innermost path that contains all differences, and its two values."""
    path: Path = ()
    while True:
        different = list(_different(before, after))
        if len(different) != 1:
            return path, before, after
        ((step, before, after),) = different
        path = (*path, step)


def _different(before: object, after: object) -> Iterator[tuple[str | int, object, object]]:
    """Yield the differing items of two maps, or of two lists of the same length."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            if compare(before.get(key), after.get(key)) is not True:
                yield str(key), before.get(key), after.get(key)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            if compare(one, other) is not True:
                yield index, one, other


def _cut(text: str, start: int) -> str:
    if len(text) <= LONGEST_VALUE:
        return text
    head = "…" if start else ""
    tail = "…" if start + LONGEST_VALUE < len(text) else ""
    return f"{head}{text[start : start + LONGEST_VALUE]}{tail}"

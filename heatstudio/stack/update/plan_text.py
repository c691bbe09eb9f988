"""An update plan for people and programs: lines of text, Markdown, plain data for JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping

from heatstudio.stack.functions.partial_text import PartialText
from heatstudio.stack.path import Path
from heatstudio.stack.unknown import Anew, Unknown
from heatstudio.stack.update.difference import compare, referred_resource
from heatstudio.stack.update.reason import Reason
from heatstudio.stack.update.update_plan import ORDER, Action, Cause, ResourceChange, UpdatePlan

UNKNOWN = "(known after apply)"
MASK = "******"
LONGEST_VALUE = 60
CONTEXT = 16
"""Characters that are kept before the first difference of two long texts."""
INDENT = "    "
WITHOUT_EFFECT = "without effect"
_COUNTED = (
    (Action.ADDED, "to add"),
    (Action.UPDATED, "in place"),
    (Action.REPLACED, "to replace"),
    (Action.DELETED, "to delete"),
    (Action.NOT_SUPPORTED, "not supported"),
)


def totals(plan: UpdatePlan) -> str:
    """One sentence that counts each outcome separately, also inside of groups and nested stacks."""
    here = [change for change in plan.changes if change.has_effect]
    counts = Counter(change.action for change in here)
    inside = Counter(inner.action for change in here for inner in change.inner if inner.has_effect)
    told = [counted(counts[action], inside[action], words) for action, words in _COUNTED]
    quiet = plan.summary[Action.UPDATED] - counts[Action.UPDATED]
    return " · ".join([*told, f"{quiet} {WITHOUT_EFFECT}"] if quiet else told)


def counted(here: int, inside: int, words: str) -> str:
    """How many resources of a template have an outcome, and how many inside of them."""
    if not inside:
        return f"{here} {words}"
    return f"{here} {words}, {inside} more inside" if here else f"{inside} {words} inside"


def outlook(plan: UpdatePlan) -> str:
    """Whether the stack update as a whole gets through, in a sentence."""
    if plan.fails is None:
        return "The stack update may fail."
    return "The stack update will fail." if plan.fails else "Nothing stands in the way of the stack update."


def gravest_first(changes: tuple[ResourceChange, ...]) -> list[ResourceChange]:
    """What to look at first comes first, be it inside; otherwise in the order of the template."""
    return sorted(changes, key=lambda change: min(ORDER.index(one.action) for one in (change, *change.inner)))


def symbol(change: ResourceChange) -> str:
    """The sign before a row: what changes nothing looks like it."""
    return change.action.symbol if change.has_effect else Action.UNCHANGED.symbol


def verdict(change: ResourceChange) -> str:
    """What happens to a resource, in words; what is not certain only may happen."""
    if not change.has_effect and change.action is Action.UPDATED:
        return f"updated {WITHOUT_EFFECT}"
    if change.certain:
        return change.action.word
    return f"may be {change.action.word}"


def untold_reasons(change: ResourceChange) -> tuple[Reason, ...]:
    """The reasons of a change that are not those of one of its causes."""
    told = {reason for cause in change.causes for reason in cause.because}
    return tuple(reason for reason in change.because if reason not in told)


def _chain(reasons: tuple[Reason, ...]) -> str:
    return f"because {', then '.join(reasons)}"


def plan_lines(plan: UpdatePlan, *, unchanged: bool = False) -> Iterator[str]:
    """The plan line by line, the totals last; unchanged resources only if asked for."""
    for refusal in plan.refusals:
        yield f"{Action.NOT_SUPPORTED.symbol} {refusal}"
    for change in gravest_first(plan.changes):
        yield from _lines(change, "", unchanged)
    yield totals(plan)
    if plan.fails is not False:
        yield outlook(plan)


def _lines(change: ResourceChange, indent: str, unchanged: bool) -> Iterator[str]:
    if change.action is Action.UNCHANGED and not unchanged:
        return
    yield f"{indent}{symbol(change):<4}{change.name}  {verdict(change)}  {change.type}"
    below = indent + INDENT
    for cause in change.causes:
        name, before, after = in_short(cause)
        yield f"{below}{name}: {before} -> {after}"
        if cause.sentence:
            yield f"{below}{INDENT}{cause.sentence}"
        if cause.because:
            yield f"{below}{INDENT}{_chain(cause.because)}"
    if untold := untold_reasons(change):
        yield f"{below}{_chain(untold)}"
    yield from (f"{below}{note}" for note in change.notes)
    for member in change.members:
        yield from _lines(member, below, unchanged)


def plan_markdown(plan: UpdatePlan, title: str = "Update preview") -> str:
    """The plan as a report in Markdown; unchanged resources are only counted."""
    return "\n".join(_markdown(plan, title)) + "\n"


def _markdown(plan: UpdatePlan, title: str) -> Iterator[str]:
    yield f"# {title}"
    yield ""
    yield f"**{totals(plan)}**, {plan.summary[Action.UNCHANGED]} unchanged"
    if plan.fails is not False:
        yield ""
        yield f"**{outlook(plan)}**"
    yield ""
    yield from (f"- ⊘ **{refusal}**" for refusal in plan.refusals)
    for change in gravest_first(plan.changes):
        yield from _markdown_item(change, "")


def _markdown_item(change: ResourceChange, indent: str) -> Iterator[str]:
    if change.action is Action.UNCHANGED:
        return
    yield f"{indent}- `{symbol(change)}` **{change.name}** ({change.type}): {verdict(change)}"
    below = indent + "  "
    for cause in change.causes:
        name, before, after = in_short(cause)
        sentence = f" {cause.sentence}" if cause.sentence else ""
        yield f"{below}- `{name}`: {_code(before)} → {_code(after)}.{sentence}"
        if cause.because:
            yield f"{below}  - {_chain(cause.because)}"
    if untold := untold_reasons(change):
        yield f"{below}- {_chain(untold)}"
    yield from (f"{below}- {note}" for note in change.notes)
    for member in change.members:
        yield from _markdown_item(member, below)


def _code(text: str) -> str:
    """Text as code, whatever backquotes are in it."""
    fence = "``" if "`" in text else "`"
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def plan_data(plan: UpdatePlan) -> dict[str, object]:
    """The plan as plain data that JSON can hold."""
    inside = Counter(inner.action for change in plan.changes for inner in change.inner)
    return {
        "resources": [_change_data(change) for change in plan.changes],
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
    """A value as it may be shown: secrets are masked, and what is not known says so."""
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
    """A value on one line, as long as it is."""
    if isinstance(value, Unknown) and not secret:
        return _described(value.key)
    found = shown(value, secret=secret)
    return MASK if found == MASK else json.dumps(found, ensure_ascii=False)


def _given(value: object) -> object:
    """A value without the keys that nobody gave one: schemas fill them in."""
    if isinstance(value, Mapping):
        return {key: _given(item) for key, item in value.items() if item is not None}
    return [_given(item) for item in value] if isinstance(value, list) else value


def _described(key: Hashable) -> str:
    """What an unknown value is, where that can be said."""
    if isinstance(key, Anew):
        name = referred_resource(Unknown(key.instead_of))
        return f"a new id of `{name}` {UNKNOWN}" if name is not None else UNKNOWN
    if isinstance(key, PartialText):
        text = "".join(piece if isinstance(piece, str) else UNKNOWN for piece in key.pieces)
        return json.dumps(text, ensure_ascii=False)
    name = referred_resource(Unknown(key))
    return f"the id of `{name}`" if name is not None else UNKNOWN


def in_short(cause: Cause) -> tuple[str, str, str]:
    """Where exactly two values differ, and both of them shortened to where they begin to."""
    path, old, new = _narrowed(cause.before, cause.after)
    before, after = (one_line(_given(value), secret=cause.secret) for value in (old, new))
    if before == after:  # a key without a value is all that differs
        before, after = (one_line(value, secret=cause.secret) for value in (old, new))
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    pairs = zip(before, after, strict=False)
    common = next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))
    start = max(common - CONTEXT, 0)
    return cause.property + place, _cut(before, start), _cut(after, start)


def narrowed_path(cause: Cause) -> Path:
    """Where exactly the two values of a cause differ, below its own path."""
    return _narrowed(cause.before, cause.after)[0]


def _narrowed(before: object, after: object) -> tuple[Path, object, object]:
    """The innermost place that holds all of a difference."""
    path: Path = ()
    while True:
        different = list(_different(before, after))
        if len(different) != 1:
            return path, before, after
        ((step, before, after),) = different
        path = (*path, step)


def _different(before: object, after: object) -> Iterator[tuple[str | int, object, object]]:
    """The items that differ, if two values can be compared item by item."""
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

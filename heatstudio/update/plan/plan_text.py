"""The output formats of an update plan: lines of text, Markdown, plain data for JSON."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile
from textwrap import wrap

from msgspec.structs import replace

from heatstudio.text import counted, enumerated
from heatstudio.text.markup import Markdown
from heatstudio.text.shortened import shortened
from heatstudio.update.plan.demand_table import demand_cells, demand_data, demand_lines, demand_rows, demand_sentence
from heatstudio.update.plan.outcome import Outcome, count_outcomes, totals_line
from heatstudio.update.plan.plan_rows import (
    ChangeRow,
    DetailKind,
    EachRow,
    EqualRows,
    PlanBranch,
    ReasonRow,
    plan_branches,
)
from heatstudio.update.plan.property_lines import leaves, shown
from heatstudio.update.plan.update_plan import ORDER, Action, Cause, ResourceChange, UpdatePlan, Verdict

MOST_NAMES = 3
"""Maximum number of failing resources named in the headline."""
INDENT = "    "
_LEAST_ROOM = 40
"""Minimum number of characters for the values of a line, and for a line of a sentence."""
_MOST_ROOM = 120
"""Maximum number of characters for the values of a line."""


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
        work = "Creating the stack" if plan.is_creation else "The update"
        return f"{work} {'would' if certain else 'may'} fail at {_enumerated(names)}"
    if plan.is_creation:
        return "Heat would create this stack"
    return "Heat would accept this update" if verdict is Verdict.RUNS else "The update would change nothing"


def _enumerated(names: list[str]) -> str:
    """Return the names as `a`, `b` and 3 more."""
    rest = len(names) - MOST_NAMES
    return enumerated([*names[:MOST_NAMES], f"{rest} more" if rest > 0 else ""])


def plan_lines(plan: UpdatePlan, width: int = 0) -> Iterator[str]:
    """Yield the lines of the headline, the changes and the totals; unchanged resources are left out.

    Lines have at most `width` characters if the names leave room for that; 0 means any number.
    """
    yield headline(plan)
    if plan.refusals:
        yield from (f"{Outcome.NOT_SUPPORTED.symbol} {refusal}" for refusal in plan.refusals)
        return
    for depth, row in _rows(plan_branches(plan), 0):
        yield from _lines(row, INDENT * depth, width)
    yield totals(plan)
    if demand := demand_rows(plan):
        yield from ("", demand_sentence(demand), *demand_lines(demand))


def _lines(row: object, indent: str, width: int) -> list[str]:
    title, line = _title(row), row.line if isinstance(row, ReasonRow) else None
    if title is not None:
        symbol, name, words, kind = title
        return [f"{indent}{symbol:<4}{name}  {words}  {kind}"]
    if line is not None:
        room = max(width - len(f"{indent}{line.name}:  ->  ({line.tag})"), _LEAST_ROOM) if width else _MOST_ROOM
        return [f"{indent}{line.text(min(room, _MOST_ROOM), '->')} ({line.tag})"]
    text = row.text if isinstance(row, ReasonRow) else ""
    if not width:
        return [f"{indent}{text}"]
    return wrap(text, max(width, _LEAST_ROOM), initial_indent=indent, subsequent_indent=indent, break_long_words=False)


def _title(row: object) -> tuple[str, str, str, str] | None:
    """Return the symbol, name, outcome and type of one or more resources; None for other rows."""
    if isinstance(row, ChangeRow):
        words = row.outcome.words(certain=row.change.certain)
        return row.outcome.symbol, row.change.name, words, row.change.type
    if isinstance(row, EqualRows):
        first = row.rows[0]
        words = first.outcome.words(certain=first.change.certain)
        return first.outcome.symbol, row.names, f"{len(row.rows)} {words}", first.change.type
    return None


def _rows(branches: Iterable[PlanBranch], depth: int) -> Iterator[tuple[int, object]]:
    """Yield all rows from top to bottom, with their depth."""
    for branch in branches:
        yield depth, branch.row
        yield from _rows(_in_full(branch), depth + 1)


def _in_full(branch: PlanBranch) -> Iterator[PlanBranch]:
    """Yield the rows below a row for an output that shows all rows: each reason once, and no comparisons."""
    for at, one in enumerate(branch.below):
        row = one.row
        if isinstance(row, EachRow):
            yield from _each(branch.row, one)
        elif not isinstance(row, ReasonRow):
            yield one
        elif row.kind is DetailKind.BECAUSE:
            if at == 0 or not _is_reason(branch.below[at - 1]):
                yield PlanBranch(replace(row, text=_chain(branch.below[at:])))
        elif row.kind is not DetailKind.DIFF:
            following = branch.below[at + 1].row if at + 1 < len(branch.below) else None
            is_last = not isinstance(following, ReasonRow) or following.cause is not row.cause
            yield one if is_last or row.line is None else PlanBranch(row)


def _each(equal: object, each: PlanBranch) -> Iterator[PlanBranch]:
    """Yield the resources with lines of their own, or else the names of all."""
    own = [one for one in each.below if one.below]
    yield from own
    if not own and isinstance(equal, EqualRows) and len(equal.rows) > 2:
        names = ", ".join(row.change.name for row in equal.rows)
        yield PlanBranch(ReasonRow(equal.rows[0], DetailKind.NOTE, names))


def _is_reason(branch: PlanBranch) -> bool:
    return isinstance(branch.row, ReasonRow) and branch.row.kind is DetailKind.BECAUSE


def _chain(branches: Iterable[PlanBranch]) -> str:
    rows = (branch.row for branch in takewhile(_is_reason, branches))
    return f"because {', then '.join(row.text for row in rows if isinstance(row, ReasonRow))}"


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
    for depth, row in _rows(plan_branches(plan), 0):
        yield Markdown("{}- {}").fill("  " * depth, _markdown_item(row))
    if demand := demand_rows(plan):
        yield Markdown("\n{}\n").fill(demand_sentence(demand))
        header, *cells = demand_cells(demand)
        yield Markdown.table(header, cells)


def _markdown_item(row: object) -> Markdown:
    title, line = _title(row), row.line if isinstance(row, ReasonRow) else None
    if title is not None:
        symbol, name, words, kind = title
        return Markdown("{} **{}** ({}): {}").fill(Markdown.code(symbol), name, kind, words)
    if line is None:
        return Markdown.sentence(row.text if isinstance(row, ReasonRow) else "")
    sides = filter(None, shortened(line.before, line.after, _MOST_ROOM))
    values = Markdown.sentence(line.words) if line.words else Markdown(" → ").join(map(Markdown.code, sides))
    return Markdown("{}: {} ({})").fill(Markdown.code(line.name), values, line.tag)


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
        "demand": demand_data(demand_rows(plan)),
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
                "differences": _differences(cause),
                "because": list(cause.because),
            }
            for cause in change.causes
        ],
        "because": list(change.because),
        "hooks": list(change.hooks),
        "members": [_change_data(member) for member in change.members],
    }


def _differences(cause: Cause) -> list[dict[str, object]]:
    """Return the paths at which the values differ, with both values; none for secrets."""
    return [
        {
            "path": [cause.property, *leaf.path[len(cause.path) :]],
            "before": shown(leaf.before),
            "after": shown(leaf.after),
        }
        for leaf in (() if cause.secret else leaves(cause))
    ]

"""The answers of a cloud as rows for people."""

from __future__ import annotations

from collections.abc import Sequence

from heatstudio.cloud import Comparison, HeatsPreview, Opinion, StackEvent
from heatstudio.stack.path import Path
from heatstudio.text import counted
from heatstudio.ui.cloud.heat_model import Said
from heatstudio.ui.cloud.stacks_model import status_look, status_words
from heatstudio.ui.widgets.outcome import look_of, title_of
from heatstudio.ui.widgets.theme import Color
from heatstudio.update.outcome import outcome_of_action

_OF_HEAT = "Heat: {word}"


def opinion_rows(opinion: Opinion) -> tuple[str, list[Said]]:
    """A headline, and what Heat has against the template."""
    if opinion.accepts:
        return "Heat accepts this template.", []
    icon = ("severity-error", Color.ERROR)
    row = Said(opinion.message, icon, path=opinion.path, resource=_resource(opinion.path), wraps=True)
    return "Heat rejects this template; it reports only the first error:", [row]


def comparison_rows(rows: Sequence[Comparison], theirs: HeatsPreview) -> tuple[str, list[Said]]:
    """A headline that counts the differences, and the resources on which the two previews differ, then the others."""
    said = [_compared(row) for row in sorted(rows, key=lambda row: row.agrees)]
    if not theirs.refusal.accepts:
        message = theirs.refusal.message
        path = theirs.refusal.path
        refusal = Said(message, ("severity-error", Color.ERROR), path=path, resource=_resource(path), wraps=True)
        return "Heat's dry run rejects the update:", [refusal, *said]
    differing = sum(not row.agrees for row in rows)
    if not differing:
        return f"Heat's dry run agrees on {counted(len(rows), 'resource')}.", said
    return f"Heat's dry run differs for {differing} of {counted(len(rows), 'resource')}; each is explained.", said


def _compared(row: Comparison) -> Said:
    ours = outcome_of_action(str(row.ours))
    theirs = outcome_of_action(str(row.theirs)).word if row.theirs is not None else "nothing"
    return Said(
        row.resource,
        look_of(ours),
        title_of(ours),
        (_OF_HEAT.format(word=theirs), Color.MUTED if row.agrees else Color.WARNING),
        row.resource,
        explanation=row.explanation,
    )


def event_rows(events: Sequence[StackEvent]) -> list[Said]:
    """What happened, oldest first; what failed says why, and leads to the resource."""
    return [_event(event) for event in events]


def _event(event: StackEvent) -> Said:
    resource = "" if event.about_stack or event.owners else event.resource
    where = f"in {event.owners[-1]}" if event.owners else ""
    detail = " · ".join(filter(None, (event.time[11:19], where)))
    icon, color = status_look(event.status)
    return Said(
        event.resource,
        (icon, color),
        detail,
        (status_words(event.status), color),
        resource,
        explanation=event.reason if event.has_failed else "",
    )


def _resource(path: Path) -> str:
    return str(path[1]) if len(path) > 1 and path[0] == "resources" else ""

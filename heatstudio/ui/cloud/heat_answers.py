"""The answers of a cloud as rows of text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import Struct

from heatstudio.catalog.facts import Facts, items, mapping, text, texts
from heatstudio.cloud.events import OperationProgress, StackEvent, StackPage, owner_of
from heatstudio.cloud.failure import cause_of, failures
from heatstudio.cloud.heat_verdict import DryRun, HeatVerdict, OutcomeComparison
from heatstudio.cloud.stacks import link_to
from heatstudio.template import TreePath
from heatstudio.text import counted
from heatstudio.ui.cloud.stacks_model import moment_words, status_icon, status_words
from heatstudio.ui.widgets.outcome import icon_of, title_of
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell
from heatstudio.update.drift import Drift
from heatstudio.update.plan.outcome import outcome_of_action

MOST_EVENTS = 100
"""The maximum number of latest events shown, and of earlier failures; more would take long to lay out."""
_MOST_FAILURES = 5
_NO_DESCRIPTION = "No description"
"""What Heat returns for a template without a description (heat/engine/template.py)."""


class AnswerRow(Struct, frozen=True):
    """One row: a text and its target."""

    text: str
    icon: tuple[str, Color] | None = None
    detail: str = ""
    badge: tuple[str, Color] | None = None
    resource: str = ""
    """The resource in the template to which the row links, if any."""
    path: TreePath = ()
    """The path in the template to which the row links, if not to a whole resource."""
    wraps: bool = False
    explanation: str = ""
    """The text of a row below this one."""
    below: tuple[AnswerRow, ...] = ()
    """More rows below this one."""

    @property
    def branch(self) -> Branch:
        """The row with its explanation and the other rows below it."""
        explanation = AnswerRow(self.explanation, resource=self.resource, path=self.path, wraps=True)
        rows = (explanation, *self.below) if self.explanation else self.below
        return Branch(self, tuple(one.branch for one in rows))


def cell_of_answer(value: object, _column: int) -> Cell:
    """Return the cell of a row."""
    if not isinstance(value, AnswerRow):
        return NO_CELL
    return Cell(
        value.text,
        value.icon,
        value.detail,
        value.badge,
        Color.MUTED if value.icon is None else None,
        wraps=value.wraps,
        tip="\n".join(filter(None, (value.text, value.detail))),
        spoken=", ".join(filter(None, (value.text, value.detail, value.badge[0] if value.badge else ""))),
    )


def opinion_rows(opinion: HeatVerdict) -> tuple[str, list[AnswerRow]]:
    """Return a headline, and Heat's error in the template, if any."""
    if opinion.accepts:
        return "Heat accepts this template.", []
    icon = ("severity-error", Color.ERROR)
    row = AnswerRow(opinion.message, icon, path=opinion.path, resource=_resource(opinion.path), wraps=True)
    return "Heat rejects this template; it reports only the first error:", [row]


def comparison_rows(rows: Sequence[OutcomeComparison], theirs: DryRun) -> tuple[str, list[AnswerRow]]:
    """Return a headline with the number of differences, and the resources, those that differ first."""
    said = [_compared(row) for row in sorted(rows, key=lambda row: row.agrees)]
    if not theirs.refusal.accepts:
        return "Heat's dry run rejects the update:", [*opinion_rows(theirs.refusal)[1], *said]
    differing = sum(not row.agrees for row in rows)
    if not differing:
        return f"Heat's dry run agrees with the preview on {counted(len(rows), 'resource')}.", said
    return f"Heat's dry run differs from the preview for {differing} of {counted(len(rows), 'resource')}:", said


def _compared(row: OutcomeComparison) -> AnswerRow:
    ours = outcome_of_action(str(row.ours))
    theirs = outcome_of_action(str(row.theirs)).word if row.theirs is not None else "nothing"
    return AnswerRow(
        row.resource,
        icon_of(ours),
        title_of(ours),
        (f"Heat: {theirs}", Color.MUTED if row.agrees else Color.WARNING),
        row.resource,
        explanation=row.explanation,
    )


def progress_rows(progress: OperationProgress, events: Sequence[StackEvent]) -> list[AnswerRow]:
    """Return the failures, then the latest events."""
    latest = events[-MOST_EVENTS:]
    earlier = (event for event in progress.failed[-MOST_EVENTS:] if event not in latest)
    return [*map(_event, earlier), *map(_event, latest)]


def _event(event: StackEvent) -> AnswerRow:
    resource = "" if event.about_stack or event.owners else event.resource
    where = f"in {event.owners[-1]}" if event.owners else ""
    detail = " · ".join(filter(None, (event.time[11:19], where)))
    icon, color = status_icon(event.status)
    return AnswerRow(
        event.resource,
        (icon, color),
        detail,
        (status_words(event.status), color),
        resource,
        explanation=event.reason if event.has_failed else "",
    )


def page_rows(page: StackPage, drift: Sequence[Drift]) -> list[AnswerRow]:
    """Return the rows of a stack: why it failed, status with settings, drift, outputs, resources and latest events."""
    shown, status = page.stack, text(page.stack, "stack_status")
    outputs = tuple(map(_output, map(mapping, items(shown, "outputs"))))
    resources = tuple(_of_page(resource, text(shown, "stack_name")) for resource in page.resources)
    causes = _failure_rows(page if status.endswith("FAILED") else None)
    return [
        *causes,
        AnswerRow(status_words(status), status_icon(status), below=_settings(shown, with_reason=not causes)),
        *_group("Properties that differ from the template", tuple(map(_drifted, drift))),
        *_group("Outputs", outputs),
        *_group("Resources", resources),
        *_group("Latest events", tuple(map(_event, page.events))),
    ]


def _failure_rows(page: StackPage | None) -> list[AnswerRow]:
    """Return the causes of a failure, each with what to try and the reason that Heat gives."""
    found = failures(page.resources) if page is not None else ()
    icon = ("severity-error", Color.ERROR)
    return [
        AnswerRow(
            f"{failure.place}: {known.cause if known is not None else failure.reason}",
            icon,
            failure.type,
            resource=failure.top,
            wraps=True,
            explanation=known.advice if known is not None else "",
            below=(AnswerRow(failure.reason, resource=failure.top, wraps=True),) if known is not None else (),
        )
        for failure in found[:_MOST_FAILURES]
        for known in (cause_of(failure.reason, failure.type),)
    ]


def _settings(shown: Facts, *, with_reason: bool) -> tuple[AnswerRow, ...]:
    """Return the settings of a stack; the reason of its status repeats the cause of a failure."""
    minutes = shown.get("timeout_mins")
    found = {
        "Reason": text(shown, "stack_status_reason") if with_reason else "",
        "Description": text(shown, "description").removeprefix(_NO_DESCRIPTION),
        "Created": moment_words(text(shown, "creation_time")),
        "Updated": moment_words(text(shown, "updated_time")),
        "On failure": "not rolled back" if shown.get("disable_rollback") is True else "rolled back",
        "Timeout": f"{minutes} minutes" if minutes else "",
        "Tags": ", ".join(texts(shown, "tags")),
    }
    return tuple(AnswerRow(name, detail=value) for name, value in found.items() if value)


def _output(output: Facts) -> AnswerRow:
    value = _value(output.get("output_value"))
    return AnswerRow(text(output, "output_key"), detail=value, explanation=text(output, "output_error"))


def _group(title: str, rows: tuple[AnswerRow, ...]) -> list[AnswerRow]:
    return [AnswerRow(title, detail=str(len(rows)), below=rows)] if rows else []


def _of_page(resource: Facts, stack: str) -> AnswerRow:
    name, status, owner = text(resource, "resource_name"), text(resource, "resource_status"), owner_of(resource)
    where = f"in {owner}" if owner != stack else ""
    is_failed = status.endswith("FAILED") and not link_to(resource, "nested")  # that of a nested stack repeats it
    words = (text(resource, "resource_type"), text(resource, "physical_resource_id"), where)
    return AnswerRow(
        name,
        status_icon(status),
        " · ".join(filter(None, words)),
        (status_words(status), status_icon(status)[1]),
        "" if where else name,
        explanation=text(resource, "resource_status_reason") if is_failed else "",
    )


def _drifted(drift: Drift) -> AnswerRow:
    words = f"{_value(drift.live)} in the cloud, {_value(drift.written)} in the template"
    icon = ("severity-warning", Color.WARNING)
    return AnswerRow(f"{drift.resource}.{drift.property}", icon, words, resource=drift.resource)


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def _resource(path: TreePath) -> str:
    return str(path[1]) if len(path) > 1 and path[0] == "resources" else ""

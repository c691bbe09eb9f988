"""Shared steps of the cloud tests: writing templates, creating stacks and waiting for them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from heatstudio.cloud.changes import create_stack
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import OperationProgress, StackEvent, events_after
from heatstudio.cloud.stacks import StackSummary
from heatstudio.cloud.submission import Submission, submission_of
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from tests.cloud.find_stack import found_stack
from tests.load import load_source

PATIENCE = 60.0
TEMPLATE = """\
heat_template_version: 2021-04-16
description: a stack of widgets
parameters:
  label: {type: string, default: first}
  secret: {type: string, hidden: true, default: nothing}
  frozen: {type: string, immutable: true, default: ice}
resources:
  base: {type: Studio::Test::Widget, properties: {label: {get_param: label}, size: 1, zone: z1}}
  dependent: {type: Studio::Test::Widget, properties: {label: d, neighbor: {get_resource: base}}}
  reader: {type: OS::Heat::Value, properties: {value: {get_attr: [base, value]}}}
  sub: {type: parts/child.yaml, properties: {label: {get_param: label}}}
  lonely: {type: OS::Heat::RandomString, properties: {length: 8}}
"""
CHILD = """\
heat_template_version: 2021-04-16
parameters: {label: {type: string}}
resources:
  inner:
    type: Studio::Test::Widget
    properties: {label: {list_join: ['', [{get_param: label}, {get_file: note.txt}]]}}
outputs: {told: {value: {get_attr: [inner, value]}}}
"""


def written(folder: Path, template: str = TEMPLATE, environment: str | None = None) -> Source:
    """Write a template to a folder, with a nested template and a file in a subfolder, and return its source."""
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    (folder / "parts" / "child.yaml").write_text(CHILD, "utf-8")
    (folder / "parts" / "note.txt").write_text("-noted", "utf-8")
    (folder / "stack.yaml").write_text(template, "utf-8")
    environments = []
    if environment is not None:
        environments.append(folder / "environment.yaml")
        environments[0].write_text(environment, "utf-8")
    return load_source(folder / "stack.yaml", environments)


def finished(connection: Connection, stack: StackSummary, since: str = "") -> tuple[StackSummary, OperationProgress]:
    """Follow the events of a stack, as the window does, until the action ends; return the stack and the progress."""
    progress, last, until = OperationProgress(), since, time.monotonic() + PATIENCE
    while progress.ended is None:
        assert time.monotonic() < until, f"Heat works on {stack.name} for too long"
        events = events_after(connection, stack, last)
        last = events[-1].id if events else last
        progress = progress.after(events)
        time.sleep(0.05)
    return found_stack(connection, stack.id), progress


def created(connection: Connection, name: str, source: Source) -> StackSummary:
    """Create a stack and return it when it is complete."""
    stack, progress = finished(connection, create_stack(connection, name, submission_of(source)))
    assert stack.status == "CREATE_COMPLETE", [event.reason for event in progress.failed]
    return stack


def last_event(connection: Connection, stack: StackSummary) -> str:
    """Return the id of the newest event, to follow later events."""
    return events_after(connection, stack)[-1].id


def of(resources: Sequence[StackEvent]) -> set[tuple[str, str]]:
    """Return the resources of events with their statuses."""
    return {(event.resource, event.status) for event in resources}


def bare(template: str, **parameters: object) -> Submission:
    """Return the submission of a template text without other files."""
    return submission_of(Source(parse_template(template), parameter_values=parameters))

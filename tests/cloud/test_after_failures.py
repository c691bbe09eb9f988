"""Previews of the update after an update or create that failed, compared with what a real Heat then does.

The stack's template is that of the failed operation, which did not reach every resource, or after a rollback the first.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from heatstudio.cloud.changes import StackOptions, create_stack, update_stack
from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.submission import submission_of
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.update.plan.update_plan import Action, ResourceChange, UpdatePlan
from heatstudio.update.plan_update import plan_update
from tests.cloud.real_updates import PATIENCE, Ran, ResourcePath, members, settled, updated
from tests.cloud.test_real_updates import UNLIKE, rows, verdict
from tests.cloud.update_maker import UpdateMaker
from tests.load import load_source

pytestmark = pytest.mark.loopback
UPDATES = int(os.environ.get("HEATSTUDIO_CASES") or 3)
WIDGET, STRING, VALUE = "Studio::Test::Widget", "OS::Heat::RandomString", "OS::Heat::Value"
LATER = f"""
  waits: {{type: {VALUE}, depends_on: refused, properties: {{value: %(value)s}}}}
  string: {{type: {STRING}, depends_on: refused, properties: {{length: %(value)s}}}}
  apart: {{type: {WIDGET}, properties: {{label: %(value)s}}}}
  nested: {{type: child.yaml, depends_on: refused, properties: {{value: %(value)s}}}}
  group:
    type: OS::Heat::ResourceGroup
    depends_on: refused
    properties: {{count: %(count)s, resource_def: {{type: {STRING}, properties: {{length: %(value)s}}}}}}
  scaled:
    type: OS::Heat::AutoScalingGroup
    depends_on: refused
    properties: {{min_size: 2, max_size: 3, resource: {{type: {STRING}, properties: {{length: %(value)s}}}}}}
  rolled:
    type: OS::Heat::AutoScalingGroup
    depends_on: refused
    properties:
      min_size: 2
      max_size: 3
      rolling_updates: {{min_in_service: 2}}
      resource: {{type: child.yaml, properties: {{value: %(value)s}}}}
"""
CHILD = f"""\
heat_template_version: 2021-04-16
parameters: {{value: {{type: number}}}}
resources: {{r: {{type: {STRING}, properties: {{length: {{get_param: value}}}}}}}}
"""
REFUSED = f"resources:\n  refused: {{type: {WIDGET}, properties: {{zone: %(zone)s}}}}\n"
DROPPED = f"resources:\n  refused: {{type: {WIDGET}, depends_on: dropped, properties: {{zone: %(zone)s}}}}\n"
FINISHED = f"""\
resources:
  string: {{type: {STRING}, properties: {{length: %(value)s}}}}
  refused: {{type: {WIDGET}, depends_on: string, properties: {{zone: %(zone)s}}}}
"""
FAILED = f"resources:\n  refused: {{type: %(zone)s}}\n{LATER}"
ROLLED_BACK = "rolled back"
STORIES: Mapping[str, tuple[tuple[str, ...], Mapping[str, object]]] = {
    "definitions": ((REFUSED + LATER,) * 3, {}),
    "reverted": ((REFUSED + LATER,) * 3, {"value": 8, "count": 2}),
    "dropped": ((f"{DROPPED}  dropped: {{type: {STRING}}}\n", REFUSED, REFUSED), {}),
    "returned": ((f"{DROPPED}  dropped: {{type: {STRING}}}\n", REFUSED, f"{REFUSED}  dropped: {{type: {WIDGET}}}"), {}),
    "finished": ((FINISHED,) * 3, {}),
    "created": ((FAILED,) * 2, {"zone": WIDGET}),
    ROLLED_BACK: ((REFUSED + LATER,) * 3, {}),
}  # fmt: skip
"""The resources of each template of a story, and the values of the last template that differ from the second's."""
FIRST: Mapping[str, object] = {"zone": "z1", "value": 8, "count": 2}
SECOND: Mapping[str, object] = {"zone": "z2", "value": 9, "count": 3}
THIRD: Mapping[str, object] = {"zone": "z1", "value": 9, "count": 3}
EXPECTED: Mapping[str, Mapping[str, tuple[str, bool]]] = {
    "definitions": {"refused": ("replaced", True), "string": ("replaced", False), "waits": ("updated", False)},
    "dropped": {"dropped": ("deleted", True)},
    "returned": {"dropped": ("replaced", False)},
    "created": dict.fromkeys(("waits", "string", "nested", "group"), ("added", True)),
}


@pytest.mark.parametrize("story", STORIES)
def test_preview_after_a_failure_matches_heat(demo: Connection, tmp_path: Path, story: str) -> None:
    texts, last = STORIES[story]
    first = FIRST if len(texts) == 3 else {**FIRST, "zone": "Studio::Test::Fail"}
    values = [first, *([SECOND] if len(texts) == 3 else []), {**THIRD, **last}]
    sources = []
    for number, (text, given) in enumerate(zip(texts, values, strict=True)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "child.yaml").write_text(CHILD, encoding="utf-8")
        (folder / "top.yaml").write_text(f"heat_template_version: 2021-04-16\n{text % given}", encoding="utf-8")
        sources.append(load_source(folder / "top.yaml"))
    ran = after_failure(demo, story.replace(" ", "-"), sources, rolls_back=story == ROLLED_BACK)
    plan = plan_after(ran, sources[-1])
    top = {change.name: (str(change.action), change.certain) for change in plan.changes}
    assert ran.status == "UPDATE_COMPLETE", ran.reason
    assert {name: row for name, row in top.items() if name in EXPECTED.get(story, ())} == EXPECTED.get(story, {})
    assert differences(plan, ran) == {}


def after_failure(connection: Connection, name: str, sources: Sequence[Source], *, rolls_back: bool = False) -> Ran:
    """Create a stack, update it so that the last operation fails, and return the result of the next update."""
    options, action = StackOptions(rolls_back), "ROLLBACK" if rolls_back else "UPDATE"
    stack = settled(connection, create_stack(connection, name, submission_of(sources[0])), "CREATE")
    for source in sources[1:-1]:
        begun = update_stack(connection, stack, submission_of(source), options, keep_values=False)
        stack = settled(connection, begun, action)
    assert stack.status.endswith("COMPLETE" if rolls_back else "FAILED")
    until = time.monotonic() + PATIENCE
    while any("PROGRESS" in one.status for _, one in members(connection, stack.path)) and time.monotonic() < until:
        time.sleep(0.05)  # Heat still works in nested stacks
    return updated(connection, stack, sources[-1])


def plan_after(ran: Ran, after: Source) -> UpdatePlan:
    """Return the preview of the update that ran."""
    assert ran.running is not None
    return plan_update(ran.running.source(), after, load_knowledge(), ran.running.resources)


def differences(plan: UpdatePlan, ran: Ran) -> dict[ResourcePath, str]:
    """Return the rows that differ from what Heat did; members of a new or replaced owner have no rows.

    The name of a member that Heat adds to a scaling group is random.
    """
    outcomes, found = ran.outcomes, dict(rows(plan.changes))
    new = {path for path, outcome in outcomes.items() if outcome in ("added", "replaced", "deleted")}
    new |= {path for path, change in found.items() if change.action is Action.REPLACED}
    made = {
        path: outcome for path, outcome in outcomes.items() if not any(path[:end] in new for end in range(1, len(path)))
    }
    made = {path: one for path, one in made.items() if path not in found or not may_come_or_go(found[path])}
    grown = {path[:-1] for path, change in found.items() if change.action is Action.ADDED and path not in outcomes}
    made = {path: one for path, one in made.items() if one != "added" or path[:-1] not in grown}
    said = {path: verdict(found.get(path), outcome) for path, outcome in made.items()}
    return {path: f"{one} {made[path]}" for path, one in said.items() if one.startswith(("wrong", "missing"))}


def may_come_or_go(change: ResourceChange) -> bool:
    """Return whether a row says that a resource may be added or deleted."""
    return not change.certain and change.action in (Action.ADDED, Action.DELETED)


def test_preview_after_random_failures_matches_heat(demo: Connection) -> None:
    first = int(os.environ.get("HEATSTUDIO_SEED") or random.SystemRandom().randrange(10**9))
    sys.stdout.write(f"HEATSTUDIO_SEED={first}\n")
    found: list[object] = []
    compared = 0
    for seed in range(first, first + UPDATES):
        before, fails, after = UpdateMaker(random.Random(seed)).failing_updates()
        try:
            sides = [before.source(), fails.source(), after.source()]
            ran = after_failure(demo, f"failing-{seed}", sides, rolls_back=seed % 3 == 0)
        except CloudError as error:
            sys.stdout.write(f"{seed}: {error.message}\n")
            continue
        plan = plan_after(ran, after.source())
        compared += ran.status == "UPDATE_COMPLETE"
        wrong = differences(plan, ran) if ran.status == "UPDATE_COMPLETE" else {}
        is_unlike = plan.verdict in UNLIKE.get(ran.status, ())
        found += [(seed, ran.status, ran.reason, plan.verdict, wrong)] if wrong or is_unlike else []
    for one in found:
        sys.stdout.write(f"{one}\n")
    assert found == []
    assert compared * 2 >= UPDATES

"""Comparison of the preview with the results of random updates on a real Heat.

`HEATSTUDIO_CASES` is the number of updates; `HEATSTUDIO_SEED` is the seed of the first one, by default a random one.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import read_catalog
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.update.plan.update_plan import ResourceChange, Verdict
from heatstudio.update.plan_update import plan_update
from tests.cloud.real_updates import Ran, ResourcePath, run_update
from tests.cloud.update_maker import Side, UpdateMaker

pytestmark = pytest.mark.loopback
UPDATES = int(os.environ.get("HEATSTUDIO_CASES") or 8)
SCALED = "OS::Heat::AutoScalingGroup"
RUNNING = "against the running stack: "
GRAVER = ("unchanged", "updated", "replaced", "deleted")
UNLIKE = {"UPDATE_COMPLETE": (Verdict.REFUSED, Verdict.FAILS), "UPDATE_FAILED": (Verdict.RUNS, Verdict.CHANGES_NOTHING)}
"""The verdicts of the preview that the status of a real update disproves."""


@pytest.fixture
def knowledge(demo: Connection) -> Knowledge:
    """Return the knowledge of Heat with the types that only this cloud has."""
    return load_knowledge().with_cloud(KnownCloud(demo.name, read_catalog(demo, lambda _done, _total: None)))


def rows(
    changes: tuple[ResourceChange, ...], above: ResourcePath = ()
) -> Iterator[tuple[ResourcePath, ResourceChange]]:
    """Yield all rows of a plan with their paths."""
    for change in changes:
        path = (*above, change.name)
        yield path, change
        yield from rows(change.members, path)


def verdict(change: ResourceChange | None, outcome: str | None) -> str:
    """Return whether a row is right, or how it is wrong."""
    if change is None or outcome is None:
        return "missing"
    if change.action == outcome:
        return "right" if change.certain else "right, not certain"
    weaker = (
        outcome in GRAVER and outcome in GRAVER[: GRAVER.index(change.action)] if change.action in GRAVER else False
    )
    if not change.certain and weaker:
        return "may be, but is not"
    return f"wrong: {change.action} for {outcome}"


def compared(
    side: Side, plan: Mapping[ResourcePath, ResourceChange], ran: Ran, *, runs: bool
) -> Iterator[tuple[str, object]]:
    """Yield a verdict and its row; members of scaling groups with random names are only counted, by outcome.

    They are not if any is uncertain: it may come instead of another one.
    """
    scaled = {name for name, resource in side.resources.items() if resource["type"] == SCALED}
    for path in sorted({*plan, *ran.outcomes}):
        above = [path[:length] for length in range(1, len(path))]
        gone = any(ran.outcomes.get(one) in ("replaced", "added", "deleted") for one in above)
        gone = gone or any(one in plan and plan[one].action == "replaced" for one in above)  # unlisted in the plan
        is_new = "added" in (ran.outcomes.get(path), plan[path].action if path in plan else "")
        if not gone and not (any(one[-1] in scaled for one in above) and (is_new or not runs)):
            yield verdict(plan.get(path), ran.outcomes.get(path)), (path, plan.get(path), ran.outcomes.get(path))
    for name in scaled:
        members = [change for path, change in plan.items() if path[:-1] == (name,)]
        said = Counter(str(change.action) for change in members)
        made = Counter(outcome for path, outcome in ran.outcomes.items() if path[:-1] == (name,))
        if ran.outcomes.get((name,)) == "updated" and all(change.certain for change in members):
            yield "right" if said == made else f"wrong: {said} for {made}", (name, said, made)


def test_preview_matches_random_updates(demo: Connection, knowledge: Knowledge) -> None:
    first = int(os.environ.get("HEATSTUDIO_SEED") or random.SystemRandom().randrange(10**9))
    sys.stdout.write(f"HEATSTUDIO_SEED={first} HEATSTUDIO_CASES={UPDATES}\n")
    worth: Counter[str] = Counter()
    wrong: list[tuple[int, str, object]] = []
    for seed in range(first, first + UPDATES):
        before, after = UpdateMaker(random.Random(seed)).update()
        ran = run_update(demo, f"made-up-{seed}", before.source(), after.source())
        plans = {"": plan_update(before.source(), after.source(), knowledge)}
        if ran.running is not None:
            old, resources = ran.running.source(), ran.running.resources
            plans[RUNNING] = plan_update(old, after.source(), knowledge, resources)
        worth[ran.status] += 1
        if ran.status != "UPDATE_COMPLETE":
            sys.stdout.write(f"{seed}: {ran.status}: {ran.reason}\n")
        for side, plan in plans.items():
            if plan.verdict in UNLIKE.get(ran.status, ()):
                wrong.append((seed, f"{side}wrong: {plan.verdict} for {ran.status}", ran.reason))
            found = compared(after, dict(rows(plan.changes)), ran, runs=side == RUNNING)
            for said, row in found if ran.status == "UPDATE_COMPLETE" else ():
                worth[f"{side}{said.partition(':')[0]}"] += 1
                if said.startswith(("wrong", "missing")):
                    wrong.append((seed, f"{side}{said}", row))
    sys.stdout.write(f"{dict(worth)}\n")
    assert wrong == [], f"HEATSTUDIO_SEED={first}"
    assert worth["UPDATE_COMPLETE"] * 2 >= UPDATES

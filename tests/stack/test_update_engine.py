"""What an update does to stacks that nobody wrote down before, held against the real engine."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest

from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.knowledge import load_knowledge
from heatstudio.stack.source import Source
from heatstudio.stack.update.plan_update import plan_update
from heatstudio.template import parse_template
from tests.stack.update_pairs import Data, Pair, PairMaker

PAIRS = 80
SEED = 20
UNDECIDED = ("undecided", "failed", "missing", "not reached")
SIGNED = "OS::Heat::UpdateWaitConditionHandle"
"""The stub of the identity service signs its address with the same key each time."""


def asked(pairs: list[Pair], python: str, script: Path, folder: Path) -> list[dict[str, object]]:
    """The engine's answers."""
    lines = []
    for number, pair in enumerate(pairs):
        names = []
        for part in ("before", "after", "environment_before", "environment_after"):
            path = folder / f"{number}-{part}.json"
            path.write_text(json.dumps(getattr(pair, part)), encoding="utf-8")
            names.append(str(path))
        lines.append(json.dumps(["update", *names[:2], "-e", names[2], "-E", names[3]]))
    batch = folder / "batch"
    batch.write_text("\n".join(lines), encoding="utf-8")
    command = [python, str(script), "batch", str(batch)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    return [json.loads(line) for line in done.stdout.splitlines()]


def source(template: Data, environment: Data) -> Source:
    return Source(parse_template(json.dumps(template)), (EnvironmentFile("environment", environment),))


def test_made_up_updates(shared: Path, tmp_path: Path) -> None:
    python = os.environ.get("HEAT_PYTHON")
    if not python:
        pytest.skip("HEAT_PYTHON names no Python that has openstack-heat")
    knowledge = load_knowledge()
    names = (name for name in knowledge.catalog.names() if name not in (SIGNED, "OS::Heat::Stack"))
    types = [found for name in names if (found := knowledge.catalog.get(name)) is not None]
    maker = PairMaker(types, random.Random(SEED))
    pairs = [maker.pair() for _ in range(PAIRS)]
    different, compared = {}, 0
    for pair, answer in zip(pairs, asked(pairs, python, shared / "engine" / "ask_heat.py", tmp_path), strict=True):
        decisions = answer.get("decisions")
        if answer.get("status") != "UPDATE_COMPLETE" or not isinstance(decisions, dict):
            continue
        old, new = source(pair.before, pair.environment_before), source(pair.after, pair.environment_after)
        changes = {change.name: change for change in plan_update(old, new, knowledge).changes}
        for name, decision in decisions.items():
            if decision not in UNDECIDED:
                compared += 1
                if str(changes[name].action) != decision:
                    different[name] = (decision, changes[name], pair)
    assert different == {}
    assert compared > PAIRS

"""Previews of random updates of stacks, compared with the Heat engine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from heatstudio.catalog.schema import PropertyType, ResourceType
from heatstudio.cli.report import plain
from heatstudio.service.saved_plan import changes_since, save_plan
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_template
from heatstudio.update.plan.plan_text import plan_data
from heatstudio.update.plan.update_plan import Action, ResourceChange
from heatstudio.update.plan_update import plan_update
from tests.generated.asking import Engine
from tests.generated.update_pairs import Pair, PairMaker
from tests.generated.values import Data

UNDECIDED = ("undecided", "failed", "missing", "not reached")
SIGNED = "OS::Heat::UpdateWaitConditionHandle"
"""A type that cannot be compared: the stub of the identity service always signs its URL with the same key."""


def question(engine: Engine, number: int, pair: Pair) -> list[str]:
    """Write the files of a pair, and return the question for the engine."""
    parts = ("before", "after", "environment_before", "environment_after")
    before, after, *environments = (engine.write(f"{number}-{part}.json", getattr(pair, part)) for part in parts)
    return ["update", before, after, "-e", environments[0], "-E", environments[1]]


def source(template: Data, environment: Data) -> Source:
    """Return the source of one template of the update."""
    return Source(parse_template(json.dumps(template)), (EnvironmentFile("environment", environment),))


def readable(knowledge: Knowledge, kind: ResourceType) -> Iterator[str]:
    """Yield the text attributes, except those with the value of a property: the stubs derive their values from ids."""
    rules = knowledge.update_behavior(kind).attributes
    for name, attribute in kind.attributes.items():
        is_text = attribute.type in (None, PropertyType.STRING) and "." not in name
        if is_text and not (name in rules and rules[name].value_of):
            yield name


def agrees(change: ResourceChange, decision: str) -> bool:
    """Return whether a row has the engine's outcome, or may be graver: attributes of stubs never change in place."""
    if str(change.action) == decision:
        return True
    return not change.certain and (decision, change.action) in {
        ("unchanged", Action.UPDATED),
        ("unchanged", Action.REPLACED),
        ("updated", Action.REPLACED),
    }


def random_pairs(types: list[ResourceType], knowledge: Knowledge, dice: random.Random, count: int) -> list[Pair]:
    """Return random pairs of templates with resources of these types."""
    named = [kind.name for kind in types if knowledge.update_behavior(kind).reference_named_by]  # stubs return ids
    maker = PairMaker(types, dice, {kind.name: list(readable(knowledge, kind)) for kind in types}, named)
    return [maker.pair() for _ in range(count)]


def differences(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> list[tuple[object, ...]]:
    """Return the resources with different outcomes: name, decision of the engine, change in the plan, and pair."""
    names = (name for name in knowledge.catalog.names() if name not in (SIGNED, "OS::Heat::Stack"))
    types = [kind for name in names if (kind := knowledge.catalog.get(name)) is not None]
    pairs = random_pairs(types, knowledge, dice, count)
    answers = engine.ask([question(engine, number, pair) for number, pair in enumerate(pairs)])
    found: list[tuple[object, ...]] = []
    for pair, answer in zip(pairs, answers, strict=True):
        decisions = answer.get("decisions")
        is_refused = answer.get("exception") == "ImmutableParameterModified"
        if not is_refused and (answer.get("status") != "UPDATE_COMPLETE" or not isinstance(decisions, dict)):
            continue
        old, new = source(pair.before, pair.environment_before), source(pair.after, pair.environment_after)
        plan = plan_update(old, new, knowledge)
        if is_refused is not any("is immutable" in one.message for one in plan.refusals):
            found.append((answer.get("message"), plan.refusals, pair))
        if is_refused or not isinstance(decisions, dict):
            continue
        changes = {change.name: change for change in plan.changes}
        decided = {name: decision for name, decision in decisions.items() if decision not in UNDECIDED}
        wrong = [name for name, decision in decided.items() if not agrees(changes[name], decision)]
        found += [(name, decided[name], changes[name], pair) for name in wrong]
    return found


def test_outcomes_of_updates(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert differences(engine, knowledge, dice, count * 2) == []


def test_templates_change_nothing_compared_with_themselves(
    knowledge: Knowledge, dice: random.Random, count: int
) -> None:
    limited = [name for name, one in knowledge.update_behaviors.items() if one.members and one.members.limits]
    names = (name for name in knowledge.catalog.names() if name not in (SIGNED, *limited))  # random limits are invalid
    types = [kind for name in names if (kind := knowledge.catalog.get(name)) is not None]
    for pair in random_pairs(types, knowledge, dice, count):
        for environment in (pair.environment_before, {}):
            same = source(pair.before, environment)
            changed = [one for one in plan_update(same, same, knowledge).changes if one.has_effect]
            assert [one for one in changed if "by every stack update" not in "".join(one.notes)] == [], pair


def test_saved_plans_are_read_back_equal(tmp_path: Path, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    types = [kind for name in knowledge.catalog.names() if (kind := knowledge.catalog.get(name)) is not None]
    path, with_reasons = tmp_path / "plan.json", 0
    for pair in random_pairs(types, knowledge, dice, count):
        old, new = source(pair.before, pair.environment_before), source(pair.after, pair.environment_after)
        plan = plan_update(old, new, knowledge)
        save_plan(path, {}, {}, plain(plan_data(plan)))
        assert list(changes_since(path, {}, {}, plain(plan_data(plan)))) == []
        with_reasons += any(change.because for change in plan.changes)
    assert with_reasons

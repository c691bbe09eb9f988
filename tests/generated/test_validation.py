"""Verdicts on random templates, as written and after fixes in random order, compared with the Heat engine."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import yaml

from heatstudio.analysis import Analysis, analyze
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.text import Applicability, Severity, apply_edits
from tests.generated.asking import Engine, refusal
from tests.generated.expressions import FILES
from tests.generated.templates import Templates
from tests.load import load_source

NOT_STUBBED = "The Keystone"
"""The start of an error that the stubs lack: Heat rejects an empty name without a request to Keystone."""
UNDECIDED = (
    "neutron_subnet does not belong to",
    'can only concatenate str (not "NoneType")',
    "'test_tenant_id'",
    "is not iterable",
    "was not provided",
)
"""Errors that depend on the cloud, such as the id of a project, those of types for which Heat fails to look up an
`external_id`, or beside it fails to read a function instead of properties, and values that may still be given."""
MOST_FIXES = 8


def templates(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> list[Path]:
    """Write random templates with the files that they use, and return their paths."""
    maker = Templates(knowledge, dice)
    for name, text in FILES.items():
        engine.write(name, text)
    return [Path(engine.write(f"{number}.json", maker.template())) for number in range(count)]


def analyzed(path: Path, knowledge: Knowledge) -> Analysis:
    return analyze(load_source(path), knowledge)


def errors(analysis: Analysis) -> list[str]:
    return [one.heat or one.message for one in analysis.diagnostics if one.severity is Severity.ERROR]


def differences(engine: Engine, knowledge: Knowledge, paths: Sequence[Path]) -> list[tuple[object, ...]]:
    """Return the templates with different verdicts, each with the engine's error and the program's errors."""
    answers = engine.ask([("validate", str(path)) for path in paths])
    found: list[tuple[object, ...]] = []
    for path, answer in zip(paths, answers, strict=True):
        reported, said = errors(analyzed(path, knowledge)), refusal(answer)
        if said is None or any(one in said for one in UNDECIDED) or any(NOT_STUBBED in one for one in reported):
            continue
        if bool(said) is not bool(reported):
            found.append((path.read_text("utf-8"), said, reported))
    return found


def fix_at_random(path: Path, knowledge: Knowledge, dice: random.Random) -> list[tuple[object, ...]]:
    """Apply fixes in random order, and return the safe ones after which there are more errors."""
    wrong: list[tuple[object, ...]] = []
    for _ in range(MOST_FIXES):
        analysis, text = analyzed(path, knowledge), path.read_text("utf-8")
        offers = [(one, fix) for one in analysis.diagnostics for fix in analysis.fixes(one)]
        if not offers:
            break
        diagnostic, fix = dice.choice(offers)
        path.write_text(apply_edits(text, fix.edits), "utf-8")
        before, after = errors(analysis), errors(analyzed(path, knowledge))
        if fix.applicability is Applicability.SAFE and len(after) > len(before):
            wrong.append((text, diagnostic.code, fix.title, before, after))
    return wrong


def test_verdicts_on_templates(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    assert differences(engine, knowledge, templates(engine, knowledge, dice, count * 3)) == []


def test_verdicts_on_fixed_templates(engine: Engine, knowledge: Knowledge, dice: random.Random, count: int) -> None:
    wrong: list[tuple[object, ...]] = []
    paths = templates(engine, knowledge, dice, count)
    for path in paths:
        if dice.random() < 0.7:
            path.write_text(yaml.safe_dump(json.loads(path.read_text("utf-8")), sort_keys=False), "utf-8")
        wrong += fix_at_random(path, knowledge, dice)
    assert [*wrong, *differences(engine, knowledge, paths)] == []
